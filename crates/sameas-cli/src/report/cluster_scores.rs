//! How good clusters are as clusters.

use sameas::evaluate::{ClusterScores, ClusterSizeScore, DividedClusters, ExactClusters};
use serde_json::{Value, json};

use super::figures::{aligned, share};
use crate::text::{count, counted, table};

/// The figures as tables.
pub fn cluster_scores(scores: &ClusterScores) -> String {
    let ClusterScores { exact, exact_of_several, split, merged, .. } = scores;
    let bcubed = [scores.bcubed_precision, scores.bcubed_recall, scores.bcubed_f1()].map(|of| share(Some(of)));
    let [precision, recall, f1] = bcubed;
    let true_clusters = match scores.truth_is_pairs {
        true => format!("{} (what the true pairs connect)", count(exact.true_clusters)),
        false => count(exact.true_clusters),
    };
    let rows = [
        ("Clusters found", count(exact.found)),
        ("True clusters", true_clusters),
        ("B-cubed precision", precision),
        ("B-cubed recall", recall),
        ("B-cubed F1", f1),
        ("Adjusted Rand index", format!("{:.4}", scores.adjusted_rand_index)),
        ("Variation of information", format!("{:.4} bits", scores.variation_of_information)),
        ("Exact clusters", exact_words(exact)),
        ("Of two or more records", exact_words(exact_of_several)),
        ("Split", divided_words(split, "true cluster", "in", "found")),
        ("Merged", divided_words(merged, "found cluster", "of", "true")),
    ];
    aligned(&rows) + "\n" + &by_size(&scores.by_size)
}

fn exact_words(exact: &ExactClusters) -> String {
    let [precision, recall, f1] = [exact.precision(), exact.recall(), exact.f1()].map(share);
    format!("{}; precision {precision}, recall {recall}, F1 {f1}", count(exact.both))
}

fn divided_words(divided: &DividedClusters, whole: &str, link: &str, part: &str) -> String {
    match divided.clusters {
        0 => "0".to_owned(),
        clusters => format!("{}, {link} {} {part} ones", counted(clusters, whole), count(divided.parts)),
    }
}

/// True clusters by their sizes.
fn by_size(sizes: &[ClusterSizeScore]) -> String {
    let heads = ["Records", "true clusters", "exact", "split", "mixed", "B-cubed precision", "recall"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(sizes.iter().map(|size| {
        let counts = [size.clusters, size.exact, size.split, size.mixed].map(count);
        let shares = [size.bcubed_precision, size.bcubed_recall].map(|of| share(Some(of)));
        [vec![records_words(size)], counts.to_vec(), shares.to_vec()].concat()
    }));
    table(&rows)
}

fn records_words(size: &ClusterSizeScore) -> String {
    match size.to {
        Some(to) if to == size.from => count(to),
        Some(to) => format!("{} to {}", count(size.from), count(to)),
        None => format!("{} or more", count(size.from)),
    }
}

/// The figures for programs.
pub fn cluster_scores_json(scores: &ClusterScores) -> Value {
    let exact = |exact: &ExactClusters| {
        json!({
            "found": exact.found,
            "true_clusters": exact.true_clusters,
            "found_and_true": exact.both,
            "precision": exact.precision(),
            "recall": exact.recall(),
            "f1": exact.f1(),
        })
    };
    let divided = |divided: &DividedClusters| json!({ "clusters": divided.clusters, "parts": divided.parts });
    let size = |size: &ClusterSizeScore| {
        json!({
            "from": size.from,
            "to": size.to,
            "true_clusters": size.clusters,
            "records": size.records,
            "exact": size.exact,
            "split": size.split,
            "mixed": size.mixed,
            "bcubed_precision": size.bcubed_precision,
            "bcubed_recall": size.bcubed_recall,
        })
    };
    json!({
        "records": scores.records,
        "truth_is_pairs": scores.truth_is_pairs,
        "bcubed_precision": scores.bcubed_precision,
        "bcubed_recall": scores.bcubed_recall,
        "bcubed_f1": scores.bcubed_f1(),
        "adjusted_rand_index": scores.adjusted_rand_index,
        "variation_of_information": scores.variation_of_information,
        "exact": exact(&scores.exact),
        "exact_of_two_or_more": exact(&scores.exact_of_several),
        "split": divided(&scores.split),
        "merged": divided(&scores.merged),
        "by_size": scores.by_size.iter().map(size).collect::<Vec<_>>(),
    })
}
