//! Monge and Elkan's similarity of two sets: the mean over the elements of the first of the greatest Jaro-Winkler similarity
//! with an element of the second. See [`best_matches`](super::best_matches).

use crate::measure::facts::{IF_NO_ELEMENT, MeasureFacts, MeasureWords};

/// What is known of `monge_elkan`. Elements of the first set are looked for in the second, and not the other way round: 1
/// means that the second set has all of the first one. A mean of numbers of at most 1 is at most 1, rounded or not.
pub const SIMILARITY: MeasureFacts = MeasureFacts {
    is_symmetric: false,
    ..MeasureFacts::similarity(MeasureWords {
        name: "monge_elkan",
        also: &[],
        signature: "monge_elkan(x, y)",
        meaning: "mean over the elements of `x` of the greatest `jaro_winkler` with an element of `y`, from 0 to 1; \
                  `x` and `y` cannot be exchanged",
        null: IF_NO_ELEMENT,
        example: ["monge_elkan(words('Jon Smith'), words('John Smyth'))", "0.9133333333333333"],
    })
};
