//! Levenshtein distance: the fewest insertions, deletions and substitutions that turn one string into the other.

use super::{Unit, bit_parallel, edit_similarity};

/// The Levenshtein distance.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    distance_within(a, b, longest).unwrap_or(longest)
}

/// The distance if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    bit_parallel::distance_within::<U, false>(a, b, max)
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
