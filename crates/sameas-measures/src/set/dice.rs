//! Dice similarity: what two sets have in common, of the mean of their sizes.

use crate::measure::facts::{IF_NO_ELEMENT, MeasureChain, MeasureFacts, MeasureWords};

/// What is known of `dice`.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "dice",
    also: &[],
    signature: "dice(x, y)",
    meaning: "2 * elements in both / sum of both sizes, from 0 to 1",
    null: IF_NO_ELEMENT,
    example: ["dice(words('red car'), words('red bus'))", "0.5"],
})
.at(MeasureChain::Shares, 1);

/// `2i / (x + y)`, for `i` common tokens of two sets of `x` and `y` tokens.
#[inline]
pub fn dice(i: usize, x: usize, y: usize) -> f64 {
    (2 * i) as f64 / (x + y) as f64
}

/// About how many tokens two sets have in common whose similarity is the threshold.
#[inline]
pub(super) fn common_at(threshold: f64, x: f64, y: f64) -> f64 {
    threshold * (x + y) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(dice(2, 3, 5), 0.5);
        assert_eq!(dice(3, 3, 3), 1.0);
    }
}
