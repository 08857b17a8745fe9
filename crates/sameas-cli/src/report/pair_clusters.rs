//! What came of clusters of pairs.

use std::path::Path;
use std::time::Duration;

use sameas::clusters::{ClusterPairsRecord, SourceRecord};
use sameas::printable;

use super::clusters::table_of_sizes;
use crate::text::{count, counted, facts, seconds, table};

/// The whole summary; without a folder, nothing is said of files.
pub fn pair_clusters(found: &ClusterPairsRecord, output: Option<&Path>, time: Duration) -> String {
    let mut rows = vec![("Pairs", pairs(found)), ("Records", records(found))];
    rows.extend(decisions(found).map(|decisions| ("Decided", decisions)));
    if found.clusters_at.is_empty() {
        rows.push(("Clusters", clusters(found)));
    }
    rows.extend(cut(found).map(|cut| ("Cut", cut)));
    let threads = counted(found.threads as u64, "thread");
    rows.push(("Time", format!("{}, on the CPU with {threads}", seconds(time.as_secs_f64()))));
    rows.extend(output.map(|folder| ("Results", files(found, folder))));
    let opening = match found.clusters_at.is_empty() {
        true => table_of_sizes(&found.cluster_sizes, found.clusters_of_two_or_more),
        false => by_threshold(found),
    };
    let between = if opening.is_empty() { "" } else { "\n" };
    format!("{opening}{between}{}", facts(&rows))
}

fn pairs(found: &ClusterPairsRecord) -> String {
    let scores = match &found.scored_by {
        Some(column) => format!("with scores in `{}`", printable(column)),
        None => "without scores".to_owned(),
    };
    format!("{}, {scores}", count(found.clustered_pairs))
}

fn records(found: &ClusterPairsRecord) -> String {
    let of_source = |source: &SourceRecord| format!("{} of `{}`", count(source.records), printable(&source.name));
    let sources: Vec<String> = found.sources.iter().take(MOST_SOURCES).map(of_source).collect();
    let more = if found.sources.len() > MOST_SOURCES { ", ..." } else { "" };
    match sources.is_empty() {
        true => count(found.records),
        false => format!("{}: {}{more}", count(found.records), sources.join(", ")),
    }
}

/// Sources that are named one by one.
const MOST_SOURCES: usize = 20;

fn decisions(found: &ClusterPairsRecord) -> Option<String> {
    let all = [(found.decided_same, "same"), (found.decided_different, "different"), (found.forbidden, "forbidden")];
    let said: Vec<String> =
        all.iter().filter(|(pairs, _)| *pairs > 0).map(|(pairs, what)| format!("{} {what}", count(*pairs))).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn clusters(one: &ClusterPairsRecord) -> String {
    let have = if one.clusters_of_two_or_more == 1 { "has" } else { "have" };
    let largest = one.largest_cluster.as_ref().filter(|largest| largest.records > 1);
    let largest = largest.map_or(String::new(), |largest| format!("; the largest has {}", count(largest.records)));
    format!(
        "{}, of which {} {have} two or more records{largest}",
        count(one.clusters),
        count(one.clusters_of_two_or_more)
    )
}

/// The pairs that were cut, by what has cut them.
fn cut(found: &ClusterPairsRecord) -> Option<String> {
    let cut = &found.cut;
    let causes = [
        (cut.method, "the method"),
        (cut.max_size, "max_size"),
        (cut.decided, "decisions"),
        (cut.never, "forbidden pairs"),
        (cut.one_to, "one_to"),
        (cut.limit, "limits"),
        (cut.bridge, "splits"),
    ];
    let by: Vec<String> =
        causes.iter().filter(|(pairs, _)| *pairs > 0).map(|(pairs, by)| format!("{} by {by}", count(*pairs))).collect();
    (cut.pairs > 0).then(|| format!("{}: {}", counted(cut.pairs, "pair"), by.join(", ")))
}

fn by_threshold(found: &ClusterPairsRecord) -> String {
    let mut rows = vec![["Threshold", "clusters", "of two or more", "the largest"].map(str::to_owned).to_vec()];
    rows.extend(found.clusters_at.iter().map(|at| {
        vec![at.threshold.to_string(), count(at.clusters), count(at.clusters_of_two_or_more), count(at.largest)]
    }));
    table(&rows)
}

fn files(found: &ClusterPairsRecord, folder: &Path) -> String {
    let names = found.files.iter().map(|file| file.name.as_str()).chain(["run.json"]);
    names.map(|name| printable(&folder.join(name).display().to_string())).collect::<Vec<_>>().join(", ")
}
