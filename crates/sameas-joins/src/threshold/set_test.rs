//! The threshold of a set measure, restated as the least that two sets must have in common.
//!
//! What is common is a whole number, and every measure rises with it. So a threshold of sets of two sizes is a number of
//! common elements, and a merge can stop as soon as that number is reached or out of reach. The number is found by asking
//! the comparison itself; an estimate only says where to ask first.

#![deny(clippy::wildcard_enum_match_arm)]

use sameas_kernels::layout::set_join::SetSummary;

use super::Truth;
use crate::expr::Num;
use crate::measure::SetFormula;
use crate::measure::set::{intersection, share_at_least};
use crate::records::encode::most_common;
use crate::rules::Comparison;

/// A set measure against a threshold.
#[derive(Clone, Copy, Debug)]
pub struct SetTest {
    /// What is made of the sizes of two sets and of what they share.
    pub formula: SetFormula,
    /// How its value is compared.
    pub comparison: Comparison,
    /// With what.
    pub threshold: Num,
}

impl SetTest {
    /// The verdict on two sets, null where one is empty.
    #[inline]
    pub fn holds(&self, a: &[u32], b: &[u32]) -> Option<bool> {
        use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let share = |comparison| share_at_least(a, b, self.least_common(comparison, a.len(), b.len()));
        Some(match self.comparison {
            Equal => self.compares(Equal, intersection(a, b), a.len(), b.len()),
            Greater | GreaterEqual => share(self.comparison),
            // What is not below the threshold reaches it: no measure of sets that are not empty is without a value.
            Less => !share(GreaterEqual),
            LessEqual => !share(Greater),
        })
    }

    /// The verdict as far as the summaries of two sets tell it: every measure rises with what the sets share, and they
    /// share no more than [`most_common`].
    #[inline]
    pub fn glance(&self, a: SetSummary, b: SetSummary) -> Truth {
        if a.size == 0 || b.size == 0 {
            return Truth::Null;
        }
        let most = most_common(a, b) as usize;
        let compares = |comparison| self.compares(comparison, most, a.size as usize, b.size as usize);
        let (is_known, verdict) = match self.comparison {
            Comparison::Greater | Comparison::GreaterEqual => (!compares(self.comparison), Truth::False),
            Comparison::Equal => (compares(Comparison::Less), Truth::False),
            Comparison::Less | Comparison::LessEqual => (compares(self.comparison), Truth::True),
        };
        if is_known { verdict } else { Truth::Unknown }
    }

    fn compares(&self, comparison: Comparison, common: usize, x: usize, y: usize) -> bool {
        comparison.holds(self.formula.value(common, x, y).into(), self.threshold)
    }

    /// The fewest common elements with which sets of two sizes reach or exceed the threshold; one more than they can have
    /// where they do not.
    fn least_common(&self, comparison: Comparison, x: usize, y: usize) -> usize {
        let most = x.min(y);
        // A float that is no number, or below 0, becomes 0.
        let mut need = (self.formula.common_at(self.threshold.to_f64(), x as f64, y as f64) as usize).min(most);
        while need > 0 && self.compares(comparison, need - 1, x, y) {
            need -= 1;
        }
        while need <= most && !self.compares(comparison, need, x, y) {
            need += 1;
        }
        need
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// The summaries of two sets.
    fn summaries(a: &[u32], b: &[u32]) -> [SetSummary; 2] {
        let summary = |set: &[u32]| {
            let mut low = 0;
            set.iter().for_each(|id| low |= 1_u64 << (id % 16));
            SetSummary { low, high: 0, size: set.len() as u32 }
        };
        [summary(a), summary(b)]
    }

    fn sets() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::btree_set(0u32..40, 0..30).prop_map(|set: BTreeSet<u32>| set.into_iter().collect())
    }

    /// Thresholds at and beside the values that occur, and out of all range.
    fn thresholds() -> impl Strategy<Value = Num> {
        prop_oneof![
            (0i64..12, 1i64..12).prop_map(|(i, n)| Num::from_f64(i as f64 / n as f64).unwrap_or(Num::Int(i))),
            (-3i64..30).prop_map(Num::Int),
            prop::sample::select(vec![-1.0, 1e300, -1e300, 0.1 + 0.2]).prop_map(Num::Float),
        ]
    }

    proptest! {
        #[test]
        fn the_same_as_comparing_the_measure(
            a in sets(),
            b in sets(),
            formula in prop::sample::select(SetFormula::ALL),
            threshold in thresholds(),
        ) {
            use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
            let is_null = a.is_empty() || b.is_empty();
            let value = (!is_null).then(|| Num::from(formula.value(intersection(&a, &b), a.len(), b.len())));
            for comparison in [Equal, Less, LessEqual, Greater, GreaterEqual] {
                let test = SetTest { formula, comparison, threshold };
                let expected = value.map(|value| comparison.holds(value, threshold));
                prop_assert_eq!(test.holds(&a, &b), expected, "{:?}", test);
                let [x, y] = summaries(&a, &b);
                let glance = test.glance(x, y);
                prop_assert!(glance == Truth::Unknown || glance == Truth::from(expected), "{:?} {:?}", test, glance);
            }
        }
    }
}
