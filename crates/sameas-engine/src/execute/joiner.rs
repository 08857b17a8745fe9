//! One branch on all cores: tiles from the access path, batches through the verifier, pairs to the sorter.

use rayon::prelude::*;

use super::adaptive::AdaptiveBranch;
use super::gpu::Devices;
use super::host::BranchHost;
use super::place_in_plan::PlaceInPlan;
use super::rectangles::{Rectangle, rectangles};
use crate::candidates::{Batch, Batches, Path, PathInput, Rows};
use crate::error::Result;
use crate::observer::{Progress, Stage};
use crate::plan::{Branch, BranchPlace};
use crate::rules::RuleSet;

/// Runs branches, each on the devices or on the CPU.
pub struct Joiner<'a> {
    /// The tools of all threads.
    pub host: BranchHost<'a>,
    /// The names of rules.
    pub rules: &'a RuleSet,
    /// Where the branch at work is among all.
    pub place: PlaceInPlan,
    /// The GPUs, if the job runs on any.
    devices: Option<Devices<'a>>,
    /// The bytes that an index takes at most, about.
    memory: usize,
}

impl<'a> Joiner<'a> {
    /// Runs branches with the tools of a host, the first of them after this place.
    pub fn new(host: BranchHost<'a>, rules: &'a RuleSet, place: PlaceInPlan) -> Result<Self> {
        let devices = Devices::open(&host)?;
        let memory = host.machine.memory.join.saturating_sub(host.program.table_bytes());
        Ok(Self { host, rules, place, devices, memory })
    }

    /// Adds the components that devices have found; false where they are lost.
    pub fn finish_devices(&mut self) -> Result<bool> {
        match (self.devices.take(), self.host.pipeline().components()) {
            (Some(devices), Some(components)) => devices.finish(components),
            _ => Ok(true),
        }
    }

    /// Bytes that were copied to and from devices so far.
    pub fn copied(&self) -> u64 {
        self.devices.as_ref().map_or(0, Devices::copied)
    }

    fn progress(&self) -> Progress<'a> {
        self.host.outlet.progress
    }

    /// What the observer learns of a branch.
    fn stage(&self, branch: &Branch, round: (usize, usize), frequent_values: bool) -> Stage {
        let rule = |index: &usize| self.rules.conjunctions[*index].rule;
        let mut rules: Vec<usize> = branch.conjunctions.iter().map(rule).collect();
        rules.dedup();
        let near = rules.iter().any(|rule| *rule >= self.rules.written_rules());
        let mut rules: Vec<String> = rules.iter().map(|rule| self.rules.rules[*rule].name.clone()).collect();
        // The near rules of a rule have its name.
        rules.dedup();
        let path = branch.condition.access.path;
        let (place, work) = (self.place.number(), self.place.work(round));
        let work = work.filter(|_| !frequent_values);
        Stage::Joining { path, rules, near, branch: place, work, round, frequent_values }
    }

    /// Runs a branch on the devices or on the CPU; says where, if the job has devices.
    pub fn branch(&self, adaptive: &AdaptiveBranch<'_, '_>) -> Result<Option<BranchPlace>> {
        let BranchHost { program, scope, .. } = &self.host;
        let first = adaptive.current();
        let rows_of = |sides: &[Rows; 2]| first.branch.condition.rows_of_both(&program.checks, sides);
        let parts = scope.sides.iter().flat_map(|sides| rectangles(program, rows_of(sides), scope.shape));
        let mut place: Option<BranchPlace> = None;
        for Rectangle { rows, shape } in parts {
            let left = match &self.devices {
                Some(devices) => {
                    self.progress().begin(&self.stage(&first.branch, (1, 1), false), None);
                    let left = devices.run(adaptive, &first, rows, &self.host)?;
                    place = Some(place.map_or(left.place.clone(), |before| before.and(&left.place)));
                    left.rows
                }
                None => vec![rows],
            };
            let on_cpu = |rows| self.branch_on_cpu(adaptive, &first.branch, Rectangle { rows, shape });
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
    ) -> Result<()> {
        let (source, memory) = (self.host.program.source(), self.memory);
        let mut path = first.condition.access.path(PathInput { source, rows, shape, memory });
        let rounds = path.rounds();
        for round in 0..rounds {
            self.progress().cancel().check();
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
        self.progress().begin(&self.stage(first, round, false), Some(path.tasks() as u64));
        self.each(path.tasks(), adaptive, |task, sink| path.run(task, sink))?;
        let pieces = path.pieces();
        if pieces.is_empty() {
            return Ok(());
        }
        self.progress().begin(&self.stage(first, round, true), Some(pieces.len() as u64));
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
            let mut worker = self.host.worker();
            let (before, revision) = (worker.verifier.tally.candidates, adaptive.current());
            worker.run(&revision.program, &self.host.outlet, |sink| run(task, sink))?;
            adaptive.ended(&revision, &std::mem::take(&mut worker.verifier.steps));
            let seen = worker.verifier.tally.candidates - before;
            drop(worker);
            self.progress().advance(1);
            self.host.seen(seen)
        })
    }
}
