//! The record of a run: `run.json` is written and read by [`RunRecord`].

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use sameas_entities::tables::EntityRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cluster_record::{ClusterSizeRecord, CutRecord, LargestCluster, ThresholdClusters};
use super::job_record::JobRecord;
use super::near::NearRecord;
use crate::dataset::InputRecord;
use crate::device::{DeviceKind, NoGpu};
use crate::error::{Error, ErrorCode, Result};
use crate::job::{JobSpec, Resumption};
use crate::judgements::DecidedRecord;
use crate::output::{FileRecord, current};
use crate::plan::{BranchRecord, EarlierRun, Strategy, TableRecord};
use crate::records::stats::ColumnFacts;
use crate::rules::{Doubt, LinkType, Simplification};
use crate::scoring::{ScoreRecord, TermFrequencyRecord};
use crate::timeline::OperatorRecord;

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
    /// Where term frequencies are from, where they count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub term_frequencies: Vec<TermFrequencyRecord>,
    /// The number of values, per column, that a rule reads as a number or a date and that are not one.
    pub unreadable_values: BTreeMap<String, u64>,
    /// Conditions that are likely mistakes.
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
    /// What came of decisions, where there are some. The numbers of rules and `never` rules are those before them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecidedRecord>,
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
    /// The clusters at each of several thresholds; what is said of clusters before is of the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters_at: Vec<ThresholdClusters>,
    /// The pairs between clusters, where the rules say how clusters are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutRecord>,
    /// The entities, where they were written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entities: Option<EntityRecord>,
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
    pub statistics: ColumnFacts,
}

impl RunRecord {
    /// Reads the `run.json` that a run has written.
    pub fn read(path: &Path) -> Result<Self> {
        let help = "give the `run.json` that a run has written into its folder";
        let unread = |e| Error::io("cannot read the record of a run", path, e).with_help(help);
        let text = fs::read_to_string(current(path)).map_err(unread)?;
        Self::parse(&text, path).map_err(|error| match error.code() {
            ErrorCode::LaterVersion => error,
            _ => error.with_help(help),
        })
    }

    /// Reads the `run.json` in the folder of a result, such as `out/pairs.parquet`; none if there is no such file, or if the
    /// result is clusters of pairs alone. It is an error if the record is of another state of the result.
    pub fn beside(result: &Path) -> Result<Option<Self>> {
        let path = result.with_file_name("run.json");
        let text = match fs::read_to_string(current(&path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Error::io("cannot read", &path, error))?,
        };
        if is_of_pairs(&text) {
            return Ok(None);
        }
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
        serde_json::from_str(text).map_err(|e| {
            let place = path.display().to_string();
            match check_version(text) {
                Err(later) => later.at(&place),
                Ok(()) if is_of_pairs(text) => {
                    Error::data(format!("{place}: not the record of a run, but of clusters of pairs"))
                }
                Ok(()) => Error::data(format!("{place}: not the record of a run: {e}")).with_source(e),
            }
        })
    }
}

/// Whether a text is the record of clusters that were made of pairs alone: of their run nothing else is known.
fn is_of_pairs(text: &str) -> bool {
    let record: Value = serde_json::from_str(text).unwrap_or_default();
    record.get("clustered_pairs").is_some()
}

/// Refuses a record whose job only a later version can read.
fn check_version(text: &str) -> Result<()> {
    let record: Value = serde_json::from_str(text).unwrap_or_default();
    let version = record.pointer("/job/spec/version").and_then(Value::as_u64);
    JobSpec::check_version(version.unwrap_or_default())
}

/// What the plan of a later run can use of it.
impl From<RunRecord> for EarlierRun {
    fn from(record: RunRecord) -> Self {
        let near = record.near.into_iter().flat_map(|near| near.plan);
        Self {
            inputs: record.inputs.iter().map(InputRecord::name_and_rows).collect(),
            branches: record.plan.into_iter().chain(near).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
                "max_candidates": 7,
                "derive": [{"name": "a", "expression": "lower(b)"}, {"input": "left", "name": "c", "expression": "d"}],
                "spec": {
                    "version": 1, "link_type": "dedupe_only", "ids": {"column": "id"}, "near": 0.05,
                    "inputs": [{"source": {"files": {"given": ["p*.csv"]}}, "options": {"delimiter": ";", "null": ["-"]},
                        "content": {"rows": 6, "xxh128": "00"}}],
                    "rules": [{"kind": "file", "path": "rules.toml", "text": "..."}],
                },
            },
            "device": "cpu", "no_gpu": {"why": "no_driver"}, "threads": 2, "link_type": "dedupe_only",
            "inputs": [{"name": "people", "files": ["people.csv"], "rows": 6, "xxh128": "00", "skipped_records": 1,
                "first_skipped": [{"file": "people.csv", "row": 2}], "given": ["p*.csv"], "delimiter": ";", "id": "id",
                "on_disk": [{"path": "people.csv", "bytes": 5, "modified": "2026-01-31T12:00:00Z"}]}],
            "lists": [{"name": "names.csv", "bytes": 9, "xxh128": "00"}],
            "term_frequencies": [{"comparison": "surname", "column": "surname", "given": "tf.parquet", "values": 7,
                "lacking": 2, "xxh128": "00"}], "unreadable_values": {"year": 1},
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
            "nominal_pairs": 15, "candidates": 10, "pairs": 5,
            "decided": {"same": 3, "added": 1, "different": 2, "removed": 1, "unsure": 4},
            "clusters": 2, "clusters_of_two_or_more": 1, "seconds": 0.5,
            "cluster_sizes": [{"least": 1, "most": 1, "clusters": 1, "records": 1}],
            "largest_cluster": {"cluster_id": "1", "records": 5, "average_of_others": 1.5, "out_of_proportion": {
                "pairs": 4, "rules": [{"name": "a", "pairs": 4}], "example": ["1", "2"],
            }},
            "clusters_at": [{"threshold": 0.5, "column": "cluster_id", "clusters": 2, "clusters_of_two_or_more": 1, "largest": 5}],
            "cut": {"pairs": 3, "method": 0, "max_size": 1, "decided": 0, "never": 2, "one_to": 0, "limit": 0, "bridge": 0,
                "kept_apart": 7},
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

    /// Records of before have the texts of rules, and no description of their job.
    #[test]
    fn records_of_before_are_read() {
        let mut before = sample();
        before["job"] = json!({
            "started": "2026-01-31T12:00:00Z", "command": ["sameas", "dedupe", "people.csv"],
            "rule_files": [{"path": "rules.toml", "text": "..."}], "unique_id": "key", "null": ["-"], "model": "...",
            "derive": [{"name": "a", "expression": "lower(b)"}],
        });
        let record = RunRecord::parse(&before.to_string(), Path::new("run.json")).unwrap();
        assert_eq!((record.job.spec, record.job.derive.len()), (None, 1));
        before.as_object_mut().unwrap().remove("job");
        assert_eq!(RunRecord::parse(&before.to_string(), Path::new("run.json")).unwrap().job.command.len(), 0);
    }

    #[test]
    fn a_later_run_learns_of_all_branches() {
        let mut sample = sample();
        sample["near"]["plan"] = json!([sample["plan"][0]]);
        sample["near"]["plan"][0]["candidates"] = json!(3);
        let earlier = EarlierRun::from(RunRecord::parse(&sample.to_string(), Path::new("run.json")).unwrap());
        assert_eq!(earlier.inputs, [("people".to_owned(), 6)]);
        let candidates: Vec<Option<u64>> = earlier.branches.iter().map(|branch| branch.candidates).collect();
        assert_eq!(candidates, [Some(10), Some(3)]);
    }

    #[test]
    fn fields_of_later_versions_are_ignored_and_other_files_refused() {
        let mut later = sample();
        later["new"] = json!([1]);
        later["plan"][0]["new"] = json!({"a": 1});
        assert!(RunRecord::parse(&later.to_string(), Path::new("run.json")).is_ok());
        later["job"]["spec"]["version"] = json!(2);
        later["job"]["spec"]["rules"] = json!("in other words");
        let error = RunRecord::parse(&later.to_string(), Path::new("a/run.json")).unwrap_err();
        assert_eq!(error.code(), ErrorCode::LaterVersion, "{error}");
        assert!(error.message().starts_with("a/run.json: a later version of sameas"), "{error}");
        let error = RunRecord::parse("{}", Path::new("a/run.json")).unwrap_err();
        assert!(error.message().starts_with("a/run.json: not the record of a run: missing field"), "{error}");
    }
}
