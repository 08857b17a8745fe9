//! The host's side of a branch on a device: it stores what was decided, and decides what was left open.

use std::time::Duration;

use rayon::prelude::*;

use crate::candidates::{BATCH, Batch};
use crate::engine::adaptive::Revision;
use crate::engine::join::{Joiner, lock};
use crate::error::Result;
use crate::verify::Pair;
use crate::verify::gpu::{Counted, Decided, Open, Taker};
use crate::verify::{BranchProgram, StepCount, Truth};

/// Takes what passes on one device.
pub struct Taking<'t, 'a> {
    pub joiner: &'t Joiner<'a>,
    pub version: &'t Revision,
    /// The predicate of each slot.
    pub slots: &'t [usize],
    /// Whether the device has joined the components of its pairs.
    pub joined: bool,
}

impl Taker for Taking<'_, '_> {
    fn take(&mut self, decided: &Decided<'_>, open: &Open<'_>, counted: &Counted) -> Result<()> {
        self.joiner.count(counted);
        self.joiner.store(decided, self.joined)?;
        self.joiner.decide_open(&self.version.program, self.slots, open)?;
        self.version.add(&counted.steps.iter().map(step_count).collect::<Vec<StepCount>>());
        self.joiner.seen(counted.candidates)
    }

    fn progress(&mut self, done: u64) {
        self.joiner.progress.advance(done);
    }
}

impl Joiner<'_> {
    /// Adds what a device has counted.
    fn count(&self, counted: &Counted) {
        let mut worker = lock(&self.workers[0]);
        let tally = &mut worker.verifier.tally;
        tally.candidates += counted.candidates;
        tally.alone.iter_mut().zip(&counted.alone).for_each(|(all, more)| *all += more);
        tally.owned.iter_mut().zip(&counted.owned).for_each(|(all, more)| *all += more);
    }

    /// Stores pairs that a device has decided.
    fn store(&self, decided: &Decided<'_>, joined: bool) -> Result<()> {
        let Decided { l, r, rule } = decided;
        (0..l.len().div_ceil(BATCH)).into_par_iter().try_for_each(|batch| {
            let mut worker = self.worker();
            let range = batch * BATCH..l.len().min((batch + 1) * BATCH);
            range.into_iter().try_for_each(|at: usize| {
                let pair = Pair { l: l[at], r: r[at], rule: rule[at] };
                if !joined {
                    self.link(pair);
                }
                worker.pairs.push(pair)
            })
        })
    }

    /// Decides pairs that a device has left open.
    fn decide_open(&self, branch: &BranchProgram, slots: &[usize], open: &Open<'_>) -> Result<()> {
        (0..open.l.len().div_ceil(BATCH)).into_par_iter().try_for_each(|batch| {
            let range = batch * BATCH..open.l.len().min((batch + 1) * BATCH);
            let rows = Batch { l: open.l[range.clone()].to_vec(), r: open.r[range.clone()].to_vec() };
            let known = slots.iter().enumerate().map(|(slot, predicate)| {
                let of = |(yes, no): (&u64, &u64)| truth(yes >> slot & 1 == 1, no >> slot & 1 == 1);
                (*predicate, open.yes[range.clone()].iter().zip(&open.no[range.clone()]).map(of).collect())
            });
            self.worker().decide_open(branch, &rows, known, self)
        })
    }
}

/// What came of a step on a device, whose time is not told.
fn step_count([tried, passed]: &[u64; 2]) -> StepCount {
    StepCount { tried: *tried, passed: *passed, time: Duration::ZERO }
}

/// A verdict from its two bits.
fn truth(yes: bool, no: bool) -> Truth {
    match (yes, no) {
        (false, false) => Truth::Unknown,
        (true, false) => Truth::True,
        (false, true) => Truth::False,
        (true, true) => Truth::Null,
    }
}
