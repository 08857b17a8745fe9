//! What a run, and its answers about pairs, tell of decisions.

use serde::{Deserialize, Serialize};

use super::decided_pairs::DecidedPairs;

/// What decisions have come to in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedRecord {
    /// Pairs that are decided to be the same: all of them are in the result.
    pub same: u64,
    /// Those of them that would not be in the result.
    pub added: u64,
    /// Pairs that are decided to be different: none of them is in the result.
    pub different: u64,
    /// Those of them that would be in the result.
    pub removed: u64,
    /// Judgements that decide nothing.
    pub unsure: u64,
}

/// What was decided about a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PairDecision {
    /// Whether its records are the same; else they are different.
    pub is_same: bool,
    /// Who has decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// When it was decided, as the file writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Where it is written.
    pub place: String,
}

impl PairDecision {
    /// That of a pair of rows, if there is one.
    pub fn look_up(decided: &DecidedPairs, [l, r]: [u32; 2]) -> Option<Self> {
        let pair = decided.pair(l, r)?;
        let judgement = decided.judgement(pair);
        let (who, when) = (judgement.who.clone(), judgement.when.clone());
        Some(Self { is_same: pair.is_same, who, when, place: decided.place(pair) })
    }
}
