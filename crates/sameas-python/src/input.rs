//! What the user gave for one side of a job.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use sameas::{Error, Result};

use crate::arrow_in::{self, ForeignStream};
use crate::errors::OrException;
use crate::python_columns;
use crate::supervise::supervise;

/// One side of a job.
#[pyclass(frozen, from_py_object, module = "sameas._sameas")]
#[derive(Clone)]
pub struct Input {
    pub input: sameas::Input,
}

impl Input {
    fn from_batches(schema: arrow_schema::SchemaRef, batches: Vec<RecordBatch>, name: &str) -> Result<Self> {
        Ok(Self { input: sameas::Input::batches(name, schema, batches)? })
    }
}

#[pymethods]
impl Input {
    /// Files: paths, or patterns.
    #[staticmethod]
    fn files(paths: Vec<PathBuf>) -> Self {
        Self { input: sameas::Input::files(paths) }
    }

    /// The table of an Arrow stream. The stream is read to its end here, and refers to the memory of its producer.
    #[staticmethod]
    fn stream(
        py: Python<'_>,
        name: String,
        capsule: &Bound<'_, PyCapsule>,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let stream = ForeignStream::take(capsule)?.or_exception(py)?;
        supervise(py, display, move |_| {
            let (schema, batches) = stream.batches(&name)?;
            Self::from_batches(schema, batches, &name)
        })
    }

    /// The table of an Arrow array of structures.
    #[staticmethod]
    fn array(
        py: Python<'_>,
        name: &str,
        schema: &Bound<'_, PyCapsule>,
        array: &Bound<'_, PyCapsule>,
    ) -> PyResult<Self> {
        let array = arrow_in::array(schema, array)?.or_exception(py)?;
        let (schema, batches) = arrow_in::table(name, &array).or_exception(py)?;
        Self::from_batches(schema, batches, name).or_exception(py)
    }

    /// A table of named columns: lists of values, or arrays of NumPy.
    #[staticmethod]
    fn columns(py: Python<'_>, name: &str, columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let mut arrays = Vec::with_capacity(columns.len());
        for (column, values) in &columns {
            arrays.push(python_columns::column(column, values)?.or_exception(py)?);
        }
        let names = columns.into_iter().map(|(name, _)| name);
        table(name, names.zip(arrays).collect()).or_exception(py)
    }

    /// The same, read in another way.
    #[pyo3(signature = (delimiter=None, encoding=None, null=None, blank_is_null=None))]
    fn reading(
        &self,
        py: Python<'_>,
        delimiter: Option<u8>,
        encoding: Option<&str>,
        null: Option<Vec<String>>,
        blank_is_null: Option<bool>,
    ) -> PyResult<Self> {
        let mut input = self.input.clone();
        if let Some(delimiter) = delimiter {
            input = input.with_delimiter(delimiter);
        }
        if let Some(encoding) = encoding {
            input = input.with_encoding(encoding).or_exception(py)?;
        }
        if let Some(null) = null {
            input = input.with_null_texts(null);
        }
        if let Some(is_null) = blank_is_null {
            input = input.with_blank_as_null(is_null);
        }
        Ok(Self { input })
    }

    /// The same, where files that would be read as CSV are plain text without names.
    fn plain_text(&self) -> Self {
        Self { input: self.input.clone().as_plain_text() }
    }
}

/// A table in one batch.
fn table(name: &str, columns: Vec<(String, ArrayRef)>) -> Result<Input> {
    let rows = columns.first().map_or(0, |(_, first)| first.len());
    if let Some((other, array)) = columns.iter().find(|(_, array)| array.len() != rows) {
        let (first, _) = &columns[0];
        let what = format!("column `{other}` has {} values, and column `{first}` has {rows}", array.len());
        return Err(Error::data(what).with_help("give all columns the same number of values"));
    }
    let field = |(name, array): &(String, ArrayRef)| Field::new(name, array.data_type().clone(), true);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options)
        .map_err(|error| Error::data(format!("`{name}`: {error}")))?;
    Input::from_batches(schema, vec![batch], name)
}
