//! The figures: precision, recall and the like.

use serde::Serialize;

use super::arithmetic::{f1, ratio};
use super::cluster_scores::ClusterScores;

/// The number of pairs of a result, of the truth, and of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PairCounts {
    /// Pairs of the result.
    pub found: u64,
    /// Pairs of the truth.
    pub true_pairs: u64,
    /// Pairs of the result that are true.
    pub both: u64,
}

impl PairCounts {
    /// The share of the found pairs that is true; unknown if none was found.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.both, self.found)
    }

    /// The share of the true pairs that was found; unknown if there are none.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.both, self.true_pairs)
    }

    /// The harmonic mean of precision and recall, as 2 * both / (found + true).
    pub fn f1(&self) -> Option<f64> {
        f1(self.both, self.found, self.true_pairs)
    }
}

/// What a rule is worth: the pairs that have it as their `match_key`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RuleScore {
    /// The rule.
    pub name: String,
    /// Its pairs.
    pub found: u64,
    /// Those of them that are true.
    pub both: u64,
}

impl RuleScore {
    /// The share of its pairs that is true; unknown if it has none.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.both, self.found)
    }

    /// The share of all true pairs that it has found.
    pub fn recall(&self, counts: &PairCounts) -> Option<f64> {
        ratio(self.both, counts.true_pairs)
    }
}

/// How much work the candidates save, and what they keep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Blocking {
    /// The number of all pairs of records.
    pub all_pairs: Option<u64>,
    /// Pairs that were checked.
    pub candidates: Option<u64>,
    /// The share of the true pairs among the pairs given.
    pub completeness: Option<f64>,
}

impl Blocking {
    /// Candidates as a share of all pairs.
    pub fn candidate_set_size_ratio(&self) -> Option<f64> {
        ratio(self.candidates?, self.all_pairs?)
    }

    /// The share of all pairs that did not have to be checked.
    pub fn reduction_ratio(&self) -> Option<f64> {
        self.candidate_set_size_ratio().map(|ratio| 1.0 - ratio)
    }
}

/// How good a result is: what `Session::evaluate` gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Evaluation {
    /// Pairs counted.
    pub counts: PairCounts,
    /// Work saved.
    pub blocking: Blocking,
    /// What each rule is worth, if the result is pairs with a `match_key`.
    pub rules: Vec<RuleScore>,
    /// The column of the scores, if pairs have some.
    pub scored_by: Option<String>,
    /// What would be found with each threshold on the score, the highest first.
    pub thresholds: Vec<ThresholdScore>,
    /// Whether match probabilities are true, where pairs have some: the pairs by probability, the least first.
    pub reliability: Vec<ReliabilityBin>,
    /// How good the clusters are as clusters, if the result is clusters.
    pub clusters: Option<ClusterScores>,
}

/// Pairs whose match probability lies in a range, and how many of them match: as the model expects, and in truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReliabilityBin {
    /// From this probability.
    pub from: f64,
    /// To below this one; 1 is in the last.
    pub to: f64,
    /// The pairs.
    pub pairs: u64,
    /// Those of them that match, as the model expects: the sum of their probabilities.
    pub expected: f64,
    /// Those of them that the truth has.
    pub both: u64,
}

impl ReliabilityBin {
    /// The share of its pairs that the model expects to match.
    pub fn expected_share(&self) -> f64 {
        self.expected / self.pairs as f64
    }

    /// The share of its pairs that the truth has.
    pub fn true_share(&self) -> f64 {
        self.both as f64 / self.pairs as f64
    }
}

/// The pairs whose score is at least a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ThresholdScore {
    /// The threshold: the score of some pair.
    pub threshold: f64,
    /// The pairs with this score or a higher one, and those of the truth.
    pub counts: PairCounts,
}
