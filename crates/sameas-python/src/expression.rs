//! Expressions of the rule language over columns: measures, and everything else that `derive` has.

use std::sync::Arc;
use std::thread;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, new_empty_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use sameas::{Error, Result};

use crate::arrow_in::{self, ForeignStream};
use crate::arrow_out::capsules;
use crate::errors::OrException;
use crate::python_columns;

/// Rows that are evaluated at a time.
const ROWS: usize = 1 << 16;

/// Columns that an expression reads, one or more arrays each.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Expression {
    schema: SchemaRef,
    expression: sameas::Expression,
    columns: Vec<ArrayRef>,
}

#[pymethods]
impl Expression {
    /// An expression over named columns. Each is a list of values, an array of NumPy, a capsule of an Arrow stream, or two of
    /// an Arrow array.
    #[new]
    fn new(py: Python<'_>, text: &str, columns: Vec<(String, Bound<'_, PyAny>)>) -> PyResult<Self> {
        let mut arrays = Vec::with_capacity(columns.len());
        for (name, values) in &columns {
            arrays.push(column(py, name, values)?);
        }
        let field = |((name, _), array): (&(String, _), &ArrayRef)| Field::new(name, array.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
        let expression = sameas::Expression::new(text, &schema).or_exception(py)?;
        Ok(Self { schema, expression, columns: arrays })
    }

    /// The values of all rows.
    fn column(&self, py: Python<'_>) -> PyResult<Column> {
        let arrays = py.detach(|| self.evaluate()).or_exception(py)?;
        Ok(Column { array: joined(&arrays, &self.expression.data_type()).or_exception(py)? })
    }

    /// The value of the first row.
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let arrays = self.evaluate().or_exception(py)?;
        let Some(first) = arrays.first() else { return Ok(None) };
        Ok(python_columns::to_objects(py, &first.slice(0, 1))?.into_iter().next())
    }
}

impl Expression {
    /// The values of all rows, some tens of thousands in each array, on all cores.
    fn evaluate(&self) -> Result<Vec<ArrayRef>> {
        let rows = self.columns.iter().map(|column| column.len()).max().unwrap_or(0);
        if let Some(short) = self.columns.iter().find(|column| column.len() != rows) {
            return Err(Error::data(format!("columns of {} and {rows} values cannot be compared", short.len())));
        }
        let parts: Vec<usize> = (0..rows).step_by(ROWS).collect();
        let threads = thread::available_parallelism().map_or(1, usize::from).min(parts.len());
        if threads < 2 {
            return parts.into_iter().map(|from| self.part(from, rows)).collect();
        }
        let mut values: Vec<(usize, Result<ArrayRef>)> = thread::scope(|scope| {
            let work = |first: usize| {
                let own = parts.iter().skip(first).step_by(threads);
                own.map(|from| (*from, self.part(*from, rows))).collect::<Vec<_>>()
            };
            let begin = |first: usize| {
                let begun = thread::Builder::new().spawn_scoped(scope, move || work(first));
                begun.map_err(|_| first)
            };
            let begun: Vec<_> = (0..threads).map(begin).collect();
            let panicked = |_| vec![(0, Err(Error::internal("a column could not be evaluated")))];
            // Where the system has no more threads, this one does the work.
            let values = begun.into_iter().flat_map(|begun| match begun {
                Ok(thread) => thread.join().unwrap_or_else(panicked),
                Err(first) => work(first),
            });
            values.collect()
        });
        values.sort_by_key(|(from, _)| *from);
        values.into_iter().map(|(_, value)| value).collect()
    }

    fn part(&self, from: usize, rows: usize) -> Result<ArrayRef> {
        let length = ROWS.min(rows - from);
        let columns = self.columns.iter().map(|column| column.slice(from, length)).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(length));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options);
        self.expression.evaluate(&batch.map_err(|error| Error::internal(format!("a part of columns: {error}")))?)
    }
}

/// Values of an expression.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Column {
    array: ArrayRef,
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.array.len()
    }

    /// Some of the values as Python objects.
    fn values(&self, py: Python<'_>, from: usize, rows: usize) -> PyResult<Vec<Py<PyAny>>> {
        let from = from.min(self.array.len());
        python_columns::to_objects(py, &self.array.slice(from, rows.min(self.array.len() - from)))
    }

    /// Schema and array, by Arrow's C interface.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        capsules(py, &Field::new("", self.array.data_type().clone(), true), &self.array.to_data())
    }
}

/// One array of several.
fn joined(arrays: &[ArrayRef], data_type: &DataType) -> Result<ArrayRef> {
    let parts: Vec<&dyn Array> = arrays.iter().map(AsRef::as_ref).collect();
    match arrays {
        [] => Ok(new_empty_array(data_type)),
        [one] => Ok(Arc::clone(one)),
        _ => concat(&parts).map_err(|error| Error::data(format!("a column cannot be joined: {error}"))),
    }
}

/// The array of a column.
fn column(py: Python<'_>, name: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(capsule) = values.cast::<PyCapsule>() {
        let stream = ForeignStream::take(capsule)?.or_exception(py)?;
        let arrays = py.detach(|| stream.arrays().and_then(|(data_type, arrays)| joined(&arrays, &data_type)));
        return arrays.or_exception(py);
    }
    if let Ok((schema, array)) = values.extract::<(Bound<'_, PyCapsule>, Bound<'_, PyCapsule>)>() {
        return arrow_in::array(&schema, &array)?.or_exception(py);
    }
    python_columns::column(name, values)?.or_exception(py)
}
