//! The transitive closure of pairs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use pyo3::prelude::*;
use sameas::closure::{ClosureJob, ClosureMethod};
use sameas::{Error, Observer, ResultFile};
use sameas_cli::report;

use crate::arrow_out::Batches;
use crate::errors::{OrException, json};
use crate::format::format_of;
use crate::input::Input;
use crate::pushed::PushedBatches;
use crate::session::Session;
use crate::supervise::supervise;

/// Pairs that were counted, and are found again while they are read.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Closure {
    closure: Arc<sameas::closure::Closure>,
    /// What it was found from.
    edges: sameas::Input,
    /// Whether a stream of its pairs is being read.
    is_read: Arc<AtomicBool>,
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
        let (closure, is_read) = (Arc::clone(&self.closure), Arc::clone(&self.is_read));
        Batches::new(Box::new(PushedBatches::new(closure.schema(), move |sink| {
            // A stream that waits for its reader keeps threads that a second one would wait for.
            if is_read.swap(true, SeqCst) {
                return Err(Error::usage("another stream of this closure is being read")
                    .with_help("read one after the other, or find the closure again"));
            }
            let read = closure.read(sink, &());
            is_read.store(false, SeqCst);
            read
        })))
    }

    /// Writes the pairs into a file.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool, display: &Bound<'_, PyAny>) -> PyResult<()> {
        let (closure, edges) = (Arc::clone(&self.closure), self.edges.clone());
        supervise(py, display, move |watch| {
            let mut file = ResultFile::create(&path, overwrite)?;
            file.protect_inputs(&[edges])?;
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
    Ok(Closure { closure: Arc::new(closure), edges: edges.input.clone(), is_read: Arc::default() })
}

/// Adds the function to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(closure, module)?)
}
