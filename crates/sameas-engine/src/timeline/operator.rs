//! The steps of a run whose times are measured, and what is recorded of each.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::plan::{AccessPath, BranchRecord};

/// A step of a run whose time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operator {
    /// Reads the inputs.
    Read,
    /// Evaluates derived columns.
    Derive,
    /// Sorts records by the keys of `neighbours`.
    Rank,
    /// Encodes the values that rules compare.
    Encode,
    /// Takes statistics of the values.
    Statistics,
    /// Plans the branches.
    Plan,
    /// Starts the device, in part while other operators run.
    Device,
    /// Decides predicates once for all distinct values.
    Tables,
    /// Brings a branch to a device, up to its first task: columns, keys, an index.
    PrepareOnDevice,
    /// The work of one device on a branch.
    RunOnDevice,
    /// Finds the candidates of a branch by its access path and verifies them.
    JoinAndVerify,
    /// Sorts the pairs and forms the clusters.
    Sort,
    /// Writes the pairs.
    WritePairs,
    /// Writes the clusters.
    WriteClusters,
    /// Writes records with their clusters, or entities.
    WriteRecords,
}

impl Operator {
    /// Whether its time is time of planning.
    pub(crate) fn is_planning(self) -> bool {
        matches!(self, Self::Statistics | Self::Plan)
    }
}

/// What an operator did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperatorRecord {
    /// Which operator.
    pub operator: Operator,
    /// The access path of a join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<AccessPath>,
    /// The rules of a join.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// What went in: rows or candidates.
    pub input: u64,
    /// What came out.
    pub output: u64,
    /// When it began, in seconds after the start of the run. Operators may run at the same time.
    #[serde(default)]
    pub start: f64,
    /// How long it took.
    pub seconds: f64,
    /// The number of the device that did it, from 0 on; none for the CPU and for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<u32>,
    /// Bytes that it read from files or wrote to them, kept of the records, or copied to and from devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

impl OperatorRecord {
    /// The record of an operator that took this long.
    pub(crate) fn new(operator: Operator, seconds: f64) -> Self {
        Self {
            operator,
            path: None,
            rules: Vec::new(),
            input: 0,
            output: 0,
            start: 0.0,
            seconds,
            device: None,
            bytes: None,
        }
    }

    /// The record of an operator that began at this moment and ends now, of a run that began at that one.
    pub(crate) fn since(begun: Instant, operator: Operator, run_begun: Instant) -> Self {
        let start = begun.saturating_duration_since(run_begun).as_secs_f64();
        Self { start, ..Self::new(operator, begun.elapsed().as_secs_f64()) }
    }

    /// When it ended, in seconds after the start of the run.
    pub fn end(&self) -> f64 {
        self.start + self.seconds
    }

    /// The same with these numbers of rows or candidates before and after it.
    pub(crate) fn with_rows(self, [input, output]: [u64; 2]) -> Self {
        Self { input, output, ..self }
    }

    /// The same for a branch.
    pub(crate) fn of_branch(self, branch: &BranchRecord) -> Self {
        let rows = [branch.candidates.unwrap_or_default(), branch.pairs.unwrap_or_default()];
        Self { path: Some(branch.path), rules: branch.rules.clone(), ..self.with_rows(rows) }
    }
}
