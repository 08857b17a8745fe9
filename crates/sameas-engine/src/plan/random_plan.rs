//! Any plan at all, for tests: whatever the access conditions, the result is the same.

use std::collections::BTreeMap;

use super::choose::ChosenCondition;
use super::estimate::{Estimator, Random};
use super::options::filters;
use super::strategy::Draw;
use crate::candidates::{Access, AccessPath, Condition};
use crate::rules::{Implications, Literal};

/// All pairs are an option only up to this many.
const FEW_PAIRS: f64 = 1e6;

/// Draws a condition for each conjunction from all that it implies, and lets some share theirs. Where a path is named,
/// a conjunction that can take it does, alone.
pub fn random_plan(
    estimator: &Estimator<'_>,
    implications: &Implications,
    conjunctions: &[usize],
    draw: Draw,
) -> Vec<ChosenCondition> {
    let mut random = Random::new(draw.seed);
    let mut groups: BTreeMap<usize, (Condition, Vec<usize>)> = BTreeMap::new();
    for index in conjunctions {
        let drawer = ConditionDraw { estimator, implications, conjunction: *index, path: draw.path };
        let shared: Vec<usize> =
            groups.iter().filter(|(_, (condition, _))| drawer.implies_all(condition)).map(|(at, _)| *at).collect();
        if draw.path.is_none() && !shared.is_empty() && random.below(2) == 0 {
            let at = shared[random.below(shared.len() as u32) as usize];
            groups.entry(at).and_modify(|group| group.1.push(*index));
        } else {
            groups.insert(groups.len(), (drawer.condition(&mut random), vec![*index]));
        }
    }
    let chosen = |(condition, conjunctions)| ChosenCondition { condition, conjunctions, alternative: None };
    groups.into_values().map(chosen).collect()
}

struct ConditionDraw<'e, 'a> {
    estimator: &'e Estimator<'a>,
    implications: &'e Implications,
    conjunction: usize,
    path: Option<AccessPath>,
}

impl ConditionDraw<'_, '_> {
    fn implies(&self, wanted: Literal) -> bool {
        let literals = &self.estimator.program.conjunctions[self.conjunction].literals;
        literals.iter().any(|literal| self.implications.implies(*literal, wanted))
    }

    fn implies_all(&self, condition: &Condition) -> bool {
        condition.literals().into_iter().all(|literal| self.implies(literal))
    }

    fn condition(&self, random: &mut Random) -> Condition {
        let program = self.estimator.program;
        let mut filters = filters(&program.conjunctions[self.conjunction], program);
        filters.retain(|_| random.below(2) == 0);
        let checks = program.checks.iter().enumerate();
        let mut accesses: Vec<Access> = checks
            .filter(|(at, _)| self.implies(Literal { predicate: *at, want: true }))
            .filter_map(|(at, check)| Access::on_predicate(at, check))
            .collect();
        accesses.extend(self.some_together(random));
        let are_few = self.estimator.counts.nominal <= FEW_PAIRS;
        if accesses.is_empty() || are_few || self.path == Some(AccessPath::AllPairs) {
            accesses.push(Access::all_pairs());
        }
        let is_named = |access: &Access| Some(access.path) == self.path;
        if accesses.iter().any(is_named) {
            accesses.retain(is_named);
        }
        Condition { access: accesses.swap_remove(random.below(accesses.len() as u32) as usize), filters }
    }

    /// Some of what can be joined on together, if any is drawn.
    fn some_together(&self, random: &mut Random) -> Option<Access> {
        let checks = &self.estimator.program.checks;
        let combined = (0..checks.len()).filter(|at| AccessPath::combining(&checks[*at]).is_some());
        let implied = combined.filter(|at| self.implies(Literal { predicate: *at, want: true }));
        Access::on_predicates(implied.filter(|_| random.below(2) == 0).collect(), checks)
    }
}
