//! What it takes to compare the pairs of a branch: to find the level of each comparison, for a score or for training.
//!
//! A level is looked at where none before it holds, and a predicate once for a pair. A score may be sure before the last
//! comparison, so this is the most that it takes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::estimate::{Estimate, Estimator, PairBits};
use super::tree::CheckLine;
use crate::rules::{ComparisonRules, LevelRule, Literal};

/// What is done with the pairs of a branch: their comparisons are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlannedComparing {
    /// The pairs that are expected.
    pub pairs: f64,
    /// Nanoseconds of one core for each of them; 0 where they have no comparisons.
    pub cost: f64,
}

/// The drawn candidates of a condition for which some line of checks holds.
pub fn passing(estimator: &Estimator<'_>, estimate: &Estimate<'_>, lines: &[CheckLine]) -> PairBits {
    let holding = |line: &CheckLine| {
        let literals = line.literals.iter();
        literals.fold(estimate.mask, |left, literal| left.and(estimator.holding(estimate.sample, *literal)))
    };
    lines.iter().fold(PairBits::default(), |all, line| all.or(holding(line)))
}

/// How many of the candidates of a condition are pairs, where these are the drawn ones that are.
pub fn expected_pairs(estimate: &Estimate<'_>, passing: PairBits) -> f64 {
    let (passed, seen) = (passing.count() as f64, estimate.mask.count() as f64);
    let share = if passed == seen { 1.0 } else { (passed + 0.5) / (seen + 1.0) };
    estimate.candidates * share
}

/// By predicate the nanoseconds of one core that comparisons take for a pair like these, some drawn candidates of a condition.
pub fn comparing_costs(
    estimator: &Estimator<'_>,
    estimate: &Estimate<'_>,
    pairs: PairBits,
    comparisons: &[ComparisonRules],
) -> Vec<(usize, f64)> {
    let mut asked = AskedPredicates { estimator, estimate, reached: BTreeMap::new() };
    comparisons.iter().for_each(|of| asked.compare(&of.levels, pairs));
    let all = pairs.count().max(1) as f64;
    let cost = |(predicate, reached): (usize, PairBits)| {
        (predicate, reached.count() as f64 / all * estimator.cost(estimate.sample, predicate))
    };
    asked.reached.into_iter().map(cost).collect()
}

/// The predicates that comparisons ask for, each with the drawn pairs that reach it.
struct AskedPredicates<'e, 'a> {
    estimator: &'e Estimator<'a>,
    estimate: &'e Estimate<'e>,
    reached: BTreeMap<usize, PairBits>,
}

impl AskedPredicates<'_, '_> {
    /// Looks for the first level that holds.
    fn compare(&mut self, levels: &[LevelRule], pairs: PairBits) {
        let mut open = pairs;
        for conjunction in levels.iter().flat_map(LevelRule::deciding) {
            let held = self.holding(conjunction, open);
            open = open.and_not(held);
        }
    }

    /// Those of some pairs for which all literals hold.
    fn holding(&mut self, literals: &[Literal], pairs: PairBits) -> PairBits {
        let mut left = pairs;
        for literal in literals {
            let reached = self.reached.entry(literal.predicate).or_default();
            *reached = reached.or(left);
            left = left.and(self.estimator.holding(self.estimate.sample, *literal));
        }
        left
    }
}
