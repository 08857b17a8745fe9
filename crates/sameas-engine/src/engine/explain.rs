//! What a job would do, or has done: its plan with reasons and numbers.

use serde::{Deserialize, Serialize};

use super::bound_job::{OpenedJob, RecordsOfJob};
use super::near::NearRecord;
use super::run_plan::{PlannedJob, RunPlan};
use crate::dataset::{Dataset, InputRecord};
use crate::error::Result;
use crate::job::Job;
use crate::observer::Progress;
use crate::plan::{Branch, BranchRecord, JobPlan, Planner, Strategy, TableRecord};
use crate::rules::{RuleLabel, Simplification};
use crate::scoring::{CoverRecord, TermFrequencyRecord};
use crate::settings::Settings;
use crate::timeline::{OperatorRecord, Timeline};

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
    /// Where term frequencies are from, where they count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub term_frequencies: Vec<TermFrequencyRecord>,
    /// When each operator began and ended, if it ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<OperatorRecord>,
}

/// What a run of a job would do, among records that are at hand, if there are any. Numbers of candidates are exact where the keys
/// tell them.
pub fn explain(job: &Job, among: Option<&Dataset>, settings: &Settings, progress: Progress<'_>) -> Result<Explanation> {
    let mut opened = OpenedJob::open(job, RecordsOfJob::at_hand_or_read(among), settings, progress)?;
    let plan = RunPlan::plan_job(&mut opened, progress);
    let OpenedJob { bound, machine, timeline } = &opened;
    Ok(Explanation::before(PlannedJob { bound, plan: &plan, machine }, timeline))
}

/// The plan of a job as a value.
pub fn plan(job: &Job, among: Option<&Dataset>, settings: &Settings, progress: Progress<'_>) -> Result<JobPlan> {
    let mut opened = OpenedJob::open(job, RecordsOfJob::at_hand_or_read(among), settings, progress)?;
    let plan = RunPlan::plan_job(&mut opened, progress);
    Ok(PlannedJob { bound: &opened.bound, plan: &plan, machine: &opened.machine }.job_plan())
}

impl Explanation {
    /// What a plan would do.
    fn before(of: PlannedJob<'_>, timeline: &Timeline) -> Self {
        let (planner, counter) = (of.planner(), of.counter());
        let describer = of.describer(&planner);
        let report = |branch: &Branch| {
            let report = describer.branch(branch);
            match counter.exact(branch) {
                Some(candidates) => BranchRecord { estimated_candidates: candidates, exact: true, ..report },
                None => report,
            }
        };
        let near: Vec<BranchRecord> = of.plan.near.branches.iter().map(report).collect();
        let near = of.bound.job.near.map(|amount| NearRecord::new(amount, of.bound.rules.set(), near, None));
        let branches = of.plan.rules.branches.iter().map(report).collect();
        Self { near, ..Self::new(of, branches, &[], timeline) }
    }

    /// A plan with these branches, and with its tables; `made` has the seconds that each took, if they were made.
    pub(super) fn new(of: PlannedJob<'_>, branches: Vec<BranchRecord>, made: &[f64], timeline: &Timeline) -> Self {
        let PlannedJob { bound, plan, .. } = of;
        let (set, tables) = (bound.rules.set(), plan.rules.tables.iter().enumerate());
        let planning = timeline.operators().iter().filter(|record| record.operator.is_planning());
        Self {
            inputs: bound.inputs.clone(),
            nominal_pairs: bound.dataset.layout().pairs(),
            strategy: bound.job.strategy,
            simplifications: bound.rules.simplified.notes.clone(),
            tables: tables.map(|(at, table)| TableRecord::new(table, set, made.get(at).copied())).collect(),
            plan: branches,
            nevers: set.nevers.iter().map(|never| never.text.clone()).collect(),
            planning_seconds: planning.map(|record| record.seconds).sum(),
            both_ways: bound.rules.both_ways(),
            near: None,
            cover: cover(of),
            term_frequencies: bound.scores.term_frequencies().to_vec(),
            timeline: Vec::new(),
        }
    }
}

/// How every pair above the threshold is found, where no rule finds them, and what higher thresholds would save.
fn cover(PlannedJob { bound, machine, .. }: PlannedJob<'_>) -> Option<CoverRecord> {
    let scoring = bound.scores.model().filter(|_| bound.job.rules.rules.is_empty())?;
    CoverRecord::compute(&bound.covered_records(), &Planner::new(bound.plan_input(machine)), scoring)
}
