//! A plan is run without a job: over all pairs or some, with a reviser or without, and after what was kept of it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::*;
use crate::cancel::Cancel;
use crate::candidates::{Rows, Shape};
use crate::dataset::{OperandKeys, RecordCounter, RecordLayout};
use crate::device::DeviceChoice;
use crate::error::{ErrorCode, Result};
use crate::job::{Job, JobKey, JobSpec, ReadByJob, Resumption, StartOverReason};
use crate::memory::Shares;
use crate::observer::Progress;
use crate::output::PairSorter;
use crate::pairs::Pair;
use crate::plan::cost::Costs;
use crate::plan::{BranchRecord, JobPlan, Plan, PlanInput, Planner, SampleProgram, StepRecord, Strategy};
use crate::records::stats::Statistics;
use crate::records::{Frame, Input, RowOrigin, Table};
use crate::rules::{LinkType, RuleFile, Simplified, compile, input_columns};
use crate::settings::Settings;
use crate::timeline::Timeline;
use crate::union_find::Components;
use crate::verify::{Program, RuleProgram};

const RECORDS: u32 = 300;

/// Rules that share no way to find candidates.
const RULES: [&str; 3] =
    ["l.city = r.city and abs(l.n - r.n) <= 10", "l.name = r.name", "l.n = r.n and l.city <> r.city"];

fn name(row: u32) -> String {
    format!("n{}", row * 7 % 83)
}

fn city(row: u32) -> String {
    format!("c{}", row * 5 % 31)
}

fn number(row: u32) -> i64 {
    i64::from(row * 13 % 97)
}

/// The first rule that holds.
fn rule_of(l: u32, r: u32) -> Option<u32> {
    let holds = [
        city(l) == city(r) && number(l).abs_diff(number(r)) <= 10,
        name(l) == name(r),
        number(l) == number(r) && city(l) != city(r),
    ];
    holds.iter().position(|holds| *holds).map(|rule| rule as u32)
}

/// The pairs of the rules, as far as they are meant: rows and rule.
fn expected(is_meant: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32, u32)> {
    let all = (0..RECORDS).flat_map(|l| (l + 1..RECORDS).map(move |r| (l, r)));
    all.filter(|(l, r)| is_meant(*l, *r)).filter_map(|(l, r)| Some((l, r, rule_of(l, r)?))).collect()
}

fn table() -> Table {
    let names: ArrayRef = Arc::new(StringArray::from_iter_values((0..RECORDS).map(name)));
    let cities: ArrayRef = Arc::new(StringArray::from_iter_values((0..RECORDS).map(city)));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..RECORDS).map(number)));
    let batch = RecordBatch::try_from_iter([("name", names), ("city", cities), ("n", numbers)]).unwrap();
    let (schema, files) = (batch.schema(), vec![("t".into(), RECORDS as usize)]);
    Table { name: "t".into(), schema, batches: vec![batch], files, origin: RowOrigin::default() }
}

fn program() -> (Program, Simplified) {
    let (table, mut file) = (table(), RuleFile::default());
    RULES.iter().for_each(|rule| file.add_rule(rule));
    let columns = input_columns(&table.schema, false);
    let simplified = compile(&file, LinkType::DedupeOnly, [&columns, &columns]).unwrap().simplified();
    let frames = [Frame::new(&[(&table, &[])], Cancel::NEVER)];
    let compiled = RuleProgram::compile(&simplified.rules, 1);
    let (encoded, verdicts) =
        (compiled.wanted.encode(&frames, Cancel::NEVER), compiled.verdicts(&frames, Cancel::NEVER));
    (compiled.bind(encoded, verdicts, &[], None), simplified)
}

fn machine(device: DeviceChoice, bytes: usize) -> Machine {
    let settings = Settings { device, ..Settings::default() };
    let starting = settings.drivers.start(settings.device, &settings.device_options).unwrap();
    let mut machine = Machine::new(&settings, starting, Shares { join: 1 << 20, sort: 1 << 20 }, Instant::now());
    machine.start_device(bytes, 0.0, &mut Timeline::start()).unwrap();
    machine
}

/// What an execution needs of a job.
struct SmallJob {
    simplified: Simplified,
    sample: SampleProgram,
    statistics: Statistics,
    costs: Costs,
    machine: Machine,
    program: Program,
    plan: Plan,
}

/// Where pairs go.
struct Target {
    sorter: PairSorter,
    components: Components,
}

/// What came of an execution.
#[derive(Debug, PartialEq)]
struct Outcome {
    pairs: Vec<(u32, u32, u32)>,
    roots: Vec<u32>,
    owned: Vec<u64>,
    branches: Vec<BranchRecord>,
}

impl SmallJob {
    fn new(device: DeviceChoice) -> Self {
        let (program, simplified) = program();
        let rules = &simplified.rules;
        let keys = &OperandKeys::new(&RuleProgram::compile(rules, 1), rules, 1).operands;
        let (layout, names) = (&RecordLayout::new(rules, vec![RECORDS]), &["t".to_owned()]);
        let counter = RecordCounter { program: &program, keys, layout, names, numbers: None };
        let statistics = counter.count(Cancel::NEVER).statistics;
        let sample = SampleProgram::new(&program, keys, &statistics);
        let machine = machine(device, program.bytes());
        let (costs, plan) = (Costs::shipped(), Plan::default());
        let mut job = Self { simplified, sample, statistics, costs, machine, program, plan };
        let conjunctions: Vec<usize> = (0..job.program.conjunctions.len()).collect();
        let plan = Planner::new(job.input()).plan(&conjunctions);
        job.plan = plan;
        job
    }

    fn input(&self) -> PlanInput<'_> {
        PlanInput {
            sample: &self.sample,
            statistics: &self.statistics,
            costs: &self.costs,
            implications: &self.simplified.implications,
            shadowed: &self.simplified.shadowed,
            facts: &[],
            strategy: Strategy::Full,
            memory: self.machine.memory.join,
            device: self.machine.relative_cost(),
            comparisons: &[],
        }
    }

    fn reviser(&self) -> Reviser<'_> {
        Reviser::new(self.input(), &self.plan.tables)
    }

    fn execution<'a>(&'a self, plan: &'a Plan, target: &'a Target, progress: Progress<'a>) -> Execution<'a> {
        let pipeline = Pipeline::new(Vec::new(), Some(&target.components), 0);
        Execution {
            program: &self.program,
            rules: &self.simplified.rules,
            plan,
            scope: all_pairs(),
            sink: PairSink { pipeline, sorter: &target.sorter },
            machine: &self.machine,
            reviser: None,
            others: OtherBranches::default(),
            most_candidates: None,
            progress,
        }
    }

    fn run(&self, scope: JoinScope, reviser: Option<Reviser<'_>>, most_candidates: Option<u64>) -> Result<Outcome> {
        let (target, is_cancelled) = (Target::new(), || false);
        let execution = self.execution(&self.plan, &target, Progress::new(&(), &is_cancelled));
        let executed = Execution { scope, reviser, most_candidates, ..execution }.run(None)?;
        Ok(target.outcome(executed))
    }

    /// Runs these branches, or those that are left of what is kept in a folder, and keeps what they find there.
    fn run_kept(&self, folder: &Path, key: &JobKey, first: Option<&Plan>) -> (Outcome, Resumption) {
        let (stored, resumption) = find_stored(folder, key, &self.simplified.rules);
        let left = stored.as_ref().map(Stored::plan);
        let (target, is_cancelled) = (Target::new(), || false);
        let join = |pair: Pair| target.components.join(pair.l, pair.r);
        let whole = JobPlan::new(&self.simplified.rules, self.program.source(), self.plan.clone());
        let resumable = Resumable { folder, key, stored };
        let resumed = resumable.begin(whole, &self.program, Duration::ZERO, &target.sorter, &join).unwrap();
        let plan = first.or(left.as_ref()).unwrap();
        let execution = self.execution(plan, &target, Progress::new(&(), &is_cancelled));
        let executed = execution.run(Some(resumed)).unwrap();
        (target.outcome(executed), resumption)
    }

    fn key(&self, rule: &str) -> JobKey {
        let job = Job::dedupe(Input::files(["t.csv"])).with_rule(rule);
        JobKey::new(&JobSpec::new(&job), ReadByJob::default()).unwrap()
    }
}

impl Target {
    fn new() -> Self {
        let sorter = PairSorter::new(1 << 20, rayon::current_num_threads(), None).unwrap();
        Self { sorter, components: Components::new(RECORDS) }
    }

    fn outcome(self, executed: Executed) -> Outcome {
        assert!(executed.has_components);
        let sorted = self.sorter.finish(executed.buffers).unwrap();
        let pairs = sorted.read(0..sorted.len()).unwrap().iter().map(|pair| (pair.l, pair.r, pair.rule)).collect();
        let (roots, owned) = (self.components.into_roots(), executed.tally.owned);
        Outcome { pairs, roots, owned, branches: executed.branches.iter().map(without_times).collect() }
    }
}

/// A record with nothing but what a branch says of itself and what was counted.
fn without_times(record: &BranchRecord) -> BranchRecord {
    let step = |step: &StepRecord| StepRecord { seconds: None, ..step.clone() };
    BranchRecord {
        steps: record.steps.iter().map(step).collect(),
        seconds: None,
        parted_by: None,
        follows_from: Vec::new(),
        values: None,
        warnings: Vec::new(),
        ..record.clone()
    }
}

fn all_pairs() -> JoinScope {
    JoinScope::all([RECORDS; 2], Shape::Triangle)
}

fn devices() -> impl Iterator<Item = DeviceChoice> {
    [Some(DeviceChoice::Cpu), DeviceChoice::emulated()].into_iter().flatten()
}

#[test]
fn a_plan_runs_the_same_with_and_without_a_reviser() {
    for device in devices() {
        let job = SmallJob::new(device);
        let plain = job.run(all_pairs(), None, None).unwrap();
        assert_eq!(plain.pairs, expected(|_, _| true));
        assert!(plain.branches.len() > 1 && plain.owned.iter().all(|pairs| *pairs > 0), "{plain:?}");
        let joined = Components::new(RECORDS);
        plain.pairs.iter().for_each(|(l, r, _)| joined.join(*l, *r));
        assert_eq!(plain.roots, joined.into_roots());
        assert_eq!(job.run(all_pairs(), Some(job.reviser()), None).unwrap(), plain);
    }
}

#[test]
fn a_scope_has_its_pairs_and_no_others() {
    for device in devices() {
        let job = SmallJob::new(device);
        let is_third = |row: u32| row.is_multiple_of(3);
        let [third, others] = [true, false].map(|is| (0..RECORDS).filter(|row| is_third(*row) == is).collect::<Rows>());
        let pairs = |sides| job.run(JoinScope { sides, shape: Shape::Triangle }, None, None).unwrap().pairs;
        let within = expected(|l, r| is_third(l) && is_third(r));
        assert_eq!(pairs(vec![[third.clone(), third.clone()]]), within);
        // Each pair of a record of one with a record of the other has the first of the two on its left.
        let across = expected(|l, r| is_third(l) != is_third(r));
        let scope = JoinScope::across([[third.clone(), third], [others.clone(), others]], Shape::Triangle);
        assert_eq!(pairs(scope.sides), across);
        assert!(!within.is_empty() && !across.is_empty());
    }
}

#[test]
fn candidates_that_keys_tell_are_known_before_they_are_looked_at() {
    let job = SmallJob::new(DeviceChoice::Cpu);
    let some: Rows = (0..RECORDS).filter(|row| row.is_multiple_of(3)).collect();
    for scope in [all_pairs(), JoinScope::only([some.clone(), some], Shape::Triangle)] {
        let (program, rules, memory) = (&job.program, &job.simplified.rules, job.machine.memory.join);
        let counter = CandidateCounter { program, rules, scope: scope.clone(), memory };
        let counted: Vec<Option<u64>> = job.plan.branches.iter().map(|branch| counter.exact(branch)).collect();
        let seen: Vec<Option<u64>> =
            job.run(scope, None, None).unwrap().branches.iter().map(|branch| branch.candidates).collect();
        assert!(counted.iter().any(Option::is_some), "{counted:?}");
        counted.iter().zip(&seen).filter(|(counted, _)| counted.is_some()).for_each(|(a, b)| assert_eq!(a, b));
        let total: u64 = counted.iter().flatten().sum();
        if counted.iter().all(Option::is_some) {
            assert!(counter.check(job.plan.branches.iter(), total).is_ok());
        }
        let error = counter.check(job.plan.branches.iter(), total - 1).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CandidateLimit);
        assert!(error.help().unwrap().contains("make that rule stricter"), "{error:?}");
    }
}

#[test]
fn more_candidates_than_are_allowed_end_an_execution() {
    let job = SmallJob::new(DeviceChoice::Cpu);
    let error = job.run(all_pairs(), None, Some(1)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::CandidateLimit);
}

#[test]
fn a_plan_goes_on_after_the_branches_that_were_kept() {
    let job = SmallJob::new(DeviceChoice::Cpu);
    let whole = job.run(all_pairs(), None, None).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (folder, key) = (dir.path().join("checkpoint"), job.key("l.city = r.city"));
    let first = Plan { branches: job.plan.branches[..1].to_vec(), tables: job.plan.tables.clone() };
    let (some, begun) = job.run_kept(&folder, &key, Some(&first));
    assert_eq!((begun, some.branches.len()), (Resumption::NothingStored, 1));
    assert!(some.pairs.len() < whole.pairs.len());
    let (all, resumption) = job.run_kept(&folder, &key, None);
    assert_eq!((all, resumption), (whole, Resumption::Resumed { branches: 1 }));
    let (stored, resumption) = find_stored(&folder, &job.key("l.name = r.name"), &job.simplified.rules);
    assert_eq!(resumption, Resumption::StartedOver { reason: StartOverReason::Rules });
    assert!(stored.is_none());
}
