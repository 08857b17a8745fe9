//! Levenshtein distance: the fewest insertions, deletions and substitutions that turn one string into the other.

use super::edit_similarity::edit_similarity;
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NEAR_TEXTS};
use crate::measure::facts::{IF_EMPTY, MeasureChain, MeasureFacts, MeasureWords};
use crate::measure::{Pattern, Unit, bit_parallel};

/// What is known of `levenshtein`.
pub const DISTANCE: MeasureFacts = MeasureFacts::distance(
    MeasureWords {
        name: "levenshtein",
        also: &[],
        signature: "levenshtein(a, b)",
        meaning: "number of characters inserted, deleted or replaced to make one text of the other",
        null: IF_EMPTY,
        example: ["levenshtein('Smith', 'Smyth')", "1"],
    },
    "levenshtein_similarity",
)
.at(MeasureChain::Edits, 2);

/// What is known of `levenshtein_similarity`.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "levenshtein_similarity",
    also: &[],
    signature: "levenshtein_similarity(a, b)",
    meaning: "1 - levenshtein / longer length: from 0 (nothing alike) to 1 (equal)",
    null: IF_EMPTY,
    example: ["levenshtein_similarity('Smith', 'Smyth')", "0.8"],
})
.at(MeasureChain::EditSimilarities, 0)
.telling_equality();

/// What it takes.
pub const COUNT: CountFacts = CountFacts {
    name: "levenshtein",
    cost: CheckCost {
        core: [2.3, 43.0, 1.05],
        filter: [5.2, 4.5, 6.6],
        gpu: [1.42, 0.731, 0.0, 1.56],
        usual: [1.0, NEAR_TEXTS, NEAR_TEXTS * 32.0],
    },
    steps: bit_parallel::steps_within,
    on_device: DeviceForm { words: DeviceWords::ForStripes(4), is_dense: true },
};

/// The Levenshtein distance.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    distance_within(a, b, longest).unwrap_or(longest)
}

/// The distance if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    bit_parallel::distance_within::<U, false>(a, b, max)
}

/// The same where `a` may be prepared.
#[inline]
pub fn pattern_within<U: Unit>(a: &impl Pattern<U>, b: &[U], max: usize) -> Option<usize> {
    bit_parallel::pattern_within::<U, _, false>(a, b, max)
}

/// `1 - distance / max(length)`, of strings that are not both empty.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    debug_assert!(!a.is_empty() || !b.is_empty());
    edit_similarity(distance(a, b), a.len(), b.len())
}

/// The definition: the matrix of Wagner and Fischer, row by row.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let above = std::mem::replace(&mut row, vec![i; b.len() + 1]);
        for j in 1..=b.len() {
            let substituted = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(above[j] + 1).min(row[j - 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::edit_distance_tests;

    #[test]
    fn known_answers() {
        let list: [(&str, &str, usize); 8] = [
            ("kitten", "sitting", 3),
            ("saturday", "sunday", 3),
            ("rosettacode", "raisethysword", 8),
            ("flaw", "lawn", 2),
            ("ca", "abc", 3),
            ("ab", "ba", 2),
            ("", "abc", 3),
            ("same", "same", 0),
        ];
        for (a, b, expected) in list {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
            assert_eq!(reference(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
        assert_eq!(similarity(b"kitten", b"sitting"), 1.0 - 3.0 / 7.0);
    }

    edit_distance_tests!();
}
