//! Two results compared with each other.

use std::fmt::Write;

use sameas::evaluate::{ClusterChangeExample, ClusterChangeKind, ClusterChanges, ClusterComparison};
use sameas::printable;
use serde_json::json;

use super::figures::aligned;
use crate::text::{count, table};

/// Sizes of an example that are shown.
const SIZES: usize = 6;

/// The changes as tables.
pub fn comparison(comparison: &ClusterComparison) -> String {
    let only = [comparison.records_only_here, comparison.records_only_there].map(count);
    let rows = [
        ("Records in both", count(comparison.records)),
        ("Only in this result", only[0].clone()),
        ("Only in the other", only[1].clone()),
        ("Clusters", count(comparison.clusters)),
        ("Clusters of the other", count(comparison.other_clusters)),
    ];
    let mut kinds =
        vec![["From the other to this", "changes", "clusters before", "after", "records"].map(str::to_owned).to_vec()];
    kinds.extend(comparison.changes.iter().map(|of| {
        let counts = [of.changes, of.before, of.after, of.records].map(count);
        [vec![words(of.kind).to_owned()], counts.to_vec()].concat()
    }));
    aligned(&rows) + "\n" + &table(&kinds) + &examples(&comparison.changes)
}

fn words(kind: ClusterChangeKind) -> &'static str {
    match kind {
        ClusterChangeKind::Same => "same",
        ClusterChangeKind::Split => "split",
        ClusterChangeKind::Merged => "merged",
        ClusterChangeKind::Exchanged => "otherwise changed",
    }
}

/// The largest changes, by a record that `show` takes.
fn examples(changes: &[ClusterChanges]) -> String {
    let mut out = String::new();
    for of in changes {
        for example in &of.examples {
            let [before, after] = [&example.before, &example.after].map(|sizes| sizes_words(sizes));
            let kind = words(of.kind);
            let _ = writeln!(out, "  sameas show {}   {kind}: {before} -> {after}", shown_record(example));
        }
    }
    if out.is_empty() {
        out
    } else {
        format!("\nThe largest changes, by one of their records (--in names the folder)\n{out}")
    }
}

/// A record as a command line has it.
fn shown_record(example: &ClusterChangeExample) -> String {
    let record = printable(&example.record);
    let is_plain = record.chars().all(|c| c.is_alphanumeric() || "_-.:".contains(c));
    if is_plain { record } else { format!("'{}'", record.replace('\'', r"'\''")) }
}

/// `5`, or `3 + 2`.
fn sizes_words(sizes: &[u64]) -> String {
    let shown: Vec<String> = sizes.iter().take(SIZES).map(|size| count(*size)).collect();
    let more = sizes.len().saturating_sub(SIZES);
    let rest = if more > 0 { format!(" + {} more clusters", count(more as u64)) } else { String::new() };
    shown.join(" + ") + &rest
}

/// What programs call it.
fn name(kind: ClusterChangeKind) -> &'static str {
    match kind {
        ClusterChangeKind::Exchanged => "exchanged",
        other => words(other),
    }
}

/// The changes for programs.
pub fn comparison_json(comparison: &ClusterComparison) -> String {
    let example = |example: &ClusterChangeExample| json!({ "record": example.record, "before": example.before, "after": example.after });
    let changes = |of: &ClusterChanges| {
        json!({
            "kind": name(of.kind),
            "changes": of.changes,
            "clusters_before": of.before,
            "clusters_after": of.after,
            "records": of.records,
            "examples": of.examples.iter().map(example).collect::<Vec<_>>(),
        })
    };
    let value = json!({
        "records": comparison.records,
        "records_only_here": comparison.records_only_here,
        "records_only_there": comparison.records_only_there,
        "clusters": comparison.clusters,
        "other_clusters": comparison.other_clusters,
        "changes": comparison.changes.iter().map(changes).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}
