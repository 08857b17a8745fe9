//! The records of a job and its rules: what questions about a run are answered by.

use super::read_decisions::read_decisions;
use crate::cancel::Cancel;
use crate::dataset::{Dataset, Keep};
use crate::error::Result;
use crate::job::Job;
use crate::judgements::DecidedPairs;
use crate::memory::MemoryBudget;
use crate::observer::Progress;
use crate::rules::RuleSet;
use crate::scoring::KeptFrequencies;

/// Records that are asked about, and the rules that the answers are by.
#[derive(Clone, Debug)]
pub struct AskedRecords {
    /// The job, which looks for no near pairs.
    pub job: Job,
    /// Its records.
    pub dataset: Dataset,
    /// Its rules as they are written.
    pub rules: RuleSet,
    /// Memory of the term frequencies that the job has, where they were read.
    frequency_bytes: usize,
}

impl AskedRecords {
    /// Reads the inputs of a job within a budget.
    pub fn open(job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Self> {
        let job = job.without_near();
        let (dataset, rules) = Dataset::open(&job, Keep::IfRoom, budget, progress)?;
        Ok(Self { job, dataset, rules, frequency_bytes: 0 })
    }

    /// Those of a dataset, with the rules of a job over them.
    pub fn among(dataset: &Dataset, job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Self> {
        let job = job.without_near();
        let rules = dataset.compile(&job, budget, progress)?;
        Ok(Self { job, dataset: dataset.clone(), rules, frequency_bytes: 0 })
    }

    /// Those that a job has read; `written` are its rules as they are written, with those of near pairs if it looks for them.
    pub fn from_read(
        job: &Job,
        dataset: &Dataset,
        written: &RuleSet,
        budget: &MemoryBudget,
        progress: Progress<'_>,
    ) -> Result<Self> {
        match job.near {
            None => {
                let (job, dataset, rules) = (job.clone(), dataset.clone(), written.clone());
                Ok(Self { job, dataset, rules, frequency_bytes: 0 })
            }
            Some(_) => Self::among(dataset, job, budget, progress),
        }
    }

    /// The same with the term frequencies that were read for its scores, so that they are not read again.
    pub fn with_frequencies(self, kept: KeptFrequencies) -> Self {
        let frequency_bytes = kept.bytes();
        Self { job: kept.given_to(self.job), frequency_bytes, ..self }
    }

    /// What people have decided about their pairs, if anything was; it is read again.
    pub fn decisions(&self, memory: usize, cancel: Cancel<'_>) -> Result<Option<DecidedPairs>> {
        read_decisions(&self.job, &self.rules, &self.dataset, memory, cancel)
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        self.dataset.bytes() + self.frequency_bytes
    }
}
