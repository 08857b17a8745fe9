//! The records of a job, as far as the rule of its scores depends on them.

use crate::records::stats::ColumnFacts;
use crate::rules::RuleSet;
use crate::verify::Program;

/// What the rule of a score is made of, besides the scores.
#[derive(Clone, Copy)]
pub struct CoveredRecords<'a> {
    /// The comparisons among them.
    pub rules: &'a RuleSet,
    /// How predicates are checked.
    pub program: &'a Program,
    /// What was counted of each operand.
    pub columns: &'a ColumnFacts,
    /// All pairs there are.
    pub pairs: u64,
    /// Whether all of them may be looked at, where nothing else is complete.
    pub may_take_all: bool,
}
