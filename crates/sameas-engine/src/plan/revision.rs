//! Changes made to a plan while it runs, because of what was seen.

use serde::{Deserialize, Serialize};

use crate::candidates::Condition;
use crate::rules::Literal;

/// A change to a branch of a plan, and its cause. Where a check was misestimated, the checks of the branch were put into
/// another order while it ran; where the candidates of an earlier branch were, it was planned again before it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanRevision {
    /// The branch, by its conjunctions.
    pub conjunctions: Vec<usize>,
    /// Why it was changed.
    pub cause: Misestimate,
}

/// An estimate that was far from what was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Misestimate {
    /// What was estimated.
    pub what: Estimated,
    /// What was expected.
    pub expected: f64,
    /// What was seen instead.
    pub seen: f64,
}

/// Something that a planner estimates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimated {
    /// The share of the candidates reaching a check that pass it.
    Share(Literal),
    /// The number of candidates of an access condition.
    Candidates(Condition),
}
