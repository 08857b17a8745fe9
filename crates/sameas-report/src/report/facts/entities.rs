//! What became of the records of each cluster.

use serde::Serialize;

/// The entities of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportEntities {
    /// One for each cluster, single records included.
    pub entities: u64,
    /// Their columns.
    pub columns: Vec<ReportEntityColumn>,
}

/// A column of entities.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportEntityColumn {
    /// Its name.
    pub name: String,
    /// How its value is taken.
    pub take: &'static str,
    /// The number of the column of records that has this name.
    pub column: Option<usize>,
    /// Whether its values are masked.
    pub masked: bool,
    /// Entities with a value.
    pub filled: u64,
    /// Entities some of whose records have another value.
    pub disagreeing: u64,
    /// Some of these.
    pub examples: Vec<ReportEntityExample>,
}

/// An entity some of whose records have another value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportEntityExample {
    /// The number of the cluster.
    pub cluster: u32,
    /// The value of the entity.
    pub value: Option<String>,
    /// The number of the record that it was taken from, if that is in the report.
    pub record: Option<u32>,
    /// Different values of the other records.
    pub others: u64,
}
