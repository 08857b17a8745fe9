//! The record of a run: `run.json` is written and read by [`RunRecord`].

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checkpoint::Resumption;
use super::cluster_record::{ClusterSizeRecord, LargestCluster};
use super::job_record::JobRecord;
use super::near::NearRecord;
use super::scoring::ScoreRecord;
use super::timestamp::utc;
use crate::device::{DeviceKind, NoGpu};
use crate::error::{Error, Result};
use crate::output::{FileRecord, current};
use crate::plan::{AccessPath, BranchRecord, Strategy, TableRecord};
use crate::records::stats::Statistics;
use crate::records::{Input, SkippedRecord, Table, content_hash};
use crate::rules::{Doubt, LinkType, Simplification};

/// A file of an input, as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputFileRecord {
    /// Its path.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was last changed, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}

impl InputFileRecord {
    /// The record of the file at this path, if it is a plain one.
    fn of(path: &str) -> Option<Self> {
        let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self { path: path.to_owned(), bytes: file.len(), modified: file.modified().ok().map(utc) })
    }
}

/// An input of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputRecord {
    /// Its name: the `source_dataset` of its records.
    pub name: String,
    /// The files it was read from.
    pub files: Vec<String>,
    /// Number of records.
    pub rows: u64,
    /// The 128-bit XXH3 hash of the columns that the job reads: their names, types and values.
    #[serde(default)]
    pub xxh128: String,
    /// Number of records that were left out because they have no id; they are not among the rows.
    #[serde(default)]
    pub skipped_records: u64,
    /// The first of them; the file `skipped` of the results has all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_skipped: Vec<SkippedRecord>,
    /// The paths and patterns that were given for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// The delimiter of CSV files, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The column with the ids, or `row` where rows are numbered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The files, as far as they are plain ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_disk: Vec<InputFileRecord>,
}

/// Records without an id that the record of a run names.
const FIRST_SKIPPED: usize = 5;

impl InputRecord {
    /// The record of a table that was read from an input, with the name of the column of its ids.
    pub(super) fn of(table: &Table, input: &Input, id: &str) -> Self {
        let files: Vec<String> = table.files.iter().map(|(label, _)| label.clone()).collect();
        let given = input.given();
        let on_disk =
            if given.is_empty() { Vec::new() } else { files.iter().filter_map(|f| InputFileRecord::of(f)).collect() };
        let skipped = table.skipped();
        Self {
            name: table.name.clone(),
            files,
            rows: table.rows() as u64,
            xxh128: format!("{:032x}", content_hash(table)),
            skipped_records: skipped.len() as u64,
            first_skipped: (0..skipped.len().min(FIRST_SKIPPED)).map(|at| skipped.get(at)).collect(),
            given,
            delimiter: input.given_delimiter(),
            id: id.to_owned(),
            on_disk,
        }
    }
}

/// A rule of a run, and the pairs that it gave. Where the run scores them, these are the pairs before that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleRecord {
    /// Its name.
    pub name: String,
    /// Whether the user has named it; else its name is its number.
    pub named: bool,
    /// Its condition.
    pub when: String,
    /// Pairs it gives by itself.
    pub alone: u64,
    /// Pairs that no rule before it gives.
    pub marginal: u64,
    /// Pairs of all rules up to it.
    pub cumulative: u64,
}

/// A `never` rule of a run: pairs for which it holds are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NeverRecord {
    /// Its name.
    pub name: String,
    /// Its condition.
    pub when: String,
    /// Pairs that a rule gives and that it takes away: those that no `never` before it forbids. Where the run scores
    /// pairs, these are pairs before that, many of which are below the threshold.
    #[serde(default)]
    pub removed: u64,
}

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
}

impl Operator {
    /// Whether its time is time of planning.
    pub(super) fn is_planning(self) -> bool {
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
    pub(super) fn new(operator: Operator, seconds: f64) -> Self {
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

    /// When it ended, in seconds after the start of the run.
    pub fn end(&self) -> f64 {
        self.start + self.seconds
    }

    /// The same with these numbers of rows or candidates before and after it.
    pub(super) fn with_rows(self, [input, output]: [u64; 2]) -> Self {
        Self { input, output, ..self }
    }

    /// The same for a branch.
    pub(super) fn of_branch(self, branch: &BranchRecord) -> Self {
        let rows = [branch.candidates.unwrap_or_default(), branch.pairs.unwrap_or_default()];
        Self { path: Some(branch.path), rules: branch.rules.clone(), ..self.with_rows(rows) }
    }
}

/// Everything that is known about a run after it: what `run.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// The version of sameas.
    pub version: String,
    /// What it was asked to do.
    #[serde(default)]
    pub job: JobRecord,
    /// Where it ran.
    pub device: DeviceKind,
    /// Why not on a GPU, where the choice was left to the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_gpu: Option<NoGpu>,
    /// Threads used.
    pub threads: usize,
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// The inputs.
    pub inputs: Vec<InputRecord>,
    /// The files that rules read, as they name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<FileRecord>,
    /// The number of values, per column, that a rule reads as a number or a date and that are not one.
    pub unreadable_values: BTreeMap<String, u64>,
    /// Conditions that cannot be meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
    /// The rules and what they gave: certain ones first, and otherwise in the order of the job.
    pub rules: Vec<RuleRecord>,
    /// The `never` rules.
    pub never: Vec<NeverRecord>,
    /// Which parts of the planner were active.
    pub strategy: Strategy,
    /// Whether it went on where an interrupted run had ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumption: Option<Resumption>,
    /// What of the rules need not be checked.
    pub simplifications: Vec<Simplification>,
    /// Predicates that were decided once for all distinct values.
    pub tables: Vec<TableRecord>,
    /// The plan and what was counted when it ran.
    pub plan: Vec<BranchRecord>,
    /// The operators with their times, in the order they ended in.
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
    /// The clusters by size, the smallest first.
    #[serde(default)]
    pub cluster_sizes: Vec<ClusterSizeRecord>,
    /// The largest cluster, if there are records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest_cluster: Option<LargestCluster>,
    /// The whole run.
    pub seconds: f64,
    /// The most memory that the process had until its end, where the system says it. Several runs in one process have it
    /// together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// The files of results that belong to it.
    #[serde(default)]
    pub files: Vec<FileRecord>,
    /// What was looked for with looser thresholds, if near pairs were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<NearRecord>,
    /// What was scored, if the rules compare records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<ScoreRecord>,
    /// What is known about the values that rules compare.
    pub statistics: Statistics,
}

impl RunRecord {
    /// Reads the `run.json` that a run has written.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(current(path)).map_err(|e| Error::io("cannot read the record of a run", path, e))?;
        Self::parse(&text, path)
            .map_err(|error| error.with_help("give the `run.json` that a run has written into its folder"))
    }

    /// Reads the `run.json` in the folder of a result, such as `out/pairs.parquet`; none if there is no such file. It is an
    /// error if the record is of another state of the result.
    pub fn beside(result: &Path) -> Result<Option<Self>> {
        let path = result.with_file_name("run.json");
        let text = match fs::read_to_string(current(&path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Error::io("cannot read", &path, error))?,
        };
        let record = Self::parse(&text, &path)
            .map_err(|error| error.with_help("move the file away, or evaluate a copy of the result elsewhere"))?;
        record.check_is_of(result)?;
        Ok(Some(record))
    }

    /// Refuses the record of a result that is not as the run wrote it.
    fn check_is_of(&self, result: &Path) -> Result<()> {
        let file =
            self.files.iter().find(|file| Some(file.name.as_str()) == result.file_name().and_then(|n| n.to_str()));
        let bytes = fs::metadata(current(result)).map(|file| file.len()).ok();
        match file {
            Some(file) if bytes.is_some_and(|bytes| bytes != file.bytes) => {
                let message = format!("`{}` is not as the run in its folder wrote it", result.display());
                Err(Error::data(message).with_help("evaluate a copy of it elsewhere, or run the job again"))
            }
            _ => Ok(()),
        }
    }

    /// The record in a text, which comes from this file. Fields that are not known are ignored.
    #[doc(hidden)]
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        serde_json::from_str(text)
            .map_err(|e| Error::data(format!("{}: not the record of a run: {e}", path.display())).with_source(e))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::plan::RevisionRecord;
    use crate::rules::LiteralRecord;

    /// A record with every kind of fact that a plan has.
    fn sample() -> Value {
        let literal = |predicate: &str, want: bool| json!({"predicate": predicate, "want": want});
        let rule = |kind: &str, name: &str| json!({"kind": kind, "name": name});
        let step = json!({
            "depth": 0, "check": literal("l.b = r.b", true), "holds": 0.5, "passes": 0.25, "nanoseconds": 1.5, "table": true,
            "rules": ["a"], "tried": 10, "passed": 5, "seconds": 0.5,
        });
        let branch = json!({
            "path": "equi_join", "on": ["l.a = r.a"], "filters": [literal("l.c is null", false)], "rules": ["a"],
            "reason": {"kind": "alternative", "path": "all_pairs", "condition": [], "times_as_long": 2.5},
            "values": [3, 4], "estimated_candidates": 9, "exact": false, "estimated_seconds": 0.5, "settled": [],
            "steps": [step], "candidates": 10, "pairs": 5, "seconds": 0.5,
            "revisions": [
                {"kind": "replanned_before_start", "joined_on": [literal("l.d = r.d", true)], "candidates": 7, "expected": 1},
                {"kind": "checks_reordered", "check": literal("l.b = r.b", true), "passed": 0.5, "expected": 0.25},
            ],
            "warnings": [
                {"kind": "heavy_key", "share": 0.5, "key": [{"name": "a", "value": {"type": "text", "value": "x"}}]},
                {"kind": "all_pairs", "rules": ["a"], "pairs": 9, "equality": ["l.b = r.b", 4]},
            ],
        });
        json!({
            "version": "1.2.3",
            "job": {
                "started": "2026-01-31T12:00:00Z", "command": ["sameas", "dedupe", "people.csv"],
                "rule_files": [{"path": "rules.toml", "text": "..."}], "null": ["-"], "max_candidates": 7,
                "derive": [{"name": "a", "expression": "lower(b)"}, {"input": "left", "name": "c", "expression": "d"}],
            },
            "device": "cpu", "no_gpu": {"why": "no_driver"}, "threads": 2, "link_type": "dedupe_only",
            "inputs": [{"name": "people", "files": ["people.csv"], "rows": 6, "xxh128": "00", "skipped_records": 1,
                "first_skipped": [{"file": "people.csv", "row": 2}], "given": ["p*.csv"], "delimiter": ";", "id": "id",
                "on_disk": [{"path": "people.csv", "bytes": 5, "modified": "2026-01-31T12:00:00Z"}]}],
            "lists": [{"name": "names.csv", "bytes": 9, "xxh128": "00"}], "unreadable_values": {"year": 1},
            "doubts": [{"kind": "out_of_range", "severity": "mistake", "of": "rule \"a\"", "place": "a.toml:2", "condition": "x",
                "message": "m", "help": "h"}],
            "rules": [{"name": "a", "named": true, "when": "x", "alone": 5, "marginal": 5, "cumulative": 5}],
            "never": [{"name": "never_1", "when": "y", "removed": 2}], "strategy": "no-epg",
            "simplifications": [
                {"kind": "condition_implied", "rule": rule("rule", "a"), "condition": literal("x", true), "by": literal("y", false)},
                {"kind": "rule_never_holds", "rule": rule("never", "b"),
                    "contradiction": {"kind": "unsatisfiable", "condition": literal("x", true)}},
                {"kind": "rule_shadowed", "rule": rule("rule", "c"), "by": rule("rule", "a")},
                {"kind": "not_compared", "conditions": 3000},
            ],
            "tables": [{"check": "l.b = r.b", "values": [1, 2], "estimated_lookups": 3, "estimated_saving": 0.5}],
            "plan": [branch],
            "operators": [
                {"operator": "read", "input": 6, "output": 6, "start": 0.25, "seconds": 0.5, "bytes": 5},
                {"operator": "run_on_device", "input": 0, "output": 0, "start": 1.0, "seconds": 0.5, "device": 1, "bytes": 9},
                {"operator": "join_and_verify", "path": "equi_join", "rules": ["a"], "input": 10, "output": 5, "start": 1.0,
                    "seconds": 0.5},
                {"operator": "write_pairs", "input": 5, "output": 5, "start": 1.5, "seconds": 0.5},
            ],
            "nominal_pairs": 15, "candidates": 10, "pairs": 5, "clusters": 2, "clusters_of_two_or_more": 1, "seconds": 0.5,
            "cluster_sizes": [{"least": 1, "most": 1, "clusters": 1, "records": 1}],
            "largest_cluster": {"cluster_id": "1", "records": 5, "average_of_others": 1.5, "out_of_proportion": {
                "pairs": 4, "rules": [{"name": "a", "pairs": 4}], "example": ["1", "2"],
            }},
            "near": {
                "amount": 0.05, "candidates": 3, "pairs": 1, "plan": [],
                "conditions": [{"rule": "a", "condition": literal("x >= 0.9", true), "looser": literal("x >= 0.85", true), "pairs": 1}],
            },
            "files": [{"name": "pairs.csv", "bytes": 3, "xxh128": "00"}],
            "statistics": {"seed": 1, "sampled": 2, "columns": []},
        })
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let record = RunRecord::parse(&sample().to_string(), Path::new("run.json")).unwrap();
        assert_eq!(serde_json::to_value(&record).unwrap(), sample());
        assert_eq!(record.plan[0].filters, [LiteralRecord { predicate: "l.c is null".into(), want: false }]);
        assert!(matches!(record.plan[0].revisions[0], RevisionRecord::ReplannedBeforeStart { candidates: 7, .. }));
    }

    #[test]
    fn fields_of_later_versions_are_ignored_and_other_files_refused() {
        let mut later = sample();
        later["new"] = json!([1]);
        later["plan"][0]["new"] = json!({"a": 1});
        assert!(RunRecord::parse(&later.to_string(), Path::new("run.json")).is_ok());
        let error = RunRecord::parse("{}", Path::new("a/run.json")).unwrap_err();
        assert!(error.message().starts_with("a/run.json: not the record of a run: missing field"), "{error}");
    }
}
