//! `evaluate`: clusters as clusters, samples of labelled pairs, and two results compared. The page docs/evaluation.md shows what is said.

use crate::support::{Folder, has};

fn figures(folder: &Folder, args: &[&str]) -> serde_json::Value {
    let said = folder.ok(&[&["evaluate", "--format", "json"][..], args].concat());
    serde_json::from_str(&said.out).unwrap()
}

/// Clusters of letters, as a file.
fn clusters(of: &[&str]) -> String {
    let rows = of.iter().flat_map(|ids| ids.chars().map(move |id| format!("{id},{}\n", ids.chars().next().unwrap())));
    ["unique_id,cluster_id\n".to_owned()].into_iter().chain(rows).collect()
}

#[test]
fn clusters_have_measures_of_their_own() {
    let folder = Folder::new();
    folder.write("found.csv", clusters(&["ab", "cde", "f"]));
    folder.write("truth.csv", clusters(&["abc", "de", "f"]));
    let args = ["--clusters", "found.csv", "--truth", "truth.csv"];
    let said = folder.ok(&[&["evaluate"][..], &args].concat()).out;
    has(
        &said,
        &[
            "B-cubed F1                 0.7778\n",
            "Adjusted Rand index        0.3182\n",
            "Variation of information   0.9183 bits\n",
            "Exact clusters             1; precision 0.3333, recall 0.3333, F1 0.3333\n",
            "Split                      1 true cluster, in 2 found ones\n",
            "Merged                     1 found cluster, of 2 true ones\n",
            "3                     1       0       1       1              0.7778   0.5556\n",
        ],
    );
    let json = &figures(&folder, &args)["clusters"];
    assert_eq!((json["records"].as_u64(), json["exact"]["found_and_true"].as_u64()), (Some(6), Some(1)));
    assert_eq!((json["split"]["parts"].as_u64(), json["by_size"][2]["from"].as_u64()), (Some(2), Some(3)));
    // Of a truth of pairs, clusters are what the pairs connect; and only records that a partial truth knows count.
    folder.write("pairs.csv", "a,b\na,b\nc,b\n");
    let args = ["--clusters", "found.csv", "--truth", "pairs.csv"];
    let json = &figures(&folder, &args)["clusters"];
    assert_eq!((json["truth_is_pairs"].as_bool(), json["exact"]["true_clusters"].as_u64()), (Some(true), Some(4)));
    let json = &figures(&folder, &[&args[..], &["--among"]].concat())["clusters"];
    assert_eq!((json["records"].as_u64(), json["exact"]["found"].as_u64()), (Some(3), Some(2)));
    assert!(figures(&folder, &["--pairs", "pairs.csv", "--truth", "pairs.csv"])["clusters"].is_null());
}

const LABELS: &str = "unique_id_l,unique_id_r,judgement,stratum,inclusion_probability\n1,2,same,found,0.5\n\
                      5,6,same,found,0.5\n9,10,different,found,0.5\n13,14,same,found,0.5\n2,3,different,rest,0.1\n\
                      4,5,same,rest,0.1\n8,9,different,rest,0.1\n10,11,unsure,rest,0.1\n";

#[test]
fn labels_give_estimates_with_intervals() {
    let folder = Folder::new();
    folder.write("pairs.csv", "unique_id_l,unique_id_r\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n15,16\n");
    folder.write("labels.csv", LABELS);
    let args = ["--pairs", "pairs.csv", "--labels", "labels.csv"];
    has(
        &folder.ok(&[&["evaluate"][..], &args].concat()).out,
        &[
            "Labelled pairs             8: 4 same, 3 different, 1 unsure (left out)\n",
            "Frame                      about 48 pairs, those that the labels were drawn from;",
            "Pairs found                8, about 8 of them in the frame, 4 labelled\n",
            "Precision                  0.7500, with 95 % confidence from 0.3648 to 0.9400\n",
            "Recall                     0.3750, with 95 % confidence from 0.0985 to 0.7671\n",
            "F1                         0.5000, with 95 % confidence from 0.1765 to 0.8235\n",
            "rest         40        4       0      1           2        1\n",
            "Method: shares are ratios of weighted sums (Hájek;",
        ],
    );
    let json = figures(&folder, &args);
    assert_eq!((json["frame"]["pairs"].as_f64(), json["labels"]["unsure"].as_u64()), (Some(48.0), Some(1)));
    assert_eq!((json["recall"]["estimate"].as_f64(), json["strata"][1]["name"].as_str()), (Some(0.375), Some("rest")));
    // By clusters, and without inclusion probabilities.
    folder.write("clusters.csv", "unique_id,cluster_id\n1,a\n2,a\n5,b\n6,b\n");
    folder.write("plain.csv", "unique_id_l,unique_id_r,judgement\n1,2,same\n6,5,same\n1,99,same\n1,5,different\n");
    let said = folder.ok(&["evaluate", "--clusters", "clusters.csv", "--labels", "plain.csv"]).out;
    has(
        &said,
        &[
            "the pairs that the labels were drawn from; without inclusion\n",
            "Unknown records            1 labelled pair",
            "Recall                     0.6667",
        ],
    );
}

#[test]
fn labels_that_are_wrong_have_their_place() {
    let folder = Folder::new();
    folder.write("pairs.csv", "unique_id_l,unique_id_r\n1,2\n");
    let fails = |labels: &str| {
        folder.write("labels.csv", labels);
        folder.fails(&["evaluate", "--pairs", "pairs.csv", "--labels", "labels.csv"])
    };
    has(
        &fails("unique_id_l,unique_id_r,judgement\n1,2,same\n3,4,yes\n"),
        &["labels.csv:3: `judgement` is `yes`; `same`, `different` and `unsure` are allowed"],
    );
    has(
        &fails("unique_id_l,unique_id_r,judgement\n1,2,same\n2,1,different\n"),
        &["labels.csv:3: of `2` and `1` the judgement is `different`, which contradicts labels.csv:2\n"],
    );
    has(
        &fails("unique_id_l,unique_id_r,judgement,inclusion_probability\n1,2,same,0.2\n3,4,same,\n"),
        &["labels.csv:3: `inclusion_probability` is missing, and labels.csv:2 has one\n"],
    );
    has(&fails("id_l,id_r,judgement\n1,2,same\n"), &["the judgements, `labels`, have no column `unique_id_l`\n"]);
    let both = ["evaluate", "--pairs", "pairs.csv", "--labels", "labels.csv", "--truth", "pairs.csv"];
    has(&folder.fails(&both), &["cannot be used with"]);
    has(&folder.fails(&["evaluate", "--pairs", "pairs.csv"]), &["--truth", "--labels", "--against"]);
}

#[test]
fn two_results_are_compared() {
    let folder = Folder::new();
    folder.write("old.csv", clusters(&["abc", "de", "fg", "h"]));
    folder.write("new.csv", clusters(&["ab", "c", "defg", "h"]));
    let args = ["--clusters", "new.csv", "--against", "old.csv"];
    has(
        &folder.ok(&[&["evaluate"][..], &args].concat()).out,
        &[
            "Records in both            8\n",
            "split                          1                 1       2         3\n",
            "merged                         1                 2       1         4\n",
            "  sameas show a   split: 3 -> 2 + 1\n",
            "  sameas show d   merged: 2 + 2 -> 4\n",
        ],
    );
    let json = figures(&folder, &args);
    assert_eq!((json["clusters"].as_u64(), json["changes"][3]["kind"].as_str()), (Some(4), Some("exchanged")));
    assert_eq!(json["changes"][1]["examples"][0]["after"], serde_json::json!([2, 1]));
    folder.write("pairs.csv", "unique_id_l,unique_id_r\na,b\n");
    has(
        &folder.fails(&["evaluate", "--clusters", "new.csv", "--against", "pairs.csv"]),
        &["the other result, `pairs`, holds pairs", "help: two results are compared by their clusters"],
    );
    has(&folder.fails(&["evaluate", "--pairs", "pairs.csv", "--against", "old.csv"]), &["cannot be used with"]);
}

/// What is said names a record as `show` takes it.
#[test]
fn examples_can_be_shown() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "-o", "old"]);
    folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone and l.id < 3", "-o", "new"]);
    let args = ["--clusters", "new/clusters.parquet", "--against", "old/clusters.parquet"];
    has(&folder.ok(&[&["evaluate"][..], &args].concat()).out, &["  sameas show 3   split: 2 -> 1 + 1\n"]);
    has(&folder.ok(&["show", "3", "--in", "old"]).out, &["Cluster 3: 2 records"]);
}
