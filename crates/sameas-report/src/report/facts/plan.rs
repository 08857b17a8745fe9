//! The plan of a report, its times, and what can be searched.

use serde::Serialize;

/// What was joined and checked, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportPlan {
    /// The branches.
    pub branches: Vec<ReportBranch>,
    /// The branches for near pairs.
    pub near_branches: Vec<ReportBranch>,
    /// Checks that were decided once for all distinct values.
    pub tables: Vec<ReportTable>,
    /// When each stage began and ended.
    pub timeline: Vec<ReportStage>,
    /// Seconds of the whole run.
    pub seconds: f64,
}

/// A check that was decided once for all distinct values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportTable {
    /// The check.
    pub check: String,
    /// Distinct values of the left and the right.
    pub values: [u64; 2],
    /// How long it took.
    pub seconds: Option<f64>,
}

/// A join, and the checks below it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportBranch {
    /// The access path.
    pub path: &'static str,
    /// What it joins on.
    pub on: Vec<String>,
    /// Conditions that filter records first.
    pub filters: Vec<String>,
    /// The rules that are decided here.
    pub rules: Vec<String>,
    /// Rules that hold for every candidate.
    pub settled: Vec<String>,
    /// Candidates that were expected.
    pub estimated_candidates: u64,
    /// Whether that was exact.
    pub exact: bool,
    /// Candidates that there were.
    pub candidates: Option<u64>,
    /// Pairs that it gave.
    pub pairs: Option<u64>,
    /// Seconds of one core that were expected.
    pub estimated_seconds: f64,
    /// Seconds by the clock.
    pub seconds: Option<f64>,
    /// Where it ran.
    pub place: Option<&'static str>,
    /// The tree of checks, depth first.
    pub steps: Vec<ReportStep>,
}

/// A check.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportStep {
    /// How many checks lie above it.
    pub depth: usize,
    /// What must hold.
    pub check: String,
    /// The share that was expected to pass.
    pub expected_pass: Option<f64>,
    /// Candidates that reached it.
    pub tried: Option<u64>,
    /// Candidates that passed.
    pub passed: Option<u64>,
    /// Seconds of all threads.
    pub seconds: Option<f64>,
    /// Nanoseconds that an evaluation was expected to take.
    pub nanoseconds: f64,
    /// Whether it was looked up in a table.
    pub table: bool,
    /// Rules that hold where it passes.
    pub rules: Vec<String>,
}

/// A stage of the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReportStage {
    /// The operator.
    pub operator: String,
    /// The access path of a join.
    pub path: Option<&'static str>,
    /// The rules of a join.
    pub rules: Vec<String>,
    /// Rows or candidates before it.
    pub input: u64,
    /// Rows or candidates after it.
    pub output: u64,
    /// When it began, in seconds after the start of the run.
    pub start: f64,
    /// How long it took.
    pub seconds: f64,
    /// The number of the GPU.
    pub gpu: Option<u32>,
    /// Bytes that it read, wrote, kept or copied.
    pub bytes: Option<u64>,
}

/// How the nearest misses of records were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum MissSource {
    /// The run looked for near pairs.
    Run,
    /// The report has looked for them, among some of its records.
    Report,
    /// They were not looked for.
    #[default]
    None,
}

/// What a search can find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReportSearch {
    /// How the nearest misses were found.
    pub misses: MissSource,
    /// Records among which they were looked for.
    pub among: u64,
    /// Pairs of records that nearly satisfy a rule, or are in one cluster and are not a pair.
    pub explained: u64,
}
