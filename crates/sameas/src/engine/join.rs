//! Branch after branch on all cores: tiles from the access path, batches through the verifier, pairs to the sorter.
//!
//! Where a branch had far more candidates than expected, the branches that have not begun are planned anew with what is
//! known now. A conjunction never moves to a branch that has begun: it might have missed candidates there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::observer::{Progress, Stage};
use super::pair_stage::Pipeline;
use super::prepared::Prepared;
use super::record::OperatorRecord;
use super::watch::Watched;
use crate::candidates::{Batch, Batches, Path, Rows};
use crate::error::{Error, ErrorCode, Result};
use crate::output::Pair;
use crate::output::{PairBuffer, PairSorter};
use crate::plan::{Branch, BranchRecord, PlanRevision, Planner, path_over};
use crate::verify::Truth;
use crate::verify::{BranchProgram, PairBatch, Tally, Verifier};

/// One thread's tools.
pub(super) struct Worker<'a> {
    pub(super) verifier: Verifier<'a>,
    pub(super) pairs: PairBuffer,
    batch: Batch,
    passed: PairBatch,
}

/// All threads' tools, and what they share.
pub struct Joiner<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) workers: Vec<Mutex<Worker<'a>>>,
    pub(super) pipeline: Pipeline<'a>,
    /// The GPUs, if the job runs on any.
    devices: Option<super::gpu::Devices<'a>>,
    /// Candidates so far.
    seen: AtomicU64,
    pub(super) progress: Progress<'a>,
}

/// What the branches came to.
pub struct Joined {
    /// Each branch with its candidates.
    pub branches: Vec<BranchRecord>,
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
        pipeline: Pipeline<'a>,
        progress: Progress<'a>,
    ) -> Result<Self> {
        let wanted = pipeline.wanted_predicates();
        let worker = |_| Worker {
            verifier: Verifier::new(&prepared.program, wanted.clone()),
            pairs: sorter.buffer(),
            batch: Batch::default(),
            passed: PairBatch { pairs: Vec::new(), verdicts: vec![Vec::new(); wanted.len()] },
        };
        let workers = (0..rayon::current_num_threads()).map(worker).map(Mutex::new).collect();
        Ok(Self {
            prepared,
            workers,
            devices: super::gpu::Devices::of(prepared, pipeline.is_direct())?,
            pipeline,
            seen: AtomicU64::new(0),
            progress,
        })
    }

    /// Runs all branches; an index takes at most about `memory` bytes.
    pub fn run(self, memory: usize) -> Result<Joined> {
        let (mut branches, mut operators) = (Vec::new(), Vec::new());
        let mut planner = Planner::new(self.prepared.material()).with_tables(&self.prepared.plan.tables);
        let mut pending: VecDeque<(Branch, Vec<PlanRevision>)> =
            self.prepared.plan.branches.iter().map(|branch| (branch.clone(), Vec::new())).collect();
        while let Some((branch, revisions)) = pending.pop_front() {
            let report = self.timed(branch.clone(), revisions, &planner, memory)?;
            operators.push(operator(&report));
            let candidates = report.candidates.unwrap_or_default();
            branches.push(report);
            if is_surprising(candidates, branch.candidates) && !pending.is_empty() {
                planner.learn(&branch, candidates);
                pending = self.replanned(&planner, &branch, candidates, &pending);
            }
        }
        if let Some(devices) = self.devices {
            devices.finish(self.pipeline.components())?;
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

    /// The branches that have not begun, planned anew.
    fn replanned(
        &self,
        planner: &Planner<'_>,
        ended: &Branch,
        candidates: u64,
        pending: &VecDeque<(Branch, Vec<PlanRevision>)>,
    ) -> VecDeque<(Branch, Vec<PlanRevision>)> {
        let mut left: Vec<usize> = pending.iter().flat_map(|(branch, _)| branch.conjunctions.iter().copied()).collect();
        left.sort_unstable();
        let was_planned = |branch: &Branch| {
            let same = |(old, _): &&(Branch, Vec<PlanRevision>)| {
                old.condition == branch.condition && old.steps == branch.steps
            };
            pending.iter().find(same).map(|(_, revisions)| revisions.clone())
        };
        let describer = self.prepared.describer(planner);
        let revision = PlanRevision::ReplannedBeforeStart {
            joined_on: describer.condition(&ended.condition),
            candidates,
            expected: ended.candidates.round() as u64,
        };
        let revised = |branch: Branch| {
            let revisions = was_planned(&branch).unwrap_or_else(|| vec![revision.clone()]);
            (branch, revisions)
        };
        planner.branches(&left).into_iter().map(revised).collect()
    }

    /// Runs a branch and tells what came of it.
    fn timed(
        &self,
        branch: Branch,
        mut revisions: Vec<PlanRevision>,
        planner: &Planner<'_>,
        memory: usize,
    ) -> Result<BranchRecord> {
        let (begun, before) = (Instant::now(), self.counts());
        let watched = Watched::new(branch, planner, &self.prepared.program);
        let place_note = self.branch(&watched, memory)?;
        let after = self.counts();
        let (last, describer) = (watched.current(), self.prepared.describer(planner));
        revisions.extend(watched.surprises().iter().map(|surprise| PlanRevision::ChecksReordered {
            check: describer.literal(surprise.literal),
            passed: surprise.passed,
            expected: surprise.expected,
        }));
        Ok(BranchRecord {
            candidates: Some(after.0 - before.0),
            pairs: Some(after.1 - before.1),
            seconds: Some(begun.elapsed().as_secs_f64()),
            revisions,
            place_note,
            ..describer.branch(&last.branch).counted(after.0 - before.0, &last.counts())
        })
    }

    /// Candidates and pairs so far.
    fn counts(&self) -> (u64, u64) {
        let owned = |w: &Mutex<Worker<'_>>| lock(w).verifier.tally.owned.iter().sum::<u64>();
        (self.seen.load(Relaxed), self.workers.iter().map(owned).sum())
    }

    /// What the observer learns of a branch.
    fn stage(&self, branch: &Branch, round: (usize, usize), frequent_values: bool) -> Stage {
        let rule = |index: &usize| self.prepared.rules.conjunctions[*index].rule;
        let mut rules: Vec<usize> = branch.conjunctions.iter().map(rule).collect();
        rules.dedup();
        let rules = rules.iter().map(|rule| self.prepared.rules.rules[*rule].name.clone()).collect();
        Stage::Joining { path: branch.condition.access.name(), rules, round, frequent_values }
    }

    /// Runs a branch on the devices or on the CPU; says what devices have left to the CPU, and why.
    fn branch(&self, watched: &Watched<'_, '_>, memory: usize) -> Result<Option<String>> {
        let first = watched.current();
        if let Some(devices) = &self.devices {
            self.progress.begin(&self.stage(&first.branch, (1, 1), false), None);
            let rest = devices.run(&first, self)?;
            rest.rows.into_iter().try_for_each(|rows| self.branch_on_cpu(watched, &first.branch, rows, memory))?;
            return Ok(rest.note);
        }
        let rows = first.branch.condition.rows_of_both(&self.prepared.program, self.prepared.rows);
        self.branch_on_cpu(watched, &first.branch, rows, memory)?;
        Ok(None)
    }

    /// Finds and verifies the candidates of a branch among some left and some right records.
    fn branch_on_cpu(&self, watched: &Watched<'_, '_>, first: &Branch, rows: [Rows; 2], memory: usize) -> Result<()> {
        let mut path = path_over(&first.condition.access, &self.prepared.program, rows, self.prepared.shape(), memory);
        let rounds = path.rounds();
        for round in 0..rounds {
            path.prepare(round);
            self.round(watched, first, (round + 1, rounds), &mut path)?;
        }
        Ok(())
    }

    fn round(
        &self,
        watched: &Watched<'_, '_>,
        first: &Branch,
        round: (usize, usize),
        path: &mut Path<'_>,
    ) -> Result<()> {
        self.progress.begin(&self.stage(first, round, false), Some(path.tasks() as u64));
        self.each(path.tasks(), watched, |task, sink| path.run(task, sink))?;
        let pieces = path.pieces();
        if pieces.is_empty() {
            return Ok(());
        }
        self.progress.begin(&self.stage(first, round, true), Some(pieces.len() as u64));
        self.each(pieces.len(), watched, |piece, sink| path.run_piece(&pieces[piece], sink))
    }

    /// Runs tasks on all cores, each with the tools of its thread.
    fn each(
        &self,
        tasks: usize,
        watched: &Watched<'_, '_>,
        run: impl Fn(usize, &mut Batches<'_, &mut dyn FnMut(&Batch)>) + Sync,
    ) -> Result<()> {
        (0..tasks).into_par_iter().with_max_len(1).try_for_each(|task| {
            let mut worker = self.worker();
            let (before, version) = (worker.verifier.tally.candidates, watched.current());
            worker.run(&version.program, self, |sink| run(task, sink))?;
            watched.ended(&version, &std::mem::take(&mut worker.verifier.steps));
            let seen = worker.verifier.tally.candidates - before;
            drop(worker);
            self.progress.advance(1);
            self.seen(seen)
        })
    }

    /// The tools of this thread.
    pub(super) fn worker(&self) -> MutexGuard<'_, Worker<'a>> {
        lock(&self.workers[rayon::current_thread_index().unwrap_or(0) % self.workers.len()])
    }

    /// Adds candidates that were looked at.
    pub(super) fn seen(&self, candidates: u64) -> Result<()> {
        self.check(self.seen.fetch_add(candidates, Relaxed) + candidates)
    }

    /// Stops a run that the user wants no further, where the number of candidates was not known before.
    fn check(&self, seen: u64) -> Result<()> {
        match self.prepared.job.max_candidates {
            Some(most) if seen > most => Err(Error::usage(format!(
                "the rules give more candidate pairs than the limit of {most}; {seen} had been looked at"
            ))
            .with_help("make a rule stricter or raise the limit")
            .with_code(ErrorCode::CandidateLimit)),
            _ => Ok(()),
        }
    }
}

impl Worker<'_> {
    fn run(
        &mut self,
        decide: &BranchProgram,
        joiner: &Joiner<'_>,
        run: impl FnOnce(&mut Batches<'_, &mut dyn FnMut(&Batch)>),
    ) -> Result<()> {
        let Self { verifier, pairs, batch, passed } = self;
        let (mut taken, cancel) = (Ok(()), joiner.progress.cancel());
        let mut take = |batch: &Batch| {
            cancel.check();
            if taken.is_ok() {
                verifier.verify(decide, batch, passed);
                taken = joiner.pipeline.take(passed, pairs);
            }
        };
        let mut sink = Batches::new(batch, &mut take as &mut dyn FnMut(&Batch));
        run(&mut sink);
        sink.flush();
        taken
    }

    /// Stores pairs that a device has decided, and whose components it may have joined.
    pub(super) fn store(
        &mut self,
        mut pairs: impl Iterator<Item = Pair>,
        joined: bool,
        joiner: &Joiner<'_>,
    ) -> Result<()> {
        let pipeline = &joiner.pipeline;
        if joined {
            return pairs.try_for_each(|pair| pipeline.take_joined(pair, &mut self.pairs));
        }
        self.passed.pairs.extend(pairs);
        let passed = self.passed.pairs.len();
        self.passed.verdicts.iter_mut().for_each(|verdicts| verdicts.resize(passed, Truth::Unknown));
        pipeline.take(&mut self.passed, &mut self.pairs)
    }

    /// Decides candidates that a device has left open.
    pub(super) fn decide_open(
        &mut self,
        decide: &BranchProgram,
        batch: &Batch,
        known: impl Iterator<Item = (usize, Vec<Truth>)>,
        joiner: &Joiner<'_>,
    ) -> Result<()> {
        self.verifier.verify_open(decide, batch, known, &mut self.passed);
        // The device has counted these candidates; what they do here must not count for the next branch.
        self.verifier.steps.clear();
        joiner.pipeline.take(&mut self.passed, &mut self.pairs)
    }
}

/// How many times what was expected a branch must give to have the others planned anew.
const SURPRISE: f64 = 10.0;

/// So many candidates cost too little for a second thought.
const FEW: u64 = 1 << 16;

fn is_surprising(candidates: u64, expected: f64) -> bool {
    candidates > FEW && candidates as f64 >= SURPRISE * expected
}

fn operator(report: &BranchRecord) -> OperatorRecord {
    OperatorRecord {
        operator: format!("{} + verify ({})", report.path.name(), report.rules.join(", ")),
        input: report.candidates.unwrap_or_default(),
        output: report.pairs.unwrap_or_default(),
        seconds: report.seconds.unwrap_or_default(),
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
