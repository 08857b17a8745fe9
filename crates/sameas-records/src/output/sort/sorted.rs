//! All pairs in output order, read by rank.

use std::ops::Range;

use rayon::prelude::*;

use super::Pair;
use super::run::{BLOCK, BlockRange, SortedRun};
use super::scored::{self, SortScratch};
use crate::error::{Error, Result};
use crate::pairs::PairsInOrder;
use crate::pairs::ResultPairs;

/// Pairs that are read at a time where all are read in order.
const AT_A_TIME: u64 = 1 << 17;

/// All pairs in output order. Any number of threads may read at once.
pub struct SortedPairs {
    runs: Vec<SortedRun>,
    len: u64,
}

impl SortedPairs {
    pub(super) fn new(runs: Vec<SortedRun>) -> Self {
        let len = runs.iter().map(|run| run.len() as u64).sum();
        Self { runs, len }
    }

    /// Number of pairs.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The pairs at these ranks of the output order.
    pub fn read(&self, ranks: Range<u64>) -> Result<Vec<Pair>> {
        self.read_scored(ranks).map(|rows| rows.pairs)
    }

    /// The pairs at these ranks of the output order, with the scores that they carry.
    ///
    /// The index gives a range of keys that is sure to hold the ranks and little more. What the runs have in it is read
    /// and sorted; the number of pairs below the range, exact once its first blocks are read, says where the ranks lie.
    pub fn read_scored(&self, ranks: Range<u64>) -> Result<ResultPairs> {
        let mut rows = ResultPairs::default();
        if ranks.start >= ranks.end || ranks.end > self.len {
            return if ranks.is_empty() { Ok(rows) } else { Err(Error::internal("pairs read beyond their end")) };
        }
        let (low, high) = self.keys_around(&ranks);
        let wanted = (ranks.end - ranks.start) as usize;
        rows.pairs.reserve_exact(wanted + self.runs.len() * BLOCK);
        let (mut bytes, mut below) = (Vec::new(), 0);
        for run in &self.runs {
            below += run.read(low, high, &mut bytes, &mut rows)? as u64;
        }
        scored::sort(&mut rows, &mut SortScratch::default());
        let from = ranks.start.checked_sub(below).map(|from| from as usize);
        let to = from.map(|from| from + wanted).filter(|&to| to <= rows.pairs.len());
        let (Some(from), Some(to)) = (from, to) else {
            return Err(Error::internal("a pair was found twice"));
        };
        cut(&mut rows.pairs, from..to);
        if !rows.scores.is_empty() {
            cut(&mut rows.scores, from..to);
        }
        Ok(rows)
    }

    /// All pairs in ranges of blocks, for those to whom their order is nothing: no range has to be sorted with others.
    pub fn block_ranges(&self) -> Vec<BlockRange<'_>> {
        self.runs.iter().flat_map(SortedRun::block_ranges).collect()
    }

    /// Keys, both included, between which the pairs of these ranks lie.
    fn keys_around(&self, ranks: &Range<u64>) -> (u64, u64) {
        // Below `low`, at most `ranks.start` pairs: none that is wanted. Below `high`, all that are wanted.
        let low = first_key(|key| self.rank_bounds(key).1 > ranks.start).map_or(u64::MAX, |key| key - 1);
        let high = first_key(|key| self.rank_bounds(key).0 >= ranks.end).map_or(u64::MAX, |key| key - 1);
        (low, high)
    }

    /// Bounds on the number of pairs with a key below `key`, from the index alone.
    fn rank_bounds(&self, key: u64) -> (u64, u64) {
        self.runs
            .iter()
            .map(|run| run.rank_bounds(key))
            .fold((0, 0), |(least, most), (low, high)| (least + low as u64, most + high as u64))
    }
}

impl PairsInOrder for SortedPairs {
    fn count(&self) -> u64 {
        self.len
    }

    fn in_order(&self, take: &mut dyn FnMut(&ResultPairs) -> Result<()>) -> Result<()> {
        let mut from = 0;
        while from < self.len {
            let to = self.len.min(from + AT_A_TIME);
            take(&self.read_scored(from..to)?)?;
            from = to;
        }
        Ok(())
    }

    fn in_any_order(&self, take: &(dyn Fn(&ResultPairs) -> Result<()> + Sync)) -> Result<()> {
        self.block_ranges().into_par_iter().try_for_each_init(ResultPairs::default, |rows, range| {
            range.read(rows)?;
            take(rows)
        })
    }
}

/// Leaves the values of a range.
fn cut<T>(values: &mut Vec<T>, range: Range<usize>) {
    values.truncate(range.end);
    values.drain(..range.start);
}

/// The smallest key for which `test` holds, if it holds for any; it must hold for all greater keys. No key is below
/// zero, so the tests used here do not hold for zero.
fn first_key(test: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (0, u64::MAX);
    if !test(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if test(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}
