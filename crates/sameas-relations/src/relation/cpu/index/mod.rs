//! Finding the tuples of a relation by some of their columns. A relation that grows is indexed as a few sorted runs of
//! blocks, each at most half as long as the one before, so that a round costs what it adds.

mod run;

use std::ops::Range;

pub use run::IndexRun;

use super::store::TupleStore;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::MemoryBudget;

/// Which columns of which relation: those that are looked up and those that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexShape {
    /// The columns that are looked up.
    pub key: Vec<usize>,
    /// The columns that are wanted.
    pub payload: Vec<usize>,
}

/// The tuples of a relation by some columns.
pub struct TupleIndex {
    shape: IndexShape,
    runs: Vec<(Range<usize>, IndexRun)>,
}

impl TupleIndex {
    /// An index of no tuples.
    pub fn new(shape: IndexShape) -> Self {
        Self { shape, runs: Vec::new() }
    }

    /// Its columns.
    pub fn shape(&self) -> &IndexShape {
        &self.shape
    }

    /// The runs, each of which may have matches.
    pub fn runs(&self) -> impl Iterator<Item = &IndexRun> {
        self.runs.iter().map(|(_, run)| run)
    }

    /// One of the runs.
    #[inline]
    pub fn run(&self, at: usize) -> &IndexRun {
        &self.runs[at].1
    }

    /// Indexes the blocks that were added to the relation.
    pub fn catch_up(
        &mut self,
        store: &TupleStore,
        domains: &[u64],
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<()> {
        let indexed = self.runs.last().map_or(0, |(range, _)| range.end);
        if indexed == store.range().end {
            return Ok(());
        }
        let mut start = indexed;
        while let Some((range, run)) = self.runs.last()
            && store.len_of(start..store.range().end) * 2 > run.len() as u64
        {
            start = range.start;
            self.runs.pop();
        }
        self.add(store, start..store.range().end, domains, budget, cancel)
    }

    /// Indexes these blocks and no others.
    pub fn replace(
        &mut self,
        store: &TupleStore,
        range: Range<usize>,
        domains: &[u64],
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<()> {
        self.runs.clear();
        self.add(store, range, domains, budget, cancel)
    }

    /// Adds runs for some blocks: one, unless they have more tuples than a run can number.
    fn add(
        &mut self,
        store: &TupleStore,
        range: Range<usize>,
        domains: &[u64],
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<()> {
        let mut start = range.start;
        while start < range.end {
            let mut end = start + 1;
            while end < range.end && store.len_of(start..end + 1) < u64::from(u32::MAX) {
                end = if store.len_of(start..range.end) < u64::from(u32::MAX) { range.end } else { end + 1 };
            }
            let run = IndexRun::new(store.blocks(start..end), &self.shape, domains, budget, cancel)?;
            self.runs.push((start..end, run));
            start = end;
        }
        Ok(())
    }
}
