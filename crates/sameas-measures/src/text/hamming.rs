//! Hamming distance: the number of positions at which two strings of one length differ.

use crate::measure::Unit;
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NOT_FILTERED};
use crate::measure::facts::{MeasureChain, MeasureFacts, MeasureWords};

/// What is known of `hamming`. Substituting each differing place is one way to edit, so it is never below other distances;
/// it alone is null for texts of different lengths.
pub const DISTANCE: MeasureFacts = MeasureFacts {
    has_more_nulls: true,
    ..MeasureFacts::distance(
        MeasureWords {
            name: "hamming",
            also: &[],
            signature: "hamming(a, b)",
            meaning: "number of places where two texts of one length differ",
            null: "null if an argument is null or empty, or the lengths differ",
            example: ["hamming('10115', '10117')", "1"],
        },
        "levenshtein_similarity",
    )
    .at(MeasureChain::Edits, 3)
};

/// What it takes.
pub const COUNT: CountFacts = CountFacts {
    name: "hamming",
    cost: CheckCost {
        core: [2.3, 10.5, 0.55],
        filter: NOT_FILTERED,
        gpu: [9.11, 0.0, 7.2, 0.0],
        usual: [0.0, 1.0, 4.0],
    },
    steps: |x, y, _| if x == y { x } else { 0 },
    on_device: DeviceForm { words: DeviceWords::Nothing, is_dense: false },
};

/// The number of differing positions; `None` for strings of different lengths.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> Option<usize> {
    (a.len() == b.len()).then(|| a.iter().zip(b).filter(|(x, y)| x != y).count())
}

/// The distance if it exists and is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    distance(a, b).filter(|&d| d <= max)
}

/// The definition, one position after the other.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> Option<usize> {
    if a.len() != b.len() {
        return None;
    }
    let mut differing = 0;
    for i in 0..a.len() {
        if a[i] != b[i] {
            differing += 1;
        }
    }
    Some(differing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::{each_width, string_pair};
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        assert_eq!(distance(b"karolin", b"kathrin"), Some(3));
        assert_eq!(distance(b"1011101", b"1001001"), Some(2));
        assert_eq!(distance(b"abc", b"abcd"), None);
        assert_eq!(distance_within(b"karolin", b"kathrin", 2), None);
        assert_eq!(distance_within(b"karolin", b"kathrin", 3), Some(3));
    }

    proptest! {
        #[test]
        fn equals_the_definition((a, b) in string_pair(300)) {
            let shorter = a.len().min(b.len());
            each_width!(a[..shorter], b[..shorter], |a, b| prop_assert_eq!(distance(a, b), reference(a, b)));
            each_width!(a, b, |a, b| prop_assert_eq!(distance(a, b), reference(a, b)));
        }
    }
}
