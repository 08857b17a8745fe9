//! `all_pairs`: every pair of records, for rules without a usable access condition.

pub(super) mod declaration;
pub mod gpu;

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
    /// Rows of a block.
    block: usize,
}

impl AllPairs {
    /// All pairs of the given rows.
    pub fn new(left: Rows, right: Rows, shape: Shape) -> Self {
        Self { left, right, shape, block: BLOCK }
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        match self.shape {
            Shape::Rectangle => self.left.len() as u64 * self.right.len() as u64,
            Shape::Triangle => self.left.iter().map(|row| after(&self.right, *row).len() as u64).sum(),
        }
    }

    /// One task per block of left rows with a block of right rows.
    pub fn tasks(&self) -> usize {
        self.left.len().div_ceil(self.block) * self.right.len().div_ceil(self.block)
    }

    /// No loss and no repetition: every pair of blocks is one task, and in a triangle a left row of the block meets the
    /// right rows of the block that come after it.
    pub fn run(&self, task: usize, sink: &mut impl Sink) {
        let across = self.right.len().div_ceil(self.block);
        let (left, right) = (self.block(&self.left, task / across), self.block(&self.right, task % across));
        match self.shape {
            Shape::Rectangle => sink.tile(Tile { left, right, pairing: Pairing::All }),
            Shape::Triangle if left.last() < right.first() => sink.tile(Tile { left, right, pairing: Pairing::All }),
            Shape::Triangle if right.last() <= left.first() => {}
            Shape::Triangle => sink.tile(Tile { left, right, pairing: Pairing::Before }),
        }
    }

    fn block<'r>(&self, rows: &'r [u32], at: usize) -> &'r [u32] {
        &rows[at * self.block..rows.len().min((at + 1) * self.block)]
    }
}

fn after(rows: &[u32], row: u32) -> &[u32] {
    &rows[rows.partition_point(|r| *r <= row)..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::candidates::batch::{Batch, Batches};

    /// The pairs of all tasks, sorted: a pair that comes twice is there twice.
    fn found(join: &AllPairs) -> Vec<(u32, u32)> {
        let (mut batch, mut pairs) = (Batch::default(), Vec::new());
        let take = |batch: &Batch| pairs.extend(batch.l.iter().copied().zip(batch.r.iter().copied()));
        let mut sink = Batches::new(&mut batch, take);
        (0..join.tasks()).for_each(|task| join.run(task, &mut sink));
        sink.flush();
        pairs.sort_unstable();
        pairs
    }

    fn naive(left: &[u32], right: &[u32], shape: Shape) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for l in left {
            pairs.extend(right.iter().filter(|r| shape == Shape::Rectangle || l < r).map(|r| (*l, *r)));
        }
        pairs
    }

    fn check(left: &Rows, right: &Rows, block: usize) {
        for shape in [Shape::Rectangle, Shape::Triangle] {
            let join = AllPairs { block, ..AllPairs::new(left.clone(), right.clone(), shape) };
            let expected = naive(left, right, shape);
            assert_eq!(join.pairs(), expected.len() as u64);
            assert_eq!(found(&join), expected, "{shape:?}");
        }
    }

    fn rows() -> impl Strategy<Value = Rows> {
        prop::collection::btree_set(0u32..60, 0..40).prop_map(|rows| rows.into_iter().collect())
    }

    proptest! {
        #[test]
        fn each_pair_comes_once(left in rows(), right in rows(), block in 1usize..9) {
            check(&left, &right, block);
            check(&left, &left, block);
        }
    }

    #[test]
    fn blocks_of_the_usual_size() {
        let join = AllPairs::new((0..BLOCK as u32 + 1).collect(), (0..3).collect(), Shape::Rectangle);
        assert_eq!((join.tasks(), join.pairs()), (2, 3 * (BLOCK as u64 + 1)));
        assert_eq!(found(&join).len() as u64, join.pairs());
    }
}
