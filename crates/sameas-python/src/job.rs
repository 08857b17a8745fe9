//! A job, and what can be asked of it.

use pyo3::prelude::*;
use sameas::profile::Profile;
use sameas::{JobSpec, LinkType, Model};
use sameas_cli::report;

use crate::errors::{OrException, json};
use crate::frequencies::Frequencies;
use crate::input::Input;
use crate::rules::RuleFile;
use crate::run::Run;
use crate::session::Session;
use crate::supervise::supervise;

/// Inputs, rules, and what else decides which pairs are found.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Job {
    pub job: sameas::Job,
}

/// What decides the pairs of a job beside its tables and its rules.
pub struct JobOptions<'a> {
    /// The text of a model.
    pub model: Option<&'a str>,
    /// Pairs with scores of others.
    pub scores: Option<Input>,
    /// Judgements of pairs.
    pub decided: Option<Input>,
    /// Tables by the names of columns.
    pub term_frequencies: Option<Vec<(String, Input)>>,
    /// The most candidates.
    pub max_pairs: Option<u64>,
    /// By how much thresholds are loosened for near pairs.
    pub near: Option<f64>,
    /// Whether all pairs may be looked at.
    pub all_pairs: bool,
}

impl JobOptions<'_> {
    /// The job with these options.
    pub fn apply(self, py: Python<'_>, mut job: sameas::Job) -> PyResult<Job> {
        (job.max_candidates, job.near, job.all_pairs) = (self.max_pairs, self.near, self.all_pairs);
        job.scores = self.scores.map(|scores| scores.input);
        job.decided = self.decided.map(|judgements| judgements.input);
        for (column, table) in self.term_frequencies.unwrap_or_default() {
            job = job.with_term_frequencies(&column, table.input);
        }
        job.model = self.model.map(|text| Model::parse(text, "model")).transpose().or_exception(py)?;
        Ok(Job { job })
    }
}

#[pymethods]
impl Job {
    #[new]
    #[pyo3(signature = (inputs, link_type, rules, *, model=None, scores=None, decided=None, term_frequencies=None, id=None,
        ids=None, skip_null_ids=None, max_pairs=None, near=None, all_pairs=false, command=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        inputs: Vec<Input>,
        link_type: &str,
        rules: &RuleFile,
        model: Option<&str>,
        scores: Option<Input>,
        decided: Option<Input>,
        term_frequencies: Option<Vec<(String, Input)>>,
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
        (job.id, job.skip_null_ids) = (id.map(str::to_owned), skip_null_ids);
        job.ids.extend(ids.unwrap_or_default());
        JobOptions { model, scores, decided, term_frequencies, max_pairs, near, all_pairs }.apply(py, job)
    }

    /// The job of a description, as JSON; `given` are the tables that it asks for.
    #[staticmethod]
    #[pyo3(signature = (spec, given, *, max_pairs=None))]
    fn of_spec(py: Python<'_>, spec: &str, given: Vec<Input>, max_pairs: Option<u64>) -> PyResult<Self> {
        let given: Vec<sameas::Input> = given.into_iter().map(|input| input.input).collect();
        let mut job = JobSpec::parse(spec, "spec").and_then(|spec| spec.job(&given)).or_exception(py)?;
        job.max_candidates = max_pairs;
        Ok(Self { job })
    }

    /// Its rules.
    fn rules(&self) -> RuleFile {
        RuleFile { rules: self.job.rules.clone() }
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

/// Learns a model: the text of its file, and warnings.
#[pyfunction]
fn train(
    py: Python<'_>,
    session: &Session,
    job: &Job,
    combine_dependent: bool,
    display: &Bound<'_, PyAny>,
) -> PyResult<(String, Vec<String>)> {
    let (session, mut job) = (session.session.clone(), job.job.clone());
    job.combine_dependent = combine_dependent;
    supervise(py, display, move |watch| {
        let trained = session.train(&job, watch)?;
        Ok((trained.model.to_text(), report::training_warnings(&trained.warnings)))
    })
}

/// Counts how frequent values are: a table for each column that comparisons weigh by that.
#[pyfunction]
fn term_frequencies(
    py: Python<'_>,
    session: &Session,
    job: &Job,
    display: &Bound<'_, PyAny>,
) -> PyResult<Vec<Frequencies>> {
    let (session, job) = (session.session.clone(), job.job.clone());
    supervise(py, display, move |watch| {
        let (counted, reads) = (session.term_frequencies(&job, watch)?, job.files_read());
        Ok(counted.into_iter().map(|of| Frequencies::new(of, &session, &reads)).collect())
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
    supervise(py, display, move |watch| described(&session.profile(&job, watch)?))
}

/// A profile as text, as first rules, and as JSON.
pub fn described(profile: &Profile) -> sameas::Result<(String, String, String)> {
    Ok((report::profile(profile), report::first_rules(profile), json(profile)?))
}

/// Doubts, each with whether it is a mistake, and derived columns without a use.
type Checked = (Vec<(bool, String)>, Vec<String>);

/// Checks rules against the columns of their inputs: conditions that are likely mistakes, each with whether it is a mistake, and
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
    module.add_function(wrap_pyfunction!(train, module)?)?;
    module.add_function(wrap_pyfunction!(term_frequencies, module)?)?;
    module.add_function(wrap_pyfunction!(profile, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)
}
