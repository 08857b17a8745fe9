//! Results as Arrow data for other libraries: streams that are made while they are read.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, Field, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use sameas::{Error, Result};

use crate::errors::exception;

/// Something that makes the batches of a table by their numbers, from any thread.
pub trait BatchMaker: Send + Sync {
    /// The columns.
    fn schema(&self) -> SchemaRef;

    /// The number of batches.
    fn count(&self) -> usize;

    /// A batch by its number.
    fn make(&self, number: usize) -> Result<RecordBatch>;
}

/// Reads a table whose batches are made some at a time, on as many threads.
pub struct MadeBatches<M> {
    maker: Arc<M>,
    next: usize,
    ready: VecDeque<Result<RecordBatch>>,
}

/// Batches that are made at a time, at most: they are held until they are taken.
const MOST_AHEAD: usize = 8;

impl<M: BatchMaker> MadeBatches<M> {
    /// From the first batch on.
    pub fn new(maker: Arc<M>) -> Self {
        Self { maker, next: 0, ready: VecDeque::new() }
    }

    fn make_some(&mut self) {
        let ahead = thread::available_parallelism().map_or(1, usize::from).min(MOST_AHEAD);
        let numbers = self.next..self.maker.count().min(self.next + ahead);
        self.next = numbers.end;
        if numbers.len() < 2 {
            self.ready.extend(numbers.map(|number| self.maker.make(number)));
            return;
        }
        let maker = &self.maker;
        thread::scope(|scope| {
            let begin = |number: usize| {
                let begun = thread::Builder::new().spawn_scoped(scope, move || maker.make(number));
                begun.map_err(|_| number)
            };
            let begun: Vec<_> = numbers.map(begin).collect();
            let panicked = |_| Err(Error::internal("a batch of results could not be made"));
            // Where the system has no more threads, this one does the work.
            let made = begun.into_iter().map(|begun| match begun {
                Ok(thread) => thread.join().unwrap_or_else(panicked),
                Err(number) => maker.make(number),
            });
            self.ready.extend(made);
        });
    }
}

impl<M: BatchMaker> Iterator for MadeBatches<M> {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            self.make_some();
        }
        self.ready.pop_front().map(|batch| batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl<M: BatchMaker> RecordBatchReader for MadeBatches<M> {
    fn schema(&self) -> SchemaRef {
        self.maker.schema()
    }
}

/// A stream of batches, to be read once.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Batches {
    schema: SchemaRef,
    reader: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

impl Batches {
    /// The batches of a reader.
    pub fn new(reader: Box<dyn RecordBatchReader + Send>) -> Self {
        Self { schema: reader.schema(), reader: Mutex::new(Some(reader)) }
    }
}

#[pymethods]
impl Batches {
    /// The names of the columns.
    fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The types of the columns, as Arrow calls them.
    fn types(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.data_type().to_string()).collect()
    }

    /// The stream, by Arrow's C interface.
    fn stream(&self, py: Python<'_>) -> PyResult<Py<PyCapsule>> {
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reader = reader.ok_or_else(|| PyValueError::new_err("the stream has been read before"))?;
        let stream = FFI_ArrowArrayStream::new(reader);
        Ok(PyCapsule::new_with_value(py, stream, c"arrow_array_stream")?.unbind())
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let batch = py.detach(|| {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let next = reader.as_mut().and_then(|reader| reader.next());
            if next.is_none() {
                *reader = None;
            }
            next
        });
        match batch {
            None => Ok(None),
            Some(Ok(batch)) => Ok(Some(Batch { batch })),
            Some(Err(ArrowError::ExternalError(error))) => Err(match error.downcast_ref::<Error>() {
                Some(error) => exception(py, error),
                None => PyValueError::new_err(error.to_string()),
            }),
            Some(Err(error)) => Err(PyValueError::new_err(error.to_string())),
        }
    }
}

/// Some rows of a table.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Batch {
    batch: RecordBatch,
}

#[pymethods]
impl Batch {
    /// The names of the columns.
    fn names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The number of rows.
    fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// The values of a column as Python objects: of a preview, not of a large table.
    fn values(&self, py: Python<'_>, column: usize, rows: usize) -> PyResult<Vec<Py<PyAny>>> {
        let array = self.batch.column(column);
        crate::python_columns::to_objects(py, &array.slice(0, rows.min(array.len())))
    }

    /// Schema and array, by Arrow's C interface.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = StructArray::from(self.batch.clone());
        capsules(py, &Field::new("", rows.data_type().clone(), false), &rows.to_data())
    }
}

/// A schema and an array, each in a capsule.
pub fn capsules<'py>(py: Python<'py>, field: &Field, data: &ArrayData) -> PyResult<Bound<'py, PyTuple>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
    let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(data), c"arrow_array")?;
    PyTuple::new(py, [schema, array])
}
