//! Patterns: the outcomes of all comparisons of a pair as one integer, and how many pairs have each.

use std::collections::BTreeMap;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::error::{Error, ErrorCode, Result};
use crate::rules::{ComparisonRules, MOST_COMBINATIONS};

/// How outcomes become an integer. A comparison with k levels has k + 2 outcomes: its levels in order, then *else*, then
/// *null*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    /// Outcomes of each comparison.
    outcomes: Vec<u64>,
    /// What an outcome of each comparison is multiplied by.
    places: Vec<u64>,
}

impl Patterns {
    /// Of some comparisons, by their numbers of levels.
    ///
    /// # Errors
    /// Where one integer does not hold all of them.
    pub fn new(comparisons: &[ComparisonRules]) -> Result<Self> {
        let outcomes: Vec<u64> = comparisons.iter().map(|comparison| comparison.levels.len() as u64 + 2).collect();
        let mut places = Vec::with_capacity(outcomes.len());
        let mut all: u64 = 1;
        for outcomes in &outcomes {
            places.push(all);
            let more = all.checked_mul(*outcomes).filter(|all| *all < MOST_COMBINATIONS);
            all = more.ok_or_else(|| {
                Error::rules("the comparisons have more than 2^63 combinations of levels")
                    .with_help("leave out a comparison, or levels")
                    .with_code(ErrorCode::TooManyLevels)
            })?;
        }
        Ok(Self { outcomes, places })
    }

    /// The number of comparisons.
    pub fn comparisons(&self) -> usize {
        self.outcomes.len()
    }

    /// The number of patterns.
    pub fn combinations(&self) -> u64 {
        self.outcomes.iter().product()
    }

    /// What is added to a pattern for an outcome of a comparison.
    pub fn part(&self, comparison: usize, outcome: usize) -> u64 {
        self.places[comparison] * outcome as u64
    }

    /// The outcome of a comparison.
    pub fn outcome(&self, pattern: u64, comparison: usize) -> usize {
        (pattern / self.places[comparison] % self.outcomes[comparison]) as usize
    }

    /// Which outcome is *else*.
    pub fn otherwise(&self, comparison: usize) -> usize {
        self.outcomes[comparison] as usize - 2
    }

    /// Which outcome is *null*.
    pub fn null(&self, comparison: usize) -> usize {
        self.outcomes[comparison] as usize - 1
    }
}

/// Numbers of pairs by pattern, and by a mask of what else is known of them.
#[derive(Clone, Debug, Default)]
pub struct PatternCounts {
    counts: HashMap<(u64, u64), u64, FixedState>,
}

impl PatternCounts {
    /// Counts a pair.
    pub fn add(&mut self, mask: u64, pattern: u64) {
        self.add_many(mask, pattern, 1);
    }

    /// Counts some pairs with one pattern.
    pub fn add_many(&mut self, mask: u64, pattern: u64, pairs: u64) {
        *self.counts.entry((mask, pattern)).or_default() += pairs;
    }

    /// Counts the pairs of another table.
    pub fn merge(&mut self, other: Self) {
        for (key, pairs) in other.counts {
            *self.counts.entry(key).or_default() += pairs;
        }
    }

    /// Numbers of pairs by mask and pattern, in order.
    pub fn entries(&self) -> Vec<((u64, u64), u64)> {
        let mut sorted: Vec<((u64, u64), u64)> = self.counts.iter().map(|(key, pairs)| (*key, *pairs)).collect();
        sorted.sort_unstable();
        sorted
    }

    /// The number of pairs whose masks have some bit of either of two.
    pub fn with_both(&self, some: u64, others: u64) -> u64 {
        self.counts.iter().filter(|((own, _), _)| own & some != 0 && own & others != 0).map(|(_, pairs)| pairs).sum()
    }

    /// Pairs whose masks have some bit of `mask`, by pattern, in order.
    pub fn with_any(&self, mask: u64) -> Vec<(u64, u64)> {
        let mut sums: BTreeMap<u64, u64> = BTreeMap::new();
        // Sums of integers do not depend on their order.
        for ((_, pattern), pairs) in self.counts.iter().filter(|((own, _), _)| own & mask != 0) {
            *sums.entry(*pattern).or_default() += pairs;
        }
        sums.into_iter().collect()
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.counts.allocation_size()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LevelRule;

    #[test]
    fn a_comparison_may_have_more_levels_than_a_byte_counts() {
        let comparison = |levels: usize| ComparisonRules {
            name: "a".to_owned(),
            levels: vec![LevelRule::default(); levels],
            term_frequency: None,
        };
        let shape = Patterns::new(&[comparison(2), comparison(300)]).unwrap();
        for outcome in [0, 255, 256, 299, shape.otherwise(1), shape.null(1)] {
            let pattern = shape.part(0, 3) + shape.part(1, outcome);
            assert_eq!([shape.outcome(pattern, 0), shape.outcome(pattern, 1)], [3, outcome]);
        }
        assert_eq!((shape.otherwise(1), shape.null(1)), (300, 301));
    }
}
