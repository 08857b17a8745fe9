//! Branch after branch on all cores: tiles from the access path, batches through the verifier, pairs to the sorter.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::options::Progress;
use super::prepared::Prepared;
use super::record::OperatorRecord;
use crate::candidates::{Batch, Batches, Path};
use crate::cluster::Components;
use crate::error::{Error, Result};
use crate::output::{Pair, PairBuffer, PairSorter};
use crate::plan::{Branch, BranchReport, describe};
use crate::rules::LinkType;
use crate::verify::{BranchProgram, Tally, Verifier};

/// One thread's tools.
struct Worker<'a> {
    verifier: Verifier<'a>,
    pairs: PairBuffer,
    batch: Batch,
}

/// All threads' tools, and what they share.
pub struct Joiner<'a> {
    prepared: &'a Prepared,
    workers: Vec<Mutex<Worker<'a>>>,
    components: &'a Components,
    /// Candidates so far.
    seen: AtomicU64,
    progress: &'a dyn Progress,
}

/// What the branches came to.
pub struct Joined {
    /// Each branch with its candidates.
    pub branches: Vec<BranchReport>,
    /// Each branch with its time.
    pub operators: Vec<OperatorRecord>,
    /// Counts by rule.
    pub tally: Tally,
    /// The pairs, to be given back to the sorter.
    pub buffers: Vec<PairBuffer>,
}

impl<'a> Joiner<'a> {
    /// Tools for every thread of the pool.
    pub fn new(
        prepared: &'a Prepared,
        sorter: &PairSorter,
        components: &'a Components,
        progress: &'a dyn Progress,
    ) -> Self {
        let worker =
            |_| Worker { verifier: Verifier::new(&prepared.program), pairs: sorter.buffer(), batch: Batch::default() };
        let workers = (0..rayon::current_num_threads()).map(worker).map(Mutex::new).collect();
        Self { prepared, workers, components, seen: AtomicU64::new(0), progress }
    }

    /// Runs all branches; an index takes at most about `memory` bytes.
    pub fn run(self, memory: usize) -> Result<Joined> {
        let (mut branches, mut operators) = (Vec::new(), Vec::new());
        for branch in &self.prepared.plan.branches {
            let (begun, before) = (Instant::now(), self.counts());
            self.branch(branch, memory)?;
            let after = self.counts();
            let report = self.report(branch, after.0 - before.0);
            operators.push(OperatorRecord {
                operator: format!("{} + verify ({})", report.path, report.rules.join(", ")),
                input: after.0 - before.0,
                output: after.1 - before.1,
                seconds: begun.elapsed().as_secs_f64(),
            });
            branches.push(report);
        }
        let mut tally = Tally::new(self.prepared.program.rules);
        let mut buffers = Vec::with_capacity(self.workers.len());
        for worker in self.workers {
            let worker = worker.into_inner().unwrap_or_else(PoisonError::into_inner);
            tally.add(&worker.verifier.tally);
            buffers.push(worker.pairs);
        }
        Ok(Joined { branches, operators, tally, buffers })
    }

    /// Candidates and pairs so far.
    fn counts(&self) -> (u64, u64) {
        let owned = |w: &Mutex<Worker<'_>>| lock(w).verifier.tally.owned.iter().sum::<u64>();
        (self.seen.load(Relaxed), self.workers.iter().map(owned).sum())
    }

    fn report(&self, branch: &Branch, candidates: u64) -> BranchReport {
        let rules = &self.prepared.rules;
        let nevers: Vec<&str> = rules.nevers.iter().map(|n| n.text.as_str()).collect();
        let values = branch.values(&self.prepared.program);
        BranchReport { values, ..describe(branch, rules, &nevers, candidates, true) }
    }

    /// What the progress says of a branch.
    fn stage(&self, branch: &Branch) -> String {
        let rule = |index: &usize| self.prepared.rules.conjunctions[*index].rule;
        let mut rules: Vec<usize> = branch.conjunctions.iter().map(rule).collect();
        rules.dedup();
        let names: Vec<&str> = rules.iter().map(|rule| self.prepared.rules.rules[*rule].name.as_str()).collect();
        format!("{} for {}", branch.access.name(), names.join(", "))
    }

    fn branch(&self, branch: &Branch, memory: usize) -> Result<()> {
        let Prepared { program, rows, .. } = self.prepared;
        let decide = BranchProgram::new(program, &branch.conjunctions, branch.implied());
        let stage = self.stage(branch);
        let mut path = branch.path(program, *rows, self.prepared.shape(), memory);
        let rounds = path.rounds();
        for round in 0..rounds {
            path.prepare(round);
            let stage = if rounds == 1 { stage.clone() } else { format!("{stage}, round {} of {rounds}", round + 1) };
            self.round(&stage, &decide, &mut path)?;
        }
        Ok(())
    }

    fn round(&self, stage: &str, decide: &BranchProgram, path: &mut Path<'_>) -> Result<()> {
        self.progress.begin(stage, Some(path.tasks() as u64), "parts");
        self.each(path.tasks(), decide, |task, sink| path.run(task, sink))?;
        let pieces = path.pieces();
        if pieces.is_empty() {
            return Ok(());
        }
        self.progress.begin(&format!("{stage}, frequent values"), Some(pieces.len() as u64), "parts");
        self.each(pieces.len(), decide, |piece, sink| path.run_piece(&pieces[piece], sink))
    }

    /// Runs tasks on all cores, each with the tools of its thread.
    fn each(
        &self,
        tasks: usize,
        decide: &BranchProgram,
        run: impl Fn(usize, &mut Batches<'_, &mut dyn FnMut(&Batch)>) + Sync,
    ) -> Result<()> {
        (0..tasks).into_par_iter().with_max_len(1).try_for_each(|task| {
            let mut worker = lock(&self.workers[rayon::current_thread_index().unwrap_or(0) % self.workers.len()]);
            let before = worker.verifier.tally.candidates;
            worker.run(decide, self, |sink| run(task, sink))?;
            let seen = worker.verifier.tally.candidates - before;
            drop(worker);
            self.progress.advance(1);
            self.check(self.seen.fetch_add(seen, Relaxed) + seen)
        })
    }

    /// Stops a run that the user wants no further, where the number of candidates was not known before.
    fn check(&self, seen: u64) -> Result<()> {
        match self.prepared.options.max_pairs {
            Some(most) if seen > most => Err(Error::usage(format!(
                "the rules give more candidate pairs than --max-pairs {most}; {seen} had been looked at"
            ))
            .with_help("make a rule stricter or raise --max-pairs")),
            _ => Ok(()),
        }
    }

    /// Links the two records of a pair.
    fn link(&self, pair: Pair) {
        let link_only = self.prepared.rules.link_type == LinkType::LinkOnly;
        let offset = if link_only { self.prepared.rows[0] } else { 0 };
        self.components.join(pair.l, offset + pair.r);
    }
}

impl Worker<'_> {
    fn run(
        &mut self,
        decide: &BranchProgram,
        joiner: &Joiner<'_>,
        run: impl FnOnce(&mut Batches<'_, &mut dyn FnMut(&Batch)>),
    ) -> Result<()> {
        let Self { verifier, pairs, batch } = self;
        let mut stored = Ok(());
        let mut take = |batch: &Batch| {
            if stored.is_ok() {
                verifier.verify(decide, batch, &mut |pair| {
                    joiner.link(pair);
                    if stored.is_ok() {
                        stored = pairs.push(pair);
                    }
                });
            }
        };
        let mut sink = Batches::new(batch, &mut take as &mut dyn FnMut(&Batch));
        run(&mut sink);
        sink.flush();
        stored
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
