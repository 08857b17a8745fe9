//! From an access condition and its conjunctions to a branch that can run: the order of checks, and their tree.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::choose::Alternative;
use super::estimate::{Estimate, Estimator, PairBits, Place};
use super::revision::PlanRevision;
use super::strategy::Strategy;
use super::tree::{CheckLine, EdgeOrder, flatten};
use crate::candidates::Condition;
use crate::rules::{Implications, Literal};
use crate::verify::{BranchProgram, Step};

/// Conjunctions that share their candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// How candidates are found.
    pub condition: Condition,
    /// The conjunctions decided here, ascending.
    pub conjunctions: Vec<usize>,
    /// The checks, depth first.
    pub steps: Vec<Step>,
    /// What each step was expected to do.
    pub weights: Vec<Weight>,
    /// Conjunctions with nothing to check, by their place.
    pub settled: Vec<usize>,
    /// What every candidate satisfies.
    pub implied: Vec<Literal>,
    /// The candidates that are expected.
    pub candidates: f64,
    /// Whether that number is exact.
    pub exact: bool,
    /// Nanoseconds that finding and checking them is expected to take on one core.
    pub cost: f64,
    /// Where that is.
    pub place: Place,
    /// How often each predicate is expected to be evaluated.
    pub evaluations: Vec<PlannedEvaluation>,
    /// The next best way to find the candidates.
    pub alternative: Option<Alternative>,
    /// The worth of literals that are evaluated for other branches: those of conjunctions before, and of `never`.
    pub ranks: Ranks,
    /// What was changed of it while its plan ran, and why.
    pub revisions: Vec<PlanRevision>,
}

/// How often a predicate is evaluated, and at what cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedEvaluation {
    /// The predicate.
    pub predicate: usize,
    /// Candidates that it is evaluated for.
    pub times: f64,
    /// Nanoseconds each.
    pub cost: f64,
}

/// What is expected of a check.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// The share of candidates that pass.
    pub probability: f64,
    /// Nanoseconds of an evaluation.
    pub cost: f64,
    /// The share that passes of the candidates that reach it, where enough drawn pairs do.
    pub passes: Option<f64>,
}

impl Weight {
    /// How much is gained for what is paid: candidates refused in a nanosecond.
    pub fn rank(&self) -> f64 {
        (1.0 - self.probability) / self.cost.max(f64::MIN_POSITIVE)
    }
}

impl Branch {
    /// The branch as the verifier runs it.
    pub fn program(&self, program: &crate::verify::Program) -> BranchProgram {
        let rank = |literal: Literal| self.ranks[literal.predicate][usize::from(literal.want)];
        let tree = (self.steps.clone(), self.settled.clone());
        BranchProgram::new(program, self.conjunctions.clone(), tree, self.implied.clone(), &rank)
    }
}

/// Drawn pairs that must reach a step before their share that passes is expected of all candidates.
const ENOUGH: usize = 16;

/// The worth of every literal among pairs of any kind: by predicate, for `false` and for `true`.
pub type Ranks = Vec<[f64; 2]>;

/// Makes branches.
#[derive(Clone, Copy)]
pub struct Builder<'e, 'a> {
    /// What is known.
    pub estimator: &'e Estimator<'a>,
    /// What follows from what.
    pub implications: &'e Implications,
    /// The order of checks.
    pub strategy: Strategy,
    /// The order in which conjunctions of other branches are evaluated.
    pub ranks: &'e Ranks,
}

impl Builder<'_, '_> {
    /// The branch of some conjunctions, ascending, that all imply a condition.
    pub fn branch(&self, condition: &Condition, conjunctions: &[usize]) -> Branch {
        self.branch_with(condition, conjunctions, &|_| None)
    }

    /// The same, with the shares of candidates that some checks passed instead of those estimated. Where the branch is for a
    /// device, its checks are ordered by what they cost there.
    pub fn branch_with(
        &self,
        condition: &Condition,
        conjunctions: &[usize],
        passed: &dyn Fn(Literal) -> Option<f64>,
    ) -> Branch {
        let estimate = self.estimator.condition(condition);
        let ordered_at = |place: Place| {
            let weight = |literal: Literal| {
                let weight = self.estimator.weight(&estimate, literal, place);
                passed(literal).map_or(weight, |probability| Weight { probability, ..weight })
            };
            self.ordered(condition, conjunctions.to_vec(), &estimate, &weight)
        };
        match ordered_at(Place::Cpu) {
            Branch { place: Place::Device, .. } => Branch { place: Place::Device, ..ordered_at(Place::Device) },
            on_cpu => on_cpu,
        }
    }

    /// The branch with its checks in the order of their weights.
    fn ordered(
        &self,
        condition: &Condition,
        conjunctions: Vec<usize>,
        estimate: &Estimate<'_>,
        weight: &dyn Fn(Literal) -> Weight,
    ) -> Branch {
        let implied = self.implications.closure(&condition.literals());
        let open = self.open(&conjunctions, &implied);
        let lines = self.lines(&open, estimate, weight);
        let order = match self.strategy {
            Strategy::NoRuleOrder | Strategy::NoEpg => EdgeOrder::AsWritten,
            _ => EdgeOrder::ByScore,
        };
        let (steps, settled) = flatten(&lines, order);
        let evaluations = self.evaluations(estimate, &lines);
        let checks: Vec<(usize, f64)> = evaluations.iter().map(|e| (e.predicate, e.times * e.cost)).collect();
        let candidates = estimate.candidates;
        let (cost, place) = self.estimator.branch_cost(condition, candidates, &checks);
        Branch {
            cost,
            place,
            evaluations,
            weights: self.weights(estimate, &steps, weight),
            ranks: self.ranks.clone(),
            condition: condition.clone(),
            conjunctions,
            steps,
            settled,
            implied,
            candidates,
            exact: estimate.exact,
            alternative: None,
            revisions: Vec::new(),
        }
    }

    /// What is expected of each step, in its place of the tree.
    fn weights(&self, estimate: &Estimate<'_>, steps: &[Step], weight: &dyn Fn(Literal) -> Weight) -> Vec<Weight> {
        let mut reaching = vec![estimate.mask];
        let mut of_step = |step: &Step| {
            let tried = reaching[step.depth];
            let passing = tried.and(self.estimator.holding(estimate.base, step.literal));
            reaching.truncate(step.depth + 1);
            reaching.push(passing);
            let (tried, passed) = (tried.count(), passing.count() as f64);
            let passes = (tried >= ENOUGH).then(|| (passed + 0.5) / (tried as f64 + 1.0));
            Weight { passes, ..weight(step.literal) }
        };
        steps.iter().map(&mut of_step).collect()
    }

    /// What is left to check of each conjunction.
    fn open(&self, conjunctions: &[usize], implied: &[Literal]) -> Vec<Vec<Literal>> {
        let all = &self.estimator.program.conjunctions;
        let implied: HashSet<&Literal> = implied.iter().collect();
        let of = |index: &usize| all[*index].literals.iter().filter(|l| !implied.contains(l)).copied().collect();
        conjunctions.iter().map(of).collect()
    }

    /// How often each predicate is evaluated: once for every candidate that reaches it on some path.
    fn evaluations(&self, estimate: &Estimate<'_>, lines: &[CheckLine]) -> Vec<PlannedEvaluation> {
        let mut reached = ReachedPredicates::none(self.estimator.program.checks.len());
        for line in lines {
            let asked = self.estimator.reached(estimate, &line.literals);
            asked.into_iter().for_each(|(predicate, pairs)| reached.add(predicate, pairs));
        }
        let each = estimate.candidates / (estimate.mask.count() as f64).max(1.0);
        let evaluation = |(predicate, pairs): (usize, PairBits)| PlannedEvaluation {
            predicate,
            times: pairs.count() as f64 * each,
            cost: self.estimator.cost(estimate.base, predicate),
        };
        reached.list.into_iter().map(evaluation).collect()
    }
}

/// Predicates in the order of their first use, each with the drawn pairs that reach it.
pub struct ReachedPredicates {
    /// The predicates.
    pub list: Vec<(usize, PairBits)>,
    /// The place of a predicate in the list, from 1; 0 where it has none.
    places: Vec<u32>,
}

impl ReachedPredicates {
    /// None of a number of predicates.
    pub fn none(predicates: usize) -> Self {
        Self { list: Vec::new(), places: vec![0; predicates] }
    }

    /// Adds pairs that reach a predicate.
    pub fn add(&mut self, predicate: usize, pairs: PairBits) {
        match self.places[predicate] {
            0 => {
                self.list.push((predicate, pairs));
                self.places[predicate] = self.list.len() as u32;
            }
            place => {
                let (_, bits) = &mut self.list[place as usize - 1];
                *bits = bits.or(pairs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 6 of HyperBlocker: comparing colors is six times as cheap as comparing names, but all records are gray.
    #[test]
    fn a_check_that_everything_passes_is_worth_nothing() {
        let color = Weight { probability: 1.0, cost: 0.1, passes: None };
        let name = Weight { probability: 0.4, cost: 0.6, passes: None };
        assert_eq!(color.rank(), 0.0);
        assert!((name.rank() - 1.0).abs() < 1e-9, "the paper prints 0.8 for (1 - 0.4) / 0.6");
        assert!(name.rank() > color.rank());
    }
}
