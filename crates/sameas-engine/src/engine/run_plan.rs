//! What a job does: the plan of its rules, that of its near rules, and what runs them.

use super::bound_job::{BoundJob, OpenedJob};
use super::near::{NearSearch, near_plan};
use crate::candidates::AccessPath;
use crate::error::Result;
use crate::execute::{CandidateCounter, Execution, JoinScope, Machine, OtherBranches, PairSink, Reviser};
use crate::observer::Progress;
use crate::plan::{Branch, Describer, JobPlan, Plan, PlanWarning, Planner};
use crate::timeline::{Operator, Timeline};

/// The plans of a run.
pub(super) struct RunPlan {
    /// That of the rules.
    pub rules: Plan,
    /// That of the near rules.
    pub near: Plan,
    /// Whether it is what an interrupted run has left: it is not made again then.
    is_stored: bool,
}

impl RunPlan {
    /// Plans a job that was opened.
    pub fn plan_job(OpenedJob { bound, machine, timeline }: &mut OpenedJob, progress: Progress<'_>) -> Self {
        progress.cancel().check();
        timeline.go_on();
        let plan = Self::made(bound, machine);
        timeline.end(Operator::Plan, u64::from(bound.records()));
        plan
    }

    fn made(bound: &BoundJob, machine: &Machine) -> Self {
        let set = bound.rules.set();
        let mut planner = Planner::new(bound.plan_input(machine));
        let rules = planner.plan(&(0..set.written_conjunctions()).collect::<Vec<usize>>());
        Self { near: near_plan(set, &planner), rules, is_stored: false }
    }

    /// What is left of the plan of an interrupted run, whatever a planner would make of it now.
    pub fn stored(rules: Plan, bound: &BoundJob, machine: &Machine) -> Self {
        let planner = Planner::new(bound.plan_input(machine)).with_tables(&rules.tables);
        Self { near: near_plan(bound.rules.set(), &planner), rules, is_stored: true }
    }

    /// The plan for the device that the job runs on, which is waited for. Where it was not counted on, the job is planned again.
    pub fn on_device(self, bound: &BoundJob, machine: &mut Machine, timeline: &mut Timeline) -> Result<Self> {
        let branches = self.rules.branches.iter().chain(&self.near.branches);
        let seconds: f64 = branches.map(|branch| branch.cost / 1e9).sum();
        let is_news = machine.start_device(bound.program.bytes(), seconds, timeline)?;
        Ok(if is_news && !self.is_stored { Self::made(bound, machine) } else { self })
    }
}

/// A job with its plans, and what it runs on.
#[derive(Clone, Copy)]
pub(super) struct PlannedJob<'a> {
    /// The job.
    pub bound: &'a BoundJob,
    /// Its plans.
    pub plan: &'a RunPlan,
    /// What it runs on.
    pub machine: &'a Machine,
}

impl<'a> PlannedJob<'a> {
    /// The plan of the rules as a value.
    pub fn job_plan(&self) -> JobPlan {
        let BoundJob { rules, program, score_plan, .. } = self.bound;
        let plan = JobPlan::new(rules.set(), program.source(), self.plan.rules.clone());
        plan.with_scores(score_plan.clone(), rules.set())
    }

    /// A planner that knows the tables of the plan.
    pub fn planner(&self) -> Planner<'a> {
        Planner::new(self.bound.plan_input(self.machine)).with_tables(&self.plan.rules.tables)
    }

    /// Makes records of the branches of a planner.
    pub fn describer<'d>(&self, planner: &'d Planner<'a>) -> Describer<'d, 'a> {
        Describer {
            rules: self.bound.rules.set(),
            estimator: planner.estimator(),
            implications: &self.bound.rules.simplified.implications,
            tables: &self.plan.rules.tables,
            strategy: self.bound.job.strategy,
        }
    }

    /// What counts the candidates of its branches.
    pub fn counter(&self) -> CandidateCounter<'a> {
        let (program, rules, memory) = (&self.bound.program, self.bound.rules.set(), self.machine.memory.join);
        CandidateCounter { program, rules, scope: self.scope(), memory }
    }

    /// Refuses a job with more candidates than the user allows.
    pub fn check_max_candidates(&self) -> Result<()> {
        let Some(most) = self.bound.job.max_candidates else { return Ok(()) };
        self.counter().check(self.plan.rules.branches.iter().chain(&self.plan.near.branches), most)
    }

    /// What is expensive about the plan, known before it runs.
    pub fn warnings(&self) -> Vec<PlanWarning> {
        let is_all = |branch: &&Branch| branch.condition.access.path == AccessPath::AllPairs;
        let [of_all, of_near] = [&self.plan.rules, &self.plan.near]
            .map(|plan| plan.branches.iter().filter(is_all).collect::<Vec<&Branch>>());
        if of_all.is_empty() && of_near.is_empty() {
            return Vec::new();
        }
        let planner = self.planner();
        let describer = self.describer(&planner);
        let [mut records, near] =
            [of_all, of_near].map(|all| all.into_iter().map(|branch| describer.branch(branch)).collect::<Vec<_>>());
        // Where a rule looks at every pair, its near pairs take the same again: one warning is enough.
        let known: Vec<Vec<String>> = records.iter().map(|record| record.rules.clone()).collect();
        records.extend(near.into_iter().filter(|record| !known.contains(&record.rules)));
        records.into_iter().flat_map(|record| record.warnings).collect()
    }

    /// The plan of the rules, ready to run, whose pairs go to this sink.
    pub fn execution(&self, sink: PairSink<'a>, progress: Progress<'a>) -> Execution<'a> {
        Execution {
            program: &self.bound.program,
            rules: self.bound.rules.set(),
            plan: &self.plan.rules,
            scope: self.scope(),
            sink,
            machine: self.machine,
            reviser: Some(self.reviser()),
            others: OtherBranches { later: &self.plan.near.branches, ..OtherBranches::default() },
            most_candidates: self.bound.job.max_candidates,
            progress,
        }
    }

    /// What looks for its near pairs, if they are wanted.
    pub fn near_search(&self) -> Option<NearSearch<'a>> {
        self.bound.job.near.map(|_| NearSearch {
            program: &self.bound.program,
            rules: self.bound.rules.set(),
            plan: &self.plan.near,
            scope: self.scope(),
            reviser: self.reviser(),
            machine: self.machine,
            sort_memory: self.near_memory(),
            most_candidates: self.bound.job.max_candidates,
        })
    }

    /// The bytes that each of the sorts may take: that of the pairs, and that of the near pairs.
    pub fn sort_memory(&self) -> usize {
        let sort = self.machine.memory.sort;
        if self.bound.job.near.is_some() { sort / 2 } else { sort }
    }

    /// The bytes that each of the sorts of near pairs may take: of all, and of those that nobody has decided.
    pub fn near_memory(&self) -> usize {
        self.sort_memory() / (1 + usize::from(self.bound.decided.is_some()))
    }

    /// All pairs of the job.
    fn scope(&self) -> JoinScope {
        let layout = self.bound.dataset.layout();
        JoinScope::all(layout.rows(), layout.shape())
    }

    /// Who changes the plan while it runs.
    fn reviser(&self) -> Reviser<'a> {
        Reviser::new(self.bound.plan_input(self.machine), &self.plan.rules.tables)
    }
}
