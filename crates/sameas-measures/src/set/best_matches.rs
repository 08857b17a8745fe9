//! The mean of best matches (Monge and Elkan 1996): for each element of a first set the greatest similarity with an element
//! of a second one, and the mean of these. It is not symmetric.
//!
//! Similarities are added from the first element to the last, in the order of code points, and divided once. A sum of n
//! numbers of at most 1 never exceeds n, rounded or not, so that the mean is at most 1.

use crate::measure::Unit;
use crate::measure::cost::{CheckCost, NOT_FILTERED};
use crate::measure::facts::MeasureValue;
use crate::measure::text::TextMeasure;

/// What deciding such a measure takes, where a step is a pair of elements. Estimated, not measured:
/// signatures rule out most pairs, and a similarity of two words is computed for about one in four.
pub const COST: CheckCost =
    CheckCost { core: [2.3, 20.0, 25.0], filter: NOT_FILTERED, gpu: [1.05, 0.0, 1.1, 90.0], usual: [0.0, 1.0, 9.0] };

/// The mean of the best values of this many elements, given by their place.
pub fn mean_of(elements: usize, best: impl Fn(usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for at in 0..elements {
        sum += best(at);
    }
    sum / elements as f64
}

/// The mean over the texts of `x` of the best `inner` with a text of `y`; both in order, without repeats and not empty.
pub fn of_texts(inner: TextMeasure, x: &[&str], y: &[&str]) -> f64 {
    let codes =
        |texts: &[&str]| -> Vec<Vec<u32>> { texts.iter().map(|t| t.chars().map(u32::from).collect()).collect() };
    let (x, y) = (codes(x), codes(y));
    mean_of(x.len(), |at| y.iter().map(|other| similarity(inner, &x[at], other)).fold(0.0, f64::max))
}

/// A similarity of two elements; where it has no value, they have nothing alike.
pub fn similarity<U: Unit>(inner: TextMeasure, a: &[U], b: &[U]) -> f64 {
    match inner.value(a, b) {
        Some(MeasureValue::Share(value)) => value,
        Some(MeasureValue::Whole(_)) | None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        let of = |x: &[&str], y: &[&str]| of_texts(TextMeasure::JaroWinkler, x, y);
        assert_eq!(of(&["a"], &["a", "b"]), 1.0);
        assert_eq!(of(&["a", "b"], &["a"]), 0.5);
        assert_eq!(of(&["a"], &["b"]), 0.0);
        let (jones, smith) = (of(&["jones"], &["johnson"]), of(&["smith"], &["smyth"]));
        assert_eq!(of(&["jones", "smith"], &["johnson", "smyth"]), (jones + smith) / 2.0);
    }
}
