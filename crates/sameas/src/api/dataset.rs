//! Jobs over records that are at hand: what one has read, derived, encoded and counted of them, others find.

use sameas_core::error::Result;
use sameas_core::memory::MemoryBudget;
use sameas_engine::dataset::Dataset;
use sameas_engine::engine::{self, Explanation, PairUse, Why};
use sameas_engine::job::Job;
use sameas_engine::observer::Observer;
use sameas_engine::plan::JobPlan;
use sameas_engine::scoring::{self, ColumnFrequencies, Trained};
use sameas_records::output::OutputFolder;
use sameas_records::records::stats::Statistics;
use sameas_report::profile::{self, Profile};

use super::run::Run;
use super::session::Session;

/// Each of these is as the method without `_on`, among the records of a dataset. A job is one that [`Dataset::job`] makes, or another
/// with as many inputs: only its rules and what is said beside its inputs and ids count. Rules by which the inputs would be
/// read in another way, or have other ids, are refused.
impl Session {
    /// Reads the inputs of a job, with all their columns, and keeps them for any number of jobs, also at the same time. The job
    /// needs no rules.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use arrow_array::{RecordBatch, StringArray};
    /// # use sameas::{Input, Job, Session};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let [ids, names] = [["a", "b", "c"], ["Ann", "Anne", "Bob"]].map(|texts| StringArray::from(texts.to_vec()));
    /// # let people = RecordBatch::try_from_iter([("id", Arc::new(ids) as _), ("name", Arc::new(names) as _)])?;
    /// # let people = Input::batches("people", people.schema(), vec![people])?;
    /// let session = Session::new()?;
    /// let people = session.open(&Job::dedupe(people), &())?;
    /// for (most, pairs) in [(1, 1), (4, 3)] {
    ///     let job = people.job().with_rule(&format!("levenshtein(l.name, r.name) <= {most}"));
    ///     assert_eq!(session.run_on(&people, &job, &())?.pairs().rows(), pairs);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn open(&self, job: &Job, observer: &dyn Observer) -> Result<Dataset> {
        let memory = self.settings().memory;
        self.with(observer, |progress| Dataset::open_whole(job, &MemoryBudget::new(memory), progress))
    }

    /// Finds all pairs and clusters of a job. The run holds the dataset, and is asked [why](Run::why) and for a
    /// [report](Run::report) without reading anything.
    pub fn run_on(&self, records: &Dataset, job: &Job, observer: &dyn Observer) -> Result<Run> {
        let job = records.job_over(job)?;
        let found = self.with(observer, |progress| {
            engine::find(&job, Some(records), self.settings(), PairUse::default(), progress)
        })?;
        Ok(Run::new(self.clone(), job, found))
    }

    /// As [`Self::run_on`], for results that go to `folder`: the next call goes on from where this one was interrupted. It does not
    /// matter which of the two was over a dataset, and which has read its inputs.
    pub fn resume_on(
        &self,
        records: &Dataset,
        job: &Job,
        folder: &OutputFolder,
        observer: &dyn Observer,
    ) -> Result<Run> {
        let (job, path) = (records.job_over(job)?, folder.checkpoint());
        let found =
            self.with(observer, |progress| engine::resume(&job, Some(records), self.settings(), &path, progress))?;
        Ok(Run::new(self.clone(), job, found))
    }

    /// What a run would do.
    pub fn explain_on(&self, records: &Dataset, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        let job = records.job_over(job)?;
        self.with(observer, |progress| engine::explain(&job, Some(records), self.settings(), progress))
    }

    /// What a run does, with what came of each join and check.
    pub fn analyze_on(&self, records: &Dataset, job: &Job, observer: &dyn Observer) -> Result<Explanation> {
        let job = records.job_over(job)?;
        self.with(observer, |progress| engine::analyze(&job, Some(records), self.settings(), progress))
    }

    /// The plan as a value.
    pub fn plan_on(&self, records: &Dataset, job: &Job, observer: &dyn Observer) -> Result<JobPlan> {
        let job = records.job_over(job)?.without_near();
        self.with(observer, |progress| engine::plan(&job, Some(records), self.settings(), progress))
    }

    /// Describes the inputs of the dataset: what their columns hold, and which keys join their records with how many candidates.
    pub fn profile_on(&self, records: &Dataset, observer: &dyn Observer) -> Result<Profile> {
        let memory = self.settings().memory;
        self.with(observer, |progress| profile::profile_among(records, memory, progress))
    }

    /// Why two records are a pair of the job, or why not.
    pub fn why_on(&self, records: &Dataset, job: &Job, ids: [&str; 2], observer: &dyn Observer) -> Result<Why> {
        let job = records.job_over(job)?;
        self.with(observer, |progress| engine::ask_why(&job, Some(records), ids, self.settings(), progress))
    }

    /// Learns a model for the comparisons of the job's rules.
    pub fn train_on(&self, records: &Dataset, job: &Job, observer: &dyn Observer) -> Result<Trained> {
        let job = records.job_over(job)?;
        self.with(observer, |progress| engine::train(&job, Some(records), self.settings(), progress))
    }

    /// What is known of the records, for whoever plans the job elsewhere. **It has values of records in it.**
    pub fn statistics_on(&self, records: &Dataset, job: &Job, observer: &dyn Observer) -> Result<Statistics> {
        let job = records.job_over(job)?;
        self.with(observer, |progress| engine::statistics_among(records, &job, self.settings(), progress))
    }

    /// How frequent the values are that comparisons of the job weigh by their frequency.
    pub fn term_frequencies_on(
        &self,
        records: &Dataset,
        job: &Job,
        observer: &dyn Observer,
    ) -> Result<Vec<ColumnFrequencies>> {
        let (job, memory) = (records.job_over(job)?, self.settings().memory);
        self.with(observer, |progress| scoring::count_frequencies(&job, Some(records), memory, progress))
    }
}
