//! Who changes a plan while it runs, by what came of its branches.
//!
//! Where a branch had far more candidates than expected, the branches that have not begun are planned again with what is
//! known now. A conjunction never moves to a branch that has begun: it might have missed candidates there.

use std::collections::VecDeque;

use crate::plan::{Branch, Describer, Estimated, Misestimate, PlanInput, PlanRevision, Planner, TablePlan};
use crate::rules::RuleSet;

/// A branch with this many times the expected candidates has the others planned again.
const MISESTIMATE: f64 = 10.0;

/// Up to this many candidates cost too little to plan again.
const FEW: u64 = 1 << 16;

/// Learns what came of branches, orders checks again, plans again what is left, and says what was planned.
pub struct Reviser<'a> {
    planner: Planner<'a>,
    input: PlanInput<'a>,
    tables: &'a [TablePlan],
}

impl<'a> Reviser<'a> {
    /// For a plan that was made from this, and reads these tables.
    pub fn new(input: PlanInput<'a>, tables: &'a [TablePlan]) -> Self {
        Self { planner: Planner::new(input).with_tables(tables), input, tables }
    }

    /// Who orders checks.
    pub fn planner(&self) -> &Planner<'a> {
        &self.planner
    }

    /// Makes records of branches of these rules.
    pub fn describer<'d>(&'d self, rules: &'d RuleSet) -> Describer<'d, 'a> {
        let PlanInput { implications, strategy, .. } = self.input;
        Describer { rules, estimator: self.planner.estimator(), implications, tables: self.tables, strategy }
    }

    /// A branch has ended with this many candidates. Says whether these are far more than expected; it knows that then.
    pub fn learn(&mut self, ended: &Branch, candidates: u64) -> bool {
        let is_misestimated = candidates > FEW && candidates as f64 >= MISESTIMATE * ended.candidates;
        if is_misestimated {
            self.planner.learn(ended, candidates);
        }
        is_misestimated
    }

    /// The branches that have not begun, planned again with what is known now.
    pub fn replanned(&self, ended: &Branch, candidates: u64, pending: &VecDeque<Branch>) -> VecDeque<Branch> {
        let mut left: Vec<usize> = pending.iter().flat_map(|branch| branch.conjunctions.iter().copied()).collect();
        left.sort_unstable();
        let was_planned = |branch: &Branch| {
            let same = |old: &&Branch| old.condition == branch.condition && old.steps == branch.steps;
            pending.iter().find(same).map(|old| old.revisions.clone())
        };
        let what = Estimated::Candidates(ended.condition.clone());
        let cause = Misestimate { what, expected: ended.candidates, seen: candidates as f64 };
        let revised = |branch: Branch| {
            let new = || vec![PlanRevision { conjunctions: branch.conjunctions.clone(), cause: cause.clone() }];
            let revisions = was_planned(&branch).unwrap_or_else(new);
            Branch { revisions, ..branch }
        };
        self.planner.branches(&left).into_iter().map(revised).collect()
    }
}
