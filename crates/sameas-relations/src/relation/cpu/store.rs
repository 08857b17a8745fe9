//! The tuples of a relation: an append-only list of blocks. What a round has added is a range of blocks, and what was
//! there stays where it is.

use std::ops::Range;

use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Tuples of a block, about.
pub const BLOCK: usize = 1 << 16;

/// Some tuples, by columns.
pub struct TupleBlock {
    columns: Vec<Vec<u32>>,
    _held: Held,
}

impl TupleBlock {
    /// Tuples that are counted from now on.
    pub fn new(mut columns: Vec<Vec<u32>>, budget: &MemoryBudget) -> Result<Self> {
        columns.iter_mut().for_each(Vec::shrink_to_fit);
        let bytes = columns.iter().map(|column| column.capacity() * size_of::<u32>()).sum();
        Ok(Self { columns, _held: budget.hold(bytes)? })
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// One column.
    pub fn column(&self, at: usize) -> &[u32] {
        &self.columns[at]
    }

    /// All columns.
    pub fn columns(&self) -> &[Vec<u32>] {
        &self.columns
    }
}

/// All tuples of a relation.
#[derive(Default)]
pub struct TupleStore {
    blocks: Vec<TupleBlock>,
    len: u64,
    is_unsorted: bool,
}

impl TupleStore {
    /// The number of tuples.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The blocks there are.
    pub fn range(&self) -> Range<usize> {
        0..self.blocks.len()
    }

    /// Some of the blocks.
    pub fn blocks(&self, range: Range<usize>) -> &[TupleBlock] {
        &self.blocks[range]
    }

    /// Tuples in some of the blocks.
    pub fn len_of(&self, range: Range<usize>) -> u64 {
        self.blocks(range).iter().map(|block| block.len() as u64).sum()
    }

    /// Whether the tuples are in lexicographic order.
    pub fn is_sorted(&self) -> bool {
        !self.is_unsorted
    }

    /// Adds tuples that are not there yet. `sorted`: they are in order, and so are their blocks; this holds for all
    /// tuples if there were none before.
    pub fn append(&mut self, blocks: Vec<TupleBlock>, sorted: bool) {
        let added: u64 = blocks.iter().map(|block| block.len() as u64).sum();
        self.is_unsorted |= added > 0 && (!sorted || self.len > 0);
        self.len += added;
        self.blocks.extend(blocks.into_iter().filter(|block| block.len() > 0));
    }

    /// As [`Self::append`], for tuples that continue what the last call has added in order.
    pub fn append_in_order(&mut self, blocks: Vec<TupleBlock>) {
        self.len += blocks.iter().map(|block| block.len() as u64).sum::<u64>();
        self.blocks.extend(blocks.into_iter().filter(|block| block.len() > 0));
    }

    /// Removes all tuples.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
