//! What a join itself takes, before its candidates are looked at: what its path declares, from what is known here about
//! the records. All in nanoseconds of one core.

use std::collections::BTreeSet;

use super::super::cost::{CheckKind, Features};
use super::{Estimator, FullCounts};
use crate::candidates::{AccessPath, Condition, JoinFacts, START, Shape};
use crate::records::encode::{Encoded, NULL};
use crate::threshold::{Check, Sides};

/// A candidate handed on: its rows are written into a batch.
pub(super) const HANDED_ON: f64 = 2.0;

impl Estimator<'_> {
    /// What it takes to find the candidates of a condition.
    pub fn join_cost(&self, condition: &Condition, candidates: f64) -> f64 {
        let access = &condition.access;
        START + access.path.declaration().cost(&access.on, self) + candidates * HANDED_ON
    }

    /// The least that looking at the candidates of a predicate can take, known from pairs of any kind.
    pub fn least_candidates_cost(&self, predicate: usize) -> f64 {
        let all = self.any().all.count().max(1) as f64;
        let holding = self.share_of_any(predicate) * all;
        // Two standard deviations below what was seen.
        (holding - 2.0 * holding.sqrt()).max(0.0) / all * self.counts.nominal * HANDED_ON
    }

    /// The share of pairs of any kind for which a predicate holds.
    pub fn share_of_any(&self, predicate: usize) -> f64 {
        let sample = self.any();
        self.verdicts(sample, predicate).pairs_where(true).count() as f64 / sample.all.count().max(1) as f64
    }

    /// What the measure of a check takes for a pair that passes its signatures, as a mean over all pairs.
    fn new_measured(&self, check: &Check) -> f64 {
        let pairs = &self.any().drawn.pairs;
        let selection: Vec<u32> = (0..pairs.l.len() as u32).collect();
        let features = Features::count(check, &self.program.encoded, pairs, &selection);
        let (kind, nothing) = (CheckKind::from_check(check), Features { filtered: 0.0, measured: 0.0, work: 0.0 });
        let passing = self.costs.nanoseconds(kind, &Features { filtered: 0.0, ..features })
            - self.costs.nanoseconds(kind, &nothing);
        passing.max(0.0)
    }
}

impl JoinFacts for Estimator<'_> {
    fn rows(&self) -> f64 {
        let FullCounts { rows: [left, right], shape, .. } = self.counts;
        if shape == Shape::Triangle { left } else { left + right }
    }

    fn check(&self, predicate: usize) -> &Check {
        &self.program.checks[predicate]
    }

    fn encoded(&self) -> &Encoded {
        &self.program.encoded
    }

    fn distinct(&self, predicate: usize) -> [f64; 2] {
        self.counts.distinct(predicate)
    }

    fn measured(&self, predicate: usize) -> f64 {
        *self.measured[predicate].get_or_init(|| self.new_measured(&self.program.checks[predicate]))
    }

    /// Nothing for a predicate whose values are not joined.
    fn values_cost(&self, predicate: usize) -> f64 {
        *self.values_costs[predicate].get_or_init(|| {
            let path = AccessPath::serving(&self.program.checks[predicate]);
            path.and_then(|path| path.declaration().over_values()).map_or(0.0, |path| path.cost(predicate, self))
        })
    }

    fn sampled_values(&self, predicate: usize, operands: Sides<usize>) -> [Vec<u32>; 2] {
        let [left, right] = self.sampled(self.check(predicate));
        // Half of the rows are enough to tell how often values meet.
        let values = |operand: usize, rows: &[u32]| {
            let codes = rows.iter().step_by(2).map(|row| self.program.encoded.columns[operand].codes[*row as usize]);
            codes.filter(|code| *code != NULL).collect::<BTreeSet<u32>>().into_iter().collect()
        };
        [values(operands.left, &left), values(operands.right, &right)]
    }
}
