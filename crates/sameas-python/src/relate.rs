//! Datalog programs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use sameas::datalog::{RelateJob, RelatedTuples};
use sameas::{Error, OutputFolder};
use sameas_cli::report;

use crate::arrow_out::Batches;
use crate::errors::{OrException, json};
use crate::format::format_named;
use crate::input::Input;
use crate::pushed::{Push, PushedBatches};
use crate::session::Session;
use crate::supervise::supervise;

/// What a program has found.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Related {
    tuples: Arc<RwLock<RelatedTuples>>,
    session: Session,
    outputs: Vec<String>,
}

impl Related {
    fn with<T>(&self, ask: impl FnOnce(&RelatedTuples) -> T) -> T {
        ask(&self.tuples.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Related {
    /// The relations of `.output`.
    fn outputs(&self) -> Vec<String> {
        self.outputs.clone()
    }

    /// The number of tuples of a relation.
    fn rows(&self, py: Python<'_>, relation: &str) -> PyResult<u64> {
        self.with(|tuples| tuples.count(relation)).or_exception(py)
    }

    /// The tuples of a relation, in order, as a stream.
    fn batches(&self, py: Python<'_>, relation: String) -> PyResult<Batches> {
        let schema = self.with(|tuples| tuples.schema(&relation)).or_exception(py)?;
        let tuples = Arc::clone(&self.tuples);
        let read = move |sink: Push<'_>| tuples.read().unwrap_or_else(PoisonError::into_inner).read(&relation, sink);
        Ok(Batches::new(Box::new(PushedBatches::new(schema, read))))
    }

    /// What was done: in short, as a plan with what was counted, and as JSON.
    fn explanation(&self, py: Python<'_>) -> PyResult<(String, String, String)> {
        self.with(|tuples| {
            let explanation = tuples.explanation();
            let json = json(explanation).or_exception(py)?;
            Ok((report::related(explanation, None), report::relate_plan(explanation), json))
        })
    }

    /// Writes each relation of `.output` into a folder.
    fn write(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        format: &str,
        overwrite: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (tuples, session) = (Arc::clone(&self.tuples), self.session.session.clone());
        let format = format_named(format).or_exception(py)?;
        supervise(py, display, move |watch| {
            let folder = OutputFolder::create(&folder, overwrite)?;
            // A stream that waits for its reader would never let go.
            let mut tuples = tuples.try_write().map_err(|_| Error::usage("the tuples are being read"))?;
            session.write_related(&mut tuples, folder, format, watch)
        })
    }
}

/// A program of a text, or of the file `name` where there is none.
fn job(session: &Session, text: Option<&str>, name: &str, inputs: Vec<(String, Input)>) -> sameas::Result<RelateJob> {
    let program = match text {
        Some(text) => session.session.parse_program(name, text)?,
        None => session.session.read_program(Path::new(name))?,
    };
    let mut job = RelateJob::new(program);
    for (relation, input) in inputs {
        job = job.with_input(&relation, input.input)?;
    }
    Ok(job)
}

/// Evaluates a program.
#[pyfunction]
fn relate(
    py: Python<'_>,
    session: &Session,
    text: Option<&str>,
    name: &str,
    inputs: Vec<(String, Input)>,
    display: &Bound<'_, PyAny>,
) -> PyResult<Related> {
    let job = job(session, text, name, inputs).or_exception(py)?;
    let outputs = job.program().outputs().map(str::to_owned).collect();
    let running = session.session.clone();
    let tuples = supervise(py, display, move |watch| running.relate(&job, watch))?;
    Ok(Related { tuples: Arc::new(RwLock::new(tuples)), session: session.clone(), outputs })
}

/// What a program would do: as text and as JSON.
#[pyfunction]
fn explain_relate(
    py: Python<'_>,
    session: &Session,
    text: Option<&str>,
    name: &str,
    inputs: Vec<(String, Input)>,
    display: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let (job, session) = (job(session, text, name, inputs).or_exception(py)?, session.session.clone());
    supervise(py, display, move |watch| {
        let plan = session.explain_relate(&job, watch)?;
        Ok((report::relate_plan(&plan), json(&plan)?))
    })
}

/// Adds the functions to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(relate, module)?)?;
    module.add_function(wrap_pyfunction!(explain_relate, module)?)
}
