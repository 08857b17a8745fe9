//! Optimal string alignment: Levenshtein distance with swaps of adjacent characters, no substring edited twice.

use super::edit_similarity::edit_similarity;
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NEAR_TEXTS};
use crate::measure::facts::{IF_EMPTY, MeasureChain, MeasureFacts, MeasureWords};
use crate::measure::{Pattern, Unit, bit_parallel};

/// What is known of `osa`. It may do everything the Levenshtein distance may, and also swap neighbours.
pub const DISTANCE: MeasureFacts = MeasureFacts::distance(
    MeasureWords {
        name: "osa",
        also: &[],
        signature: "osa(a, b)",
        meaning: "as `levenshtein`, and exchanging two neighbours counts once (optimal string alignment)",
        null: IF_EMPTY,
        example: ["osa('Smith', 'Smiht')", "1"],
    },
    "osa_similarity",
)
.at(MeasureChain::Edits, 1);

/// What is known of `osa_similarity`. `1 - d / n` with one `n` falls as `d` grows, rounded or not.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "osa_similarity",
    also: &[],
    signature: "osa_similarity(a, b)",
    meaning: "1 - osa / longer length",
    null: IF_EMPTY,
    example: ["osa_similarity('Smith', 'Smiht')", "0.8"],
})
.at(MeasureChain::EditSimilarities, 1)
.telling_equality();

/// What it takes.
pub const COUNT: CountFacts = CountFacts {
    name: "osa",
    cost: CheckCost {
        core: [2.3, 37.0, 1.15],
        filter: [5.7, 4.6, 6.6],
        gpu: [1.62, 0.311, 0.0, 1.91],
        usual: [1.0, NEAR_TEXTS, NEAR_TEXTS * 32.0],
    },
    steps: bit_parallel::steps_within,
    on_device: DeviceForm { words: DeviceWords::ForStripes(4), is_dense: true },
};

/// The optimal string alignment distance.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    distance_within(a, b, longest).unwrap_or(longest)
}

/// The distance if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    bit_parallel::distance_within::<U, true>(a, b, max)
}

/// The same where `a` may be prepared.
#[inline]
pub fn pattern_within<U: Unit>(a: &impl Pattern<U>, b: &[U], max: usize) -> Option<usize> {
    bit_parallel::pattern_within::<U, _, true>(a, b, max)
}

/// `1 - distance / max(length)`, of strings that are not both empty.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    debug_assert!(!a.is_empty() || !b.is_empty());
    edit_similarity(distance(a, b), a.len(), b.len())
}

/// The definition: the whole matrix, each cell also reached by a swap from two rows and columns before.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> usize {
    let mut cells: Vec<Vec<usize>> = (0..=a.len()).map(|i| (i..=i + b.len()).collect()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let substituted = cells[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(cells[i - 1][j] + 1).min(cells[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(cells[i - 2][j - 2] + 1);
            }
            cells[i][j] = best;
        }
    }
    cells[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::edit_distance_tests;

    #[test]
    fn known_answers() {
        let list: [(&str, &str, usize); 7] = [
            ("ca", "abc", 3),
            ("ab", "ba", 1),
            ("martha", "marhta", 1),
            ("kitten", "sitting", 3),
            ("abcdef", "badcfe", 3),
            ("a cat", "an abct", 4),
            ("", "ab", 2),
        ];
        for (a, b, expected) in list {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
            assert_eq!(reference(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
        assert_eq!(similarity(b"martha", b"marhta"), 1.0 - 1.0 / 6.0);
    }

    edit_distance_tests!();
}
