//! Similarity by insertions and deletions alone: 1 less their share of both lengths, as `ratio` of RapidFuzz has it (in
//! hundredths there).
//!
//! With L the length of a longest common subsequence, |a| + |b| - 2 L characters are inserted or deleted. So it is a formula
//! of what [`lcs_similarity`](super::lcs_similarity) counts, and of the sum s of both lengths: as if both texts had half of
//! it, n characters of the longer one are besides the common subsequence, and s mod 2 + 2 n are inserted or deleted.
//!
//! Bounds, without loss, as for `lcs_similarity`, where the least L with which a threshold holds depends on both lengths:
//! the comparison is asked itself for each sum. A join by the longer length takes the least of them
//! (`TextTest::most_edits_of_longer`), and the verifier that of both lengths.

use crate::measure::facts::{IF_EMPTY, MeasureFacts, MeasureWords};

/// What is known of `indel_similarity`. At most all characters are inserted or deleted, so that the quotient does not
/// exceed 1.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "indel_similarity",
    also: &[],
    signature: "indel_similarity(a, b)",
    meaning: "1 - characters inserted or deleted / sum of both lengths, from 0 to 1: the `ratio` of RapidFuzz and others",
    null: IF_EMPTY,
    example: ["indel_similarity('lewenstein', 'levenshtein')", "0.8571428571428572"],
})
.telling_equality();

/// The similarity where n characters are besides a longest common subsequence, of texts that have half of the sum each.
#[inline]
pub fn from_distance(n: usize, sum: usize) -> f64 {
    1.0 - (sum % 2 + 2 * n) as f64 / sum as f64
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::string_pair;
    use crate::measure::{MeasureValue, TextMeasure};
    use proptest::prelude::*;

    fn similarity(a: &[u32], b: &[u32]) -> Option<MeasureValue> {
        TextMeasure::IndelSimilarity.value(a, b)
    }

    #[test]
    fn known_answers() {
        let list: [(&str, &str, f64); 6] = [
            ("this is a test", "this is a test!", 1.0 - 1.0 / 29.0),
            ("lewenstein", "levenshtein", 1.0 - 3.0 / 21.0),
            ("ab", "ba", 0.5),
            ("a", "abcdefgh", 1.0 - 7.0 / 9.0),
            ("abc", "xy", 0.0),
            ("same", "same", 1.0),
        ];
        for (a, b, expected) in list {
            let codes = |text: &str| text.chars().map(u32::from).collect::<Vec<u32>>();
            assert_eq!(similarity(&codes(a), &codes(b)), Some(MeasureValue::Share(expected)), "{a} {b}");
        }
    }

    /// The fewest insertions and deletions, row by row.
    fn indels(a: &[u32], b: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let above = std::mem::replace(&mut row, vec![i + 1; b.len() + 1]);
            for (j, y) in b.iter().enumerate() {
                row[j + 1] = if x == y { above[j] } else { above[j + 1].min(row[j]) + 1 };
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn equals_the_definition((a, b) in string_pair(150)) {
            let expected = 1.0 - indels(&a, &b) as f64 / (a.len() + b.len()) as f64;
            prop_assert_eq!(similarity(&a, &b), Some(MeasureValue::Share(expected)));
            prop_assert_eq!(similarity(&b, &a), Some(MeasureValue::Share(expected)));
        }
    }
}
