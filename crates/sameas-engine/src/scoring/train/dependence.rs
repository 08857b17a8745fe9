//! Whether comparisons depend on each other, or on the rule of a pass.
//!
//! A model adds weights as if levels of different comparisons came together by chance alone, among matches and among others.
//! Each pair of a pass belongs to either group by how likely it matches. So the pairs of two levels in a group can be counted, and
//! compared with the product of both: Cramér's V says how strong a dependence is, and the two levels that come together most
//! above chance say what to do about it. A rare cell alone makes no dependence: what is expected of a cell is taken for a pair
//! at least.
//!
//! Among the pairs of a rule that do not match, levels should be as frequent as among all pairs that do not. Where a level that
//! speaks for a match is far more frequent, the rule brings it about, through columns that are not the same but say the same.

use super::checks::CheckedTraining;
use super::trained_pass::TrainedPass;
use crate::model::{PairClass, TrainingWarning};
use crate::score::{OutcomePairs, PairedOutcomes, Pass};

/// Cramér's V from which on a dependence is strong.
const STRONG: f64 = 0.25;

/// Pairs of a group below which nothing is said of it.
const LEAST_PAIRS: f64 = 50.0;

/// The least that is expected of a cell.
const LEAST_EXPECTED: f64 = 1.0;

/// Standard deviations of a sum of squares beyond which it is not chance.
const SURE: f64 = 5.0;

/// How many times as frequent as expected a level may be among the pairs of a rule that do not match.
const TIMES: f64 = 4.0;

/// Pairs that must have it.
const SOME_PAIRS: f64 = 20.0;

/// The dependence of comparisons in a pass.
pub struct PassDependence<'a> {
    pub of: &'a CheckedTraining<'a>,
    pub pass: &'a TrainedPass,
}

/// How two comparisons depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Strength {
    /// Cramér's V.
    v: f64,
    /// The two outcomes that come together most above what is expected.
    outcomes: (usize, usize),
    /// How much more often, in bits.
    bits: f64,
}

impl PassDependence<'_> {
    /// Strong dependences: of two comparisons among matches and others, and of comparisons and the rule.
    pub fn warnings(&self) -> Vec<TrainingWarning> {
        let pass = Pass { table: &self.pass.table, u: self.of.u, cancel: self.of.cancel };
        let matching = || pass.matching(&self.pass.record.belief);
        let matches = PairedOutcomes::new(pass.table, matching());
        let others = PairedOutcomes::new(pass.table, matching().map(|z| 1.0 - z));
        let mut all = self.of_pairs(&matches, PairClass::Matches);
        all.extend(self.of_pairs(&others, PairClass::Others));
        all.extend(
            (0..self.pass.table.comparisons.len()).filter_map(|place| self.of_rule(&others.single[place], place)),
        );
        all
    }

    fn of_pairs(&self, sums: &PairedOutcomes, among: PairClass) -> Vec<TrainingWarning> {
        let found = sums.tables().filter_map(|((a, b), table)| strength(table).map(|found| (a, b, found)));
        let warning = |(a, b, found): (usize, usize, Strength)| {
            let [a, b] = [a, b].map(|place| self.pass.table.comparisons[place]);
            TrainingWarning::Dependent {
                rule: self.of.rule(self.pass.rule),
                comparisons: [self.of.name(a), self.of.name(b)],
                levels: [self.of.level(a, found.outcomes.0), self.of.level(b, found.outcomes.1)],
                among,
                strength: found.v,
                bits: found.bits,
            }
        };
        found.map(warning).collect()
    }

    /// The level of a comparison that the rule brings about most, by the pairs of the pass that do not match.
    fn of_rule(&self, others: &[f64], place: usize) -> Option<TrainingWarning> {
        let comparison = self.pass.table.comparisons[place];
        let (all, u, m) = (others.iter().sum::<f64>(), &self.of.u[comparison], &self.pass.record.belief.m[place]);
        let times = |at: usize| others[at] / all / u[at];
        let is_much = |at: &usize| {
            let expected = all * u[*at];
            m[*at] > u[*at] && others[*at] >= SOME_PAIRS && others[*at] - expected > SURE * others[*at].sqrt()
        };
        let level = (0..u.len()).filter(is_much).filter(|at| times(*at) > TIMES);
        let level = level.max_by(|a, b| others[*a].total_cmp(&others[*b]))?;
        Some(TrainingWarning::RuleDependent {
            rule: self.of.rule(self.pass.rule),
            comparison: self.of.name(comparison),
            level: self.of.level(comparison, level),
            seen: others[level] / all,
            expected: u[level],
        })
    }
}

/// How strongly two comparisons depend on each other in some pairs; nothing where that is weak, or may be chance.
fn strength(table: OutcomePairs<'_>) -> Option<Strength> {
    let [rows, columns] = table.margins();
    let all: f64 = rows.iter().sum();
    if all < LEAST_PAIRS {
        return None;
    }
    let used = |sums: &[f64]| sums.iter().filter(|sum| **sum >= LEAST_EXPECTED).count();
    let (used_rows, used_columns) = (used(&rows), used(&columns));
    let least = used_rows.min(used_columns);
    if least < 2 {
        return None;
    }
    let cells = (0..rows.len()).flat_map(|i| (0..columns.len()).map(move |j| (i, j)));
    let (mut sum, mut most) = (0.0, (0.0, (0, 0), 0.0));
    for (i, j) in cells {
        let (seen, expected) = (table.sum(i, j), rows[i] * columns[j] / all);
        let off = (seen - expected).powi(2) / expected.max(LEAST_EXPECTED);
        sum += off;
        if seen > expected && off > most.0 {
            most = (off, (i, j), (seen / expected).log2());
        }
    }
    let freedom = ((used_rows - 1) * (used_columns - 1)) as f64;
    let v = (sum / all / (least - 1) as f64).sqrt().min(1.0);
    let is_sure = sum > freedom + SURE * (2.0 * freedom).sqrt() + SURE;
    (is_sure && v >= STRONG).then_some(Strength { v, outcomes: most.1, bits: most.2 })
}
