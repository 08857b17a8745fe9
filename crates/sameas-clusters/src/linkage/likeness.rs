//! How alike two clusters are: a fraction of two integers, compared without rounding.

use std::cmp::Ordering;

/// A sum of units divided by a number of pairs: the whole part, rounded down, and what is left of the sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likeness {
    whole: i64,
    rest: u64,
    pairs: u64,
}

impl Likeness {
    /// A whole number of units.
    pub(super) fn whole(units: i64) -> Self {
        Self { whole: units, rest: 0, pairs: 1 }
    }

    /// An average. It lies between the least and the largest number that is summed, so its whole part fits 64 bits.
    pub(super) fn average(sum: i128, pairs: u64) -> Self {
        let by = i128::from(pairs);
        Self { whole: sum.div_euclid(by) as i64, rest: sum.rem_euclid(by) as u64, pairs }
    }
}

impl Ord for Likeness {
    fn cmp(&self, other: &Self) -> Ordering {
        let part = |rest: u64, pairs: u64| u128::from(rest) * u128::from(pairs);
        let parts = || part(self.rest, other.pairs).cmp(&part(other.rest, self.pairs));
        self.whole.cmp(&other.whole).then_with(parts)
    }
}

impl PartialOrd for Likeness {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Likeness {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Likeness {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_compared_as_fractions() {
        let average = Likeness::average;
        assert_eq!(average(1, 2), average(2, 4));
        assert_eq!(average(-6, 3), Likeness::whole(-2));
        assert!(average(-7, 3) < average(-2, 1) && average(-7, 3) > average(-8, 3));
        let most = u64::MAX >> 2;
        let sum = |units: i128| units * i128::from(most);
        assert!(average(sum(5) + 1, most) > average(sum(5), most));
        assert!(average(sum(5) + 1, most) < average(sum(5) + 1, most - 1));
    }
}
