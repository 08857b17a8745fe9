//! Records that are at hand: read once, for any number of jobs.

use pyo3::prelude::*;
use sameas_cli::{give_back, report};

use crate::errors::json;
use crate::frequencies::Frequencies;
use crate::input::Input;
use crate::job::{Job, JobOptions, described};
use crate::rules::RuleFile;
use crate::run::{Run, answer};
use crate::session::Session;
use crate::supervise::supervise;

/// The records of some tables, with all that jobs have made of them.
#[pyclass(frozen, module = "sameas._sameas")]
pub struct Dataset {
    session: sameas::Session,
    records: sameas::Dataset,
    /// After the records.
    _free: FreeMemory,
}

/// What is free when it is dropped goes back to the system: the interpreter goes on, and others need the memory.
struct FreeMemory;

impl Drop for FreeMemory {
    fn drop(&mut self) {
        give_back();
    }
}

impl Dataset {
    /// What a job on another thread needs.
    fn parts(&self, job: &Job) -> (sameas::Session, sameas::Dataset, sameas::Job) {
        (self.session.clone(), self.records.clone(), job.job.clone())
    }
}

#[pymethods]
impl Dataset {
    /// Reads the tables of a job, whose rules do not matter.
    #[staticmethod]
    fn open(py: Python<'_>, session: &Session, job: &Job, display: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (session, job) = (session.session.clone(), job.job.clone());
        supervise(py, display, move |watch| {
            let records = session.open(&job, watch)?;
            Ok(Self { session, records, _free: FreeMemory })
        })
    }

    /// The number of records.
    fn records(&self) -> u64 {
        self.records.records()
    }

    /// The bytes that it takes.
    fn bytes(&self) -> usize {
        self.records.bytes()
    }

    /// A job over the records.
    #[pyo3(signature = (rules, *, model=None, scores=None, decided=None, term_frequencies=None, max_pairs=None, near=None,
        all_pairs=false))]
    #[allow(clippy::too_many_arguments)]
    fn job(
        &self,
        py: Python<'_>,
        rules: &RuleFile,
        model: Option<&str>,
        scores: Option<Input>,
        decided: Option<Input>,
        term_frequencies: Option<Vec<(String, Input)>>,
        max_pairs: Option<u64>,
        near: Option<f64>,
        all_pairs: bool,
    ) -> PyResult<Job> {
        let job = self.records.job().with_rules(rules.rules.clone());
        JobOptions { model, scores, decided, term_frequencies, max_pairs, near, all_pairs }.apply(py, job)
    }

    /// Runs a job.
    fn run(&self, py: Python<'_>, job: &Job, display: &Bound<'_, PyAny>) -> PyResult<Run> {
        let (session, records, job) = self.parts(job);
        supervise(py, display, move |watch| session.run_on(&records, &job, watch)).map(Run::new)
    }

    /// The plan of a job, as text and as JSON; after a run of it, if it is to be analyzed.
    fn explain(
        &self,
        py: Python<'_>,
        job: &Job,
        analyze: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<(String, String)> {
        let (session, records, job) = self.parts(job);
        supervise(py, display, move |watch| {
            let explained = match analyze {
                true => session.analyze_on(&records, &job, watch)?,
                false => session.explain_on(&records, &job, watch)?,
            };
            Ok((report::plan(&explained, job.link_type), json(&explained)?))
        })
    }

    /// Describes the records: as text, as first rules, and as JSON.
    fn profile(&self, py: Python<'_>, display: &Bound<'_, PyAny>) -> PyResult<(String, String, String)> {
        let (session, records) = (self.session.clone(), self.records.clone());
        supervise(py, display, move |watch| described(&session.profile_on(&records, watch)?))
    }

    /// Learns a model: the text of its file, and warnings.
    fn train(
        &self,
        py: Python<'_>,
        job: &Job,
        combine_dependent: bool,
        display: &Bound<'_, PyAny>,
    ) -> PyResult<(String, Vec<String>)> {
        let (session, records, mut job) = self.parts(job);
        job.combine_dependent = combine_dependent;
        supervise(py, display, move |watch| {
            let trained = session.train_on(&records, &job, watch)?;
            Ok((trained.model.to_text(), report::training_warnings(&trained.warnings)))
        })
    }

    /// Why two records are a pair of a job or not: as the program says it, in full with both records, and as JSON.
    fn why(
        &self,
        py: Python<'_>,
        job: &Job,
        ids: (String, String),
        display: &Bound<'_, PyAny>,
    ) -> PyResult<(String, String, String)> {
        let (session, records, job) = self.parts(job);
        supervise(py, display, move |watch| {
            answer(session.why_on(&records, &job.with_all_columns(), [&ids.0, &ids.1], watch)?)
        })
    }

    /// Counts how frequent values are: a table for each column that comparisons weigh by that.
    fn term_frequencies(&self, py: Python<'_>, job: &Job, display: &Bound<'_, PyAny>) -> PyResult<Vec<Frequencies>> {
        let (session, records, job) = self.parts(job);
        supervise(py, display, move |watch| {
            let (counted, reads) = (session.term_frequencies_on(&records, &job, watch)?, job.files_read());
            Ok(counted.into_iter().map(|of| Frequencies::new(of, &session, &reads)).collect())
        })
    }
}
