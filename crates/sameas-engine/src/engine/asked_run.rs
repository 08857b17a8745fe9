//! What can be asked of a run that has kept its records: why two of them are a pair, or not.

use super::asked_records::AskedRecords;
use super::bound_job::BoundJob;
use super::find::{PairUse, find};
use super::job_results::JobResults;
use super::why::{ScoresOfRun, Why, WhyRequest, why};
use crate::dataset::Dataset;
use crate::error::Result;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::observer::Progress;
use crate::settings::Settings;

/// Why the records with these ids are a pair of a job, or why not. A job that asks for a precision has no threshold before its
/// pairs are known: it is run for that, and the records that it has read answer the question.
pub fn ask_why(
    job: &Job,
    among: Option<&Dataset>,
    ids: [&str; 2],
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Why> {
    if job.rules.score.open_precision().is_none() {
        return why(job, among, ids, settings.memory, progress);
    }
    let keeping = Settings { keeps_records: true, ..settings.clone() };
    let found = find(&job.without_near(), among, &keeping, PairUse::default(), progress)?;
    if let Some(answer) = found.why(ids, job.all_columns, progress)? {
        return Ok(answer);
    }
    let job = found.resolved(job.clone());
    drop(found);
    why(&job, among, ids, settings.memory, progress)
}

impl JobResults {
    /// The records of the job, if they are kept.
    pub fn records(&self) -> Option<&AskedRecords> {
        self.bound.at_hand.as_ref()
    }

    /// The same, without the results.
    pub fn into_records(self) -> Option<AskedRecords> {
        self.bound.at_hand
    }

    /// Why the records with these ids are a pair, or why not, with the two whole records if they are wanted; nothing where
    /// records are not kept.
    pub fn why(&self, ids: [&str; 2], whole_records: bool, progress: Progress<'_>) -> Result<Option<Why>> {
        let Some(records) = self.records() else { return Ok(None) };
        let BoundJob { scores, rules, program, decided, .. } = &self.bound;
        let scored = Some(ScoresOfRun { scores, rules: rules.set(), program, decided: decided.as_ref() });
        let budget = MemoryBudget::new(self.machine.settings.memory);
        WhyRequest { records, scored, ids, whole_records }.answer(&budget, progress).map(Some)
    }
}
