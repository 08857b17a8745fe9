//! A job bound to its records: read, encoded and counted once, with what its pairs are scored by. Nothing of it changes after that.

use std::env::current_dir;
use std::path::PathBuf;

use super::asked_records::AskedRecords;
use super::job_rules::JobRules;
use super::read_decisions::read_decisions;
use crate::cancel::Cancel;
use crate::dataset::{
    BindingRequest, CountedRecords, Dataset, DatasetInput, InputFindings, InputRecord, Keep, OperandKeys,
};
use crate::device::Starting;
use crate::error::Result;
use crate::execute::Machine;
use crate::job::Job;
use crate::judgements::DecidedPairs;
use crate::memory::{self, MemoryBudget, Shares};
use crate::model::MatchWeight;
use crate::observer::{Progress, Stage};
use crate::plan::{Condition, PlanInput, SampleProgram, ScorePlan, shape_of};
use crate::records::stats::{ColumnFacts, Statistics};
use crate::rules::RuleSet;
use crate::score::ScoreRule;
use crate::scoring::{CoveredRecords, Scores, check_frequencies};
use crate::settings::Settings;
use crate::timeline::{Operator, Timeline};
use crate::verify::{Program, RuleProgram};

/// A job and its records.
pub(super) struct BoundJob {
    /// The job.
    pub job: Job,
    /// Its records.
    pub dataset: Dataset,
    /// These, if they are kept for questions about it.
    pub at_hand: Option<AskedRecords>,
    /// Its rules.
    pub rules: JobRules,
    /// The rules over the columns of the records.
    pub program: Program,
    /// What is known of all records.
    pub statistics: Statistics,
    /// What was counted of their columns.
    pub column_facts: ColumnFacts,
    /// The program over sampled records, for planners.
    pub sample: SampleProgram,
    /// Conditions whose candidates are known: an earlier run has seen them, or they were counted.
    pub facts: Vec<(Condition, f64)>,
    /// What is recorded of its inputs.
    pub inputs: Vec<InputRecord>,
    /// What the records say of the rules, and doubts about these.
    pub findings: InputFindings,
    /// How pairs get their scores, if they have some.
    pub scores: Scores,
    /// How pairs are found by these, where no rule finds them.
    pub score_plan: Option<ScorePlan>,
    /// What people have decided about its pairs.
    pub decided: Option<DecidedPairs>,
    /// The current folder of that time, if there was one.
    pub folder: Option<PathBuf>,
}

/// Where the records of a job are.
#[derive(Clone, Copy)]
pub(super) enum RecordsOfJob<'a> {
    /// In its inputs; this becomes of them when they are read.
    Read(Keep),
    /// At hand: its inputs are not looked at.
    AtHand(&'a Dataset),
}

impl<'a> RecordsOfJob<'a> {
    /// Those that are at hand, or those of the inputs, which nobody needs afterwards.
    pub fn at_hand_or_read(at_hand: Option<&'a Dataset>) -> Self {
        at_hand.map_or(Self::Read(Keep::Nothing), Self::AtHand)
    }
}

/// A job that has been read, what it runs on, and how long it took so far.
pub(super) struct OpenedJob {
    /// The job.
    pub bound: BoundJob,
    /// What it runs on: the device starts while records are read.
    pub machine: Machine,
    /// What has ended.
    pub timeline: Timeline,
}

impl OpenedJob {
    /// Finds the records of a job, checks and encodes them, on the threads of the current pool, with what its pairs are scored by.
    pub fn open(job: &Job, records: RecordsOfJob<'_>, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        check_frequencies(job, progress.cancel().within(&MemoryBudget::new(settings.memory)))?;
        Self::unscored(job, records, settings, progress)?.scored(progress)
    }

    /// The same without scores, whether there is a model or not.
    pub fn unscored(job: &Job, records: RecordsOfJob<'_>, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        match records {
            RecordsOfJob::Read(keep) => Self::read(job, keep, settings, progress),
            RecordsOfJob::AtHand(records) => Self::among(records, job, settings, progress),
        }
    }

    /// A job over records that are at hand. Where its memory does not suffice, what no other job uses any more is dropped.
    fn among(records: &Dataset, job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        records.within(settings.memory, |budget| {
            let timeline = Timeline::start();
            let starting = settings.drivers.start(settings.device, &settings.device_options)?;
            let written = records.compile(job, budget, progress)?;
            progress.doubts(&written.doubts);
            let at_hand = Some(AskedRecords::from_read(job, records, &written, budget, progress)?);
            let read = ReadJob { dataset: records.clone(), written, at_hand, timeline };
            read.bind(job, settings, starting, budget, progress)
        })
    }

    fn read(job: &Job, keep: Keep, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        let mut timeline = Timeline::start();
        let starting = settings.drivers.start(settings.device, &settings.device_options)?;
        let budget = MemoryBudget::new(settings.memory);
        let (dataset, written) = Dataset::open(job, keep, &budget, progress)?;
        timeline.lap(Operator::Read).bytes = Some(dataset.bytes_on_disk()).filter(|bytes| *bytes > 0);
        let kept = (keep != Keep::Nothing).then(|| AskedRecords::from_read(job, &dataset, &written, &budget, progress));
        let read = ReadJob { dataset, written, at_hand: kept.transpose()?, timeline };
        read.bind(job, settings, starting, &budget, progress)
    }

    /// With what its pairs are scored by.
    fn scored(self, progress: Progress<'_>) -> Result<Self> {
        let Self { bound, mut machine, timeline } = self;
        let bound = bound.with_scores(&mut machine, progress.cancel())?.with_score_rule(&machine)?;
        let bound = bound.with_decisions(&mut machine, progress.cancel())?;
        Ok(Self { bound, machine, timeline })
    }
}

/// The records of a job that were read, and its rules as they are written.
struct ReadJob {
    dataset: Dataset,
    written: RuleSet,
    at_hand: Option<AskedRecords>,
    timeline: Timeline,
}

impl ReadJob {
    /// The job without scores.
    fn bind(
        self,
        job: &Job,
        settings: &Settings,
        starting: Starting,
        budget: &MemoryBudget,
        progress: Progress<'_>,
    ) -> Result<OpenedJob> {
        let Self { dataset, written, at_hand, mut timeline } = self;
        let cancel = progress.cancel().within(budget);
        progress.begin(&Stage::Encoding, None);
        let known = dataset.encoded_so_far();
        let rules = JobRules::new(written);
        let compiled = RuleProgram::compile(rules.set(), dataset.layout().frames());
        let keys = OperandKeys::new(&compiled, &rules.written, dataset.layout().frames());
        let (program, findings) = bind_rules(&dataset, &rules, &compiled, &mut timeline, progress, cancel)?;
        let inputs = dataset.input_records(rules.set(), progress, cancel)?;
        let memory = shares(settings.memory, &dataset, &program)?;
        progress.begin(&Stage::Planning, None);
        let layout = dataset.layout();
        let CountedRecords { statistics, columns: column_facts } = dataset.count(&program, &keys, progress.cancel());
        let sample = SampleProgram::new(&program, &keys.operands, &statistics);
        let memory = Shares { join: memory.join.saturating_sub(sample.bytes_beside(&program)), ..memory };
        // Where everything was known, nothing was freed; finding that out takes the allocator as long as all of this.
        if known == 0 || dataset.encoded_so_far() > known {
            progress.memory_freed();
        }
        timeline.lap(Operator::Statistics);
        timeline.set_rows(layout.records());
        let facts = match &job.statistics {
            Some(earlier) => {
                earlier.check(&inputs.iter().map(InputRecord::name_and_rows).collect::<Vec<_>>())?;
                earlier.facts(rules.set(), &program.checks)
            }
            None => Vec::new(),
        };
        let machine = Machine::new(settings, starting, memory, timeline.begun());
        let (job, scores, score_plan, decided) = (job.clone(), Scores::None, None, None);
        let bound = BoundJob {
            job,
            dataset,
            at_hand,
            rules,
            program,
            statistics,
            column_facts,
            sample,
            facts,
            inputs,
            findings,
            scores,
            score_plan,
            decided,
            folder: current_dir().ok(),
        };
        Ok(OpenedJob { bound, machine, timeline })
    }
}

impl BoundJob {
    /// The same with what its pairs are scored by, which is read, and takes a part of the memory for joins.
    fn with_scores(self, machine: &mut Machine, cancel: Cancel<'_>) -> Result<Self> {
        let (rules, names, memory) = (self.rules.set(), self.dataset.record_names(), &mut machine.memory);
        let mut scores = Scores::read(&self.job, rules, &self.program, names.all(), memory.join, cancel)?;
        let kept = scores.take_kept_frequencies();
        memory.join = memory.join.saturating_sub(scores.bytes());
        // Questions find them here, unless they leave too little for joins.
        let at_hand = match self.at_hand {
            Some(records) if kept.bytes() <= memory.join / 2 => {
                memory.join -= kept.bytes();
                Some(records.with_frequencies(kept))
            }
            at_hand => at_hand,
        };
        Ok(Self { scores, at_hand, ..self })
    }

    /// The same with the rule that finds the pairs of its scores, where its own rules do not.
    fn with_score_rule(self, machine: &Machine) -> Result<Self> {
        let Some(rule) = self.score_rule(machine)? else { return Ok(self) };
        let scorer = self.scores.model().map(|scoring| &scoring.scorer);
        let (simplified, program) = rule.apply(self.rules.set(), &self.program, scorer)?;
        let mut facts = self.facts;
        facts.extend(rule.counted_candidates(self.rules.set(), &program, scorer, shape_of(&self.statistics)));
        let has_given_pairs = matches!(self.scores, Scores::Given(_));
        let key = self.scores.rule_key(&self.job, self.rules.set());
        let score_plan = key.map(|key| ScorePlan { rule, key, has_given_pairs });
        let mut sample = self.sample;
        sample.follow(&program);
        let rules = JobRules { written: self.rules.written, simplified };
        Ok(Self { rules, program, sample, facts, score_plan, ..self })
    }

    /// The same with what people have decided about its pairs, which is read, and takes a part of the memory for joins.
    fn with_decisions(self, machine: &mut Machine, cancel: Cancel<'_>) -> Result<Self> {
        let memory = &mut machine.memory;
        let decided = read_decisions(&self.job, self.rules.set(), &self.dataset, memory.join, cancel)?;
        memory.join = memory.join.saturating_sub(decided.as_ref().map_or(0, DecidedPairs::bytes));
        Ok(Self { decided, ..self })
    }

    fn score_rule(&self, machine: &Machine) -> Result<Option<ScoreRule>> {
        self.scores.rule(&self.covered_records(), self.plan_input(machine))
    }

    /// The records, as far as a rule of scores depends on them.
    pub fn covered_records(&self) -> CoveredRecords<'_> {
        CoveredRecords {
            rules: self.rules.set(),
            program: &self.program,
            columns: &self.column_facts,
            pairs: self.dataset.layout().pairs(),
            may_take_all: self.job.all_pairs,
        }
    }

    /// With the threshold that was found from the pairs, for questions about the run.
    pub fn keep_from(&mut self, threshold: MatchWeight) {
        self.scores.keep_from(threshold);
        let jobs = [Some(&mut self.job), self.at_hand.as_mut().map(|records| &mut records.job)];
        for job in jobs.into_iter().flatten() {
            job.rules.score.threshold_weight = Some(threshold.bits());
        }
    }

    /// What a plan is made from, for a machine.
    pub fn plan_input<'a>(&'a self, machine: &'a Machine) -> PlanInput<'a> {
        let has = |program: &Program| (program.checks.len(), program.conjunctions.len());
        debug_assert_eq!(has(&self.sample.program), has(&self.program), "the sample follows the program");
        let simplified = &self.rules.simplified;
        PlanInput {
            facts: &self.facts,
            sample: &self.sample,
            statistics: &self.statistics,
            costs: &machine.settings.costs,
            implications: &simplified.implications,
            shadowed: &simplified.shadowed,
            strategy: self.job.strategy,
            memory: machine.memory.join,
            device: machine.relative_cost(),
            comparisons: if self.scores.model().is_some() { &self.rules.set().scoring.comparisons } else { &[] },
        }
    }

    /// Records of all inputs.
    pub fn records(&self) -> u32 {
        self.dataset.layout().records() as u32
    }

    /// What is added to a right record to number all records, as the clusters do.
    pub fn right_offset(&self) -> u32 {
        self.dataset.layout().right_offset()
    }
}

/// The program of rules over records, and what these say of the rules, which `progress` learns.
fn bind_rules(
    dataset: &Dataset,
    rules: &JobRules,
    compiled: &RuleProgram,
    timeline: &mut Timeline,
    progress: Progress<'_>,
    cancel: Cancel<'_>,
) -> Result<(Program, InputFindings)> {
    let (set, notes) = (rules.set(), &rules.simplified.notes);
    let request = BindingRequest { rules: &rules.written, program: compiled, with_findings: true, with_counts: true };
    let mut binding = dataset.derive(request, timeline, progress, cancel)?;
    let InputFindings { unreadable, mut doubts } = binding.findings(cancel);
    doubts.extend(set.contradictions(notes));
    progress.doubts(&doubts);
    doubts.splice(0..0, set.doubts.iter().cloned());
    let program = binding.bind(progress, cancel);
    timeline.lap(Operator::Encode).bytes = Some(program.bytes() as u64);
    Ok((program, InputFindings { unreadable, doubts }))
}

/// The bytes that a memory limit leaves for what there is beside the records of a program. Where too little is left, what other jobs
/// have had encoded is dropped, as far as they do not need it any more, and then the tables.
fn shares(limit: usize, dataset: &Dataset, program: &Program) -> Result<Shares> {
    let bytes = program.bytes() + dataset.inputs().iter().map(DatasetInput::bytes).sum::<usize>();
    let (threads, scratch) = (rayon::current_num_threads(), program.scratch_bytes());
    loop {
        let (tables, of_others) = (dataset.table_bytes(), dataset.bytes_of_others(program));
        match memory::shares_with_scratch(limit, dataset.records(), bytes + tables + of_others, threads, scratch) {
            Err(_) if of_others > 0 && dataset.drop_unused() => {}
            Err(_) if tables > 0 => dataset.drop_tables(),
            shares => return shares,
        }
    }
}

#[cfg(test)]
mod tests;
