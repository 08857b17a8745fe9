//! Thresholds of numbers as a device compares them: whole numbers with whole numbers, floats with floats.

use sameas_kernels::layout::verify::{comparison, whole};

use crate::expr::Num;
use crate::rules::Comparison;

/// How a whole difference, which is not negative, is compared: a constant of [`whole`] and its bound.
///
/// The verdict on 0, 1, 2, ... changes at most once for an ordering, so its bound is found by bisection with the
/// comparison itself.
pub fn whole_bound(comparison: Comparison, threshold: Num) -> (u32, i64) {
    let holds = |value: i64| comparison.holds(Num::Int(value), threshold);
    if comparison == Comparison::Equal {
        return match threshold.canonical() {
            Num::Int(value) if value >= 0 => (whole::EQUAL, value),
            _ => (whole::NEVER, 0),
        };
    }
    let (first, last) = (holds(0), holds(i64::MAX));
    if first == last {
        return (if first { whole::ALWAYS } else { whole::NEVER }, 0);
    }
    let (mut low, mut high) = (0, i64::MAX);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) == first { low = middle } else { high = middle }
    }
    if first { (whole::AT_MOST, low) } else { (whole::AT_LEAST, high) }
}

/// A threshold as a float, where it is one exactly: then floats compare with it as they do with the number.
pub fn exact(threshold: Num) -> Option<f64> {
    let float = threshold.to_f64();
    (Num::Float(float) == threshold).then_some(float)
}

/// The number of a comparison on a device.
pub fn comparison_code(of: Comparison) -> u32 {
    match of {
        Comparison::Equal => comparison::EQUAL,
        Comparison::Less => comparison::LESS,
        Comparison::LessEqual => comparison::LESS_EQUAL,
        Comparison::Greater => comparison::GREATER,
        Comparison::GreaterEqual => comparison::GREATER_EQUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};

    #[test]
    fn whole_bounds_agree_with_the_comparison() {
        let thresholds = [Num::Int(0), Num::Int(5), Num::Int(-1), Num::Float(2.5), Num::Float(4.0), Num::Int(i64::MAX)];
        let values = [0, 1, 2, 3, 4, 5, 6, 1 << 40, i64::MAX];
        for threshold in thresholds {
            for comparison in [Equal, Less, LessEqual, Greater, GreaterEqual] {
                let (kind, bound) = whole_bound(comparison, threshold);
                for value in values {
                    let holds = match kind {
                        whole::NEVER => false,
                        whole::ALWAYS => true,
                        whole::AT_MOST => value <= bound,
                        whole::AT_LEAST => value >= bound,
                        _ => value == bound,
                    };
                    let expected = comparison.holds(Num::Int(value), threshold);
                    assert_eq!(holds, expected, "{value} {comparison:?} {threshold:?}");
                }
            }
        }
    }

    #[test]
    fn only_exact_floats_stand_for_a_threshold() {
        assert_eq!(exact(Num::Int(3)), Some(3.0));
        assert_eq!(exact(Num::Float(0.8)), Some(0.8));
        assert_eq!(exact(Num::Int((1 << 53) + 1)), None);
    }
}
