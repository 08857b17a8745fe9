//! How alike two clusters are: a fraction of two integers, compared without rounding.

use std::cmp::Ordering;

/// A sum of units divided by a number: the whole part, rounded down, and what is left of the sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likeness {
    whole: i128,
    rest: u64,
    divisor: u64,
}

impl Likeness {
    /// More than there can be.
    pub(super) const MOST: Self = Self { whole: i128::MAX, rest: 0, divisor: 1 };

    /// A whole number of units.
    pub(super) fn whole(units: i64) -> Self {
        Self { whole: units.into(), rest: 0, divisor: 1 }
    }

    /// A sum that is divided by a number.
    pub(super) fn divided(sum: i128, divisor: u64) -> Self {
        let by = i128::from(divisor);
        Self { whole: sum.div_euclid(by), rest: sum.rem_euclid(by) as u64, divisor }
    }
}

impl Ord for Likeness {
    fn cmp(&self, other: &Self) -> Ordering {
        let part = |rest: u64, divisor: u64| u128::from(rest) * u128::from(divisor);
        let parts = || part(self.rest, other.divisor).cmp(&part(other.rest, self.divisor));
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
        let average = Likeness::divided;
        assert_eq!(average(1, 2), average(2, 4));
        assert_eq!(average(-6, 3), Likeness::whole(-2));
        assert!(average(-7, 3) < average(-2, 1) && average(-7, 3) > average(-8, 3));
        let most = u64::MAX >> 2;
        let sum = |units: i128| units * i128::from(most);
        assert!(average(sum(5) + 1, most) > average(sum(5), most));
        assert!(average(sum(5) + 1, most) < average(sum(5) + 1, most - 1));
        assert!(average(i128::MAX, 1) <= Likeness::MOST);
    }
}
