//! Cosine similarity of two sets: what they have in common, of the geometric mean of their sizes.

use crate::measure::facts::{Highest, IF_NO_ELEMENT, MeasureFacts, MeasureWords};

/// What is known of `cosine`. It has a rounded root in its divisor: it may exceed 1 by rounding, and its order to others is
/// not certain.
pub const SIMILARITY: MeasureFacts = MeasureFacts {
    high: Highest::AboutOne,
    ..MeasureFacts::similarity(MeasureWords {
        name: "cosine",
        also: &[],
        signature: "cosine(x, y)",
        meaning: "elements in both / square root of the product of both sizes, from 0 to 1",
        null: IF_NO_ELEMENT,
        example: ["cosine(words('red car'), words('red bus'))", "0.5"],
    })
};

/// `i / sqrt(x * y)`, the product taken in floats, for `i` common tokens of two sets of `x` and `y` tokens.
#[inline]
pub fn cosine(i: usize, x: usize, y: usize) -> f64 {
    i as f64 / (x as f64 * y as f64).sqrt()
}

/// About how many tokens two sets have in common whose similarity is the threshold.
#[inline]
pub(super) fn common_at(threshold: f64, x: f64, y: f64) -> f64 {
    threshold * (x * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        assert_eq!(cosine(3, 4, 9), 0.5);
        assert_eq!(cosine(0, 3, 4), 0.0);
    }
}
