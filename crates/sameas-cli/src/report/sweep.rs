//! Thresholds and ways to make clusters, compared.

use std::fmt::Write;

use sameas::clusters::{ClusterSpec, MethodSpec, OneToSpec, SplitSpec};
use sameas::evaluate::{ShareEstimate, SweepEstimates, SweepRow, SweepScores, SweepTable};
use sameas::printable;
use serde_json::{Value, json};

use super::figures::share;
use crate::text::{count, counted, table};

/// The rows as a table: by the truth, by labels, or else by how the clusters change.
pub fn sweep(swept: &SweepTable) -> String {
    let best = swept.best();
    let is_by_truth = swept.rows.iter().any(|row| row.scores.is_some());
    let is_by_labels = swept.rows.iter().any(|row| row.estimates.is_some());
    let heads: &[&str] = match (is_by_truth, is_by_labels) {
        (true, _) => &["pair F1", "precision", "recall", "F1", "B-cubed", "clusters", "largest", ""],
        (_, true) => &["precision", "recall", "F1", "clusters", "largest"],
        _ => &["pairs", "clusters", "records", "largest", "cut", "bridges", "density", "agreement"],
    };
    let mut rows: Vec<Vec<String>> =
        vec![["Method", "threshold"].iter().chain(heads).map(|head| (*head).to_owned()).collect()];
    rows.extend(swept.rows.iter().enumerate().map(|(at, row)| {
        let figures = match (&row.scores, &row.estimates) {
            (Some(scores), _) => by_truth(row, scores, best == Some(at)),
            (_, Some(estimates)) => by_labels(row, estimates),
            _ => by_change(row),
        };
        [vec![row.method.name().to_owned(), threshold(row)], figures].concat()
    }));
    let best = best.map(|best| &swept.rows[best]);
    let best = best.map_or(String::new(), |row| format!("\n{}\n{}", best_words(row), clusters_text(&row.spec)));
    format!("{}\n{}\n{best}", table(&rows), notes(swept))
}

fn threshold(row: &SweepRow) -> String {
    row.threshold.map_or("-".to_owned(), |threshold| threshold.to_string())
}

fn by_truth(row: &SweepRow, scores: &SweepScores, is_best: bool) -> Vec<String> {
    let SweepScores { pairs, cluster_pairs, clusters, .. } = scores;
    let bcubed = clusters.as_ref().map(|clusters| clusters.bcubed_f1());
    let figures =
        [pairs.f1(), cluster_pairs.precision(), cluster_pairs.recall(), cluster_pairs.f1(), bcubed].map(share);
    let mark = if is_best { "best F1" } else { "" };
    let sizes = [count(row.clusters_of_two_or_more), count(row.largest), mark.to_owned()];
    [figures.to_vec(), sizes.to_vec()].concat()
}

fn by_labels(row: &SweepRow, estimates: &SweepEstimates) -> Vec<String> {
    let shares = [estimates.precision, estimates.recall, estimates.f1].map(with_interval);
    [shares.to_vec(), [row.clusters_of_two_or_more, row.largest].map(count).to_vec()].concat()
}

fn with_interval(of: Option<ShareEstimate>) -> String {
    match of {
        None => "unknown".to_owned(),
        Some(ShareEstimate { estimate, low, high, .. }) => format!("{estimate:.3} ({low:.2} to {high:.2})"),
    }
}

fn by_change(row: &SweepRow) -> Vec<String> {
    let counts =
        [row.pairs, row.clusters_of_two_or_more, row.clustered_records, row.largest, row.cut, row.bridges].map(count);
    let shares = [row.density, row.agreement].map(|of| of.map_or("-".to_owned(), |of| share(Some(of))));
    [counts.to_vec(), shares.to_vec()].concat()
}

/// What was read, and where the thresholds are from.
fn notes(swept: &SweepTable) -> String {
    let (pairs, records) = (counted(swept.pairs, "pair"), counted(swept.records, "record"));
    let scores = match &swept.scored_by {
        Some(column) => format!("scores in `{}`", printable(column)),
        None => "no scores".to_owned(),
    };
    let chosen = if swept.has_chosen_thresholds { "; the thresholds part these into tenths" } else { "" };
    format!("{pairs} of {records}, {scores}{chosen}")
}

/// What a rule file has for the clusters of a row.
fn best_words(row: &SweepRow) -> String {
    let limits = if row.spec.limits.is_empty() { "" } else { ", beside the limits" };
    format!("The best, {}, as a rule file says it{limits}:", row.method.name())
}

/// The sentences of a report, and the lines of a rule file for the best row.
pub fn sweep_words(swept: &SweepTable) -> Value {
    let best = swept.best().map(|best| &swept.rows[best]);
    json!({
        "notes": notes(swept),
        "best": best.map(|row| json!({ "says": best_words(row), "clusters": clusters_text(&row.spec) })),
    })
}

/// `[clusters]` of a rule file.
fn clusters_text(spec: &ClusterSpec) -> String {
    let mut out = "[clusters]\n".to_owned();
    let mut add = |key: &str, value: String| {
        let _ = writeln!(out, "{key} = {value}");
    };
    spec.thresholds.iter().for_each(|threshold| add("threshold", number(*threshold)));
    if spec.method != MethodSpec::Components {
        add("method", format!("\"{}\"", spec.method.name()));
    }
    spec.least.into_iter().for_each(|least| add("least", number(least)));
    spec.max_size.into_iter().for_each(|most| add("max_size", most.to_string()));
    if spec.keep_apart {
        add("keep_apart", "true".to_owned());
    }
    match &spec.one_to {
        Some(OneToSpec::One) => add("one_to", "\"one\"".to_owned()),
        Some(OneToSpec::Many(source)) => add("one_to_many", json!(printable(source)).to_string()),
        None => {}
    }
    spec.split.iter().map(|split: &SplitSpec| format!("\"{}\"", split.name())).for_each(|split| add("split", split));
    spec.density.into_iter().for_each(|density| add("density", number(density)));
    out
}

/// A number as TOML has it.
fn number(number: f64) -> String {
    format!("{number:?}")
}

/// The rows for programs; what is unknown is null.
pub fn sweep_json(swept: &SweepTable) -> String {
    let rows: Vec<Value> = swept.rows.iter().map(row_json).collect();
    let value = json!({
        "pairs": swept.pairs,
        "records": swept.records,
        "scored_by": swept.scored_by,
        "thresholds_are_tenths": swept.has_chosen_thresholds,
        "best": swept.best(),
        "rows": rows,
    });
    format!("{value:#}\n")
}

fn row_json(row: &SweepRow) -> Value {
    let mut value: Value = figures(row).into_iter().map(|(name, figure)| (name.to_owned(), figure)).collect();
    value["spec"] = json!(row.spec);
    value
}

/// The rows as CSV, with a column for each figure; what is unknown is empty.
pub fn sweep_csv(swept: &SweepTable) -> String {
    let mut out = String::new();
    for (at, row) in swept.rows.iter().enumerate() {
        let figures = figures(row);
        if at == 0 {
            let names: Vec<&str> = figures.iter().map(|(name, _)| *name).collect();
            let _ = writeln!(out, "{}", names.join(","));
        }
        let cells: Vec<String> = figures.iter().map(|(_, figure)| cell(figure)).collect();
        let _ = writeln!(out, "{}", cells.join(","));
    }
    out
}

/// A figure as CSV: neither names of methods nor numbers need quotes.
fn cell(figure: &Value) -> String {
    match figure {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// All figures of a row by their names.
fn figures(row: &SweepRow) -> Vec<(&'static str, Value)> {
    let scores = row.scores.as_ref();
    let clusters = scores.and_then(|scores| scores.clusters.as_ref());
    let mut all = vec![
        ("method", json!(row.method.name())),
        ("threshold", json!(row.threshold)),
        ("pairs", json!(row.pairs)),
        ("clusters", json!(row.clusters)),
        ("clusters_of_two_or_more", json!(row.clusters_of_two_or_more)),
        ("clustered_records", json!(row.clustered_records)),
        ("largest", json!(row.largest)),
        ("cut", json!(row.cut)),
        ("bridges", json!(row.bridges)),
        ("density", json!(row.density)),
        ("agreement", json!(row.agreement)),
        ("pair_precision", json!(scores.and_then(|of| of.pairs.precision()))),
        ("pair_recall", json!(scores.and_then(|of| of.pairs.recall()))),
        ("pair_f1", json!(scores.and_then(|of| of.pairs.f1()))),
        ("precision", json!(scores.and_then(|of| of.cluster_pairs.precision()))),
        ("recall", json!(scores.and_then(|of| of.cluster_pairs.recall()))),
        ("f1", json!(scores.and_then(|of| of.cluster_pairs.f1()))),
        ("bcubed_precision", json!(clusters.map(|of| of.bcubed_precision))),
        ("bcubed_recall", json!(clusters.map(|of| of.bcubed_recall))),
        ("bcubed_f1", json!(clusters.map(|of| of.bcubed_f1()))),
        ("exact_f1", json!(clusters.and_then(|of| of.exact.f1()))),
        ("adjusted_rand_index", json!(clusters.map(|of| of.adjusted_rand_index))),
    ];
    let estimates = row.estimates.as_ref();
    let shares = [
        (
            ["estimated_precision", "estimated_precision_low", "estimated_precision_high"],
            estimates.and_then(|of| of.precision),
        ),
        (["estimated_recall", "estimated_recall_low", "estimated_recall_high"], estimates.and_then(|of| of.recall)),
        (["estimated_f1", "estimated_f1_low", "estimated_f1_high"], estimates.and_then(|of| of.f1)),
    ];
    for ([estimate, low, high], share) in shares {
        all.push((estimate, json!(share.map(|share| share.estimate))));
        all.push((low, json!(share.map(|share| share.low))));
        all.push((high, json!(share.map(|share| share.high))));
    }
    all
}
