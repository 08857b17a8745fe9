//! Overlap: how much two sets have in common.

use crate::measure::facts::{IF_NO_ELEMENT, MeasureFacts, MeasureWords};

/// What is known of `overlap`.
pub const COMMON: MeasureFacts = MeasureFacts::common(
    MeasureWords {
        name: "overlap",
        also: &[],
        signature: "overlap(x, y)",
        meaning: "number of elements in both sets",
        null: IF_NO_ELEMENT,
        example: ["overlap(words('red car'), words('red bus'))", "1"],
    },
    "overlap_coefficient",
);
