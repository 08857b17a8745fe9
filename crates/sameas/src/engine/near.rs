//! Near pairs: what would be found if one threshold were looser, after all pairs have been found.
//!
//! The near rules have branches of their own, so that the plan of the rules, its candidates and its counts are the same
//! with and without them. They own only pairs that no rule gives; these join no components and are sorted by themselves.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checkpoint::{Checkpoint, Resumption, find_stored};
use super::join::{Joined, Joiner, PlaceInPlan};
use super::observer::{Progress, Stage};
use super::pair_stage::Pipeline;
use super::prepared::Prepared;
use super::record::OperatorRecord;
use crate::error::Result;
use crate::output::{PairSorter, SortedPairs};
use crate::plan::{BranchRecord, Plan, Planner};
use crate::rules::LiteralRecord;

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

impl Prepared {
    /// Whether near pairs are looked for.
    pub(super) fn has_near(&self) -> bool {
        self.job.near.is_some()
    }

    /// The bytes that each of the sorts may take.
    pub(super) fn sort_memory(&self) -> usize {
        if self.has_near() { self.memory.sort / 2 } else { self.memory.sort }
    }

    /// The plan of the near rules, after that of the rules: it reads the tables of that one and makes none.
    pub(super) fn near_branches(&self, planner: &Planner<'_>) -> Plan {
        let near = self.rules.written_conjunctions()..self.rules.conjunctions.len();
        Plan { branches: planner.more_branches(&near.collect::<Vec<usize>>()), tables: Vec::new() }
    }

    /// Finds the near pairs, if they are wanted, after other branches, which had `seen` candidates.
    pub(super) fn find_near(
        &self,
        (place, seen): (PlaceInPlan, u64),
        checkpoint: Option<&Path>,
        progress: Progress<'_>,
    ) -> Result<Option<NearFound>> {
        if !self.has_near() {
            return Ok(None);
        }
        let folder = checkpoint.map(|folder| folder.join(FOLDER));
        let (stored, resumption) = match &folder {
            Some(folder) => find_stored(folder, self),
            None => (None, Resumption::NothingStored),
        };
        let plan = stored.as_ref().map_or_else(|| self.near_plan.clone(), super::checkpoint::Stored::plan);
        let folders = self.settings.spill_folder.as_deref();
        let sorter = PairSorter::new(self.sort_memory(), rayon::current_num_threads(), folders)?;
        let mut joiner = Joiner::new((self, &plan), &sorter, Pipeline::to_no_clusters(), progress)?;
        joiner.follows(place, seen);
        if let Some(folder) = &folder {
            if let Some(stored) = &stored {
                stored.restore(&sorter, &|_| {})?;
            }
            joiner.keep_checkpoint(Checkpoint::begin(folder, stored.as_ref(), (self, &plan), &sorter)?, stored);
        }
        let Joined { branches, operators, tally, buffers, .. } =
            joiner.run(self.memory.join.saturating_sub(self.program.table_bytes()))?;
        progress.begin(&Stage::Sorting, None);
        Ok(Some(NearFound {
            pairs: sorter.finish(buffers)?,
            branches,
            operators,
            candidates: tally.candidates,
            owned: tally.owned[self.rules.written_rules()..].to_vec(),
            resumed: match resumption {
                Resumption::Resumed { branches } => branches,
                _ => 0,
            },
        }))
    }

    /// What near pairs are, or would be, looked for by.
    pub(super) fn near_record(&self, plan: Vec<BranchRecord>, found: Option<&NearFound>) -> Option<NearRecord> {
        let pairs = |at: usize| found.map(|found| found.owned[at]);
        let condition = |(at, near): (usize, &crate::rules::LoosenedCondition)| NearCondition {
            rule: near.rule.clone(),
            condition: near.condition.clone(),
            looser: near.looser.clone(),
            pairs: pairs(at),
        };
        Some(NearRecord {
            amount: self.job.near?,
            conditions: self.rules.near.iter().enumerate().map(condition).collect(),
            candidates: found.map(|found| found.candidates),
            pairs: found.map(|found| found.pairs.len()),
            plan,
        })
    }

    /// Nothing for each rule, and the text of the condition that is loosened in each near rule.
    pub(super) fn near_names(&self) -> Vec<String> {
        let written = std::iter::repeat_n(String::new(), self.rules.written_rules());
        written.chain(self.rules.near.iter().map(|near| near.condition.to_string())).collect()
    }
}
