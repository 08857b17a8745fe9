//! Bit-parallel edit distances (Myers 1999, Hyyrö 2003): 64 rows of the dynamic-programming matrix in one word.
//!
//! One string, the pattern, runs down the rows, the other, the text, along the columns. Neighbouring cells of the
//! matrix differ by -1, 0 or +1, so a column is two bit vectors, and a step to the next column takes a handful of word
//! operations. A pattern of more than 64 characters is cut into stripes of 64 rows. Each stripe is scanned over the
//! text with one-word operations and hands the differences along its bottom row to the next, one byte per column.
//!
//! Under a limit `max` a stripe scans only the columns within `max` of one of its rows. No distance within the limit
//! changes:
//! 1. A cell (i, j) costs at least |i - j|, so an alignment of cost at most `max` stays where |i - j| <= max, and all
//!    these cells are computed. A swap moves along a diagonal, and on the two outermost diagonals it would cost
//!    `max` + 1 in all; so no swap is needed that reaches outside.
//! 2. At the edges the unknown differences are taken as +1, which stands for plain insertions and deletions: every
//!    computed cell is the cost of some alignment, never less than the true distance.

use super::affix::strip;
use super::char_table::CharTable;
use super::{Pattern, Unit};
use std::cell::RefCell;

/// The rows in one machine word.
pub(super) const WORD: usize = 64;

/// For each character, the rows of the pattern that hold it.
pub(super) type Masks = CharTable<u64>;

struct EditScratch {
    masks: Masks,
    border: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<EditScratch> = const { RefCell::new(EditScratch { masks: Masks::new(0), border: Vec::new() }) };
}

/// The distance of `a` and `b` if it is at most `max`; adjacent swaps count as one edit if `SWAPS`.
pub(super) fn distance_within<U: Unit, const SWAPS: bool>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    let (a, b) = strip(a, b);
    if a.is_empty() || b.is_empty() {
        return Some(a.len().max(b.len()));
    }
    if max == 0 {
        return None;
    }
    let (pattern, text) = if steps(a, b) <= steps(b, a) { (a, b) } else { (b, a) };
    SCRATCH.with_borrow_mut(|EditScratch { masks, border }| {
        if pattern.len() > WORD {
            return stripes::<U, SWAPS>(masks, border, pattern, text, max);
        }
        fill(masks, pattern);
        let distance = one_word::<U, SWAPS>(masks, pattern.len(), text, max);
        masks.clear(pattern);
        distance
    })
}

/// The same where `a` may be prepared.
#[inline]
pub(super) fn pattern_within<U: Unit, P: Pattern<U>, const SWAPS: bool>(a: &P, b: &[U], max: usize) -> Option<usize> {
    let Some(masks) = a.table() else { return distance_within::<U, SWAPS>(a.codes(), b, max) };
    if a.codes().len().abs_diff(b.len()) > max {
        return None;
    }
    one_word::<U, SWAPS>(masks, a.codes().len(), b, max)
}

/// The steps for texts of `x` and `y` characters that are at most `most` edits apart: the longer text is entered into a
/// table, and the shorter one passes each of its stripes, within the band.
pub(super) fn steps_within(x: usize, y: usize, most: usize) -> usize {
    let (shorter, longer) = (x.min(y), x.max(y));
    if longer <= WORD {
        return longer + shorter;
    }
    longer + 2 * longer.div_ceil(WORD) * shorter.min(WORD.saturating_add(most.saturating_mul(2)))
}

/// The number of word steps with this choice of pattern and text.
fn steps<U: Unit>(pattern: &[U], text: &[U]) -> usize {
    pattern.len().div_ceil(WORD) * text.len()
}

/// Enters a pattern of at most 64 characters.
pub(super) fn fill<U: Unit>(masks: &mut Masks, pattern: &[U]) {
    debug_assert!(pattern.len() <= WORD);
    let mut row = 1;
    for &code in pattern {
        *masks.slot(code) |= row;
        row <<= 1;
    }
}

/// The distance of a pattern of 1 to 64 characters, entered in `masks`, if it is at most `max`.
pub(super) fn one_word<U: Unit, const SWAPS: bool>(
    masks: &Masks,
    rows: usize,
    text: &[U],
    max: usize,
) -> Option<usize> {
    let last_row = 1 << (rows - 1);
    let mut column = MatrixColumn::FIRST;
    let mut distance = rows;
    // Each remaining column can take back at most one.
    let mut limit = max.saturating_add(text.len());
    for &code in text {
        let bottom = column.advance::<SWAPS>(masks.get(code), Border::TOP).at(last_row);
        distance = distance.wrapping_add_signed(bottom.rise());
        limit -= 1;
        if distance > limit {
            return None;
        }
    }
    Some(distance)
}

/// The distance of a pattern of any length if it is at most `max`.
fn stripes<U: Unit, const SWAPS: bool>(
    masks: &mut Masks,
    border: &mut Vec<u8>,
    pattern: &[U],
    text: &[U],
    max: usize,
) -> Option<usize> {
    let max = max.min(pattern.len().max(text.len()));
    border.clear();
    border.resize(text.len(), Border::TOP.pack());
    // `corner` is the cell where the rows above the stripe meet the columns left of it.
    let (mut corner, mut left, mut bottom) = (0, 0, 0usize);
    for rows in pattern.chunks(WORD) {
        let next_left = bottom.saturating_sub(max);
        corner = along(corner, &border[left..next_left]);
        (left, bottom) = (next_left, bottom + rows.len());
        let right = text.len().min(bottom + max);
        fill(masks, rows);
        corner += rows.len();
        let lowest = scan_stripe::<U, SWAPS>(masks, rows.len(), &text[left..right], &mut border[left..right], corner);
        masks.clear(rows);
        if lowest > max {
            return None;
        }
    }
    Some(along(corner, &border[left..])).filter(|&distance| distance <= max)
}

/// Scans one stripe, replaces the border above it by the one below, and returns the lowest cell of its bottom row,
/// which starts at `cell`.
fn scan_stripe<U: Unit, const SWAPS: bool>(
    masks: &Masks,
    rows: usize,
    text: &[U],
    border: &mut [u8],
    mut cell: usize,
) -> usize {
    let last_row = 1 << (rows - 1);
    let mut column = MatrixColumn::FIRST;
    let mut lowest = cell;
    for (&code, border) in text.iter().zip(border) {
        let below = column.advance::<SWAPS>(masks.get(code), Border::unpack(*border)).at(last_row);
        cell = cell.wrapping_add_signed(below.rise());
        lowest = lowest.min(cell);
        *border = below.pack();
    }
    lowest
}

/// The cell at the end of a border whose first cell is `start`.
#[inline]
fn along(start: usize, border: &[u8]) -> usize {
    border.iter().fold(start, |cell, &packed| cell.wrapping_add_signed(Border::unpack(packed).rise()))
}

/// One column of a stripe: where its cells exceed (`rises`) or fall short of (`falls`) the cell above them.
struct MatrixColumn {
    rises: u64,
    falls: u64,
    /// Where the cell equals its upper left neighbour.
    level: u64,
    /// The rows whose character is that of the column.
    mask: u64,
}

impl MatrixColumn {
    /// The column left of the text. Its `level` bits allow no swap that would begin there.
    const FIRST: MatrixColumn = MatrixColumn { rises: !0, falls: 0, level: !0, mask: 0 };

    /// Moves to the next column, given its mask and the border above it; returns the borders below all its rows.
    #[inline(always)]
    fn advance<const SWAPS: bool>(&mut self, mask: u64, above: Border) -> Border {
        // A swap ends in the row after one that holds the new character, if this row holds the previous character and
        // the cell between them was not already as cheap as the one before the swap.
        let swap = if SWAPS { mask & !self.level } else { 0 };
        let swapped = (swap << 1 | above.swap) & self.mask;
        let equal = mask | above.fall;
        let level = ((equal & self.rises).wrapping_add(self.rises) ^ self.rises) | equal | self.falls | swapped;
        // The complements keep the chain of dependent operations from one column to the next short.
        let no_rise = (level | self.rises) & !self.falls;
        let below = Border { rise: !no_rise, fall: level & self.rises, swap };
        let no_rise = no_rise << 1 | (above.rise ^ 1);
        let fall = below.fall << 1 | above.fall;
        *self = MatrixColumn { rises: fall | (no_rise & !level), falls: level & !no_rise, level, mask };
        below
    }
}

/// What a row passes to the one below it, as one bit or as a bit for each row: does the cell exceed or fall short of
/// its left neighbour, and may a swap end in the next row.
#[derive(Clone, Copy)]
struct Border {
    rise: u64,
    fall: u64,
    swap: u64,
}

impl Border {
    /// Above the first row: each column costs one insertion more.
    const TOP: Border = Border { rise: 1, fall: 0, swap: 0 };

    /// The bits of one row, itself given as a bit.
    #[inline(always)]
    fn at(self, row: u64) -> Border {
        let bit = |rows: u64| u64::from(rows & row != 0);
        Border { rise: bit(self.rise), fall: bit(self.fall), swap: bit(self.swap) }
    }

    #[inline(always)]
    fn rise(self) -> isize {
        self.rise as isize - self.fall as isize
    }

    #[inline(always)]
    fn pack(self) -> u8 {
        (self.rise | self.fall << 1 | self.swap << 2) as u8
    }

    #[inline(always)]
    fn unpack(packed: u8) -> Border {
        let packed = u64::from(packed);
        Border { rise: packed & 1, fall: packed >> 1 & 1, swap: packed >> 2 }
    }
}
