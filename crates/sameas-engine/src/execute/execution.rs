//! A plan is run: branch after branch, on all cores and devices.
//!
//! Whoever has a program, a plan of its rules and somewhere to put pairs can run it: a run, near pairs, and what is learned
//! of pairs differ in plan, scope and sink alone.

use std::collections::VecDeque;
use std::time::Instant;

use super::adaptive::AdaptiveBranch;
use super::checkpoint::{Checkpoint, FinishedBranch, Stored};
use super::host::{BranchHost, PairSink, lock};
use super::joiner::Joiner;
use super::machine::Machine;
use super::place_in_plan::{OtherBranches, PlaceInPlan};
use super::reviser::Reviser;
use super::scope::JoinScope;
use super::tables::{MadeTables, make_tables};
use crate::error::Result;
use crate::observer::Progress;
use crate::output::PairBuffer;
use crate::plan::{Branch, BranchRecord, Plan, RevisionRecord, Strategy, TablePlan};
use crate::rules::RuleSet;
use crate::timeline::{Operator, OperatorRecord};
use crate::verify::{Program, Tally};

/// What is run, and for whom.
pub struct Execution<'a> {
    /// The rules, compiled, over the columns of records.
    pub program: &'a Program,
    /// The same rules with their names.
    pub rules: &'a RuleSet,
    /// The branches to be run.
    pub plan: &'a Plan,
    /// Which pairs of which rows are looked for.
    pub scope: JoinScope,
    /// Where pairs go.
    pub sink: PairSink<'a>,
    /// What it runs on.
    pub machine: &'a Machine,
    /// Who changes the plan while it runs; without one, it stays as it is.
    pub reviser: Option<Reviser<'a>>,
    /// The branches that others run.
    pub others: OtherBranches<'a>,
    /// The candidates that the caller allows.
    pub most_candidates: Option<u64>,
    /// Whoever waits.
    pub progress: Progress<'a>,
}

/// What the branches came to.
pub struct Executed {
    /// Each branch with its candidates.
    pub branches: Vec<BranchRecord>,
    /// The branches that this run has joined, and what devices did for them, with their times.
    pub operators: Vec<OperatorRecord>,
    /// The tables of the plan, which were made first.
    pub tables: MadeTables,
    /// Counts by rule.
    pub tally: Tally,
    /// The pairs, to be given back to the sorter.
    pub buffers: Vec<PairBuffer>,
    /// Whether all components are known; else they are found from the pairs.
    pub has_components: bool,
    /// Where the last branch was among all.
    pub place: PlaceInPlan,
}

impl Execution<'_> {
    /// Makes the tables of the plan, and runs all branches. What they find is kept in a checkpoint, if there is one, after what is stored in it; the plan has
    /// the branches that are left then.
    pub fn run(self, resumed: Option<(Checkpoint, Option<Stored>)>) -> Result<Executed> {
        let Self { program, rules, plan, scope, sink, machine, reviser, others, most_candidates, progress } = self;
        let made = make_tables(&plan.tables, program, rules, machine, progress);
        sink.pipeline.begin();
        let mut host = BranchHost::new(program, machine, scope, sink, most_candidates, progress);
        *host.candidates.get_mut() = others.candidates;
        let joiner = Joiner::new(host, rules, others.before)?;
        let (checkpoint, stored) = resumed.map_or((None, None), |(checkpoint, stored)| (Some(checkpoint), stored));
        let (tables, later, branches) = (&plan.tables[..], others.later, Vec::new());
        let mut run = PlanRun { joiner, reviser, tables, later, checkpoint, branches };
        if let Some(stored) = &stored {
            run.go_on_after(stored);
        }
        run.run(plan.branches.iter().cloned().collect(), made)
    }
}

/// A plan while it runs.
struct PlanRun<'a> {
    joiner: Joiner<'a>,
    reviser: Option<Reviser<'a>>,
    tables: &'a [TablePlan],
    /// Branches that others run afterwards.
    later: &'a [Branch],
    /// Where what has ended is kept, if the run can be resumed.
    checkpoint: Option<Checkpoint>,
    /// Those that have ended.
    branches: Vec<BranchRecord>,
}

impl PlanRun<'_> {
    /// Takes over what an interrupted run has left.
    fn go_on_after(&mut self, stored: &Stored) {
        for FinishedBranch { branch, record } in stored.finished() {
            if let Some(reviser) = &mut self.reviser {
                reviser.learn(branch, record.candidates.unwrap_or_default());
            }
            self.branches.push(record.clone());
        }
        let candidates: u64 = self.branches.iter().filter_map(|record| record.candidates).sum();
        let tally = stored.tally(self.joiner.host.program);
        self.joiner.host.add_counts(&tally, candidates);
        self.joiner.place = self.joiner.place.after(self.branches.len());
    }

    fn run(mut self, mut pending: VecDeque<Branch>, tables: MadeTables) -> Result<Executed> {
        while let Some(branch) = pending.pop_front() {
            self.joiner.place = self.joiner.place.next(&branch, pending.iter().chain(self.later));
            let record = self.timed(branch.clone())?;
            self.branches.push(record.clone());
            let replanned = self.replanned(&branch, record.candidates.unwrap_or_default(), &pending);
            let is_replanned = replanned.is_some();
            pending = replanned.unwrap_or(pending);
            if self.checkpoint.as_mut().is_some_and(|checkpoint| checkpoint.ended(branch, record, is_replanned)) {
                self.save_checkpoint(&pending)?;
            }
        }
        self.save_checkpoint(&pending)?;
        let has_components = self.joiner.finish_devices()?;
        let Joiner { host, place, .. } = self.joiner;
        let tally = host.tally();
        let (buffers, operators) = host.into_buffers();
        Ok(Executed { branches: self.branches, operators, tables, tally, buffers, has_components, place })
    }

    /// The branches that have not begun, if they are planned again because of one that has ended.
    fn replanned(&mut self, ended: &Branch, candidates: u64, pending: &VecDeque<Branch>) -> Option<VecDeque<Branch>> {
        let reviser = self.reviser.as_mut().filter(|_| !pending.is_empty())?;
        reviser.learn(ended, candidates).then(|| reviser.replanned(ended, candidates, pending))
    }

    /// Stores what has ended and is not stored, if the run can be resumed.
    fn save_checkpoint(&mut self, pending: &VecDeque<Branch>) -> Result<()> {
        let Some(checkpoint) = &mut self.checkpoint else { return Ok(()) };
        let host = &self.joiner.host;
        host.end_runs()?;
        checkpoint.save(&host.tally(), &lock(&host.workers[0]).pairs, pending)
    }

    /// Runs a branch and records what came of it.
    fn timed(&self, branch: Branch) -> Result<BranchRecord> {
        let (joiner, host) = (&self.joiner, &self.joiner.host);
        let (begun, before, copied) = (Instant::now(), host.counts(), joiner.copied());
        let scored = host.pipeline().scored_by_host();
        let far = host.machine.settings.device_options.misestimate_factor;
        let planner = self.reviser.as_ref().map(Reviser::planner);
        let adaptive = AdaptiveBranch::new(branch, planner, host.program, far);
        let place = joiner.branch(&adaptive)?;
        let (after, last) = (host.counts(), adaptive.current());
        let revisions = [&last.branch.revisions[..], &adaptive.revisions()].concat();
        let described = self.described(&last.branch).counted(after.0 - before.0, &last.counts());
        let by_host = host.pipeline().scored_by_host().zip(scored).map(|(after, before)| after - before);
        let record = BranchRecord {
            candidates: Some(after.0 - before.0),
            pairs: Some(after.1 - before.1),
            seconds: Some(begun.elapsed().as_secs_f64()),
            revisions: revisions.iter().map(|revision| RevisionRecord::new(revision, joiner.rules)).collect(),
            place,
            ..described.scored(by_host)
        };
        let operator = host.machine.since(begun, Operator::JoinAndVerify).of_branch(&record);
        let bytes = Some(joiner.copied() - copied).filter(|bytes| *bytes > 0);
        host.ended(OperatorRecord { bytes, ..operator });
        Ok(record)
    }

    /// A branch as it was planned; without a reviser, only what it says itself.
    fn described(&self, branch: &Branch) -> BranchRecord {
        let (rules, checks) = (self.joiner.rules, &self.joiner.host.program.checks[..]);
        match &self.reviser {
            Some(reviser) => reviser.describer(rules).branch(branch),
            None => BranchRecord::planned(branch, rules, checks, self.tables, Strategy::default()),
        }
    }
}
