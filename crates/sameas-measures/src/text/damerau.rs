//! Unrestricted Damerau-Levenshtein distance: swapped neighbours may be edited again, so it is a true metric.

use super::edit_similarity::edit_similarity;
use super::levenshtein;
use crate::measure::Unit;
use crate::measure::affix::strip;
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NEAR_TEXTS};
use crate::measure::facts::{IF_EMPTY, MeasureChain, MeasureFacts, MeasureWords};
use std::cell::RefCell;
use std::mem::swap;

/// What is known of `damerau_levenshtein`. It may do everything `osa` may, and also edit between two swapped characters.
pub const DISTANCE: MeasureFacts = MeasureFacts::distance(
    MeasureWords {
        name: "damerau_levenshtein",
        also: &[],
        signature: "damerau_levenshtein(a, b)",
        meaning: "as `osa`, also where more is edited between two exchanged characters",
        null: IF_EMPTY,
        example: ["damerau_levenshtein('ca', 'abc')", "2"],
    },
    "damerau_similarity",
)
.at(MeasureChain::Edits, 0);

/// What is known of `damerau_similarity`.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "damerau_similarity",
    also: &["damerau_levenshtein_similarity"],
    signature: "damerau_similarity(a, b)",
    meaning: "1 - damerau_levenshtein / longer length",
    null: IF_EMPTY,
    example: ["damerau_similarity('abcd', 'badc')", "0.5"],
})
.at(MeasureChain::EditSimilarities, 2)
.telling_equality();

/// What it takes.
pub const COUNT: CountFacts = CountFacts {
    name: "damerau",
    cost: CheckCost {
        core: [2.3, 225.0, 0.44],
        filter: [4.1, 4.1, 6.0],
        gpu: [3.11, 2.47, 0.0, 7.47],
        usual: [1.0, NEAR_TEXTS, NEAR_TEXTS * 256.0],
    },
    steps,
    on_device: DeviceForm { words: DeviceWords::ForCharacters, is_dense: false },
};

/// Texts with more than twice the edits in the simpler measure do not come to the matrix.
fn steps(x: usize, y: usize, most: usize) -> usize {
    let longer = x.max(y);
    x * y * most.saturating_mul(2).min(longer) / longer
}

/// Texts up to this length are compared at once: what another distance says first would take longer than it saves.
const SHORT: usize = 64;

/// The unrestricted Damerau-Levenshtein distance.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    let within = if longest <= SHORT { matrix_within(a, b, longest) } else { distance_within(a, b, longest) };
    within.unwrap_or(longest)
}

/// The distance if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    // A swap with g edits between costs g + 1 here and at most g + 2 without swaps, so the Levenshtein distance is at
    // most twice this one; it is quick to compute and rejects most pairs. A distance of 0 or 1 needs no swap to be
    // equal under both. And it is never below this one, so it bounds the part of the matrix that is needed.
    let without_swaps = levenshtein::distance_within(a, b, max.saturating_mul(2))?;
    if without_swaps <= 1 {
        return Some(without_swaps).filter(|&distance| distance <= max);
    }
    matrix_within(a, b, max.min(without_swaps))
}

/// `1 - distance / max(length)`, of strings that are not both empty.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    debug_assert!(!a.is_empty() || !b.is_empty());
    edit_similarity(distance(a, b), a.len(), b.len())
}

/// The most bytes in which a thread computes a distance of at most `max` between texts of at most `length` characters.
pub fn scratch_bytes(length: usize, max: usize) -> usize {
    // Besides, the Levenshtein distance takes a byte for each character.
    length + 4 * size_of::<EditCost>() * (length.min(max) + 5)
}

fn matrix_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    let (a, b) = strip(a, b);
    if a.is_empty() || b.is_empty() {
        return Some(a.len().max(b.len()));
    }
    thread_local! {
        static BAND: RefCell<MatrixBand> = const { RefCell::new(MatrixBand::new()) };
    }
    BAND.with_borrow_mut(|band| {
        let distance = band.distance_within(a, b, max.min(a.len().max(b.len())));
        band.release();
        distance
    })
}

/// A cost, or the number of a row.
type EditCost = u32;

/// The part of the matrix that the next row depends on, after Zhao and Sahni (2019).
///
/// A swap into cell (i, j) pairs `a[i]` with the last equal `b[l]`, l < j, and `b[j]` with the last equal `a[k]`, k <
/// i. It costs the cell before both, plus all characters between, plus one. If there are characters between on both
/// sides, substituting costs no more; so only l = j - 1 and k = i - 1 are checked, and the cell before lies either two
/// rows up or in what its column kept at its last match.
///
/// Only a band of diagonals is computed (Ukkonen 1985), and a row takes no more memory than that. No distance within
/// `max` changes:
/// 1. To cell (i, j) leads a cost of at least |j - i|, and from there to the last cell, with d = `b.len()` - `a.len()`,
///    one of at least |d - (j - i)|. So (d - max) / 2 <= j - i <= (d + max) / 2 for all cells of an alignment that costs
///    at most `max`.
/// 2. Of a swap between two such cells, the matches (k, j) and (i, l) lie at most one diagonal farther out. The band
///    has one more on each side, so it has these, and all cells between a match and its swap.
/// 3. What lies outside is taken for more than any distance: every computed cell is the cost of some alignment, never
///    less than the true distance.
struct MatrixBand {
    /// The diagonals below and above the main one.
    below: usize,
    beyond: usize,
    /// Row i - 1 and row i; until overwritten the latter holds row i - 2. Cell (i, j) is at 1 + below + j - i: a column
    /// moves down by one place with each row. The first and the last place lie outside the band.
    above: Vec<EditCost>,
    current: Vec<EditCost>,
    /// For column j, with k its last row of equal characters: cell (k - 1, j - 2), and k itself.
    matches: Vec<[EditCost; 2]>,
}

/// More than any distance, yet far from overflow.
const NEVER: EditCost = EditCost::MAX / 4;

/// Places that a thread keeps for the next pair.
const KEPT: usize = 1 << 16;

impl MatrixBand {
    const fn new() -> Self {
        MatrixBand { below: 0, beyond: 0, above: Vec::new(), current: Vec::new(), matches: Vec::new() }
    }

    /// The distance of texts that are not empty and whose lengths differ by at most `max`.
    fn distance_within<U: Unit>(&mut self, a: &[U], b: &[U], max: usize) -> Option<usize> {
        self.reset(a.len(), b.len(), max);
        for (i, &x) in a.iter().enumerate() {
            swap(&mut self.above, &mut self.current);
            // Every alignment passes a row at no more than its final cost: one that jumps over it in a swap could as
            // well have deleted its way down to it for less. So the lowest cell of any row bounds the distance.
            if self.fill_row(i + 1, x, b) as usize > max {
                return None;
            }
        }
        let distance = self.current[1 + self.below + b.len() - a.len()] as usize;
        Some(distance).filter(|&distance| distance <= max)
    }

    fn reset(&mut self, rows: usize, columns: usize, max: usize) {
        (self.below, self.beyond) = ((max + rows - columns) / 2 + 1, (max + columns - rows) / 2 + 1);
        let places = self.below + self.beyond + 3;
        for row in [&mut self.above, &mut self.current] {
            row.clear();
            row.resize(places, NEVER);
        }
        self.matches.clear();
        self.matches.resize(places, [NEVER, 0]);
        let first_row = self.current[1 + self.below..].iter_mut().take(self.beyond.min(columns) + 1);
        first_row.zip(0..).for_each(|(cell, column)| *cell = column);
    }

    /// Computes row `i`, whose character is `x`, and returns its lowest cell.
    fn fill_row<U: Unit>(&mut self, i: usize, x: U, b: &[U]) -> EditCost {
        let (first, last) = (i.saturating_sub(self.below).max(1), b.len().min(i + self.beyond));
        // The places of these columns, with one before and one after.
        let places = first + self.below - i..last + self.below + 3 - i;
        let (above, current) = (&self.above[places.clone()], &mut self.current[places.clone()]);
        let matches = &mut self.matches[places];
        let (mut j, mut two_up_match, mut last_column) = (first as EditCost - 1, NEVER, 0);
        let mut lowest = EditCost::MAX;
        if i <= self.below {
            (current[0], lowest) = (i as EditCost, i as EditCost);
        }
        let i = i as EditCost;
        // In the row before, a column was one place farther on, at `next`.
        for (next, &y) in (2..above.len()).zip(&b[first - 1..last]) {
            j += 1;
            let two_up = current[next];
            let mut cell = above[next - 1];
            let [before_match, last_match] = matches[next];
            if x == y {
                (last_column, two_up_match) = (j, two_up);
                matches[next - 1] = [above[next - 2], i];
            } else {
                cell = cell.min(above[next]).min(current[next - 2]) + 1;
                if last_column + 1 == j {
                    cell = cell.min(before_match + (i - last_match));
                } else if last_match + 1 == i {
                    cell = cell.min(two_up_match + (j - last_column));
                }
                matches[next - 1] = [before_match, last_match];
            }
            current[next - 1] = cell;
            lowest = lowest.min(cell);
        }
        lowest
    }

    /// Frees what only long texts need.
    fn release(&mut self) {
        if self.current.capacity() > KEPT {
            *self = Self::new();
        }
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

    #[test]
    fn a_row_takes_as_much_as_the_edits_allow() {
        let text: Vec<u8> = (0..40_000_u32).map(|at| (at * at % 251) as u8).collect();
        let mut other = text.clone();
        other.swap(100, 101);
        other[39_900] ^= 1;
        assert_eq!((distance(&text, &other), distance_within(&text, &other, 1)), (2, None));
        let mut band = MatrixBand::new();
        assert_eq!(band.distance_within(&text, &other, 3), Some(2));
        assert_eq!(band.current.len(), 7);
        assert_eq!(scratch_bytes(40_000, 3), 40_000 + 16 * 8);
        assert!(scratch_bytes(40_000, usize::MAX) < 17 * 40_100);
    }
}
