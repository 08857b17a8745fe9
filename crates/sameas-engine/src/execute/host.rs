//! The host's side of the branches of a run, as the joins see it, those of devices too: what is joined, the tools of all
//! threads, and what they have counted.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::machine::Machine;
use super::pair_stage::Pipeline;
use super::scope::JoinScope;
use super::worker::{PairOutlet, Worker};
use crate::error::{Error, ErrorCode, Result};
use crate::observer::Progress;
use crate::output::{PairBuffer, PairSorter};
use crate::timeline::OperatorRecord;
use crate::verify::{Program, Tally};

/// Where the pairs of an execution go.
pub struct PairSink<'a> {
    /// The stages and the components.
    pub pipeline: Pipeline<'a>,
    /// The sort.
    pub sorter: &'a PairSorter,
}

/// What branches are run with. One runs at a time, on all threads and all devices.
pub struct BranchHost<'a> {
    /// What is evaluated.
    pub program: &'a Program,
    /// What it runs on.
    pub machine: &'a Machine,
    /// The pairs that are looked for.
    pub scope: JoinScope,
    /// Where pairs go.
    pub outlet: PairOutlet<'a>,
    /// The tools of each thread.
    pub workers: Vec<Mutex<Worker<'a>>>,
    /// Candidates so far.
    pub candidates: AtomicU64,
    /// The candidates that the caller allows.
    most_candidates: Option<u64>,
    /// The operators that have ended.
    operators: Mutex<Vec<OperatorRecord>>,
}

impl<'a> BranchHost<'a> {
    /// Tools for every thread of the pool.
    pub fn new(
        program: &'a Program,
        machine: &'a Machine,
        scope: JoinScope,
        PairSink { pipeline, sorter }: PairSink<'a>,
        most_candidates: Option<u64>,
        progress: Progress<'a>,
    ) -> Self {
        let wanted = pipeline.wanted_predicates();
        let worker = |_| Mutex::new(Worker::new(program, wanted.clone(), sorter.buffer()));
        let workers = (0..rayon::current_num_threads()).map(worker).collect();
        let outlet = PairOutlet { pipeline, progress };
        let (candidates, operators) = (AtomicU64::new(0), Mutex::default());
        Self { program, machine, scope, outlet, workers, candidates, most_candidates, operators }
    }

    /// The stages and the components.
    pub fn pipeline(&self) -> &Pipeline<'a> {
        &self.outlet.pipeline
    }

    /// The tools of this thread.
    pub fn worker(&self) -> MutexGuard<'_, Worker<'a>> {
        lock(&self.workers[rayon::current_thread_index().unwrap_or(0) % self.workers.len()])
    }

    /// The counts of all workers.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::new(self.program);
        self.workers.iter().for_each(|worker| tally.add(&lock(worker).verifier.tally));
        tally
    }

    /// Adds what was counted before.
    pub fn add_counts(&mut self, tally: &Tally, candidates: u64) {
        lock(&self.workers[0]).verifier.tally.add(tally);
        *self.candidates.get_mut() += candidates;
    }

    /// Candidates and pairs so far.
    pub fn counts(&self) -> (u64, u64) {
        (self.candidates.load(Relaxed), self.workers.iter().map(|worker| lock(worker).owned()).sum())
    }

    /// Adds candidates that were looked at.
    pub fn seen(&self, candidates: u64) -> Result<()> {
        self.check(self.candidates.fetch_add(candidates, Relaxed) + candidates)
    }

    /// Refuses to go on with more candidates than the caller allows, where their number was not known before.
    fn check(&self, seen: u64) -> Result<()> {
        match self.most_candidates {
            Some(most) if seen > most => Err(Error::usage(format!(
                "the rules give more candidate pairs than the limit of {most}; {seen} had been looked at"
            ))
            .with_help("make a rule stricter or raise the limit")
            .with_code(ErrorCode::CandidateLimit)),
            _ => Ok(()),
        }
    }

    /// An operator has ended.
    pub fn ended(&self, operator: OperatorRecord) {
        lock(&self.operators).push(operator);
    }

    /// Sorts what the buffers hold: all pairs so far are then in runs, which no later pair is added to.
    pub fn end_runs(&self) -> Result<()> {
        self.workers.par_iter().try_for_each(|worker| {
            let pairs = &mut lock(worker).pairs;
            pairs.flush().map(|()| pairs.end_spill())
        })
    }

    /// The buffers, to be given back to the sorter, and the operators that have ended.
    pub fn into_buffers(self) -> (Vec<PairBuffer>, Vec<OperatorRecord>) {
        let buffer = |worker: Mutex<Worker<'a>>| worker.into_inner().unwrap_or_else(PoisonError::into_inner).pairs;
        let operators = self.operators.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.workers.into_iter().map(buffer).collect(), operators)
    }
}

/// Locks what a panic leaves as it is.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
