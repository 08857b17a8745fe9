//! Jaccard similarity: what two sets have in common, of what they have together.

use crate::measure::facts::{IF_NO_ELEMENT, MeasureChain, MeasureFacts, MeasureWords};

/// What is known of `jaccard`. With i common elements of x and y, `x + y - i >= (x + y) / 2 >= min(x, y)`, since
/// `i <= min(x, y)`, so that it is never above `dice`, nor that above the overlap coefficient. Each is one correctly rounded
/// division of integers, which keeps the order.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "jaccard",
    also: &[],
    signature: "jaccard(x, y)",
    meaning: "elements in both sets / elements in either, from 0 to 1",
    null: IF_NO_ELEMENT,
    example: ["jaccard(words('red car'), words('red bus'))", "0.3333333333333333"],
})
.at(MeasureChain::Shares, 0);

/// `i / (x + y - i)`, for `i` common tokens of two sets of `x` and `y` tokens.
#[inline]
pub fn jaccard(i: usize, x: usize, y: usize) -> f64 {
    i as f64 / (x + y - i) as f64
}

/// About how many tokens two sets have in common whose similarity is the threshold.
#[inline]
pub(super) fn common_at(threshold: f64, x: f64, y: f64) -> f64 {
    threshold * (x + y) / (1.0 + threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(jaccard(2, 3, 4), 0.4);
        assert_eq!((jaccard(3, 3, 3), jaccard(0, 3, 4)), (1.0, 0.0));
    }
}
