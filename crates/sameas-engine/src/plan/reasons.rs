//! Why a plan is as it is, and what changed it, as data. Every reader has to say something about each kind, so the lists
//! are exhaustive.

use serde::{Deserialize, Serialize};

use crate::candidates::AccessPath;
use crate::rules::LiteralRecord;

/// Why a branch finds its candidates the way it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChoiceReason {
    /// The next best way takes longer.
    Alternative {
        /// The access path of the next best way.
        path: AccessPath,
        /// What every candidate of that way satisfies.
        condition: Vec<LiteralRecord>,
        /// Its expected time, as a multiple of the expected time of this way.
        times_as_long: f64,
    },
    /// The strategy takes no choice.
    StrategyDoesNotChoose,
    /// No condition of the rule can be joined on.
    NothingJoinable,
    /// The rules of the branch have no other joinable condition in common.
    OnlyCommon,
    /// An index on any other condition would cost more than this whole join.
    OthersCostMore,
    /// No other condition of the rule can be joined on.
    OnlyJoinable,
}

/// What was changed of a branch's plan after the run had begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RevisionRecord {
    /// The branch was planned again before it began, because an earlier one gave more candidates than expected.
    ReplannedBeforeStart {
        /// What every candidate of the earlier branch satisfies; nothing, where it looked at every pair.
        joined_on: Vec<LiteralRecord>,
        /// The candidates it gave.
        candidates: u64,
        /// The candidates that were expected of it.
        expected: u64,
    },
    /// The checks were reordered while the branch ran, because one passed more than expected.
    ChecksReordered {
        /// The check.
        check: LiteralRecord,
        /// The share that passed of the candidates that reached it.
        passed: f64,
        /// The share that was expected to pass.
        expected: f64,
    },
}
