//! The host's side of a branch on a device: it stores the pairs that the device has resolved, and decides those that it
//! has deferred.

use std::time::Duration;

use rayon::prelude::*;
use sameas_kernels::layout::verify::UNSCORED;

use crate::candidates::{BATCH, Batch};
use crate::error::Result;
use crate::execute::adaptive::Revision;
use crate::execute::host::{BranchHost, lock};
use crate::execute::pair_stage::DeviceDone;
use crate::pairs::{Pair, PairScore};
use crate::verify::gpu::{Deferred, Resolved, ResultSink, SliceCounts};
use crate::verify::{BranchProgram, StepCount, Truth};

/// Takes what passes on one device.
pub struct DeviceResults<'t, 'a> {
    /// Who takes it.
    pub host: &'t BranchHost<'a>,
    /// How it was checked.
    pub revision: &'t Revision,
    /// The predicate of each slot.
    pub slots: &'t [usize],
    /// How far its pairs have come.
    pub done: DeviceDone,
}

impl ResultSink for DeviceResults<'_, '_> {
    fn take(&mut self, resolved: &Resolved<'_>, deferred: &Deferred<'_>, counts: &SliceCounts) -> Result<()> {
        self.host.count(counts);
        self.host.outlet.counted(counts.candidates, resolved.l.len() as u64);
        self.host.pipeline().take_counts(&counts.patterns);
        self.host.store(resolved, self.done)?;
        self.host.decide_deferred(&self.revision.program, self.slots, deferred)?;
        self.revision.add(&counts.steps.iter().map(step_count).collect::<Vec<StepCount>>());
        self.host.seen(counts.candidates)
    }

    fn progress(&mut self, tasks: u64) -> Result<()> {
        self.host.outlet.progress.advance(tasks);
        // A slice without results is a moment to stop the job at, too.
        self.host.seen(0)
    }
}

impl BranchHost<'_> {
    /// Adds what a device has counted.
    fn count(&self, counts: &SliceCounts) {
        let mut worker = lock(&self.workers[0]);
        let tally = &mut worker.verifier.tally;
        tally.candidates += counts.candidates;
        tally.alone.iter_mut().zip(&counts.alone).for_each(|(all, more)| *all += more);
        tally.owned.iter_mut().zip(&counts.owned).for_each(|(all, more)| *all += more);
        tally.forbidden.iter_mut().zip(&counts.forbidden).for_each(|(all, more)| *all += more);
    }

    /// Stores pairs that a device has resolved, and does what the device has not done with them.
    fn store(&self, resolved: &Resolved<'_>, done: DeviceDone) -> Result<()> {
        let Resolved { l, r, rule, sums, are_in_order } = resolved;
        let sums = sums.zip(self.pipeline().on_device());
        let score = |at: usize| sums.map_or(PairScore::NONE, |(sums, stage)| stage.score(sums[at]));
        let is_unscored = |rule: &u32| *rule & UNSCORED != 0;
        let are_all_done = done == DeviceDone::Found || !rule.par_iter().any(is_unscored);
        let is_run = *are_in_order && done == DeviceDone::Joined && are_all_done;
        // A run for each thread, or batches that are linked one by one.
        let most = if is_run { l.len().div_ceil(self.workers.len()).max(BATCH) } else { BATCH };
        (0..l.len().div_ceil(most)).into_par_iter().with_max_len(1).try_for_each(|part| {
            let mut worker = self.worker();
            let range = part * most..l.len().min((part + 1) * most);
            let pairs = range.map(|at| (Pair { l: l[at], r: r[at], rule: rule[at] }, score(at)));
            if is_run {
                return worker.pairs.add_runs(pairs);
            }
            if are_all_done {
                return worker.store(pairs, done, self.pipeline());
            }
            worker.store(pairs.clone().filter(|(pair, _)| !is_unscored(&pair.rule)), done, self.pipeline())?;
            let unscored = pairs.filter(|(pair, _)| is_unscored(&pair.rule));
            let unscored = unscored.map(|(pair, _)| (Pair { rule: pair.rule & !UNSCORED, ..pair }, PairScore::NONE));
            worker.store(unscored, DeviceDone::Found, self.pipeline())
        })
    }

    /// Decides pairs that a device has deferred.
    fn decide_deferred(&self, branch: &BranchProgram, slots: &[usize], deferred: &Deferred<'_>) -> Result<()> {
        (0..deferred.l.len().div_ceil(BATCH)).into_par_iter().try_for_each(|batch| {
            let range = batch * BATCH..deferred.l.len().min((batch + 1) * BATCH);
            let rows = Batch { l: deferred.l[range.clone()].to_vec(), r: deferred.r[range.clone()].to_vec() };
            let known = slots.iter().enumerate().map(|(slot, predicate)| {
                let of = |(yes, no): (&u64, &u64)| truth(yes >> slot & 1 == 1, no >> slot & 1 == 1);
                (*predicate, deferred.yes[range.clone()].iter().zip(&deferred.no[range.clone()]).map(of).collect())
            });
            self.worker().decide_deferred(branch, &rows, known, &self.outlet)
        })
    }
}

/// What came of a step on a device, whose time is not known.
pub fn step_count([tried, passed]: &[u64; 2]) -> StepCount {
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
