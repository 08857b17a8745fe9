//! What a user must know of clusters before trusting them: their sizes, and one that is out of proportion.

use sameas::record::ClusterSizeRecord;
use sameas::{RunRecord, printable};

use super::bars::{longest, with_bars};
use super::summary::{counts_before_scores, label};
use crate::text::{count, counted, cut, one_line, percent, ratio, table};

/// The clusters by size; nothing where every record is alone.
pub fn sizes(run: &RunRecord) -> String {
    table_of_sizes(&run.cluster_sizes, run.clusters_of_two_or_more)
}

/// Clusters by size, unless none of them has two or more records.
pub fn table_of_sizes(sizes: &[ClusterSizeRecord], of_two_or_more: u64) -> String {
    if of_two_or_more == 0 {
        return String::new();
    }
    let mut rows = vec![["Cluster size", "clusters", "records"].map(str::to_owned).to_vec()];
    rows.extend(sizes.iter().map(|size| vec![range(size), count(size.clusters), count(size.records)]));
    let records: Vec<u64> = sizes.iter().map(|size| size.records).collect();
    with_bars(&rows, &records, longest(TAKEN))
}

/// Characters of the table beside its bars.
const TAKEN: usize = 50;

fn range(size: &ClusterSizeRecord) -> String {
    if size.least == size.most { count(size.least) } else { format!("{} to {}", count(size.least), count(size.most)) }
}

/// How many clusters there are, and how large the largest is.
pub fn clusters(run: &RunRecord) -> String {
    let (all, joined) = (count(run.clusters), count(run.clusters_of_two_or_more));
    let have = if run.clusters_of_two_or_more == 1 { "has" } else { "have" };
    let largest = match &run.largest_cluster {
        Some(largest) if largest.records > 1 => format!("; the largest has {}", count(largest.records)),
        _ => String::new(),
    };
    format!("{all}, of which {joined} {have} two or more records{largest}")
}

/// The clusters at each of several thresholds.
pub fn at_thresholds(run: &RunRecord) -> String {
    if run.clusters_at.is_empty() {
        return String::new();
    }
    let mut rows = vec![["Threshold", "clusters", "of two or more", "largest", "column"].map(str::to_owned).to_vec()];
    rows.extend(run.clusters_at.iter().map(|at| {
        let [all, joined, largest] = [at.clusters, at.clusters_of_two_or_more, at.largest].map(count);
        vec![at.threshold.to_string(), all, joined, largest, printable(&at.column)]
    }));
    table(&rows)
}

/// The pairs between clusters by what has cut them, where the rules say how clusters are made; and the file that has them.
pub fn cut_pairs(run: &RunRecord, file: Option<&str>) -> Option<String> {
    let of = run.cut.as_ref()?;
    let causes = [
        ("the method", of.method),
        ("max_size", of.max_size),
        ("decisions", of.decided),
        ("what a `never` forbids", of.never),
        ("one_to", of.one_to),
        ("limits", of.limit),
        ("bridges", of.bridge),
    ];
    let causes = causes.iter().filter(|(_, pairs)| *pairs > 0);
    let causes: Vec<String> = causes.map(|(cause, pairs)| format!("{} by {cause}", count(*pairs))).collect();
    let by = if causes.is_empty() { String::new() } else { format!(": {}", causes.join(", ")) };
    let place = file.map(|file| format!("; they are in {file}")).unwrap_or_default();
    Some(format!("{} between clusters{by}{place}", counted(of.pairs, "pair")))
}

/// A warning about the largest cluster, if it is out of proportion.
pub fn warning(run: &RunRecord) -> Option<String> {
    let largest = run.largest_cluster.as_ref()?;
    let cause = largest.out_of_proportion.as_ref()?;
    let all: u64 = run.inputs.iter().map(|input| input.rows).sum();
    let others = match run.clusters_of_two_or_more {
        0 | 1 => String::new(),
        _ => format!(", while the others of two or more have {} on average", ratio(largest.average_of_others)),
    };
    let rule = cause.rules.first().map_or(String::new(), |rule| {
        let named = run.rules.iter().find(|known| known.name == rule.name);
        let name = cut(&named.map_or_else(|| printable(&rule.name), label), 56);
        format!(
            "{} of its {} come from rule \"{name}\". ",
            percent(rule.pairs, cause.pairs),
            counted(cause.pairs, "pair")
        )
    });
    let [left, right] = cause.example.each_ref().map(|id| cut(&printable(id), 40));
    Some(format!(
        "one cluster, `{}`, holds {} of {} records ({}){others}. Pairs that share a record join, so a few wrong pairs are enough \
         to chain together what does not belong together. {rule}Look at some of them, as with `sameas why ... --pair {left} \
         {right}`; then make the rule stricter, or forbid what must not be together with [[never]]",
        cut(&printable(&largest.cluster_id), 40),
        count(largest.records),
        count(all),
        percent(largest.records, all),
    ))
}

/// That a `never` keeps pairs apart and not clusters, where that can matter.
pub fn forbidden_pairs(run: &RunRecord) -> Option<String> {
    let can_chain = run.largest_cluster.as_ref().is_some_and(|largest| largest.records > 2);
    let keeps_apart = run.cut.as_ref().is_some_and(|cut| cut.kept_apart.is_some());
    (!run.never.is_empty() && can_chain && !keeps_apart).then(|| {
        "a `never` removes pairs, and clusters are made of the pairs that are left: two records that one forbids can still be \
         in one cluster, through others that match both; `keep_apart = true` below `[clusters]` keeps them apart"
            .into()
    })
}

/// The pairs that each `never` has removed; where pairs are scored, before that.
pub fn nevers(run: &RunRecord) -> String {
    if run.never.is_empty() {
        return String::new();
    }
    let head = if counts_before_scores(run) { "Never, before scores" } else { "Never" };
    let mut rows = vec![[head, "pairs removed"].map(str::to_owned).to_vec()];
    for (place, never) in run.never.iter().enumerate() {
        let is_named = never.name != format!("never_{}", place + 1);
        let name = if is_named { printable(&never.name) } else { format!("{}: {}", never.name, one_line(&never.when)) };
        rows.push(vec![cut(&name, 56), count(never.removed)]);
    }
    table(&rows)
}
