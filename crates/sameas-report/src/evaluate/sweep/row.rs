//! What comes of a sweep: a row for each threshold and method.

use super::super::cluster_scores::ClusterScores;
use super::super::sampled_share::ShareEstimate;
use super::super::scores::PairCounts;
use super::method::SweepMethod;
use crate::rules::ClusterSpec;

/// Thresholds and methods compared: what `Session::sweep` gives.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepTable {
    /// Pairs, each once.
    pub pairs: u64,
    /// Records.
    pub records: u64,
    /// The column of the scores, if pairs have some.
    pub scored_by: Option<String>,
    /// Whether the thresholds were chosen: they part the scores into tenths.
    pub has_chosen_thresholds: bool,
    /// The rows, method by method, the lowest threshold first.
    pub rows: Vec<SweepRow>,
}

/// The clusters of one threshold and one method.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepRow {
    /// The threshold; nothing where pairs have no scores.
    pub threshold: Option<f64>,
    /// The method.
    pub method: SweepMethod,
    /// How the clusters were made, as a rule file says it.
    pub spec: ClusterSpec,
    /// Pairs that reach the threshold.
    pub pairs: u64,
    /// All clusters, single records included.
    pub clusters: u64,
    /// Those of two or more records.
    pub clusters_of_two_or_more: u64,
    /// Records in these.
    pub clustered_records: u64,
    /// Records of the largest cluster.
    pub largest: u64,
    /// Pairs that the clusters were made of and that are between clusters.
    pub cut: u64,
    /// Pairs that alone hold two parts of two or more records of a cluster together, among those that the clusters were made of.
    pub bridges: u64,
    /// The share of every two records of one cluster that are a pair which reaches the threshold; unknown where all are alone. Where
    /// it is small in components, wrong pairs have chained them.
    pub density: Option<f64>,
    /// How far the clusters agree with those of the next lower threshold, as the adjusted Rand index; unknown for the lowest, and
    /// where the truth or labels say more.
    pub agreement: Option<f64>,
    /// What the truth says, where it is known.
    pub scores: Option<SweepScores>,
    /// What labels say, where there are some.
    pub estimates: Option<SweepEstimates>,
}

/// A row against the truth.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepScores {
    /// The pairs that reach the threshold.
    pub pairs: PairCounts,
    /// Every two records of one cluster.
    pub cluster_pairs: PairCounts,
    /// Measures that count records and clusters; none where there are no records.
    pub clusters: Option<ClusterScores>,
}

/// A row by labelled pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepEstimates {
    /// The share of the pairs within clusters that are the same; unknown where no label tells.
    pub precision: Option<ShareEstimate>,
    /// The share of the pairs that are the same that are within clusters.
    pub recall: Option<ShareEstimate>,
    /// The harmonic mean of both.
    pub f1: Option<ShareEstimate>,
}

impl SweepTable {
    /// The row whose clusters have the highest F1 of pairs, the first of several; nothing where the truth is not known.
    pub fn best(&self) -> Option<usize> {
        let f1 = |row: &SweepRow| row.scores.as_ref()?.cluster_pairs.f1();
        let known = self.rows.iter().enumerate().filter_map(|(at, row)| Some((at, f1(row)?)));
        // Of equals `max_by` takes the last.
        known.rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }
}
