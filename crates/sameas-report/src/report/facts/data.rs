//! The clusters of a report, and what its inputs hold.

use serde::Serialize;

/// The clusters of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportClusters {
    /// By size.
    pub sizes: Vec<ReportClusterSize>,
    /// Numbers of the largest.
    pub largest: Vec<u32>,
    /// Numbers of the least cohesive.
    pub least_cohesive: Vec<u32>,
    /// Numbers of those that one pair holds together.
    pub bridged: Vec<u32>,
    /// Clusters in which one pair joins two groups of two records or more.
    pub with_bridge: u64,
}

/// Clusters of about the same size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportClusterSize {
    /// The least number of records.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// The clusters.
    pub clusters: u64,
    /// Their records.
    pub records: u64,
}

/// What the inputs hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportData {
    /// By input and column.
    pub columns: Vec<ReportInputColumn>,
    /// Values that make many candidates.
    pub heavy_keys: Vec<ReportHeavyKey>,
}

/// What a column of the data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum DataColumnKind {
    /// A column of an input.
    Column,
    /// A derived column.
    Derived,
    /// An expression of a rule.
    Expression,
}

/// A column, and what it holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportInputColumn {
    /// The number of the input.
    pub input: usize,
    /// The name or the expression.
    pub name: String,
    /// What it is.
    pub kind: DataColumnKind,
    /// Records of the input.
    pub records: u64,
    /// Records without a value.
    pub nulls: u64,
    /// Different values.
    pub distinct: u64,
    /// The values that most records have.
    pub heavy: Vec<ReportHeavyValue>,
    /// Whether both were counted, and not estimated.
    pub exact: bool,
    /// Values that a rule needs as a number or date and that are none.
    pub unreadable: u64,
    /// Whether its values are masked.
    pub masked: bool,
    /// Whether it seems to hold personal data.
    pub personal: bool,
    /// Whether rules read it.
    pub used: bool,
}

/// A value that many records have.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportHeavyValue {
    /// The value.
    pub value: String,
    /// The records.
    pub records: u64,
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportHeavyKey {
    /// The number of the branch that joins on it.
    pub branch: Option<usize>,
    /// The equality, or several.
    pub on: String,
    /// The value, or those of several equalities.
    pub value: String,
    /// Records with it.
    pub records: u64,
    /// Candidates that it makes.
    pub candidates: u64,
    /// Whether these numbers are of all records, and no estimates from a sample.
    pub exact: bool,
}
