//! What scoring the pairs of a branch takes, and where it is done, as facts.

use serde::{Deserialize, Serialize};

use super::branch::Branch;
use super::comparing::PlannedComparing;
use super::estimate::Place;

/// How the pairs of a branch are scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BranchScoring {
    /// The pairs that are expected.
    pub estimated_pairs: u64,
    /// Seconds of one core that comparing all of them to the end would take; those of the branch include it.
    pub estimated_seconds: f64,
    /// Where that is expected to be done: by the device of the job, if it is to find the pairs.
    pub expected_on: Place,
    /// The pairs that the host has scored, where the branch has run. A device has scored the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_host: Option<u64>,
}

impl BranchScoring {
    /// What is planned; nothing for a branch whose pairs are not compared.
    pub(super) fn planned(branch: &Branch) -> Option<Self> {
        let PlannedComparing { pairs, cost } = branch.comparing;
        (cost > 0.0).then(|| Self {
            estimated_pairs: pairs.round() as u64,
            estimated_seconds: pairs * cost / 1e9,
            expected_on: branch.place,
            by_host: None,
        })
    }
}
