//! Term frequencies that were counted, as tables.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use sameas::score::ColumnFrequencies;
use sameas::{Result, ResultFile};

use crate::arrow_out::{BatchMaker, Batches, MadeBatches};
use crate::format::format_of;
use crate::supervise::supervise;

/// How frequent the values of a column are.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Frequencies {
    counted: Arc<CountedColumn>,
    session: sameas::Session,
    /// What they were counted from.
    reads: Vec<sameas::Input>,
}

struct CountedColumn(ColumnFrequencies);

impl BatchMaker for CountedColumn {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }

    fn count(&self) -> usize {
        self.0.batch_count()
    }

    fn make(&self, number: usize) -> Result<RecordBatch> {
        self.0.batch(number)
    }
}

impl Frequencies {
    /// Frequencies for Python.
    pub fn new(counted: ColumnFrequencies, session: &sameas::Session, reads: &[sameas::Input]) -> Self {
        Self { counted: Arc::new(CountedColumn(counted)), session: session.clone(), reads: reads.to_vec() }
    }
}

#[pymethods]
impl Frequencies {
    /// The column.
    fn column(&self) -> &str {
        self.counted.0.column()
    }

    /// The number of values.
    fn rows(&self) -> usize {
        self.counted.0.len()
    }

    /// The values with their counts and frequencies, as a stream.
    fn batches(&self) -> Batches {
        Batches::new(Box::new(MadeBatches::new(Arc::clone(&self.counted))))
    }

    /// Writes them into a file.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool, display: &Bound<'_, PyAny>) -> PyResult<()> {
        let (counted, session, reads) = (Arc::clone(&self.counted), self.session.clone(), self.reads.clone());
        supervise(py, display, move |_| {
            let mut file = ResultFile::create(&path, overwrite)?;
            file.protect_inputs(&reads)?;
            session.write_term_frequencies(&counted.0, &mut file, format_of(&path)?, &path)?;
            file.finish()
        })
    }
}
