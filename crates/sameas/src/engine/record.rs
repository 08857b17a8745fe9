//! The record of a run, `run.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::plan::{BranchReport, TableReport};
use crate::records::Table;
use crate::records::stats::Statistics;

/// An input of a run.
#[derive(Clone, Debug, Serialize)]
pub struct InputRecord {
    /// What `source_dataset` says of its records.
    pub name: String,
    /// The files it was read from.
    pub files: Vec<String>,
    /// Number of records.
    pub rows: u64,
}

impl InputRecord {
    /// The record of a table.
    pub fn of(table: &Table) -> Self {
        let files = table.files.iter().map(|(label, _)| label.clone()).collect();
        Self { name: table.name.clone(), files, rows: table.rows() as u64 }
    }
}

/// What a rule gave.
#[derive(Clone, Debug, Serialize)]
pub struct RuleRecord {
    /// Its name.
    pub name: String,
    /// Its condition.
    pub when: String,
    /// Pairs it gives by itself.
    pub alone: u64,
    /// Pairs that no rule before it gives.
    pub marginal: u64,
    /// Pairs of all rules up to it.
    pub cumulative: u64,
}

/// A `never` rule.
#[derive(Clone, Debug, Serialize)]
pub struct NeverRecord {
    /// Its name.
    pub name: String,
    /// Its condition.
    pub when: String,
}

/// What an operator did.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorRecord {
    /// Its name.
    pub operator: String,
    /// What went in: rows or candidates.
    pub input: u64,
    /// What came out.
    pub output: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Everything about a run that can be told afterwards.
#[derive(Clone, Debug, Serialize)]
pub struct RunRecord {
    /// The version of sameas.
    pub version: &'static str,
    /// Where it ran.
    pub device: String,
    /// Why not elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_note: Option<String>,
    /// Threads used.
    pub threads: usize,
    /// `dedupe_only`, `link_only` or `link_and_dedupe`.
    pub link_type: &'static str,
    /// The inputs.
    pub inputs: Vec<InputRecord>,
    /// Text values, per column, that a rule reads as a number or a date and that are none.
    pub unreadable_values: BTreeMap<String, u64>,
    /// The rules and what they gave.
    pub rules: Vec<RuleRecord>,
    /// The `never` rules.
    pub never: Vec<NeverRecord>,
    /// Which parts of the planner were at work.
    pub strategy: &'static str,
    /// What of the rules need not be checked.
    pub simplifications: Vec<String>,
    /// Predicates that were decided once for all distinct values.
    pub tables: Vec<TableReport>,
    /// The plan and what came of it.
    pub plan: Vec<BranchReport>,
    /// Operators in the order they ran.
    pub operators: Vec<OperatorRecord>,
    /// All pairs of records there are.
    pub nominal_pairs: u64,
    /// Pairs that were verified.
    pub candidates: u64,
    /// Result pairs.
    pub pairs: u64,
    /// Clusters, single records included.
    pub clusters: u64,
    /// Clusters of two or more records.
    pub clusters_of_two_or_more: u64,
    /// The whole run.
    pub seconds: f64,
    /// What is known about the values that rules compare.
    pub statistics: Statistics,
}
