//! Dense products cut into blocks: the pairs of one key, however many, as tasks of bounded area.

use std::ops::Range;

use crate::candidates::tile::{Pairing, Tile};

/// Pairs of a block at most.
pub const AREA: usize = 1 << 22;
/// Entries of a block's side where both lists are long: two sides fit the nearest cache.
const SIDE: usize = 1 << 11;

/// The pairs of one key, to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// This many left entries with this many right entries.
    Rectangle(usize, usize),
    /// This many entries, each with those after it.
    Triangle(usize),
}

impl Product {
    /// Number of pairs.
    pub fn pairs(self) -> u64 {
        match self {
            Product::Rectangle(left, right) => left as u64 * right as u64,
            Product::Triangle(entries) => super::layout::triangle(entries as u64),
        }
    }

    /// Number of blocks: none where there is no pair.
    pub fn blocks(self) -> usize {
        match self {
            Product::Rectangle(0, _) | Product::Rectangle(_, 0) | Product::Triangle(0 | 1) => 0,
            Product::Rectangle(left, right) => {
                let (high, wide) = sides(left, right);
                left.div_ceil(high) * right.div_ceil(wide)
            }
            Product::Triangle(entries) => {
                let blocks = entries.div_ceil(SIDE);
                blocks * (blocks + 1) / 2
            }
        }
    }

    /// The entries of a block and which of their pairs are meant. Every pair lies in one block: rectangles are a grid;
    /// of a triangle's grid the blocks above the diagonal are whole, as their left entries all stand before the
    /// right ones, and those on it are triangles again.
    fn block(self, at: usize) -> (Range<usize>, Range<usize>, Pairing) {
        let cut = |at: usize, side: usize, len: usize| at * side..len.min((at + 1) * side);
        match self {
            Product::Rectangle(left, right) => {
                let (high, wide) = sides(left, right);
                let across = right.div_ceil(wide);
                (cut(at / across, high, left), cut(at % across, wide, right), Pairing::All)
            }
            Product::Triangle(entries) => {
                let column = ((8 * at + 1).isqrt() - 1) / 2;
                let row = at - column * (column + 1) / 2;
                let pairing = if row == column { Pairing::Ascending } else { Pairing::All };
                (cut(row, SIDE, entries), cut(column, SIDE, entries), pairing)
            }
        }
    }

    /// A block as a tile of the two lists; of a triangle both are the same list.
    pub fn tile<'a>(self, at: usize, left: &'a [u32], right: &'a [u32]) -> Tile<'a> {
        let (high, wide, pairing) = self.block(at);
        Tile { left: &left[high], right: &right[wide], pairing }
    }
}

/// Sides of a rectangle's blocks: where one list is short, the other's share grows to fill the area.
fn sides(left: usize, right: usize) -> (usize, usize) {
    (AREA / right.min(SIDE), AREA / left.min(SIDE))
}
