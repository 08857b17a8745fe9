//! How many candidates a plan has, as far as keys tell it before they are enumerated.

use super::rectangles::{Rectangle, rectangles};
use super::scope::JoinScope;
use crate::candidates::PathInput;
use crate::error::{Error, ErrorCode, Result};
use crate::plan::{Branch, BranchRecord, Strategy};
use crate::rules::RuleSet;
use crate::verify::Program;

/// Counts candidates without looking at them: the index of a branch is made, and joined with nothing.
pub struct CandidateCounter<'a> {
    /// What is joined.
    pub program: &'a Program,
    /// The names of rules.
    pub rules: &'a RuleSet,
    /// The pairs that are looked for.
    pub scope: JoinScope,
    /// The bytes that an index takes at most, about.
    pub memory: usize,
}

impl CandidateCounter<'_> {
    /// The candidates of a branch, where they are known exactly.
    pub fn exact(&self, branch: &Branch) -> Option<u64> {
        if branch.condition.access.is_over_values() {
            return None;
        }
        let sides = self.scope.sides.iter();
        let rows = sides.map(|rows| branch.condition.rows_of_both(&self.program.checks, rows));
        let parts = rows.flat_map(|rows| rectangles(self.program, rows, self.scope.shape));
        parts.map(|part| self.exact_of(branch, part)).sum()
    }

    /// The same of some rows. A round whose pairs are not known at all has none.
    fn exact_of(&self, branch: &Branch, Rectangle { rows, shape }: Rectangle) -> Option<u64> {
        let (source, memory) = (self.program.source(), self.memory);
        let mut path = branch.condition.access.path(PathInput { source, rows, shape, memory });
        let mut total = 0;
        for round in 0..path.rounds() {
            path.prepare(round);
            match path.pairs() {
                Some((pairs, true)) => total += pairs,
                Some((_, false)) => return None,
                None => {}
            }
        }
        Some(total)
    }

    /// Refuses branches that together have more candidates than the caller allows. What is not known beforehand is counted as
    /// it comes.
    pub fn check<'b>(&self, branches: impl Iterator<Item = &'b Branch>, most: u64) -> Result<()> {
        let planned = |branch: &Branch| branch.exact.then(|| branch.candidates.round() as u64);
        let known = |branch: &'b Branch| Some((branch, self.exact(branch).or_else(|| planned(branch))?));
        let known: Vec<(&Branch, u64)> = branches.filter_map(known).collect();
        let total: u64 = known.iter().map(|(_, candidates)| candidates).sum();
        if total <= most {
            return Ok(());
        }
        let largest = known.iter().max_by_key(|(_, candidates)| *candidates);
        Err(Error::usage(format!("the rules give {total} candidate pairs, more than the limit of {most}"))
            .with_help(largest.map_or(String::new(), |(branch, candidates)| self.advice(branch, *candidates)))
            .with_code(ErrorCode::CandidateLimit))
    }

    /// What could be done about the branch with most candidates.
    fn advice(&self, branch: &Branch, candidates: u64) -> String {
        let checks = &self.program.checks;
        let planned = BranchRecord::planned(branch, self.rules, checks, &[], Strategy::default());
        let BranchRecord { on, rules, .. } = planned;
        let on = if on.is_empty() { "every pair".to_owned() } else { on.join(" and ") };
        let rules = rules.join(", ");
        format!("{candidates} of them come from {rules} ({on}); make that rule stricter or raise the limit")
    }
}
