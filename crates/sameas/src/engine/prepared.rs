//! A job ready to run: records encoded, branches planned.

use super::branch_run::JobPlan;
use super::check::never_read;
use super::encode::encode_and_drop;
use super::history::History;
use super::job::Job;
use super::load::{Loaded, load};
use super::near::NearRecord;
use super::observer::{Progress, Stage};
use super::record::{InputRecord, Operator, OperatorRecord};
use super::rectangles::{Rectangle, rectangles};
use super::scoring::{CoverRecord, OutsideScores, Scoring, Weighted};
use super::settings::Settings;
use super::timeline::Timeline;
use crate::cancel::Cancel;
use crate::candidates::tiles::pace;
use crate::candidates::{AccessPath, PathInput, Rows, Shape};
use crate::device::{self, Device, Starting};
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Expr, ParseCounts, Side};
use crate::memory::{self, MemoryBudget, Shares};
use crate::plan::{
    Branch, BranchRecord, Condition, Describer, Plan, PlanInput, PlanWarning, Planner, RelativeCost, Strategy, Survey,
    TableRecord,
};
use crate::records::{Frame, RowIds, SkippedRecords, Table, add_rankings};
use crate::rules::{Doubt, Implications, Rule, RuleLabel, RuleSet, Simplification, Simplified, Test};
use crate::verify::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Seconds of one core from which on a plan is worth the start of a GPU, which takes about half a second.
const WORTH_A_GPU: f64 = 8.0;

/// A job ready to run.
pub struct Prepared {
    /// As they are run: simplified.
    pub(super) rules: RuleSet,
    /// What was simplified.
    pub(super) notes: Vec<Simplification>,
    pub(super) shadowed: Vec<Option<usize>>,
    pub(super) implications: Implications,
    pub(super) survey: Survey,
    /// What an earlier run has seen.
    pub(super) facts: Vec<(Condition, f64)>,
    pub(super) program: Program,
    pub(super) plan: Plan,
    /// The plan of the near rules.
    pub(super) near_plan: Plan,
    pub(super) ids: Vec<RowIds>,
    pub(super) names: Vec<String>,
    pub(super) rows: [u32; 2],
    pub(super) inputs: Vec<InputRecord>,
    /// The records that each input has and the job leaves out.
    pub(super) skipped: Vec<SkippedRecords>,
    pub(super) id_columns: Vec<Option<String>>,
    pub(super) unreadable: BTreeMap<String, u64>,
    /// Conditions that cannot be meant.
    pub(super) doubts: Vec<Doubt>,
    /// What the job will run on, as long as it is not asked to run.
    starting: Option<Starting>,
    pub(super) device: Device,
    /// The relative cost of that, as far as the plan counts on it.
    relative_cost: Option<RelativeCost>,
    /// How pairs are scored, if they are.
    pub(super) scoring: Option<Scoring>,
    /// How their similarities are averaged, if they are.
    pub(super) weighted: Option<Weighted>,
    /// The scores that others have given, if they have.
    pub(super) outside: Option<OutsideScores>,
    pub(super) job: Job,
    pub(super) settings: Settings,
    pub(super) memory: Shares,
    pub(super) timeline: Timeline,
    /// The plan is what an interrupted run has left of its own: it is not made again.
    has_stored_plan: bool,
}

/// The plan of a job: what it would do, or what was counted when it ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The inputs with their rows.
    pub inputs: Vec<InputRecord>,
    /// All pairs of records there are.
    pub nominal_pairs: u64,
    /// Which parts of the planner were active.
    pub strategy: Strategy,
    /// What of the rules need not be checked.
    pub simplifications: Vec<Simplification>,
    /// Predicates that are decided once for all distinct values.
    pub tables: Vec<TableRecord>,
    /// The branches with their candidates and checks.
    pub plan: Vec<BranchRecord>,
    /// The `never` rules, which every pair that passes is checked against.
    pub nevers: Vec<String>,
    /// Seconds that planning took, statistics included.
    pub planning_seconds: f64,
    /// Rules that are looked at both ways round, because exchanging the two records changes their meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub both_ways: Vec<RuleLabel>,
    /// How near pairs are looked for, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<NearRecord>,
    /// How every pair above the threshold is found, where no rule finds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<CoverRecord>,
    /// When each operator began and ended, if it ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<OperatorRecord>,
}

impl Prepared {
    /// Reads, checks, encodes and plans a job, on the threads of the current pool.
    pub fn new(job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        let mut prepared = Self::unplanned(job, settings, progress)?;
        prepared.make_plan(progress);
        Ok(prepared)
    }

    /// As [`Self::new`], without a plan.
    pub(super) fn unplanned(job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        let mut prepared = Self::unscored(job, settings, progress)?;
        prepared.scoring = Scoring::of(job, &prepared.rules, &prepared.program)?;
        prepared.add_score_rule()?;
        prepared.weighted = Weighted::of(job, &prepared.rules)?;
        prepared.add_weighted_rule()?;
        prepared.read_outside_scores(progress.cancel())?;
        Ok(prepared)
    }

    /// As [`Self::unplanned`], whether there is a model or not.
    pub(super) fn unscored(job: &Job, settings: &Settings, progress: Progress<'_>) -> Result<Self> {
        let mut timeline = Timeline::start();
        let starting = settings.drivers.start(settings.device, &settings.device_options)?;
        let budget = MemoryBudget::new(settings.memory);
        let cancel = progress.cancel().within(&budget);
        let mut loaded = load(job, &budget, progress)?;
        let read = timeline.lap(Operator::Read);
        progress.begin(&Stage::Encoding, None);
        let inputs = loaded.input_records(job);
        let on_disk = inputs.iter().flat_map(|input| &input.on_disk);
        read.bytes = Some(on_disk.map(|file| file.bytes).sum()).filter(|bytes| *bytes > 0);
        let (mut frames, rows, borders) = unranked_frames(&mut loaded, cancel);
        timeline.lap(Operator::Derive);
        if !loaded.rules.rankings.is_empty() {
            add_rankings(&loaded.rules.rankings, &mut frames, cancel);
            timeline.lap(Operator::Rank);
        }
        let unreadable = unreadable(&loaded.rules, &frames, cancel);
        let mut doubts = never_read(&loaded.rules, &frames, "the inputs", cancel);
        let Loaded { rules, tables, ids, id_columns, held: _held } = loaded;
        let skipped: Vec<SkippedRecords> = tables.iter().map(Table::skipped).collect();
        let names: Vec<String> = tables.iter().map(|t| t.name.clone()).collect();
        let Simplified { rules, notes, shadowed, implications } = rules.simplified();
        doubts.extend(rules.contradictions(&notes));
        progress.doubts(&doubts);
        doubts.splice(0..0, rules.doubts.iter().cloned());
        let program = encode_and_drop(&rules, frames, &borders, (cancel, progress));
        timeline.lap(Operator::Encode).bytes = Some(program.bytes() as u64);
        let of_ids: usize = ids.iter().map(RowIds::bytes).sum();
        let bytes = program.bytes() + of_ids + skipped.iter().map(SkippedRecords::bytes).sum::<usize>();
        let records: u64 = inputs.iter().map(|input| input.rows).sum();
        let scratch = (rayon::current_num_threads(), program.scratch_bytes());
        let memory = memory::shares_with_scratch(settings.memory, records, bytes, scratch)?;
        progress.begin(&Stage::Planning, None);
        let shape = shape_of(&rules);
        let survey = Survey::of(&program, shape, &names, progress.cancel());
        progress.memory_freed();
        timeline.lap(Operator::Statistics);
        timeline.set_rows(inputs.iter().map(|input| input.rows).sum());
        let facts = match job.statistics.as_ref().map(History::of) {
            Some(history) => {
                history.check(&inputs)?;
                history.facts(&rules, &program.checks)
            }
            None => Vec::new(),
        };
        Ok(Self {
            rules,
            notes,
            shadowed,
            implications,
            survey,
            facts,
            program,
            plan: Plan::default(),
            near_plan: Plan::default(),
            ids,
            names,
            rows,
            inputs,
            skipped,
            id_columns,
            unreadable,
            doubts,
            starting: Some(starting),
            device: Device::default(),
            relative_cost: relative_cost_of(settings),
            scoring: None,
            weighted: None,
            outside: None,
            job: job.clone(),
            settings: settings.clone(),
            memory,
            timeline,
            has_stored_plan: false,
        })
    }

    /// Plans the job.
    pub(super) fn make_plan(&mut self, progress: Progress<'_>) {
        progress.cancel().check();
        self.timeline.go_on();
        (self.plan, self.near_plan) = self.planned();
        let rows = u64::from(self.records());
        self.timeline.end(Operator::Plan, rows);
    }

    /// The plan of the rules, and that of the near rules.
    fn planned(&self) -> (Plan, Plan) {
        let mut planner = Planner::new(self.plan_input());
        let plan = planner.plan(&(0..self.rules.written_conjunctions()).collect::<Vec<usize>>());
        let near = self.near_branches(&planner);
        (plan, near)
    }

    /// Takes what is left of the plan of an interrupted run, whatever a planner would make of it now.
    pub(super) fn use_stored_plan(&mut self, plan: Plan) {
        self.near_plan = self.near_branches(&Planner::new(self.plan_input()).with_tables(&plan.tables));
        (self.plan, self.has_stored_plan) = (plan, true);
    }

    /// What a plan is made from.
    pub(super) fn plan_input(&self) -> PlanInput<'_> {
        PlanInput {
            facts: &self.facts,
            program: &self.program,
            rows: self.rows,
            shape: self.shape(),
            survey: &self.survey,
            costs: &self.settings.costs,
            implications: &self.implications,
            shadowed: &self.shadowed,
            strategy: self.job.strategy,
            memory: self.memory.join,
            device: self.relative_cost,
        }
    }

    /// Waits for the device that the job runs on.
    pub(super) fn start_device(&mut self) -> Result<()> {
        if let Some(starting) = self.starting.take() {
            let branches = self.plan.branches.iter().chain(&self.near_plan.branches);
            let seconds: f64 = branches.map(|branch| branch.cost / 1e9).sum();
            self.device = starting.ready(self.program.bytes(), || seconds >= WORTH_A_GPU)?;
            if !self.device.gpus.is_empty() {
                self.timeline.add(OperatorRecord::new(Operator::Device, self.device.started.as_secs_f64()));
            }
            self.plan_for_device();
        }
        Ok(())
    }

    /// Plans again where a GPU was taken that the plan did not count on, or one of another pace.
    fn plan_for_device(&mut self) {
        let (device::DeviceKind::Cuda, Some(gpu)) = (self.device.kind, self.device.gpus.first()) else { return };
        let cost = RelativeCost::of_gpu(self.settings.threads, pace(gpu));
        if self.relative_cost.replace(cost) != Some(cost) && !self.has_stored_plan {
            (self.plan, self.near_plan) = self.planned();
        }
    }

    /// Records of all inputs.
    pub(super) fn records(&self) -> u32 {
        self.inputs.iter().map(|input| input.rows).sum::<u64>() as u32
    }

    /// What is added to a right record to number all records, as the clusters do.
    pub(super) fn right_offset(&self) -> u32 {
        if self.rules.has_two_sides() { self.rows[0] } else { 0 }
    }

    /// Which pairs of rows are pairs at all.
    pub(super) fn shape(&self) -> Shape {
        shape_of(&self.rules)
    }

    /// All pairs of records there are.
    pub fn nominal_pairs(&self) -> u64 {
        let [left, right] = self.rows.map(u64::from);
        match (self.shape(), &self.program.across) {
            (_, Some(inputs)) => inputs.pairs_across(),
            (Shape::Rectangle, _) => left * right,
            (Shape::Triangle, _) => left * left.saturating_sub(1) / 2,
        }
    }

    /// The plan as a value.
    pub fn plan(&self) -> JobPlan {
        JobPlan::of(self, &self.plan)
    }

    /// What the plan would do. Numbers of candidates are exact where the keys tell them.
    pub fn explain(&self) -> Explanation {
        let planner = Planner::new(self.plan_input()).with_tables(&self.plan.tables);
        let describer = self.describer(&planner);
        let report = |branch: &Branch| {
            let report = describer.branch(branch);
            match self.candidates(branch) {
                Some((candidates, true)) => BranchRecord { estimated_candidates: candidates, exact: true, ..report },
                _ => report,
            }
        };
        let near = self.near_record(self.near_plan.branches.iter().map(report).collect(), None);
        Explanation { near, ..self.explanation(self.plan.branches.iter().map(report).collect(), &[]) }
    }

    /// What is expensive about the plan, known before it runs.
    pub(super) fn warnings(&self) -> Vec<PlanWarning> {
        let is_all = |branch: &&Branch| branch.condition.access.path == AccessPath::AllPairs;
        let [of_all, of_near] =
            [&self.plan, &self.near_plan].map(|plan| plan.branches.iter().filter(is_all).collect::<Vec<&Branch>>());
        if of_all.is_empty() && of_near.is_empty() {
            return Vec::new();
        }
        let planner = Planner::new(self.plan_input()).with_tables(&self.plan.tables);
        let describer = self.describer(&planner);
        let [mut records, near] =
            [of_all, of_near].map(|all| all.into_iter().map(|branch| describer.branch(branch)).collect::<Vec<_>>());
        // Where a rule looks at every pair, its near pairs take the same again: one warning is enough.
        let known: Vec<Vec<String>> = records.iter().map(|record| record.rules.clone()).collect();
        records.extend(near.into_iter().filter(|record| !known.contains(&record.rules)));
        records.into_iter().flat_map(|record| record.warnings).collect()
    }

    /// Makes records of the branches of a planner.
    pub(super) fn describer<'d, 'a>(&'d self, planner: &'d Planner<'a>) -> Describer<'d, 'a> {
        Describer {
            rules: &self.rules,
            estimator: planner.estimator(),
            implications: &self.implications,
            tables: &self.plan.tables,
            strategy: self.job.strategy,
        }
    }

    /// The plan with these branches, and with its tables; `made` has the seconds that each took, if they were made.
    pub(super) fn explanation(&self, plan: Vec<BranchRecord>, made: &[f64]) -> Explanation {
        let tables = self.plan.tables.iter().enumerate();
        let planning = self.timeline.operators().iter().filter(|record| record.operator.is_planning());
        Explanation {
            inputs: self.inputs.clone(),
            nominal_pairs: self.nominal_pairs(),
            strategy: self.job.strategy,
            simplifications: self.notes.clone(),
            tables: tables.map(|(at, table)| TableRecord::of(table, &self.rules, made.get(at).copied())).collect(),
            plan,
            nevers: self.rules.nevers.iter().map(|never| never.text.clone()).collect(),
            planning_seconds: planning.map(|record| record.seconds).sum(),
            both_ways: self.both_ways(),
            near: None,
            cover: self.cover_record(),
            timeline: Vec::new(),
        }
    }

    /// The rules that have conjunctions of both orientations.
    fn both_ways(&self) -> Vec<RuleLabel> {
        let written = &self.rules.rules[..self.rules.written_rules()];
        let names = |rules: &[Rule], label: fn(String) -> RuleLabel| -> Vec<RuleLabel> {
            rules.iter().filter(|rule| rule.both_ways).map(|rule| label(rule.name.clone())).collect()
        };
        [names(written, RuleLabel::Rule), names(&self.rules.nevers, RuleLabel::Never)].concat()
    }

    /// The number of candidates of a branch, where it is known without enumerating them, and whether it is exact.
    fn candidates(&self, branch: &Branch) -> Option<(u64, bool)> {
        if branch.condition.access.is_over_values() {
            return None;
        }
        let rows = branch.condition.rows_of_both(&self.program.checks, &Rows::of_sides(self.rows));
        let mut total = (0, true);
        for Rectangle { rows, shape } in rectangles(&self.program, rows, self.shape()) {
            let source = self.program.source();
            let mut path = branch.condition.access.path(PathInput { source, rows, shape, memory: self.memory.join });
            for round in 0..path.rounds() {
                path.prepare(round);
                if let Some((pairs, exact)) = path.pairs() {
                    total = (total.0 + pairs, total.1 && exact);
                }
            }
        }
        Some(total)
    }

    /// Refuses a job with more candidates than the user allows.
    pub(super) fn check_max_pairs(&self) -> Result<()> {
        let Some(most) = self.job.max_candidates else { return Ok(()) };
        let Explanation { plan: mut branches, near, .. } = self.explain();
        branches.extend(near.into_iter().flat_map(|near| near.plan));
        // What is not known beforehand is counted as it comes.
        branches.retain(|b| b.exact);
        let total: u64 = branches.iter().map(|b| b.estimated_candidates).sum();
        if total <= most {
            return Ok(());
        }
        let largest = branches.iter().max_by_key(|b| b.estimated_candidates);
        let help = largest.map_or(String::new(), |b| {
            let on = if b.on.is_empty() { "every pair".to_owned() } else { b.on.join(" and ") };
            format!(
                "{} of them come from {} ({on}); make that rule stricter or raise the limit",
                b.estimated_candidates,
                b.rules.join(", ")
            )
        });
        Err(Error::usage(format!("the rules give {total} candidate pairs, more than the limit of {most}"))
            .with_help(help)
            .with_code(ErrorCode::CandidateLimit))
    }
}

/// The relative cost of the device that the user has chosen. Whether `auto` takes one is seen when there is a plan.
fn relative_cost_of(settings: &Settings) -> Option<RelativeCost> {
    match settings.device {
        device::DeviceChoice::Cuda => Some(RelativeCost::of_gpu(settings.threads, 1.0)),
        other => (Some(other) == device::DeviceChoice::emulated()).then(RelativeCost::of_emulated),
    }
}

/// Which pairs of rows are pairs at all.
pub(super) fn shape_of(rules: &RuleSet) -> Shape {
    if rules.has_two_sides() { Shape::Rectangle } else { Shape::Triangle }
}

/// The frames of a job with all that rules read, the rows of both sides, and the first row of each input after the first.
pub(super) fn frames(loaded: &mut Loaded, cancel: Cancel<'_>) -> (Vec<Frame>, [u32; 2], Vec<u32>) {
    let (mut frames, rows, borders) = unranked_frames(loaded, cancel);
    add_rankings(&loaded.rules.rankings, &mut frames, cancel);
    (frames, rows, borders)
}

/// The same without ranks: two frames for a link of two inputs, otherwise one that holds all inputs. The records are taken
/// from the tables, which keep none.
fn unranked_frames(loaded: &mut Loaded, cancel: Cancel<'_>) -> (Vec<Frame>, [u32; 2], Vec<u32>) {
    let borders = loaded.borders();
    let mut with_derived: Vec<(&mut Table, &[_])> =
        loaded.tables.iter_mut().zip(&loaded.rules.derived).map(|(table, derived)| (table, &derived[..])).collect();
    let frames: Vec<Frame> = match loaded.rules.has_two_sides() {
        true => with_derived.chunks_mut(1).map(|one| Frame::taking(one, cancel)).collect(),
        false => vec![Frame::taking(&mut with_derived, cancel)],
    };
    let rows_of = |frame: &Frame| frame.rows() as u32;
    let sides = [rows_of(&frames[0]), rows_of(&frames[frames.len() - 1])];
    (frames, sides, borders)
}

/// How many values of each column no use could read.
fn unreadable(rules: &RuleSet, frames: &[Frame], cancel: Cancel<'_>) -> BTreeMap<String, u64> {
    let counts = ParseCounts::default();
    let last = frames.len() - 1;
    let mut of_frame: Vec<Vec<&Expr>> = vec![Vec::new(); frames.len()];
    for predicate in &rules.predicates {
        match &predicate.test {
            Test::Equal { left, right, .. } | Test::Measure { left, right, .. } | Test::ListHasAny { left, right } => {
                of_frame[0].push(left);
                of_frame[last].push(right);
            }
            Test::OneSided { side: Side::Left, condition } => of_frame[0].push(condition),
            Test::OneSided { side: Side::Right, condition } => of_frame[last].push(condition),
            Test::Residual(expr) => of_frame.iter_mut().for_each(|f| f.push(expr)),
            Test::SameSource => {}
        }
    }
    of_frame.iter_mut().for_each(|f| f.extend(&rules.values));
    for (side, derived) in rules.derived.iter().enumerate() {
        of_frame[side.min(last)].extend(derived.iter().map(|d| &d.expr));
    }
    for (frame, exprs) in frames.iter().zip(&of_frame) {
        frame.count_unreadable(exprs, &counts, cancel);
    }
    counts
        .snapshot()
        .into_iter()
        .filter(|(_, n)| *n > 0)
        .map(|(key, n)| (crate::expr::shown_name(&key).to_owned(), n))
        .collect()
}
