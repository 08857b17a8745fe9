//! The rule that finds the pairs of scores, where a job has no other rules for them.

use super::complete::score_rule;
use super::covered_records::CoveredRecords;
use super::scores::Scores;
use super::weighted_rule::weighted_rule;
use crate::error::Result;
use crate::plan::{PlanInput, Planner};
use crate::score::ScoreRule;

impl Scores {
    /// The rule that finds their pairs, if the rules at hand do not. What joins take is estimated from what a plan is made from.
    pub fn rule(&self, records: &CoveredRecords<'_>, input: PlanInput<'_>) -> Result<Option<ScoreRule>> {
        let has_rules = !records.rules.rules.is_empty();
        match self {
            Self::Given(outside) => Ok(Some(outside.rule())),
            Self::Model(scoring) if !has_rules => score_rule(records, &Planner::new(input), scoring).map(Some),
            Self::Weighted(weighted) if !has_rules => weighted_rule(records, weighted).map(Some),
            Self::None | Self::Model(_) | Self::Weighted(_) => Ok(None),
        }
    }
}
