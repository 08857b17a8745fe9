//! The transitive closure of pairs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use sameas::{ClosureJob, ClosureMethod, Error, Observer, Result, ResultFile};
use sameas_cli::report;

use crate::arrow_out::Batches;
use crate::errors::{OrException, json};
use crate::input::Input;
use crate::run::format_of;
use crate::session::Session;
use crate::supervise::supervise;

/// Pairs that were counted, and are found again while they are read.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Closure {
    closure: Arc<sameas::Closure>,
}

#[pymethods]
impl Closure {
    /// The number of pairs.
    fn rows(&self) -> u64 {
        self.closure.pairs()
    }

    /// How they were found: as text and as JSON.
    fn plan(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let plan = self.closure.plan();
        Ok((report::closure_plan(plan), json(plan).or_exception(py)?))
    }

    /// The pairs as a stream.
    fn batches(&self) -> Batches {
        let closure = Arc::clone(&self.closure);
        Batches::new(Box::new(pushed(closure.schema(), move |sink| closure.read(sink, &()))))
    }

    /// Writes the pairs into a file.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool, display: &Bound<'_, PyAny>) -> PyResult<()> {
        let closure = Arc::clone(&self.closure);
        supervise(py, display, move |watch| {
            let mut file = ResultFile::create(&path, overwrite)?;
            closure.write(&mut file, format_of(&path)?, &path.display().to_string(), watch)?;
            file.finish()
        })
    }
}

/// Finds the closure of pairs.
#[pyfunction]
#[pyo3(signature = (session, edges, display, *, columns=None, directed=true, reflexive=false, method=None))]
#[allow(clippy::too_many_arguments)]
fn closure(
    py: Python<'_>,
    session: &Session,
    edges: &Input,
    display: &Bound<'_, PyAny>,
    columns: Option<(String, String)>,
    directed: bool,
    reflexive: bool,
    method: Option<&str>,
) -> PyResult<Closure> {
    let mut job = ClosureJob::new(edges.input.clone());
    (job.directed, job.reflexive) = (directed, reflexive);
    job.columns = columns.map(|(first, second)| [first, second]);
    job.method = match method {
        None | Some("auto") => ClosureMethod::Auto,
        Some("fixpoint") => ClosureMethod::Fixpoint,
        Some("bit_rows") => ClosureMethod::BitRows,
        Some(other) => {
            let error = Error::usage(format!("there is no method `{other}`"));
            return Err(error.with_help("auto, bit_rows or fixpoint")).or_exception(py);
        }
    };
    let session = session.session.clone();
    let closure = supervise(py, display, move |watch| session.closure(&job, watch as &dyn Observer))?;
    Ok(Closure { closure: Arc::new(closure) })
}

/// Where batches are pushed to.
type Push<'a> = &'a mut (dyn FnMut(RecordBatch) -> Result<()> + Send);

/// A reader of batches that someone pushes, on a thread of its own, two ahead at most.
pub fn pushed(schema: SchemaRef, work: impl FnOnce(Push<'_>) -> Result<()> + Send + 'static) -> PushedBatches {
    let (sender, receiver) = sync_channel(2);
    let start: Start = Box::new(move || {
        drop(thread::spawn(move || push(&sender, work)));
    });
    PushedBatches { schema, receiver, start: Some(start) }
}

/// Begins the work when the first batch is asked for.
type Start = Box<dyn FnOnce() + Send>;

fn push(sender: &SyncSender<Result<RecordBatch>>, work: impl FnOnce(Push<'_>) -> Result<()>) {
    let done = work(&mut |batch| {
        sender.send(Ok(batch)).map_err(|_| Error::internal("nobody takes the batches any more"))
    });
    if let Err(error) = done {
        drop(sender.send(Err(error)));
    }
}

/// The batches, as they are asked for.
pub struct PushedBatches {
    schema: SchemaRef,
    receiver: Receiver<Result<RecordBatch>>,
    start: Option<Start>,
}

impl Iterator for PushedBatches {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(start) = self.start.take() {
            start();
        }
        let batch = self.receiver.recv().ok()?;
        Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for PushedBatches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Adds the function to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(closure, module)?)
}
