//! The records of a job run by other rules than its own, for what a stage learns of their pairs.

use super::super::join::Joiner;
use super::super::observer::Progress;
use super::super::pair_stage::{PairStage, Pipeline};
use super::super::prepared::Prepared;
use crate::candidates::Rows;
use crate::error::Result;
use crate::output::PairSorter;
use crate::rules::{Conjunction, Rule, Simplified};
use crate::verify::Program;

/// Bytes of a sort that nothing reaches.
const NO_PAIRS: usize = 1 << 16;

/// Rules, and the records they are for.
pub(super) struct OtherRules {
    pub rules: Vec<Rule>,
    pub conjunctions: Vec<Conjunction>,
    /// The records of both sides, where these are not all.
    pub rows: Option<[Rows; 2]>,
}

impl Prepared {
    /// Replaces the rules of the job. No pair is forbidden by them.
    pub(in super::super) fn use_rules(&mut self, rules: Vec<Rule>, conjunctions: Vec<Conjunction>) {
        self.rules.rules = rules;
        self.rules.conjunctions = conjunctions;
        self.resimplify();
    }

    /// Simplifies rules that were changed, for the planner and the verifier.
    pub(in super::super) fn resimplify(&mut self) {
        let shadowed_nevers = self.rules.shadowed_nevers.clone();
        let Simplified { mut rules, notes, shadowed, implications } = self.rules.simplified();
        // The `never` rules have been simplified before.
        rules.shadowed_nevers = shadowed_nevers;
        self.program.conjunctions = rules.conjunctions.clone();
        self.program.nevers = rules.never_conjunctions.clone();
        self.program.shadowed_nevers = rules.shadowed_nevers.clone();
        (self.program.rules, self.program.never_rules) = (rules.rules.len(), rules.nevers.len());
        (self.rules, self.notes, self.shadowed, self.implications) = (rules, notes, shadowed, implications);
    }

    /// Gives every pair of some rules to a stage, which keeps none.
    pub(super) fn show_pairs(&mut self, by: OtherRules, stage: &dyn PairStage, progress: Progress<'_>) -> Result<()> {
        let rows = by.rows.clone();
        self.plan_by(by, progress)?;
        self.show_planned(rows, stage, progress)
    }

    /// The same for a stage that reads the records.
    pub(super) fn show_pairs_with<'a, S: PairStage, T>(
        &'a mut self,
        by: OtherRules,
        stage: impl FnOnce(&'a Program) -> S,
        result: impl FnOnce(S) -> T,
        progress: Progress<'_>,
    ) -> Result<T> {
        let rows = by.rows.clone();
        self.plan_by(by, progress)?;
        let stage = stage(&self.program);
        self.show_planned(rows, &stage, progress)?;
        Ok(result(stage))
    }

    /// Plans the records of the job by some rules.
    fn plan_by(&mut self, by: OtherRules, progress: Progress<'_>) -> Result<()> {
        self.rules.nevers.clear();
        self.rules.never_conjunctions.clear();
        self.rules.shadowed_nevers.clear();
        self.use_rules(by.rules, by.conjunctions);
        self.make_plan(progress);
        self.start_device()?;
        self.make_tables(progress);
        Ok(())
    }

    fn show_planned(&self, rows: Option<[Rows; 2]>, stage: &dyn PairStage, progress: Progress<'_>) -> Result<()> {
        let sorter = PairSorter::new(NO_PAIRS, rayon::current_num_threads(), None)?;
        let mut joiner = Joiner::new((self, &self.plan), &sorter, Pipeline::to_stage(stage), progress)?;
        if let Some(rows) = rows {
            joiner.only(rows);
        }
        joiner.run(self.memory.join.saturating_sub(self.program.table_bytes())).map(drop)
    }
}
