//! From an access condition and its conjunctions to a branch that can run: the order of checks, and their tree.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::choose::Alternative;
use super::comparing::{PlannedComparing, comparing_costs, expected_pairs, passing};
use super::estimate::{Estimate, Estimator, PairBits, Place};
use super::revision::PlanRevision;
use super::strategy::Strategy;
use super::tree::{CheckLine, EdgeOrder, flatten};
use super::weight::Weight;
use crate::candidates::Condition;
use crate::rules::{ComparisonRules, Implications, Literal};
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
    /// Nanoseconds that finding and checking them, and comparing the pairs, is expected to take on one core.
    pub cost: f64,
    /// What of that is comparing.
    #[serde(default)]
    pub comparing: PlannedComparing,
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

impl Branch {
    /// The branch as the verifier runs it.
    pub fn program(&self, program: &crate::verify::Program) -> BranchProgram {
        let rank = |literal: Literal| self.ranks[literal.predicate][usize::from(literal.want)];
        let (steps, settled) = (self.steps.clone(), self.settled.clone());
        BranchProgram::new(program, self.conjunctions.clone(), steps, settled, self.implied.clone(), &rank)
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
    /// What is evaluated of each pair.
    pub comparisons: &'e [ComparisonRules],
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
        let mut checks: Vec<(usize, f64)> = evaluations.iter().map(|e| (e.predicate, e.times * e.cost)).collect();
        let (comparing, costs) = self.comparing(estimate, &lines);
        checks.extend(costs);
        let candidates = estimate.candidates;
        let (cost, place) = self.estimator.branch_cost(condition, candidates, &checks);
        Branch {
            cost,
            comparing,
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

    /// What comparing the pairs of a branch is expected to take, and by predicate what that takes for all of them.
    fn comparing(&self, estimate: &Estimate<'_>, lines: &[CheckLine]) -> (PlannedComparing, Vec<(usize, f64)>) {
        if self.comparisons.is_empty() {
            return (PlannedComparing::default(), Vec::new());
        }
        let passing = passing(self.estimator, estimate, lines);
        let pairs = expected_pairs(estimate, passing);
        let like = if passing.count() > 0 { passing } else { estimate.mask };
        let costs = comparing_costs(self.estimator, estimate, like, self.comparisons);
        let cost = costs.iter().map(|(_, cost)| cost).sum();
        let of_all = costs.into_iter().map(|(predicate, cost)| (predicate, cost * pairs));
        (PlannedComparing { pairs, cost }, of_all.collect())
    }

    /// What is expected of each step, in its place of the tree.
    fn weights(&self, estimate: &Estimate<'_>, steps: &[Step], weight: &dyn Fn(Literal) -> Weight) -> Vec<Weight> {
        let mut reaching = vec![estimate.mask];
        let mut of_step = |step: &Step| {
            let tried = reaching[step.depth];
            let passing = tried.and(self.estimator.holding(estimate.sample, step.literal));
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
            cost: self.estimator.cost(estimate.sample, predicate),
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
