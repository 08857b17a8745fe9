//! What a report says, as data: numbers, names and texts that a page shows. The page's own declarations describe the same
//! fields; names are written as it reads them.

mod data;
mod entities;
mod plan;
mod rules;
mod scores;
mod sweep;

use serde::Serialize;

pub use data::*;
pub use entities::*;
pub use plan::*;
pub use rules::*;
pub use scores::*;
pub use sweep::*;

use crate::rules::LinkType;

/// Everything that a report says, but for its tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportFacts {
    /// The version of this format.
    pub format: u32,
    /// The version of the library that made the report.
    pub program: &'static str,
    /// What stands above everything.
    pub header: ReportHeader,
    /// How it was bounded.
    pub sampling: ReportSampling,
    /// The run as a whole.
    pub overview: ReportOverview,
    /// The columns of the records in the report.
    pub columns: Vec<ReportColumn>,
    /// The conditions of all rules, each once.
    pub conditions: Vec<ReportCondition>,
    /// The rules.
    pub rules: ReportRules,
    /// Scores, if the run has some.
    pub scores: Option<ReportScores>,
    /// The clusters.
    pub clusters: ReportClusters,
    /// Thresholds and ways to make clusters, if they were compared.
    pub sweep: Option<ReportSweep>,
    /// What became of the records of each cluster, if the run has made entities.
    pub entities: Option<ReportEntities>,
    /// What the inputs hold.
    pub data: ReportData,
    /// What was joined and checked, and when.
    pub plan: ReportPlan,
    /// What a search can find.
    pub search: ReportSearch,
}

/// What stands above everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportHeader {
    /// The names of the inputs.
    pub title: String,
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// When the run began, in UTC.
    pub started: String,
    /// The folder of the results; empty where there is none.
    pub folder: String,
    /// The command that started the run.
    pub command: Vec<String>,
    /// Columns whose values are in the report as they are.
    pub shown_columns: Vec<String>,
    /// Those of them that seem to hold personal data.
    pub personal_columns: Vec<String>,
    /// Columns whose values are masked.
    pub masked_columns: Vec<String>,
    /// Whether ids are masked, too.
    pub ids_masked: bool,
    /// Whether the inputs could be read again.
    pub has_values: bool,
}

/// Some of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShownPart {
    /// All there are.
    pub all: u64,
    /// Those in the report.
    pub shown: u64,
}

/// How a report was bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportSampling {
    /// The size that the whole report may have.
    pub budget_bytes: u64,
    /// The seed of the samples.
    pub seed: u64,
    /// Records.
    pub records: ShownPart,
    /// Clusters of two records or more, in the report with all their records.
    pub clusters: ShownPart,
    /// Pairs that were explained.
    pub pairs: ShownPart,
    /// Near pairs that were explained, if the run looked for them.
    pub near: Option<ShownPart>,
    /// Clusters of three records or more in which bridges were looked for.
    pub bridges: ShownPart,
    /// Values are cut to this many characters.
    pub value_characters: u64,
}

/// The run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportOverview {
    /// The inputs.
    pub inputs: Vec<ReportInput>,
    /// Records of all inputs.
    pub records: u64,
    /// All pairs of records that there are.
    pub possible_pairs: u64,
    /// Pairs that were looked at.
    pub candidates: u64,
    /// Pairs of the result.
    pub pairs: u64,
    /// Clusters, single records included.
    pub clusters: u64,
    /// Clusters of two records or more.
    pub clusters_of_two_or_more: u64,
    /// Records less clusters.
    pub duplicates: u64,
    /// The largest cluster.
    pub largest_cluster: Option<ReportLargestCluster>,
    /// Seconds of the run.
    pub seconds: f64,
    /// Threads of the run.
    pub threads: u64,
    /// Where it ran.
    pub device: String,
    /// The most memory that the process took, if that is known.
    pub peak_memory_bytes: Option<u64>,
    /// The version that made the run.
    pub version: String,
    /// The files of the results.
    pub files: Vec<ReportFile>,
    /// The result compared with the truth, if that is known.
    pub evaluation: Option<ReportEvaluation>,
}

/// An input.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportInput {
    /// Its name.
    pub name: String,
    /// Its files.
    pub files: Vec<ReportInputFile>,
    /// Its records.
    pub records: u64,
    /// Records that were left out, because they have no id.
    pub skipped: u64,
    /// The hash of what was read.
    pub hash: String,
    /// The column of the ids.
    pub id_column: String,
}

/// A file of an input.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportInputFile {
    /// Its path.
    pub path: String,
    /// Its size, if it is a plain file.
    pub bytes: Option<u64>,
    /// When it was last changed, in UTC.
    pub modified: Option<String>,
}

/// A file of the results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportFile {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// The largest cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportLargestCluster {
    /// Its id.
    pub id: String,
    /// Its records.
    pub records: u64,
    /// The average size of the others.
    pub average_of_others: f64,
    /// Whether it is out of proportion.
    pub out_of_proportion: bool,
}

/// A result compared with the truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportEvaluation {
    /// Pairs of the result.
    pub found: u64,
    /// Pairs of the truth.
    pub true_pairs: u64,
    /// Pairs of both.
    pub both: u64,
    /// The share of the found pairs that is true.
    pub precision: Option<f64>,
    /// The share of the true pairs that was found.
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    pub f1: Option<f64>,
    /// By rule.
    pub rules: Vec<ReportRuleScore>,
    /// Over the threshold on the score, the highest first.
    pub thresholds: Vec<ReportThresholdPoint>,
    /// By match probability, the least first; empty where pairs have none.
    pub reliability: Vec<ReportReliabilityBin>,
}

/// Pairs whose match probability lies in a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportReliabilityBin {
    /// From this probability.
    pub from: f64,
    /// To below this one; 1 is in the last.
    pub to: f64,
    /// The pairs.
    pub pairs: u64,
    /// Those of them that match, as the model expects.
    pub expected: f64,
    /// Those of them that are true.
    pub both: u64,
}

/// What a rule is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportRuleScore {
    /// The number of the rule.
    pub rule: usize,
    /// Its pairs.
    pub found: u64,
    /// Those of them that are true.
    pub both: u64,
}

/// The pairs with at least this score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportThresholdPoint {
    /// The score.
    pub threshold: f64,
    /// The pairs.
    pub found: u64,
    /// Those of them that are true.
    pub both: u64,
}
