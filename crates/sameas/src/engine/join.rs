//! Branch after branch on all cores: tiles from the access path, batches through the verifier, pairs to the sorter.
//!
//! Where a branch had far more candidates than expected, the branches that have not begun are planned anew with what is
//! known now. A conjunction never moves to a branch that has begun: it might have missed candidates there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::adaptive::AdaptiveBranch;
use super::options::Progress;
use super::prepared::Prepared;
use super::record::OperatorRecord;
use crate::candidates::NoDevicePath;
use crate::candidates::{Batch, Batches, Path, PathInput, Rows};
use crate::cluster::Components;
use crate::error::{Error, Result};
use crate::output::{PairBuffer, PairSorter};
use crate::plan::{Branch, BranchReport, Describer, Estimated, Misestimate, PlanRevision, Planner, grouped};
use crate::plan::{BranchPlace, CpuReason, PartsReason};
use crate::verify::Truth;
use crate::verify::{BranchProgram, Pair, Tally, Verifier};

/// One thread's tools.
pub(super) struct Worker<'a> {
    pub(super) verifier: Verifier<'a>,
    pub(super) pairs: PairBuffer,
    batch: Batch,
}

/// All threads' tools, and what they share.
pub struct Joiner<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) workers: Vec<Mutex<Worker<'a>>>,
    components: &'a Components,
    /// The GPUs, if the job runs on any.
    devices: Option<super::gpu::Devices<'a>>,
    /// Candidates so far.
    pub(super) seen: AtomicU64,
    pub(super) progress: &'a dyn Progress,
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
    /// Whether all components are known; else they are found from the pairs.
    pub has_components: bool,
}

impl<'a> Joiner<'a> {
    /// Tools for every thread of the pool.
    pub fn new(
        prepared: &'a Prepared,
        sorter: &PairSorter,
        components: &'a Components,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let worker =
            |_| Worker { verifier: Verifier::new(&prepared.program), pairs: sorter.buffer(), batch: Batch::default() };
        let workers = (0..rayon::current_num_threads()).map(worker).map(Mutex::new).collect();
        Ok(Self {
            prepared,
            workers,
            components,
            devices: super::gpu::Devices::of(prepared)?,
            seen: AtomicU64::new(0),
            progress,
        })
    }

    /// Runs all branches; an index takes at most about `memory` bytes.
    pub fn run(mut self, memory: usize) -> Result<Joined> {
        let (mut branches, mut operators) = (Vec::new(), Vec::new());
        let mut planner = Planner::new(self.prepared.material()).with_tables(&self.prepared.plan.tables);
        let mut pending: VecDeque<Branch> = self.prepared.plan.branches.iter().cloned().collect();
        while let Some(branch) = pending.pop_front() {
            let report = self.timed(branch.clone(), &planner, memory)?;
            operators.push(operator(&report));
            let candidates = report.candidates.unwrap_or_default();
            branches.push(report);
            if is_surprising(candidates, branch.candidates) && !pending.is_empty() {
                planner.learn(&branch, candidates);
                pending = self.replanned(&planner, &branch, candidates, &pending);
            }
        }
        let has_components = self.finish_devices()?;
        let mut tally = Tally::new(self.prepared.program.rules);
        let mut buffers = Vec::with_capacity(self.workers.len());
        for worker in self.workers {
            let worker = worker.into_inner().unwrap_or_else(PoisonError::into_inner);
            tally.add(&worker.verifier.tally);
            buffers.push(worker.pairs);
        }
        Ok(Joined { branches, operators, tally, buffers, has_components })
    }

    /// Adds the components that devices have found; false where they are lost.
    fn finish_devices(&mut self) -> Result<bool> {
        self.devices.take().map_or(Ok(true), |devices| devices.finish(self.components))
    }

    /// The branches that have not begun, planned anew.
    fn replanned(
        &self,
        planner: &Planner<'_>,
        ended: &Branch,
        candidates: u64,
        pending: &VecDeque<Branch>,
    ) -> VecDeque<Branch> {
        let mut left: Vec<usize> = pending.iter().flat_map(|branch| branch.conjunctions.iter().copied()).collect();
        left.sort_unstable();
        let was_planned = |branch: &Branch| {
            let same = |old: &&Branch| old.condition == branch.condition && old.steps == branch.steps;
            pending.iter().find(same).map(|old| old.revisions.clone())
        };
        let what = Estimated::Candidates(ended.condition.clone());
        let cause = Misestimate { what, expected: ended.candidates, seen: candidates as f64 };
        let revised = |branch: Branch| {
            let new = || vec![PlanRevision { conjunctions: branch.conjunctions.clone(), cause: cause.clone() }];
            let revisions = was_planned(&branch).unwrap_or_else(new);
            Branch { revisions, ..branch }
        };
        planner.branches(&left).into_iter().map(revised).collect()
    }

    /// Runs a branch and tells what came of it.
    fn timed(&self, branch: Branch, planner: &Planner<'_>, memory: usize) -> Result<BranchReport> {
        let (begun, before) = (Instant::now(), self.counts());
        let watched = AdaptiveBranch::new(branch, planner, &self.prepared.program);
        let note = self.branch(&watched, memory)?;
        let after = self.counts();
        let (last, describer) = (watched.current(), self.prepared.describer(planner));
        let revisions = [&last.branch.revisions[..], &watched.revisions()].concat();
        let changes = revisions.iter().map(|revision| change(&describer, revision)).chain(note).collect();
        Ok(BranchReport {
            candidates: Some(after.0 - before.0),
            pairs: Some(after.1 - before.1),
            seconds: Some(begun.elapsed().as_secs_f64()),
            changes,
            ..describer.branch(&last.branch).counted(after.0 - before.0, &last.counts())
        })
    }

    /// Candidates and pairs so far.
    fn counts(&self) -> (u64, u64) {
        let owned = |w: &Mutex<Worker<'_>>| lock(w).verifier.tally.owned.iter().sum::<u64>();
        (self.seen.load(Relaxed), self.workers.iter().map(owned).sum())
    }

    /// What the progress says of a branch.
    fn stage(&self, branch: &Branch) -> String {
        let rule = |index: &usize| self.prepared.rules.conjunctions[*index].rule;
        let mut rules: Vec<usize> = branch.conjunctions.iter().map(rule).collect();
        rules.dedup();
        let names: Vec<&str> = rules.iter().map(|rule| self.prepared.rules.rules[*rule].name.as_str()).collect();
        format!("{} for {}", branch.condition.access.name(), names.join(", "))
    }

    /// Runs a branch on the devices or on the CPU; says what devices have left to the CPU, and why.
    fn branch(&self, watched: &AdaptiveBranch<'_, '_>, memory: usize) -> Result<Option<String>> {
        let first = watched.current();
        if let Some(devices) = &self.devices {
            self.progress.begin(&self.stage(&first.branch), None, "parts");
            let left = devices.run(&first, self)?;
            left.rows.into_iter().try_for_each(|rows| self.branch_on_cpu(watched, &first.branch, rows, memory))?;
            return Ok(place_note(&left.place, first.branch.condition.access.name()));
        }
        let rows = first.branch.condition.rows_of_both(&self.prepared.program.checks, self.prepared.rows);
        self.branch_on_cpu(watched, &first.branch, rows, memory)?;
        Ok(None)
    }

    /// Finds and verifies the candidates of a branch among some left and some right records.
    fn branch_on_cpu(
        &self,
        watched: &AdaptiveBranch<'_, '_>,
        first: &Branch,
        rows: [Rows; 2],
        memory: usize,
    ) -> Result<()> {
        let stage = self.stage(first);
        let (source, shape) = (self.prepared.program.source(), self.prepared.shape());
        let mut path = first.condition.access.path(PathInput { source, rows, shape, memory });
        let rounds = path.rounds();
        for round in 0..rounds {
            path.prepare(round);
            let stage = if rounds == 1 { stage.clone() } else { format!("{stage}, round {} of {rounds}", round + 1) };
            self.round(&stage, watched, &mut path)?;
        }
        Ok(())
    }

    fn round(&self, stage: &str, watched: &AdaptiveBranch<'_, '_>, path: &mut Path<'_>) -> Result<()> {
        self.progress.begin(stage, Some(path.tasks() as u64), "parts");
        self.each(path.tasks(), watched, |task, sink| path.run(task, sink))?;
        let pieces = path.pieces();
        if pieces.is_empty() {
            return Ok(());
        }
        self.progress.begin(&format!("{stage}, frequent values"), Some(pieces.len() as u64), "parts");
        self.each(pieces.len(), watched, |piece, sink| path.run_piece(&pieces[piece], sink))
    }

    /// Runs tasks on all cores, each with the tools of its thread.
    fn each(
        &self,
        tasks: usize,
        watched: &AdaptiveBranch<'_, '_>,
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
        match self.prepared.options.max_pairs {
            Some(most) if seen > most => Err(Error::usage(format!(
                "the rules give more candidate pairs than --max-pairs {most}; {seen} had been looked at"
            ))
            .with_help("make a rule stricter or raise --max-pairs")),
            _ => Ok(()),
        }
    }

    /// Links the two records of a pair.
    pub(super) fn link(&self, pair: Pair) {
        self.components.join(pair.l, self.prepared.right_offset() + pair.r);
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

    /// Decides candidates that a device has left open.
    pub(super) fn decide_open(
        &mut self,
        decide: &BranchProgram,
        batch: &Batch,
        known: impl Iterator<Item = (usize, Vec<Truth>)>,
        joiner: &Joiner<'_>,
    ) -> Result<()> {
        let (mut stored, pairs) = (Ok(()), &mut self.pairs);
        self.verifier.verify_open(decide, batch, known, &mut |pair| {
            joiner.link(pair);
            if stored.is_ok() {
                stored = pairs.push(pair);
            }
        });
        // The device has counted these candidates; what they do here must not count for the next branch.
        self.verifier.steps.clear();
        stored
    }
}

/// How many times what was expected a branch must give to have the others planned anew.
const SURPRISE: f64 = 10.0;

/// So many candidates cost too little for a second thought.
const FEW: u64 = 1 << 16;

fn is_surprising(candidates: u64, expected: f64) -> bool {
    candidates > FEW && candidates as f64 >= SURPRISE * expected
}

/// A revision in words.
fn change(describer: &Describer<'_, '_>, revision: &PlanRevision) -> String {
    let Misestimate { what, expected, seen } = &revision.cause;
    match what {
        Estimated::Share(literal) => format!(
            "checks were put into a new order while it ran: {} passed {:.1} % of what it was asked, and {:.1} % were \
             expected",
            describer.literal(*literal),
            seen * 100.0,
            expected * 100.0
        ),
        Estimated::Candidates(condition) => format!(
            "planned anew before it began: joining on {} had given {} candidates, and {} were expected",
            describer.condition(condition),
            grouped(*seen as u64),
            grouped(expected.round() as u64)
        ),
    }
}

fn operator(report: &BranchReport) -> OperatorRecord {
    OperatorRecord {
        operator: format!("{} + verify ({})", report.path, report.rules.join(", ")),
        input: report.candidates.unwrap_or_default(),
        output: report.pairs.unwrap_or_default(),
        seconds: report.seconds.unwrap_or_default(),
    }
}

/// What is said of the place of a branch.
fn place_note(place: &BranchPlace, path: &str) -> Option<String> {
    let on_cpu = |reason: &str| Some(format!("ran on the CPU: {reason}"));
    match place {
        BranchPlace::Device | BranchPlace::Cpu { reason: CpuReason::NoDevice } => None,
        BranchPlace::Cpu { reason: CpuReason::ExpectedSooner } => on_cpu("it is expected to end sooner there"),
        BranchPlace::Cpu { reason: CpuReason::NoDevicePath { missing: NoDevicePath::Measure } } => {
            on_cpu("this measure has no kernel")
        }
        BranchPlace::Cpu { reason: CpuReason::NoDevicePath { missing: NoDevicePath::Path } } => {
            on_cpu(&format!("{path} has no kernel yet"))
        }
        BranchPlace::Cpu { reason: CpuReason::DoesNotFit(reason) } => on_cpu(&reason.to_string()),
        BranchPlace::Cpu { reason: CpuReason::DeviceFailedBefore } => on_cpu("the device had failed before"),
        BranchPlace::CpuAfterDeviceFailure { error } => on_cpu(&format!("the device had failed: {error}")),
        BranchPlace::DeviceInParts { parts, on_cpu, reason } => {
            let on_cpu = if *on_cpu == 0 { String::new() } else { format!(", {on_cpu} of them on the CPU") };
            let reason = match reason {
                PartsReason::Requested => "it was to be cut".into(),
                PartsReason::DoesNotFit(reason) => reason.to_string(),
            };
            Some(format!("ran in {parts} parts{on_cpu}: {reason}"))
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
