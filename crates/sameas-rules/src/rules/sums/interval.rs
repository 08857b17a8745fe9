//! Intervals of numbers with ends that are floats, and arithmetic on these ends that is rounded down or up.

/// Up to this, every integer is a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Below this, what an operation loses by rounding may itself be too small for a float.
const TINY: f64 = 1e-250;

/// Real numbers from `low` to `high`, both included; infinite where there is no end, empty where `low` is above `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub(super) const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    pub(super) const EMPTY: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    pub(super) fn from(low: f64) -> Self {
        Self { low, ..Self::ALL }
    }

    pub(super) fn up_to(high: f64) -> Self {
        Self { high, ..Self::ALL }
    }

    pub(super) fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The smallest interval with all numbers of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }

    /// Absolute values.
    pub(super) fn magnitudes(self) -> Self {
        let [low, high] = [self.low.abs(), self.high.abs()];
        let spans_zero = self.low <= 0.0 && self.high >= 0.0;
        Self { low: if spans_zero { 0.0 } else { low.min(high) }, high: low.max(high) }
    }
}

/// The upper end for numbers of which the greatest float that is not above them is at most `at`.
///
/// A float is at most `at` itself. A whole number is a float if it is small, and if it is large it is above `at` only if the
/// float below it is. Other numbers, and large ends, have the next float as their end.
pub(super) fn end_above(at: f64, plain: bool) -> f64 {
    if plain && at.abs() < EXACT { at } else { at.next_up() }
}

/// The same for lower ends.
pub(super) fn end_below(at: f64, plain: bool) -> f64 {
    -end_above(-at, plain)
}

/// The greatest float that is not above `a + b`; nor is it above any rounding of it. No lower end is positive infinity.
pub(super) fn sum_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if let Some(end) = unbounded(sum, [a, b]) {
        return end;
    }
    // What rounding has lost, to the last bit.
    let of_b = sum - a;
    let lost = (a - (sum - of_b)) + (b - of_b);
    if lost >= 0.0 { sum } else { sum.next_down() }
}

/// The same for `a * b`; no value is infinite, so nothing times 0 is anything else.
pub(super) fn product_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    if let Some(end) = unbounded(product, [a, b]) {
        return end;
    }
    if product.abs() > TINY && a.mul_add(b, -product) >= 0.0 { product } else { product.next_down() }
}

/// The same for `a / b` of a finite `b` above 0.
pub(super) fn quotient_down(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let quotient = a / b;
    if let Some(end) = unbounded(quotient, [a, b]) {
        return end;
    }
    let known = quotient.abs() > TINY && a.abs() > TINY;
    if known && quotient.mul_add(b, -a) <= 0.0 { quotient } else { quotient.next_down() }
}

/// What is not finite, because a part has no end or because it is too large.
fn unbounded(result: f64, parts: [f64; 2]) -> Option<f64> {
    let too_large = parts.iter().all(|part| part.is_finite());
    match result {
        result if result.is_finite() => None,
        f64::INFINITY if too_large => Some(f64::MAX),
        result if result.is_nan() => Some(f64::NEG_INFINITY),
        result => Some(result),
    }
}

/// The greatest float from `low` to `high` for which `holds`, which holds for all up to some float; none, if it does not
/// hold for `low`.
pub(super) fn last_of(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let [low, high] = [low, high].map(|end| end.clamp(f64::MIN, f64::MAX));
    if low > high || !holds(low) {
        return None;
    }
    if holds(high) {
        return Some(high);
    }
    let (mut good, mut bad) = (place(low), place(high));
    while i128::from(bad) - i128::from(good) > 1 {
        let middle = ((i128::from(good) + i128::from(bad)) / 2) as i64;
        if holds(float_at(middle)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(float_at(good))
}

/// Floats in order have integers in order; those of the two zeros follow each other.
fn place(float: f64) -> i64 {
    let bits = float.to_bits() as i64;
    if bits < 0 { i64::MIN - bits - 1 } else { bits }
}

fn float_at(place: i64) -> f64 {
    f64::from_bits(if place < 0 { i64::MIN - place - 1 } else { place } as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn floats_and_their_places_have_one_order() {
        let floats = [f64::MIN, -1.0, -f64::MIN_POSITIVE, -0.0, 0.0, 5e-324, 0.1, 1.0, f64::MAX];
        assert!(floats.windows(2).all(|two| place(two[0]) < place(two[1])));
        assert!(floats.iter().all(|float| float_at(place(*float)).to_bits() == float.to_bits()));
        assert_eq!(place(-0.0) + 1, place(0.0));
    }

    #[test]
    fn the_last_of_a_range_is_found() {
        for (low, high, most) in [(0.0, 1.0, 0.3), (f64::NEG_INFINITY, f64::INFINITY, 1e300), (-5.0, 5.0, -0.1)] {
            assert_eq!(last_of(low, high, |x| x <= most), Some(most));
        }
        assert_eq!(last_of(0.0, 1.0, |x| x <= 3.0), Some(1.0));
        assert_eq!(last_of(0.0, 1.0, |x| x < 0.0), None);
        assert_eq!(last_of(2.0, 1.0, |_| true), None);
    }

    #[test]
    fn exact_results_stay_as_they_are() {
        assert_eq!((sum_down(1.0, 2.0), product_down(3.0, 0.5), quotient_down(3.0, 4.0)), (3.0, 1.5, 0.75));
        assert_eq!((sum_down(f64::MAX, f64::MAX), product_down(-1e300, 1e300)), (f64::MAX, f64::NEG_INFINITY));
        assert_eq!((product_down(0.0, f64::INFINITY), sum_down(f64::NEG_INFINITY, 1.0)), (0.0, f64::NEG_INFINITY));
        assert!(product_down(-1e-200, 1e-200) < 0.0 && quotient_down(1.0, 3.0) <= 1.0 / 3.0);
    }

    proptest! {
        #[test]
        fn rounding_down_gives_the_float_below(a in -1e3..1e3, b in 1e-3..1e3) {
            for (down, near) in [
                (sum_down(a, b), a + b),
                (product_down(a, b), a * b),
                (quotient_down(a, b), a / b),
            ] {
                prop_assert!(down == near || down == near.next_down());
            }
            // One of the two directions keeps what is not exact.
            prop_assert!(sum_down(a, b) == a + b || -sum_down(-a, -b) == a + b);
            prop_assert!(quotient_down(a, b) * b <= a + a.abs() * 1e-15);
        }
    }
}
