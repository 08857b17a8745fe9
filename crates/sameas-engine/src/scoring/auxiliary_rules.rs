//! The records of a job run by other rules than its own, for what a stage learns of pairs. The job stays as it is.

use crate::cancel::Cancel;
use crate::candidates::{Condition, Rows};
use crate::dataset::RecordLayout;
use crate::error::Result;
use crate::execute::{Execution, JoinScope, Machine, OtherBranches, PairSink, PairStage, Pipeline, Reviser};
use crate::observer::Progress;
use crate::output::PairSorter;
use crate::plan::cost::Costs;
use crate::plan::{Plan, PlanInput, Planner, SampleProgram, Strategy};
use crate::records::stats::Statistics;
use crate::rules::{Conjunction, Rule, RuleSet, Simplified};
use crate::timeline::Timeline;
use crate::verify::Program;

/// Bytes of a sort that nothing reaches.
const NO_PAIRS: usize = 1 << 16;

/// Rules, and the records they are for.
pub(super) struct AuxiliaryRules {
    pub rules: Vec<Rule>,
    pub conjunctions: Vec<Conjunction>,
    /// The records of both sides, where these are not all.
    pub rows: Option<[Rows; 2]>,
    /// Whether the comparisons of the job are evaluated for each pair.
    pub are_compared: bool,
}

/// The records of a job, and what is known of them.
#[derive(Clone, Copy)]
pub struct KnownRecords<'a> {
    /// The rules of the job, whose predicates other rules are made of.
    pub rules: &'a RuleSet,
    pub program: &'a Program,
    pub sample: &'a SampleProgram,
    pub statistics: &'a Statistics,
    /// What an earlier run has seen.
    pub facts: &'a [(Condition, f64)],
    /// Where they lie.
    pub layout: &'a RecordLayout,
    pub strategy: Strategy,
    /// The candidates that the caller allows.
    pub most_candidates: Option<u64>,
    /// Whether the caller still wants what is learned of them, and the memory that it may take.
    pub cancel: Cancel<'a>,
}

/// Auxiliary rules over the records of a job, simplified and ready to be planned.
struct PlannedRules<'a> {
    of: KnownRecords<'a>,
    simplified: Simplified,
    program: Program,
    sample: SampleProgram,
    are_compared: bool,
}

impl<'a> PlannedRules<'a> {
    /// Without the `never` rules of the job.
    fn new(of: KnownRecords<'a>, rules: Vec<Rule>, conjunctions: Vec<Conjunction>, are_compared: bool) -> Self {
        let simplified = of.rules.without_nevers().with_rules(rules, conjunctions);
        let program = of.program.with_rules(&simplified.rules);
        let mut sample = of.sample.clone();
        sample.follow(&program);
        Self { of, simplified, program, sample, are_compared }
    }

    /// What a plan is made from by these costs, where nothing is known of what it runs on, nor of earlier runs.
    fn input_anywhere<'p>(&'p self, costs: &'p Costs) -> PlanInput<'p> {
        PlanInput {
            facts: &[],
            sample: &self.sample,
            statistics: self.of.statistics,
            costs,
            implications: &self.simplified.implications,
            shadowed: &self.simplified.shadowed,
            strategy: Strategy::default(),
            memory: 0,
            device: None,
            comparisons: if self.are_compared { &self.of.rules.scoring.comparisons } else { &[] },
        }
    }

    /// The same for a machine.
    fn input<'p>(&'p self, machine: &'p Machine) -> PlanInput<'p> {
        PlanInput {
            facts: self.of.facts,
            strategy: self.of.strategy,
            memory: machine.memory.join,
            device: machine.relative_cost(),
            ..self.input_anywhere(&machine.settings.costs)
        }
    }

    /// The plan of all conjunctions.
    fn plan(&self, input: PlanInput<'_>) -> Plan {
        let conjunctions: Vec<usize> = (0..self.simplified.rules.conjunctions.len()).collect();
        Planner::new(input).plan(&conjunctions)
    }
}

/// Nanoseconds of one core that looking at all pairs of some rules is expected to take. They depend on the records and the rules
/// alone: not on what the job runs on, nor on what was measured there or seen before.
pub(super) fn expected_effort(of: KnownRecords<'_>, auxiliary: AuxiliaryRules) -> f64 {
    let rules = PlannedRules::new(of, auxiliary.rules, auxiliary.conjunctions, auxiliary.are_compared);
    let plan = rules.plan(rules.input_anywhere(&Costs::shipped_for_all_machines()));
    plan.branches.iter().map(|branch| branch.cost).sum()
}

/// The records of a job, planned by other rules.
pub(super) struct RulePass<'a> {
    rules: PlannedRules<'a>,
    machine: &'a Machine,
    scope: JoinScope,
    plan: Plan,
}

impl<'a> RulePass<'a> {
    /// Plans records by some rules, without the `never` rules of the job, on a machine whose device starts for the first of
    /// them.
    pub fn new(
        of: KnownRecords<'a>,
        auxiliary: AuxiliaryRules,
        machine: &'a mut Machine,
        progress: Progress<'_>,
    ) -> Result<Self> {
        progress.cancel().check();
        let rules = PlannedRules::new(of, auxiliary.rules, auxiliary.conjunctions, auxiliary.are_compared);
        let mut plan = rules.plan(rules.input(machine));
        let seconds: f64 = plan.branches.iter().map(|branch| branch.cost / 1e9).sum();
        // Nobody learns how long it took.
        if machine.start_device(rules.program.bytes(), seconds, &mut Timeline::start())? {
            plan = rules.plan(rules.input(machine));
        }
        let scope = match auxiliary.rows {
            Some(rows) => JoinScope::only(rows, of.layout.shape()),
            None => JoinScope::all(of.layout.rows(), of.layout.shape()),
        };
        Ok(Self { rules, machine, scope, plan })
    }

    /// The rules over all columns of the records.
    pub fn program(&self) -> &Program {
        &self.rules.program
    }

    /// Which pairs it looks for.
    pub fn scope(&self) -> &JoinScope {
        &self.scope
    }

    /// Gives every pair of the rules to a stage, which keeps none.
    pub fn show(&self, stage: &dyn PairStage, progress: Progress<'_>) -> Result<()> {
        self.show_some(self.scope.clone(), stage, progress)
    }

    /// The same for some of the pairs.
    pub fn show_some(&self, scope: JoinScope, stage: &dyn PairStage, progress: Progress<'_>) -> Result<()> {
        let sorter = PairSorter::new(NO_PAIRS, rayon::current_num_threads(), None)?;
        let execution = Execution {
            program: &self.rules.program,
            rules: &self.rules.simplified.rules,
            plan: &self.plan,
            scope,
            sink: PairSink { pipeline: Pipeline::to_stage(stage), sorter: &sorter },
            machine: self.machine,
            reviser: Some(Reviser::new(self.rules.input(self.machine), &self.plan.tables)),
            others: OtherBranches::default(),
            most_candidates: self.rules.of.most_candidates,
            progress,
        };
        execution.run(None).map(drop)
    }
}
