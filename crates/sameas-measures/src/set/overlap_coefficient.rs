//! Overlap coefficient: what two sets have in common, of the smaller one.

use crate::measure::facts::{IF_NO_ELEMENT, MeasureChain, MeasureFacts, MeasureWords};

/// What is known of `overlap_coefficient`.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "overlap_coefficient",
    also: &[],
    signature: "overlap_coefficient(x, y)",
    meaning: "elements in both / size of the smaller set, from 0 to 1",
    null: IF_NO_ELEMENT,
    example: ["overlap_coefficient(words('red'), words('red bus'))", "1.0"],
})
.at(MeasureChain::Shares, 2);

/// `i / min(x, y)`, for `i` common tokens of two sets of `x` and `y` tokens.
#[inline]
pub fn overlap_coefficient(i: usize, x: usize, y: usize) -> f64 {
    i as f64 / x.min(y) as f64
}

/// About how many tokens two sets have in common whose similarity is the threshold.
#[inline]
pub(super) fn common_at(threshold: f64, x: f64, y: f64) -> f64 {
    threshold * x.min(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(overlap_coefficient(2, 4, 9), 0.5);
        assert_eq!(overlap_coefficient(3, 3, 7), 1.0);
    }
}
