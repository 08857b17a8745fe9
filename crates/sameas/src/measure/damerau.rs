//! Unrestricted Damerau-Levenshtein distance: swapped neighbours may be edited again, so it is a true metric.

use super::affix::strip;
use super::{Unit, edit_similarity, levenshtein};
use std::cell::RefCell;
use std::mem::swap;

/// The unrestricted Damerau-Levenshtein distance.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    matrix_within(a, b, longest).unwrap_or(longest)
}

/// The distance if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    // A swap with g edits between costs g + 1 here and at most g + 2 without swaps, so the Levenshtein distance is at
    // most twice this one; it is quick to compute and rejects most pairs. A distance of 0 or 1 needs no swap to be
    // equal under both.
    let without_swaps = levenshtein::distance_within(a, b, max.saturating_mul(2))?;
    if without_swaps <= 1 {
        return Some(without_swaps).filter(|&distance| distance <= max);
    }
    matrix_within(a, b, max)
}

/// `1 - distance / max(length)`, of strings that are not both empty.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    debug_assert!(!a.is_empty() || !b.is_empty());
    edit_similarity(distance(a, b), a.len(), b.len())
}

fn matrix_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    let (a, b) = strip(a, b);
    thread_local! {
        static ROWS: RefCell<MatrixRows> = const { RefCell::new(MatrixRows::new()) };
    }
    ROWS.with_borrow_mut(|rows| rows.distance_within(a, b, max))
}

/// The part of the matrix that the next row depends on, after Zhao and Sahni (2019).
///
/// A swap into cell (i, j) pairs `a[i]` with the last equal `b[l]`, l < j, and `b[j]` with the last equal `a[k]`, k <
/// i. It costs the cell before both, plus all characters between, plus one. If there are characters between on both
/// sides, substituting costs no more; so only l = j - 1 and k = i - 1 are checked, and the cell before lies either two
/// rows up or in what its column kept at its last match.
struct MatrixRows {
    /// Row i - 1 and row i; until overwritten the latter holds row i - 2.
    above: Vec<usize>,
    current: Vec<usize>,
    /// For column j, with k its last row of equal characters: cell (k - 1, j - 2), and k itself.
    before_match: Vec<usize>,
    last_match: Vec<usize>,
}

/// More than any distance, yet far from overflow.
const NEVER: usize = usize::MAX / 4;

impl MatrixRows {
    const fn new() -> Self {
        MatrixRows { above: Vec::new(), current: Vec::new(), before_match: Vec::new(), last_match: Vec::new() }
    }

    fn distance_within<U: Unit>(&mut self, a: &[U], b: &[U], max: usize) -> Option<usize> {
        self.reset(b.len() + 1);
        for (i, &x) in a.iter().enumerate() {
            swap(&mut self.above, &mut self.current);
            // Every alignment passes a row at no more than its final cost: one that jumps over it in a swap could as
            // well have deleted its way down to it for less. So the lowest cell of any row bounds the distance.
            if self.fill_row(i + 1, x, b) > max {
                return None;
            }
        }
        Some(self.current[b.len()]).filter(|&distance| distance <= max)
    }

    fn reset(&mut self, columns: usize) {
        for (row, value) in [(&mut self.above, NEVER), (&mut self.before_match, NEVER), (&mut self.last_match, 0)] {
            row.clear();
            row.resize(columns, value);
        }
        self.current.clear();
        self.current.extend(0..columns);
    }

    /// Computes row `i`, whose character is `x`, and returns its lowest cell.
    fn fill_row<U: Unit>(&mut self, i: usize, x: U, b: &[U]) -> usize {
        let columns = b.len() + 1;
        let (above, current) = (&self.above[..columns], &mut self.current[..columns]);
        let (before_match, last_match) = (&mut self.before_match[..columns], &mut self.last_match[..columns]);
        // `two_up` is cell (i - 2, j - 1); `two_up_match` the same cell at the last equal column of this row.
        let (mut two_up, mut two_up_match, mut last_column) = (current[0], NEVER, 0);
        current[0] = i;
        let mut lowest = i;
        for j in 1..columns {
            let mut cell = above[j - 1];
            if x == b[j - 1] {
                (last_column, two_up_match) = (j, two_up);
                before_match[j] = if j >= 2 { above[j - 2] } else { NEVER };
                last_match[j] = i;
            } else {
                cell = (cell.min(above[j]).min(current[j - 1])) + 1;
                if last_column + 1 == j {
                    cell = cell.min(before_match[j] + (i - last_match[j]));
                } else if last_match[j] + 1 == i {
                    cell = cell.min(two_up_match + (j - last_column));
                }
            }
            two_up = current[j];
            current[j] = cell;
            lowest = lowest.min(cell);
        }
        lowest
    }
}

/// The definition: the matrix of Lowrance and Wagner, each cell also reached by the nearest possible swap.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> usize {
    let mut cells: Vec<Vec<usize>> = (0..=a.len()).map(|i| (i..=i + b.len()).collect()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let substituted = cells[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(cells[i - 1][j] + 1).min(cells[i][j - 1] + 1);
            let k = (1..i).rev().find(|&k| a[k - 1] == b[j - 1]);
            let l = (1..j).rev().find(|&l| b[l - 1] == a[i - 1]);
            if let (Some(k), Some(l)) = (k, l) {
                best = best.min(cells[k - 1][l - 1] + (i - k - 1) + 1 + (j - l - 1));
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
            ("ca", "abc", 2),
            ("ab", "ba", 1),
            ("a cat", "an abct", 3),
            ("a cat", "a abct", 2),
            ("kitten", "sitting", 3),
            ("abcdef", "badcfe", 3),
            ("", "ab", 2),
        ];
        for (a, b, expected) in list {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
            assert_eq!(reference(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
        assert_eq!(similarity(b"ca", b"abc"), 1.0 - 2.0 / 3.0);
    }

    edit_distance_tests!();
}
