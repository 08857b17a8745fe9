//! What is known of clusters of pairs: the content of their `run.json`.

use serde::Serialize;

use crate::engine::{ClusterSizeRecord, CutRecord, ThresholdClusters};
use crate::output::FileRecord;
use crate::rules::ClusterSpec;

/// What was clustered, how, and what came of it.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ClusterPairsRecord {
    /// The version that has made it.
    pub version: String,
    /// When it began, in UTC: `2026-01-31T12:00:00Z`.
    pub started: String,
    /// The command that started it, if a program has said so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The threads that it had.
    pub threads: usize,
    /// How clusters were made.
    pub spec: ClusterSpec,
    /// The pairs that were read.
    pub clustered_pairs: u64,
    /// The column of their score, if they have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scored_by: Option<String>,
    /// All records.
    pub records: u64,
    /// The records of each source, where sources have names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceRecord>,
    /// Pairs that are decided to be the same.
    pub decided_same: u64,
    /// Pairs that are decided to be different.
    pub decided_different: u64,
    /// Pairs that must not be together.
    pub forbidden: u64,
    /// All clusters, single records included.
    pub clusters: u64,
    /// Those of two or more records.
    pub clusters_of_two_or_more: u64,
    /// Clusters by size.
    pub cluster_sizes: Vec<ClusterSizeRecord>,
    /// The largest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_cluster: Option<LargestPairCluster>,
    /// The clusters at each of several thresholds; what is said of clusters before is of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clusters_at: Vec<ThresholdClusters>,
    /// The pairs between clusters.
    pub cut: CutRecord,
    /// How long the steps took.
    pub seconds: StepSeconds,
    /// The files that were written.
    pub files: Vec<FileRecord>,
}

/// The records of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceRecord {
    /// Its name.
    pub name: String,
    /// How many records it has.
    pub records: u64,
}

/// The largest cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LargestPairCluster {
    /// Its `cluster_id`.
    pub cluster_id: String,
    /// The number of its records.
    pub records: u64,
}

/// How long the steps of a clustering took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StepSeconds {
    /// Reading all tables.
    pub reading: f64,
    /// Numbering the records.
    pub numbering: f64,
    /// Making the clusters.
    pub clustering: f64,
    /// Writing them.
    pub writing: f64,
}
