//! Near pairs: what would be found if one threshold were looser, after all pairs have been found.
//!
//! The near rules have branches of their own, so that the plan of the rules, its candidates and its counts are the same
//! with and without them. They own only pairs that no rule gives; these join no components and are sorted by themselves.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::execute::{
    Executed, Execution, JoinScope, Machine, OtherBranches, PairSink, Pipeline, PlaceInPlan, Resumable, Reviser,
    Stored, find_stored,
};
use crate::job::{JobKey, Resumption};
use crate::judgements::DecidedPairs;
use crate::observer::{Progress, Stage};
use crate::output::{PairSorter, SortedPairs, sort_kept};
use crate::pairs::{Pair, PairScore, ResultPairs};
use crate::plan::{BranchRecord, JobPlan, Plan, Planner};
use crate::rules::{LiteralRecord, LoosenedCondition, RuleSet};
use crate::timeline::OperatorRecord;
use crate::verify::Program;

/// What was looked for, or is to be looked for, with looser thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NearRecord {
    /// By how much similarities are loosened. Counts and whole-number bounds are loosened by 1.
    pub amount: f64,
    /// The conditions that are loosened, one at a time.
    pub conditions: Vec<NearCondition>,
    /// Pairs that were looked at besides the candidates of the rules, where it has run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// Near pairs, where it has run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// The branches of the plan for them.
    pub plan: Vec<BranchRecord>,
}

/// A condition of a rule that is loosened, and the pairs that this gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NearCondition {
    /// The name of the rule.
    pub rule: String,
    /// The condition as it is written.
    pub condition: LiteralRecord,
    /// With its threshold loosened.
    pub looser: LiteralRecord,
    /// The near pairs that belong to it, where it has run: those that no rule and no condition before it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
}

/// The near pairs of a job.
pub(super) struct NearFound {
    pub pairs: SortedPairs,
    pub branches: Vec<BranchRecord>,
    pub operators: Vec<OperatorRecord>,
    /// Candidates of its branches.
    candidates: u64,
    /// Pairs by near rule.
    owned: Vec<u64>,
    /// Branches that had been finished by an interrupted run.
    pub resumed: usize,
}

/// Where a checkpoint keeps what belongs to near pairs.
const FOLDER: &str = "near";

/// What near pairs are looked for by.
pub(super) struct NearSearch<'a> {
    pub program: &'a Program,
    pub rules: &'a RuleSet,
    /// The plan of the near rules.
    pub plan: &'a Plan,
    pub scope: JoinScope,
    pub reviser: Reviser<'a>,
    pub machine: &'a Machine,
    /// The bytes that the sort may take.
    pub sort_memory: usize,
    /// The candidates that the caller allows, those of the rules included.
    pub most_candidates: Option<u64>,
}

impl NearSearch<'_> {
    /// Finds the near pairs after other branches, the last of which was at this place, and which had `seen` candidates. What
    /// is found is kept beside the checkpoint of these, if there is one.
    pub fn find(
        self,
        place: PlaceInPlan,
        seen: u64,
        checkpoint: Option<(&Path, &JobKey)>,
        progress: Progress<'_>,
    ) -> Result<NearFound> {
        let Self { program, rules, machine, .. } = self;
        let checkpoint = checkpoint.map(|(folder, key)| (folder.join(FOLDER), key));
        let (stored, resumption) = match &checkpoint {
            Some((folder, key)) => find_stored(folder, key, rules),
            None => (None, Resumption::NothingStored),
        };
        let plan = stored.as_ref().map_or_else(|| self.plan.clone(), Stored::plan);
        let folder = machine.settings.spill_folder.as_deref();
        let sorter = PairSorter::new(self.sort_memory, rayon::current_num_threads(), folder)?;
        let resumed = match &checkpoint {
            Some((folder, key)) => {
                let interval = machine.settings.checkpoint_interval;
                let own = JobPlan::new(rules, program.source(), plan.clone());
                Some(Resumable { folder, key, stored }.begin(own, program, interval, &sorter, &|_| {})?)
            }
            None => None,
        };
        let execution = Execution {
            program,
            rules,
            plan: &plan,
            scope: self.scope,
            sink: PairSink { pipeline: Pipeline::beside_results(), sorter: &sorter },
            machine,
            reviser: Some(self.reviser),
            others: OtherBranches { before: place, candidates: seen, later: &[] },
            most_candidates: self.most_candidates,
            progress,
        };
        let Executed { branches, operators, tally, buffers, .. } = execution.run(resumed)?;
        progress.begin(&Stage::Sorting, None);
        Ok(NearFound {
            pairs: sorter.finish(buffers)?,
            branches,
            operators,
            candidates: tally.candidates,
            owned: tally.owned[rules.written_rules()..].to_vec(),
            resumed: match resumption {
                Resumption::Resumed { branches } => branches,
                _ => 0,
            },
        })
    }
}

impl NearFound {
    /// The same without the pairs that somebody has decided: those are no near pairs any more.
    pub fn undecided(
        self,
        decided: &DecidedPairs,
        rules: &RuleSet,
        sorter: PairSorter,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let removed: Vec<AtomicU64> = self.owned.iter().map(|_| AtomicU64::new(0)).collect();
        let is_kept = |pair: &Pair, _: PairScore| {
            let is_decided = decided.pair(pair.l, pair.r).is_some();
            removed[pair.rule as usize - rules.written_rules()].fetch_add(u64::from(is_decided), Relaxed);
            !is_decided
        };
        let pairs = sort_kept(&self.pairs, &is_kept, &ResultPairs::default(), sorter, progress.cancel())?;
        let left = self.owned.iter().zip(removed).map(|(owned, removed)| owned - removed.into_inner()).collect();
        Ok(Self { pairs, owned: left, ..self })
    }
}

/// The plan of the near rules, after that of the rules: it reads the tables of that one and makes none.
pub(super) fn near_plan(rules: &RuleSet, planner: &Planner<'_>) -> Plan {
    let near = rules.written_conjunctions()..rules.conjunctions.len();
    Plan { branches: planner.more_branches(&near.collect::<Vec<usize>>()), tables: Vec::new() }
}

impl NearRecord {
    /// What near pairs of these rules are, or would be, looked for by.
    pub(super) fn new(amount: f64, rules: &RuleSet, plan: Vec<BranchRecord>, found: Option<&NearFound>) -> Self {
        let pairs = |at: usize| found.map(|found| found.owned[at]);
        let condition = |(at, near): (usize, &LoosenedCondition)| NearCondition {
            rule: near.rule.clone(),
            condition: near.condition.clone(),
            looser: near.looser.clone(),
            pairs: pairs(at),
        };
        Self {
            amount,
            conditions: rules.near.iter().enumerate().map(condition).collect(),
            candidates: found.map(|found| found.candidates),
            pairs: found.map(|found| found.pairs.len()),
            plan,
        }
    }
}

/// Nothing for each rule, and the text of the condition that is loosened in each near rule.
pub(super) fn near_names(rules: &RuleSet) -> Vec<String> {
    let written = std::iter::repeat_n(String::new(), rules.written_rules());
    written.chain(rules.near.iter().map(|near| near.condition.to_string())).collect()
}
