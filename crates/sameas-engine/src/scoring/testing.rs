//! The records of a job, for tests: read, encoded and counted, without a plan.

use std::time::Instant;

use super::auxiliary_rules::KnownRecords;
use super::scores::Scores;
use crate::cancel::Cancel;
use crate::dataset::{CountedRecords, Dataset, Keep, OperandKeys};
use crate::device::DeviceChoice;
use crate::execute::Machine;
use crate::job::Job;
use crate::memory::{MemoryBudget, Shares};
use crate::observer::Progress;
use crate::plan::{SampleProgram, Strategy};
use crate::records::stats::{ColumnFacts, Statistics};
use crate::rules::RuleSet;
use crate::settings::Settings;
use crate::verify::{Program, RuleProgram};

const MEMORY: usize = 1 << 28;

/// The records of a job.
pub struct TestRecords {
    dataset: Dataset,
    pub rules: RuleSet,
    pub program: Program,
    pub columns: ColumnFacts,
    statistics: Statistics,
    sample: SampleProgram,
}

impl TestRecords {
    pub fn read(job: &Job) -> Self {
        let (budget, is_cancelled) = (MemoryBudget::new(MEMORY), || false);
        let progress = Progress::new(&(), &is_cancelled);
        let (dataset, written) = Dataset::open(job, Keep::Nothing, &budget, progress).unwrap();
        let rules = written.simplified().rules;
        let program = dataset.bind(&rules, progress, progress.cancel().within(&budget)).unwrap();
        let frames = dataset.layout().frames();
        let keys = OperandKeys::new(&RuleProgram::compile(&rules, frames), &rules, frames);
        let CountedRecords { statistics, columns, .. } = dataset.count(&program, &keys, Cancel::NEVER);
        let sample = SampleProgram::new(&program, &keys.operands, &statistics);
        Self { dataset, rules, program, columns, statistics, sample }
    }

    /// What training knows of them.
    pub fn known(&self) -> KnownRecords<'_> {
        let Self { dataset, rules, program, statistics, sample, .. } = self;
        let (layout, strategy, cancel) = (dataset.layout(), Strategy::default(), Cancel::NEVER);
        let (facts, most_candidates) = (&[], None);
        KnownRecords { rules, program, sample, statistics, facts, layout, strategy, most_candidates, cancel }
    }

    /// The scores of the job that they are of.
    pub fn scores(&self, job: &Job) -> Scores {
        let names = self.dataset.record_names();
        Scores::read(job, &self.rules, &self.program, names.all(), MEMORY, Cancel::NEVER).unwrap()
    }
}

/// A machine without a device.
pub fn cpu() -> Machine {
    let settings = Settings { device: DeviceChoice::Cpu, memory: MEMORY, ..Settings::default() };
    let starting = settings.drivers.start(settings.device, &settings.device_options).unwrap();
    Machine::new(&settings, starting, Shares { join: MEMORY / 2, sort: MEMORY / 4 }, Instant::now())
}
