//! Jobs by their description: what it asks for, and reports of runs that are over.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use sameas::{Error, Job, JobSpec, Result, RunRecord};

use crate::errors::{OrException, json};
use crate::input::Input;
use crate::page::Page;
use crate::session::Session;
use crate::supervise::supervise;
use crate::sweep::SweepTable;

/// The description of the job of a run, as JSON. `path` is the folder of its results, or the `run.json` in it.
#[pyfunction]
fn stored_spec(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let record = record_at(&path).or_exception(py)?;
    let spec = record.job.spec.ok_or_else(unknown_job).or_exception(py)?;
    json(&spec).or_exception(py)
}

/// The names of the tables that a description asks for.
#[pyfunction]
fn asks_for(py: Python<'_>, spec: &str) -> PyResult<Vec<String>> {
    let spec = JobSpec::parse(spec, "spec").or_exception(py)?;
    Ok(spec.asks_for().into_iter().map(str::to_owned).collect())
}

/// Writes a report of the run in a folder, one HTML file to look at. `given` are the tables that its job asks for; without them
/// the report has no values.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn report(
    py: Python<'_>,
    session: &Session,
    folder: PathBuf,
    given: Vec<Input>,
    path: PathBuf,
    mask: Vec<String>,
    size: u64,
    truth: Option<Input>,
    sweep: Option<SweepTable>,
    overwrite: bool,
    display: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let session = session.session.clone();
    let page = Page { path, overwrite, size, mask, truth, sweep, folder: folder.display().to_string() };
    supervise(py, display, move |watch| {
        let record = record_at(&folder)?;
        let job = job_of(&record, given)?;
        let results = record.files.iter().map(|file| file.name.as_str()).chain(["run.json"]);
        let results = results.map(|name| sameas::Input::files([folder.join(name)]));
        let of_job = job.as_ref().map(Job::files_read).unwrap_or_default();
        page.write(results.chain(of_job).collect(), watch, |options, observer| {
            session.report(&folder, &record, job.as_ref(), options, observer)
        })
    })
}

/// The job of a run, as far as its record and these tables say it.
fn job_of(record: &RunRecord, given: Vec<Input>) -> Result<Option<Job>> {
    let given: Vec<sameas::Input> = given.into_iter().map(|input| input.input).collect();
    match &record.job.spec {
        Some(spec) if spec.asks_for().is_empty() || !given.is_empty() => spec.job(&given).map(Some),
        None if !given.is_empty() => Err(unknown_job()),
        _ => Ok(None),
    }
}

fn record_at(path: &Path) -> Result<RunRecord> {
    if path.is_dir() { RunRecord::read(&path.join("run.json")) } else { RunRecord::read(path) }
}

fn unknown_job() -> Error {
    Error::data("the record of the run does not say how it was made").with_help("run the job again")
}

/// Adds the functions to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(stored_spec, module)?)?;
    module.add_function(wrap_pyfunction!(asks_for, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)
}
