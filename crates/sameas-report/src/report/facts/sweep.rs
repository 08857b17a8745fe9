//! Thresholds and ways to make clusters, compared on the pairs of a run.

use serde::Serialize;

use crate::evaluate::ShareEstimate;

/// A comparison of thresholds and ways to make clusters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportSweep {
    /// The column of the scores, if pairs have some.
    pub scored_by: Option<String>,
    /// The rows, method by method, the lowest threshold first.
    pub rows: Vec<ReportSweepRow>,
    /// The number of the row whose clusters have the highest F1, where the truth is known.
    pub best: Option<usize>,
}

/// The clusters of one threshold and one method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportSweepRow {
    /// What the method is called.
    pub method: &'static str,
    /// The threshold; nothing where pairs have no scores.
    pub threshold: Option<f64>,
    /// Pairs that reach the threshold.
    pub pairs: u64,
    /// Clusters of two or more records.
    pub clusters: u64,
    /// Records in these.
    pub records: u64,
    /// Records of the largest cluster.
    pub largest: u64,
    /// Pairs between clusters.
    pub cut: u64,
    /// Pairs that alone hold two parts of two or more records together.
    pub bridges: u64,
    /// The share of every two records of one cluster that are a pair.
    pub density: Option<f64>,
    /// How far the clusters agree with those of the next lower threshold, where neither truth nor labels say more.
    pub agreement: Option<f64>,
    /// How good they are by the truth, if it is known.
    pub by_truth: Option<ReportSweepScores>,
    /// How good they are by labelled pairs, if there are some.
    pub by_labels: Option<ReportSweepEstimates>,
}

/// Clusters compared with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportSweepScores {
    /// F1 of the pairs that reach the threshold.
    pub pair_f1: Option<f64>,
    /// Of every two records of one cluster, the share that is true.
    pub precision: Option<f64>,
    /// The share of the true pairs that are in one cluster.
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    pub f1: Option<f64>,
    /// B-cubed F1; nothing where there are no records.
    pub bcubed_f1: Option<f64>,
}

/// Clusters judged by labelled pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportSweepEstimates {
    /// The share of the pairs within clusters that are the same, where labels tell.
    pub precision: Option<ShareEstimate>,
    /// The share of the pairs that are the same that are within clusters.
    pub recall: Option<ShareEstimate>,
    /// The harmonic mean of both.
    pub f1: Option<ShareEstimate>,
}
