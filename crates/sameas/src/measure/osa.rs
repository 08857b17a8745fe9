//! Optimal string alignment: Levenshtein distance with swaps of adjacent characters, no substring edited twice.

use super::{Unit, bit_parallel, edit_similarity};

/// The optimal string alignment distance.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    distance_within(a, b, longest).unwrap_or(longest)
}

/// The distance if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    bit_parallel::distance_within::<U, true>(a, b, max)
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
