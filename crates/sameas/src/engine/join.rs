//! Branch by branch on all cores: tiles from the access path, batches through the verifier, pairs to the sorter.
//!
//! Where a branch had far more candidates than expected, the branches that have not begun are planned again with what is
//! known now. A conjunction never moves to a branch that has begun: it might have missed candidates there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::adaptive::AdaptiveBranch;
use super::checkpoint::{Checkpoint, FinishedBranch, Stored};
use super::observer::{Progress, Stage};
use super::pair_stage::{DeviceDone, Pipeline};
use super::prepared::Prepared;
use super::record::{Operator, OperatorRecord};
use super::rectangles::{Rectangle, rectangles};
use crate::candidates::{Batch, Batches, Path, PathInput, Rows};
use crate::error::{Error, ErrorCode, Result};
use crate::output::{PairBuffer, PairSorter};
use crate::plan::{Branch, BranchPlace, BranchRecord, Estimated, Misestimate, Plan, PlanRevision, Planner};
use crate::verify::{BranchProgram, Pair, PairBatch, Tally, Truth, Verifier};

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
    /// The branches to be run.
    plan: &'a Plan,
    /// All records of both sides.
    rows: [Rows; 2],
    pub(super) workers: Vec<Mutex<Worker<'a>>>,
    pub(super) pipeline: Pipeline<'a>,
    /// The GPUs, if the job runs on any.
    devices: Option<super::gpu::Devices<'a>>,
    /// Candidates so far.
    pub(super) seen: AtomicU64,
    pub(super) progress: Progress<'a>,
    /// Where the branch at work is among all.
    place: PlaceInPlan,
    /// Branches that another joiner runs afterwards.
    later: &'a [Branch],
    /// Where what has ended is kept, if the run can be resumed.
    checkpoint: Option<Checkpoint>,
    /// What an interrupted run has left.
    stored: Option<Stored>,
    /// The operators that have ended.
    pub(super) operators: Mutex<Vec<OperatorRecord>>,
}

/// Where a branch is among all branches, by number and by the cost that the planner expects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlaceInPlan {
    number: usize,
    branches: usize,
    /// Of the branches that have ended, of this one, and of all.
    ended: f64,
    cost: f64,
    all: f64,
}

impl PlaceInPlan {
    /// The next branch, after which these are pending.
    fn next<'b>(self, branch: &Branch, pending: impl Iterator<Item = &'b Branch>) -> Self {
        let ended = self.ended + self.cost;
        let (left, cost) = pending.fold((0, 0.0), |(left, cost), branch| (left + 1, cost + branch.cost));
        Self {
            number: self.number + 1,
            branches: self.number + 1 + left,
            ended,
            cost: branch.cost,
            all: ended + branch.cost + cost,
        }
    }

    /// From where to where a round of the branch is of all work, in thousandths.
    fn work(&self, (round, rounds): (usize, usize)) -> Option<(u32, u32)> {
        let at = |round: usize| 1000.0 * (self.ended + self.cost * round as f64 / rounds as f64) / self.all;
        (self.cost > 0.0).then(|| (at(round - 1) as u32, at(round) as u32))
    }
}

/// What the branches came to.
pub struct Joined {
    /// Each branch with its candidates.
    pub branches: Vec<BranchRecord>,
    /// The branches that this run has joined, and what devices did for them, with their times.
    pub operators: Vec<OperatorRecord>,
    /// Counts by rule.
    pub tally: Tally,
    /// The pairs, to be given back to the sorter.
    pub buffers: Vec<PairBuffer>,
    /// Whether all components are known; else they are found from the pairs.
    pub has_components: bool,
    /// Where the last branch was among all.
    pub(super) place: PlaceInPlan,
}

impl<'a> Joiner<'a> {
    /// Tools for every thread of the pool.
    pub fn new(
        (prepared, plan): (&'a Prepared, &'a Plan),
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
            plan,
            rows: Rows::of_sides(prepared.rows),
            workers,
            devices: super::gpu::Devices::of(prepared, pipeline.lets_devices_join())?,
            pipeline,
            seen: AtomicU64::new(0),
            progress,
            place: PlaceInPlan::default(),
            later: &[],
            checkpoint: None,
            stored: None,
            operators: Mutex::default(),
        })
    }

    /// Joins only these records of both sides.
    pub(super) fn only(&mut self, rows: [Rows; 2]) {
        self.rows = rows;
    }

    /// Another joiner will run these branches afterwards.
    pub fn is_followed_by(&mut self, later: &'a Plan) {
        self.later = &later.branches;
    }

    /// Other branches have run before, the last of them at this place; they had this many candidates.
    pub(super) fn follows(&mut self, place: PlaceInPlan, candidates: u64) {
        (self.place, *self.seen.get_mut()) = (place, candidates);
    }

    /// Keeps what branches have found in `checkpoint`, and goes on after what is stored in it.
    pub fn keep_checkpoint(&mut self, checkpoint: Checkpoint, stored: Option<Stored>) {
        if let Some(stored) = &stored {
            lock(&self.workers[0]).verifier.tally.add(&stored.tally(&self.prepared.program));
            let candidates: u64 = stored.finished().filter_map(|finished| finished.record.candidates).sum();
            *self.seen.get_mut() += candidates;
        }
        (self.checkpoint, self.stored) = (Some(checkpoint), stored);
    }

    /// Runs all branches; an index takes at most about `memory` bytes.
    pub fn run(mut self, memory: usize) -> Result<Joined> {
        let mut branches: Vec<BranchRecord> = Vec::new();
        let mut planner = Planner::new(self.prepared.plan_input()).with_tables(&self.prepared.plan.tables);
        let mut pending: VecDeque<Branch> = self.plan.branches.iter().cloned().collect();
        for FinishedBranch { branch, record } in self.stored.iter().flat_map(Stored::finished) {
            let candidates = record.candidates.unwrap_or_default();
            if is_misestimated(candidates, branch.candidates) {
                planner.learn(branch, candidates);
            }
            branches.push(record.clone());
        }
        self.place.number += branches.len();
        while let Some(branch) = pending.pop_front() {
            self.place = self.place.next(&branch, pending.iter().chain(self.later));
            let report = self.timed(branch.clone(), &planner, memory)?;
            let candidates = report.candidates.unwrap_or_default();
            branches.push(report.clone());
            let is_replanned = is_misestimated(candidates, branch.candidates) && !pending.is_empty();
            if is_replanned {
                planner.learn(&branch, candidates);
                pending = self.replanned(&planner, &branch, candidates, &pending);
            }
            if self.checkpoint.as_mut().is_some_and(|checkpoint| checkpoint.ended(branch, report, is_replanned)) {
                self.save_checkpoint(&pending)?;
            }
        }
        self.save_checkpoint(&pending)?;
        let has_components = self.finish_devices()?;
        let (tally, place) = (self.tally(), self.place);
        let pairs = |worker: Mutex<Worker<'a>>| worker.into_inner().unwrap_or_else(PoisonError::into_inner).pairs;
        let buffers = self.workers.into_iter().map(pairs).collect();
        let operators = self.operators.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Joined { branches, operators, tally, buffers, has_components, place })
    }

    /// The counts of all workers.
    fn tally(&self) -> Tally {
        let mut tally = Tally::new(&self.prepared.program);
        self.workers.iter().for_each(|worker| tally.add(&lock(worker).verifier.tally));
        tally
    }

    /// Stores what has ended and is not stored, if the run can be resumed.
    fn save_checkpoint(&mut self, pending: &VecDeque<Branch>) -> Result<()> {
        let Some(mut checkpoint) = self.checkpoint.take() else { return Ok(()) };
        self.workers.par_iter().try_for_each(|worker| {
            let pairs = &mut lock(worker).pairs;
            pairs.flush().map(|()| pairs.end_spill())
        })?;
        checkpoint.save(&self.tally(), &lock(&self.workers[0]).pairs, pending)?;
        self.checkpoint = Some(checkpoint);
        Ok(())
    }

    /// Adds the components that devices have found; false where they are lost.
    fn finish_devices(&mut self) -> Result<bool> {
        match (self.devices.take(), self.pipeline.components()) {
            (Some(devices), Some(components)) => devices.finish(components),
            _ => Ok(true),
        }
    }

    /// The branches that have not begun, planned again.
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

    /// Runs a branch and records what came of it.
    fn timed(&self, branch: Branch, planner: &Planner<'_>, memory: usize) -> Result<BranchRecord> {
        let (begun, before, copied) = (Instant::now(), self.counts(), self.copied());
        let far = self.prepared.settings.device_options.mends_at;
        let adaptive = AdaptiveBranch::new(branch, planner, &self.prepared.program, far);
        let place = self.branch(&adaptive, memory)?;
        let after = self.counts();
        let (last, describer) = (adaptive.current(), self.prepared.describer(planner));
        let revisions = [&last.branch.revisions[..], &adaptive.revisions()].concat();
        let revisions = revisions.iter().map(|revision| describer.revision(revision)).collect();
        let record = BranchRecord {
            candidates: Some(after.0 - before.0),
            pairs: Some(after.1 - before.1),
            seconds: Some(begun.elapsed().as_secs_f64()),
            revisions,
            place,
            ..describer.branch(&last.branch).counted(after.0 - before.0, &last.counts())
        };
        let operator = self.prepared.timeline.since(begun, Operator::JoinAndVerify).of_branch(&record);
        let bytes = Some(self.copied() - copied).filter(|bytes| *bytes > 0);
        lock(&self.operators).push(OperatorRecord { bytes, ..operator });
        Ok(record)
    }

    /// Bytes that were copied to and from devices so far.
    fn copied(&self) -> u64 {
        self.devices.as_ref().map_or(0, super::gpu::Devices::copied)
    }

    /// Candidates and pairs so far.
    fn counts(&self) -> (u64, u64) {
        let owned = |w: &Mutex<Worker<'_>>| lock(w).pairs();
        (self.seen.load(Relaxed), self.workers.iter().map(owned).sum())
    }

    /// The observer learns of more candidates, and of more pairs that all stages have left. Near pairs are not among the
    /// pairs of the job.
    pub(super) fn counted(&self, candidates: u64, pairs: u64) {
        self.progress.counted(candidates, if self.pipeline.components().is_some() { pairs } else { 0 });
    }

    /// What the observer learns of a branch.
    fn stage(&self, branch: &Branch, round: (usize, usize), frequent_values: bool) -> Stage {
        let rule = |index: &usize| self.prepared.rules.conjunctions[*index].rule;
        let mut rules: Vec<usize> = branch.conjunctions.iter().map(rule).collect();
        rules.dedup();
        let near = rules.iter().any(|rule| *rule >= self.prepared.rules.written_rules());
        let mut rules: Vec<String> = rules.iter().map(|rule| self.prepared.rules.rules[*rule].name.clone()).collect();
        // The near rules of a rule have its name.
        rules.dedup();
        let path = branch.condition.access.path;
        let (place, work) = ((self.place.number, self.place.branches), self.place.work(round));
        let work = work.filter(|_| !frequent_values);
        Stage::Joining { path, rules, near, branch: place, work, round, frequent_values }
    }

    /// Runs a branch on the devices or on the CPU; says where, if the job has devices.
    fn branch(&self, adaptive: &AdaptiveBranch<'_, '_>, memory: usize) -> Result<Option<BranchPlace>> {
        let (first, program) = (adaptive.current(), &self.prepared.program);
        let rows = first.branch.condition.rows_of_both(&program.checks, &self.rows);
        let mut place: Option<BranchPlace> = None;
        for Rectangle { rows, shape } in rectangles(program, rows, self.prepared.shape()) {
            let left = match &self.devices {
                Some(devices) => {
                    self.progress.begin(&self.stage(&first.branch, (1, 1), false), None);
                    let left = devices.run((adaptive, &first), rows, self)?;
                    place = Some(place.map_or(left.place.clone(), |before| before.and(&left.place)));
                    left.rows
                }
                None => vec![rows],
            };
            let on_cpu = |rows| self.branch_on_cpu(adaptive, &first.branch, Rectangle { rows, shape }, memory);
            left.into_iter().try_for_each(on_cpu)?;
        }
        Ok(place)
    }

    /// Finds and verifies the candidates of a branch among some left and some right records.
    fn branch_on_cpu(
        &self,
        adaptive: &AdaptiveBranch<'_, '_>,
        first: &Branch,
        Rectangle { rows, shape }: Rectangle,
        memory: usize,
    ) -> Result<()> {
        let source = self.prepared.program.source();
        let mut path = first.condition.access.path(PathInput { source, rows, shape, memory });
        let rounds = path.rounds();
        for round in 0..rounds {
            self.progress.cancel().check();
            path.prepare(round);
            self.round(adaptive, first, (round + 1, rounds), &mut path)?;
        }
        Ok(())
    }

    fn round(
        &self,
        adaptive: &AdaptiveBranch<'_, '_>,
        first: &Branch,
        round: (usize, usize),
        path: &mut Path<'_>,
    ) -> Result<()> {
        self.progress.begin(&self.stage(first, round, false), Some(path.tasks() as u64));
        self.each(path.tasks(), adaptive, |task, sink| path.run(task, sink))?;
        let pieces = path.pieces();
        if pieces.is_empty() {
            return Ok(());
        }
        self.progress.begin(&self.stage(first, round, true), Some(pieces.len() as u64));
        self.each(pieces.len(), adaptive, |piece, sink| path.run_piece(&pieces[piece], sink))
    }

    /// Runs tasks on all cores, each with the tools of its thread.
    fn each(
        &self,
        tasks: usize,
        adaptive: &AdaptiveBranch<'_, '_>,
        run: impl Fn(usize, &mut Batches<'_, &mut dyn FnMut(&Batch)>) + Sync,
    ) -> Result<()> {
        (0..tasks).into_par_iter().with_max_len(1).try_for_each(|task| {
            let mut worker = self.worker();
            let (before, revision) = (worker.verifier.tally.candidates, adaptive.current());
            worker.run(&revision.program, self, |sink| run(task, sink))?;
            adaptive.ended(&revision, &std::mem::take(&mut worker.verifier.steps));
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

    /// Refuses to go on with more candidates than the caller allows, where their number was not known before.
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
    /// Pairs it has found or been given.
    fn pairs(&self) -> u64 {
        self.verifier.tally.owned.iter().sum()
    }

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
                // Batch by batch: a task may take minutes.
                taken = joiner.pipeline.take(passed, pairs).map(|kept| joiner.counted(batch.l.len() as u64, kept));
            }
        };
        let mut sink = Batches::new(batch, &mut take as &mut dyn FnMut(&Batch));
        run(&mut sink);
        sink.flush();
        taken
    }

    /// Stores pairs that a device has decided.
    pub(super) fn store(
        &mut self,
        mut pairs: impl Iterator<Item = Pair>,
        done: DeviceDone,
        joiner: &Joiner<'_>,
    ) -> Result<()> {
        let pipeline = &joiner.pipeline;
        match done {
            DeviceDone::Joined => return pairs.try_for_each(|pair| pipeline.take_joined(pair, &mut self.pairs)),
            DeviceDone::Staged => return pairs.try_for_each(|pair| pipeline.take_staged(pair, &mut self.pairs)),
            DeviceDone::Found => {}
        }
        self.passed.pairs.extend(pairs);
        let passed = self.passed.pairs.len();
        self.passed.verdicts.iter_mut().for_each(|verdicts| verdicts.resize(passed, Truth::Unknown));
        pipeline.take(&mut self.passed, &mut self.pairs).map(|_| ())
    }

    /// Decides candidates that a device has deferred.
    pub(super) fn decide_deferred_batch(
        &mut self,
        decide: &BranchProgram,
        batch: &Batch,
        known: impl Iterator<Item = (usize, Vec<Truth>)>,
        joiner: &Joiner<'_>,
    ) -> Result<()> {
        self.verifier.verify_deferred(decide, batch, known, &mut self.passed);
        // The device has counted these candidates; what they do here must not count for the next branch.
        self.verifier.steps.clear();
        let kept = joiner.pipeline.take(&mut self.passed, &mut self.pairs)?;
        joiner.counted(0, kept);
        Ok(())
    }
}

/// A branch with this many times the expected candidates has the others planned again.
const MISESTIMATE: f64 = 10.0;

/// Up to this many candidates cost too little to plan again.
const FEW: u64 = 1 << 16;

fn is_misestimated(candidates: u64, expected: f64) -> bool {
    candidates > FEW && candidates as f64 >= MISESTIMATE * expected
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
