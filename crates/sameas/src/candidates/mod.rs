//! Candidates: the pairs an access condition allows, each at most once and none missing.
//!
//! One contract for every access path: it is prepared once, numbers its candidates from 0, and
//! [`Candidates::next`] hands out those of a range of numbers, as many as a batch holds, and says where to resume. A
//! range can be cut anywhere, so a key that holds most of the pairs is shared by all cores like any other work.

mod adjacency;
mod all_pairs;
mod equi_join;
mod overlap_join;

pub use all_pairs::all_pairs;
pub use equi_join::{KeyPart, equi_join};
pub use overlap_join::{RowSets, overlap_join};

use adjacency::Adjacency;

/// Pairs per batch: its columns fit the nearest cache beside the values they point to.
pub const BATCH: usize = 4096;

/// Candidate pairs, as rows of the left and of the right frame.
#[derive(Debug, Default)]
pub struct Batch {
    /// Left rows.
    pub l: Vec<u32>,
    /// Right rows.
    pub r: Vec<u32>,
}

/// Which pairs of rows are pairs at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every row of the left frame with every row of the right.
    Rectangle,
    /// Both frames are one; only pairs with the left row before the right.
    Triangle,
}

/// The records of one side that may take part, in row order.
pub type Rows = Vec<u32>;

/// The candidates of one access condition.
#[derive(Debug)]
pub struct Candidates {
    adjacency: Adjacency,
    once: Option<overlap_join::FirstCommon>,
}

impl Candidates {
    /// How many numbers [`next`](Self::next) takes: exactly the number of candidates, or, where a path meets a pair
    /// several times and yields it once, more.
    pub fn len(&self) -> u64 {
        self.adjacency.len()
    }

    /// True where there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `batch` with the candidates from number `at` on, up to `end` or until the batch is full; returns where to
    /// resume.
    pub fn next(&self, at: u64, end: u64, batch: &mut Batch) -> u64 {
        batch.l.clear();
        batch.r.clear();
        match &self.once {
            None => self.adjacency.fill(at, end, batch),
            Some(once) => once.fill(&self.adjacency, at, end, batch),
        }
    }
}
