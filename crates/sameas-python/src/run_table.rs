//! Tables that a run makes of its records, which are read once more for that: entities, records with their entities, and pairs with
//! columns of both records.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use sameas::entities::{RecordTable, TableSink, WithColumns};
use sameas::{Error, Format, Observer, Result, ResultFile};

use crate::arrow_out::Batches;
use crate::errors::OrException;
use crate::format::format_of;
use crate::pushed::{Push, PushedBatches};
use crate::run::SharedRun;
use crate::supervise::supervise;

/// A table that is made whenever it is read.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct RunTable {
    found: Arc<SharedRun>,
    table: MadeTable,
    rows: u64,
}

/// What is made.
#[derive(Clone)]
pub enum MadeTable {
    /// Entities or records.
    Records(RecordTable),
    /// Pairs with these columns of both records.
    Pairs(WithColumns),
}

impl MadeTable {
    /// Gives its rows to a sink.
    fn read(&self, run: &sameas::Run, sink: &mut dyn TableSink, observer: &dyn Observer) -> Result<()> {
        match self {
            Self::Records(table) => run.record_table(*table, sink, observer),
            Self::Pairs(columns) => run.pairs_with(columns, sink, observer),
        }
        .map(drop)
    }

    /// Writes it.
    fn write(
        &self,
        run: &mut sameas::Run,
        out: &mut ResultFile,
        format: Format,
        name: &str,
        observer: &dyn Observer,
    ) -> Result<()> {
        match self {
            Self::Records(table) => run.write_record_table(out, *table, format, name, observer),
            Self::Pairs(columns) => run.write_pairs_with(out, columns, format, name, observer),
        }
    }
}

impl RunTable {
    /// A table of a run, with this many rows.
    pub fn new(found: &Arc<SharedRun>, table: MadeTable, rows: u64) -> Self {
        Self { found: Arc::clone(found), table, rows }
    }
}

#[pymethods]
impl RunTable {
    /// The number of rows.
    fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows, in order, as a stream.
    fn batches(&self, py: Python<'_>) -> PyResult<Batches> {
        let (found, table) = (Arc::clone(&self.found), self.table.clone());
        let is_over = Arc::new(AtomicBool::new(false));
        let schema = py.detach(|| schema(&found, &table)).or_exception(py)?;
        let watch = StoppedBy(Arc::clone(&is_over));
        let read = move |sink: Push<'_>| found.streamed(|run| table.read(run, &mut Pushing(sink), &watch));
        Ok(Batches::new(Box::new(PushedBatches::new(schema, read).stopped_by(is_over))))
    }

    /// Writes it into a file.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool, display: &Bound<'_, PyAny>) -> PyResult<()> {
        let (found, table) = (Arc::clone(&self.found), self.table.clone());
        supervise(py, display, move |watch| {
            let (format, name) = (format_of(&path)?, path.display().to_string());
            let mut file = ResultFile::create(&path, overwrite)?;
            found.written(|run| {
                file.protect_inputs(&run.files_read())?;
                table.write(run, &mut file, format, &name, watch)
            })?;
            file.finish()
        })
    }
}

/// The columns of a table.
fn schema(found: &SharedRun, table: &MadeTable) -> Result<SchemaRef> {
    let mut sink = ColumnsAlone(None);
    let stopped = table.read(&found.read(), &mut sink, &());
    match (sink.0, stopped) {
        (Some(schema), _) => Ok(schema),
        (None, Err(error)) => Err(error),
        (None, Ok(())) => Err(Error::internal("a table without columns")),
    }
}

/// Takes the columns, and nothing else.
struct ColumnsAlone(Option<SchemaRef>);

impl TableSink for ColumnsAlone {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        self.0 = Some(Arc::clone(schema));
        Err(Error::internal("only the columns are wanted"))
    }

    fn take(&mut self, _: Vec<RecordBatch>) -> Result<()> {
        Ok(())
    }
}

/// Hands rows on.
struct Pushing<'a>(Push<'a>);

impl TableSink for Pushing<'_> {
    fn begin(&mut self, _: &SchemaRef) -> Result<()> {
        Ok(())
    }

    fn take(&mut self, chunks: Vec<RecordBatch>) -> Result<()> {
        chunks.into_iter().try_for_each(|chunk| (self.0)(chunk))
    }
}

/// Work that ends when nobody wants its rows any more.
struct StoppedBy(Arc<AtomicBool>);

impl Observer for StoppedBy {
    fn is_cancelled(&self) -> bool {
        self.0.load(Relaxed)
    }
}
