//! `all_pairs`: every pair of records, for rules without a usable access condition.

use super::tile::{Pairing, Sink, Tile};
use super::{Rows, Shape};

/// Rows of a block: two blocks and the values they point to stay in the nearest caches.
const BLOCK: usize = 1 << 11;

/// All pairs of some left rows with some right rows, a block with a block at a time.
#[derive(Debug)]
pub struct AllPairs {
    left: Rows,
    right: Rows,
    shape: Shape,
}

impl AllPairs {
    /// All pairs of the given rows.
    pub fn new(left: Rows, right: Rows, shape: Shape) -> Self {
        Self { left, right, shape }
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        match self.shape {
            Shape::Rectangle => self.left.len() as u64 * self.right.len() as u64,
            Shape::Triangle => self.left.iter().map(|row| behind(&self.right, *row).len() as u64).sum(),
        }
    }

    /// One task a block of left rows with a block of right rows.
    pub fn tasks(&self) -> usize {
        self.left.len().div_ceil(BLOCK) * self.right.len().div_ceil(BLOCK)
    }

    /// No loss and no repetition: every pair of blocks is one task, and in a triangle a left row of the block meets the
    /// right rows of the block that lie behind it.
    pub fn run(&self, task: usize, sink: &mut impl Sink) {
        let across = self.right.len().div_ceil(BLOCK);
        let (left, right) = (block(&self.left, task / across), block(&self.right, task % across));
        match self.shape {
            Shape::Rectangle => sink.tile(Tile { left, right, pairing: Pairing::All }),
            Shape::Triangle if left.last() < right.first() => sink.tile(Tile { left, right, pairing: Pairing::All }),
            Shape::Triangle if right.last() <= left.first() => {}
            Shape::Triangle => sink.tile(Tile { left, right, pairing: Pairing::Before }),
        }
    }
}

fn block(rows: &[u32], block: usize) -> &[u32] {
    &rows[block * BLOCK..rows.len().min((block + 1) * BLOCK)]
}

fn behind(rows: &[u32], row: u32) -> &[u32] {
    &rows[rows.partition_point(|r| *r <= row)..]
}
