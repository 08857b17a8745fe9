//! Verdict tables: a predicate decided once for all pairs of distinct values, where that is less work than deciding it
//! for the candidates of the branches.

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use super::cost::{CheckKind, Features};
use super::estimate::{Estimator, SELECTING};
use crate::candidates::{Access, JoinFacts};
use crate::threshold::Check;
use crate::verify::VerdictTable;

/// Tables up to these sizes are read from the nearest cache, or from a farther one; larger ones from memory. With each, the
/// nanoseconds of a lookup.
const READING: [(usize, f64); 3] = [(1 << 20, 1.0), (1 << 25, 4.0), (usize::MAX, 15.0)];

/// Nanoseconds for a byte of a table: it is cleared, and what holds is set.
const CLEARING: f64 = 0.15;

/// Nanoseconds for a pair of values that satisfies the predicate: it is found, and its bit is set.
const SETTING: f64 = 20.0;

/// Bytes that all tables together take at most: beyond, a look into them waits for memory.
const MOST: usize = 1 << 28;

/// A predicate worth a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TablePlan {
    /// The predicate.
    pub predicate: usize,
    /// Distinct values on the left and on the right.
    pub values: [u64; 2],
    /// Nanoseconds of a look into it.
    pub lookup: f64,
    /// How often it is expected to be looked up.
    pub asked: f64,
    /// Nanoseconds of one core that it is expected to save.
    pub saved: f64,
}

/// The predicates that are worth a table to these branches; all tables take at most `memory` bytes.
pub fn worth_a_table(estimator: &Estimator<'_>, branches: &[Branch], memory: usize) -> Vec<TablePlan> {
    let predicates = 0..estimator.program.checks.len();
    let mut plans: Vec<TablePlan> = predicates.filter_map(|predicate| weigh(estimator, branches, predicate)).collect();
    plans.sort_by(|a, b| b.saved.total_cmp(&a.saved));
    let mut left = memory.min(MOST);
    plans.retain(|plan| {
        let bytes = bytes(estimator, plan.predicate);
        let fits = bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits
    });
    plans
}

/// The size of a predicate's table.
fn bytes(estimator: &Estimator<'_>, predicate: usize) -> usize {
    let [left, right] = domains(estimator, predicate);
    VerdictTable::bytes(left, right)
}

/// Values of the domains of both operands.
fn domains(estimator: &Estimator<'_>, predicate: usize) -> [usize; 2] {
    estimator.counts.domain_values(&estimator.program.checks[predicate])
}

fn weigh(estimator: &Estimator<'_>, branches: &[Branch], predicate: usize) -> Option<TablePlan> {
    let check = &estimator.program.checks[predicate];
    if !can_have_a_table(predicate, check) {
        return None;
    }
    let size = bytes(estimator, predicate);
    let reading = READING.iter().find(|(most, _)| size <= *most)?.1;
    let lookup = estimator.costs.nanoseconds(CheckKind::Equal, &Features::default()) + reading;
    let (mut asked, mut saved) = (0.0, 0.0);
    for branch in branches {
        let share = estimator.relative_cost_at(branch.place);
        for evaluation in branch.evaluations.iter().filter(|e| e.predicate == predicate) {
            asked += evaluation.times;
            saved += evaluation.times * (evaluation.cost - SELECTING - lookup) * share;
        }
    }
    if saved <= 0.0 {
        return None;
    }
    let [left, right] = domains(estimator, predicate).map(|values| values as f64);
    let holding = estimator.share_of_any(predicate) * left * right;
    let saved = saved - estimator.values_cost(predicate) - size as f64 * CLEARING - holding * SETTING;
    let values = domains(estimator, predicate).map(|values| values as u64);
    (saved > 0.0).then_some(TablePlan { predicate, values, lookup, asked, saved })
}

/// Whether a check can have a table.
pub fn can_have_a_table(predicate: usize, check: &Check) -> bool {
    Access::on_predicate(predicate, check).is_some_and(|access| access.is_over_values())
}
