//! One thread's tools: a verifier, the pairs that it has passed, and where these go.

use super::pair_stage::{DeviceDone, Pipeline};
use crate::candidates::{Batch, Batches};
use crate::error::Result;
use crate::observer::Progress;
use crate::output::PairBuffer;
use crate::pairs::{Pair, PairScore};
use crate::verify::{BranchProgram, PairBatch, Program, Truth, Verifier};

/// Where the pairs of all threads go, and who learns of them.
pub struct PairOutlet<'a> {
    /// The stages, the components and the sort.
    pub pipeline: Pipeline<'a>,
    /// Whoever waits.
    pub progress: Progress<'a>,
}

impl PairOutlet<'_> {
    /// The observer learns of more candidates, and of more pairs that all stages have left. Near pairs are not among the
    /// pairs of the job.
    pub fn counted(&self, candidates: u64, pairs: u64) {
        self.progress.counted(candidates, if self.pipeline.has_results() { pairs } else { 0 });
    }
}

/// One thread's tools.
pub struct Worker<'a> {
    /// Decides candidates, and counts.
    pub verifier: Verifier<'a>,
    /// The pairs that have been through all stages.
    pub pairs: PairBuffer,
    batch: Batch,
    passed: PairBatch,
}

impl<'a> Worker<'a> {
    /// Tools for a thread that fills this buffer; the stages want the verdicts of these predicates.
    pub fn new(program: &'a Program, wanted: Vec<usize>, pairs: PairBuffer) -> Self {
        let passed = PairBatch::wanting(wanted.len());
        Self { verifier: Verifier::new(program, wanted), pairs, batch: Batch::default(), passed }
    }

    /// Pairs it has found or been given.
    pub fn owned(&self) -> u64 {
        self.verifier.tally.owned.iter().sum()
    }

    /// Verifies the candidates that `run` pushes.
    pub fn run(
        &mut self,
        decide: &BranchProgram,
        outlet: &PairOutlet<'_>,
        run: impl FnOnce(&mut Batches<'_, &mut dyn FnMut(&Batch)>),
    ) -> Result<()> {
        let Self { verifier, pairs, batch, passed } = self;
        let (mut taken, cancel) = (Ok(()), outlet.progress.cancel());
        let mut take = |batch: &Batch| {
            cancel.check();
            if taken.is_ok() {
                verifier.verify(decide, batch, passed);
                // Batch by batch: a task may take minutes.
                taken = outlet.pipeline.take(passed, pairs).map(|kept| outlet.counted(batch.l.len() as u64, kept));
            }
        };
        let mut sink = Batches::new(batch, &mut take as &mut dyn FnMut(&Batch));
        run(&mut sink);
        sink.flush();
        taken
    }

    /// Stores pairs that a device has decided, with what they carry as far as they have come.
    pub fn store(
        &mut self,
        mut pairs: impl Iterator<Item = (Pair, PairScore)>,
        done: DeviceDone,
        pipeline: &Pipeline<'_>,
    ) -> Result<()> {
        let sorted = &mut self.pairs;
        match done {
            DeviceDone::Joined => {
                return pairs.try_for_each(|(pair, score)| pipeline.take_joined(pair, score, sorted));
            }
            DeviceDone::Staged => {
                return pairs.try_for_each(|(pair, score)| pipeline.take_staged(pair, score, sorted));
            }
            DeviceDone::Found => {}
        }
        self.passed.pairs.extend(pairs.map(|(pair, _)| pair));
        let passed = self.passed.pairs.len();
        self.passed.verdicts.iter_mut().for_each(|verdicts| verdicts.resize(passed, Truth::Unknown));
        pipeline.take(&mut self.passed, &mut self.pairs).map(|_| ())
    }

    /// Decides candidates that a device has deferred.
    pub fn decide_deferred(
        &mut self,
        decide: &BranchProgram,
        batch: &Batch,
        known: impl Iterator<Item = (usize, Vec<Truth>)>,
        outlet: &PairOutlet<'_>,
    ) -> Result<()> {
        self.verifier.verify_deferred(decide, batch, known, &mut self.passed);
        // The device has counted these candidates; what they do here must not count for the next branch.
        self.verifier.steps.clear();
        let kept = outlet.pipeline.take(&mut self.passed, &mut self.pairs)?;
        outlet.counted(0, kept);
        Ok(())
    }
}
