//! A job, and what can be asked of it.

use pyo3::prelude::*;
use sameas::{LinkType, Model};
use sameas_cli::report;

use crate::errors::{OrException, json};
use crate::input::Input;
use crate::rules::RuleFile;
use crate::run::Run;
use crate::session::Session;
use crate::supervise::supervise;

/// Inputs, rules, and what else decides which pairs are found.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Job {
    job: sameas::Job,
}

#[pymethods]
impl Job {
    #[new]
    #[pyo3(signature = (inputs, link_type, rules, *, model=None, scores=None, id=None, ids=None, skip_null_ids=None,
        max_pairs=None, near=None, all_pairs=false, command=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        inputs: Vec<Input>,
        link_type: &str,
        rules: &RuleFile,
        model: Option<&str>,
        scores: Option<Input>,
        id: Option<&str>,
        ids: Option<Vec<(String, String)>>,
        skip_null_ids: Option<bool>,
        max_pairs: Option<u64>,
        near: Option<f64>,
        all_pairs: bool,
        command: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let inputs = inputs.into_iter().map(|input| input.input);
        let mut job = match link_type {
            "dedupe_only" => sameas::Job::dedupe(inputs.last().unwrap_or_else(|| sameas::Input::files([""; 0]))),
            "link_only" => sameas::Job::link_all(inputs),
            _ => sameas::Job::link_and_dedupe_all(inputs),
        };
        job = job.with_rules(rules.rules.clone()).with_command(command.unwrap_or_default());
        (job.id, job.skip_null_ids, job.max_candidates) = (id.map(str::to_owned), skip_null_ids, max_pairs);
        (job.near, job.all_pairs) = (near, all_pairs);
        job.scores = scores.map(|scores| scores.input);
        job.ids.extend(ids.unwrap_or_default());
        job.model = model.map(|text| Model::parse(text, "model")).transpose().or_exception(py)?;
        Ok(Self { job })
    }

    /// `dedupe_only`, `link_only` or `link_and_dedupe`.
    fn link_type(&self) -> &'static str {
        LinkType::name(self.job.link_type)
    }
}

/// Runs a job.
#[pyfunction]
fn run(py: Python<'_>, session: &Session, job: &Job, display: &Bound<'_, PyAny>) -> PyResult<Run> {
    let (session, job) = (session.session.clone(), job.job.clone());
    supervise(py, display, move |watch| session.run(&job, watch)).map(Run::new)
}

/// The plan of a job, as text and as JSON; after a run of it, if it is to be analyzed.
#[pyfunction]
fn explain(
    py: Python<'_>,
    session: &Session,
    job: &Job,
    analyze: bool,
    display: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let (session, job) = (session.session.clone(), job.job.clone());
    supervise(py, display, move |watch| {
        let explained = if analyze { session.analyze(&job, watch)? } else { session.explain(&job, watch)? };
        Ok((report::plan(&explained, job.link_type), json(&explained)?))
    })
}

/// Why two records are a pair or not: as the program says it, in full with both records, and as JSON.
#[pyfunction]
fn why(
    py: Python<'_>,
    session: &Session,
    job: &Job,
    ids: (String, String),
    display: &Bound<'_, PyAny>,
) -> PyResult<(String, String, String)> {
    let (session, job) = (session.session.clone(), job.job.clone().with_all_columns());
    supervise(py, display, move |watch| {
        let mut why = session.why(&job, [&ids.0, &ids.1], watch)?;
        let (full, facts) = (report::pair(&why, true), json(&why)?);
        why.records.clear();
        Ok((report::pair(&why, false), full, facts))
    })
}

/// Learns a model: the text of its file, and warnings.
#[pyfunction]
fn train(py: Python<'_>, session: &Session, job: &Job, display: &Bound<'_, PyAny>) -> PyResult<(String, Vec<String>)> {
    let (session, job) = (session.session.clone(), job.job.clone());
    supervise(py, display, move |watch| {
        let trained = session.train(&job, watch)?;
        Ok((trained.model.to_text(), trained.warnings))
    })
}

/// Describes the inputs of a job: as text, as first rules, and as JSON.
#[pyfunction]
fn profile(
    py: Python<'_>,
    session: &Session,
    job: &Job,
    display: &Bound<'_, PyAny>,
) -> PyResult<(String, String, String)> {
    let (session, job) = (session.session.clone(), job.job.clone());
    supervise(py, display, move |watch| {
        let profile = session.profile(&job, watch)?;
        Ok((report::profile(&profile), report::first_rules(&profile), json(&profile)?))
    })
}

/// Doubts, each with whether it is a mistake, and derived columns without a use.
type Checked = (Vec<(bool, String)>, Vec<String>);

/// Checks rules against the columns of their inputs: conditions that cannot be meant, each with whether it is a mistake, and
/// derived columns that no rule uses.
#[pyfunction]
fn check(py: Python<'_>, session: &Session, job: &Job, display: &Bound<'_, PyAny>) -> PyResult<Checked> {
    let (session, job) = (session.session.clone(), job.job.clone());
    let checked = supervise(py, display, move |_| session.check(&job))?;
    let are_mistakes = checked.doubts.iter().map(sameas::Doubt::is_mistake);
    Ok((are_mistakes.zip(report::doubts(&checked.doubts)).collect(), checked.unused_derived))
}

/// Adds the functions to the module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(explain, module)?)?;
    module.add_function(wrap_pyfunction!(why, module)?)?;
    module.add_function(wrap_pyfunction!(train, module)?)?;
    module.add_function(wrap_pyfunction!(profile, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)
}
