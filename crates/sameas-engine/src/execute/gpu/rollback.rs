//! Undoing a branch whose device has failed, so that the CPU can do it again.
//!
//! What a branch changes outside of it, and how each is undone:
//!
//! - pairs given to the sorter: all buffers are flushed before the branch begins, so its pairs are those in the buffers
//!   and in the runs after a mark, and these are dropped;
//! - counts: copied before the branch begins, and put back; what stages have counted since, they forget;
//! - links between records: those that the host has made are of pairs of the result, which the CPU finds again; those
//!   that a device has made are lost with it, and so all links are made again, at the end, from the sorted pairs.
//!
//! No other branch runs meanwhile, and all threads of the branch have ended when it is undone.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::error::Result;
use crate::execute::host::{BranchHost, lock};
use crate::output::SorterMark;
use crate::verify::Tally;

/// What there was before a branch began.
pub struct BranchMark {
    pairs: SorterMark,
    tallies: Vec<Tally>,
    candidates: u64,
}

impl BranchHost<'_> {
    /// Marks what there is now.
    pub(super) fn mark(&self) -> Result<BranchMark> {
        self.workers.par_iter().try_for_each(|worker| lock(worker).pairs.flush())?;
        let tallies = self.workers.iter().map(|worker| lock(worker).verifier.tally.clone()).collect();
        let pairs = lock(&self.workers[0]).pairs.mark();
        self.pipeline().mark();
        Ok(BranchMark { pairs, tallies, candidates: self.candidates.load(Relaxed) })
    }

    /// Undoes what a branch has changed since the mark.
    pub(super) fn roll_back(&self, mark: BranchMark) {
        for (worker, tally) in self.workers.iter().zip(mark.tallies) {
            let mut worker = lock(worker);
            worker.pairs.roll_back(mark.pairs);
            worker.verifier.tally = tally;
            worker.verifier.steps.clear();
        }
        self.pipeline().roll_back();
        self.candidates.store(mark.candidates, Relaxed);
    }
}
