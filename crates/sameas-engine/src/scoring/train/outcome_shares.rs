//! How frequent the outcomes of comparisons are among all pairs of records, those that match included.

use crate::error::Result;
use crate::execute::Machine;
use crate::observer::Progress;
use crate::rules::ComparisonRules;
use crate::score::{LevelShare, WithError};
use crate::scoring::auxiliary_rules::KnownRecords;
use crate::scoring::counted_levels::{CountedLevels, count_levels};
use crate::scoring::sampled_levels::seen_outcomes;

/// What is known of all pairs, by comparison.
pub struct OutcomeShares {
    /// The shares of its levels and of *else* among the pairs for which it is not null.
    pub levels: Vec<Vec<LevelShare>>,
    /// The share of these pairs among all.
    pub present: Vec<WithError>,
}

impl OutcomeShares {
    /// Counts what can be counted, and looks for the rest in all pairs or in a sample of them.
    pub fn new(records: KnownRecords<'_>, machine: &mut Machine, progress: Progress<'_>) -> Result<Self> {
        let all = &records.rules.scoring.comparisons;
        let counted = count_levels(records, all, machine, progress)?;
        let pairs = records.layout.pairs();
        let mut levels: Vec<Option<Vec<LevelShare>>> =
            all.iter().zip(&counted).map(|(of, counted)| counted.shares(of.levels.len())).collect();
        let mut present: Vec<Option<WithError>> = counted.iter().map(|of| counted_present(of, pairs)).collect();
        let open: Vec<usize> = (0..all.len()).filter(|at| levels[*at].is_none()).collect();
        if !open.is_empty() {
            let comparisons: Vec<ComparisonRules> = open.iter().map(|at| all[*at].clone()).collect();
            let seen = seen_outcomes(&records, &comparisons)?;
            for (at, outcomes) in open.into_iter().zip(&seen.counts) {
                levels[at] = Some(counted[at].shares_beside(outcomes, seen.are_all, pairs));
                present[at] = present[at].or_else(|| Some(seen_present(outcomes, seen.are_all)));
            }
        }
        Ok(Self { levels: levels.into_iter().flatten().collect(), present: present.into_iter().flatten().collect() })
    }
}

/// The share of the pairs with values, where they were counted.
fn counted_present(of: &CountedLevels, pairs: u64) -> Option<WithError> {
    of.present.map(|present| WithError { value: present as f64 / (pairs as f64).max(1.0), error: 0.0 })
}

/// The same by the outcomes of some pairs, the last of which is null: of all, or of a sample. What a sample has not seen counts
/// as half a pair.
fn seen_present(outcomes: &[u128], are_all: bool) -> WithError {
    let (all, null) = (outcomes.iter().sum::<u128>() as f64, outcomes.last().map_or(0.0, |null| *null as f64));
    let value = (all - null).max(0.5) / all.max(1.0);
    let error = if are_all { 0.0 } else { (value * (1.0 - value).max(0.0) / all.max(1.0)).sqrt() };
    WithError { value, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_with_values_are_counted_or_seen() {
        let counted = |present| counted_present(&CountedLevels { pairs: Vec::new(), present }, 200);
        assert_eq!((counted(Some(50)), counted(None)), (Some(WithError { value: 0.25, error: 0.0 }), None));
        assert_eq!(seen_present(&[10, 20, 70], true), WithError { value: 0.3, error: 0.0 });
        let sampled = seen_present(&[10, 20, 70], false);
        assert!((sampled.error - (0.3_f64 * 0.7 / 100.0).sqrt()).abs() < 1e-12, "{sampled:?}");
        assert_eq!(seen_present(&[0, 0, 100], false).value, 0.005);
    }
}
