//! `sweep`: each row is what `cluster` and `evaluate` say of its threshold and its method, and reports have the same.

use serde_json::Value;

use crate::report::Unpacked;
use crate::support::{Folder, has};

const PAIRS: &str = "unique_id_l,unique_id_r,score\n1,2,0.95\n2,3,0.6\n3,4,0.9\n5,6,0.7\n7,8,0.9\n8,9,0.9\n7,9,0.65\n";

const TRUTH: &str = "id,cluster\n1,a\n2,a\n3,b\n4,b\n5,c\n6,d\n7,e\n8,e\n9,e\n10,f\n11,f\n";

/// How `cluster` makes the clusters of a method.
fn options(method: &str, threshold: &str) -> Vec<String> {
    let text = match method {
        "components" => format!("--threshold {threshold}"),
        "one_to_one" => format!("--threshold {threshold} --one-to"),
        "bridges" => format!("--threshold {threshold} --split bridges --density 0.3"),
        "average" | "complete" => format!("--method {method} --least {threshold}"),
        other => format!("--method {other} --threshold {threshold}"),
    };
    text.split(' ').map(str::to_owned).collect()
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_str(&folder.ok(&[args, &["--format", "json"]].concat()).out).unwrap()
}

/// Compares every row with the two commands; `judged` is how both read the truth or the labels, `link` what a link adds for
/// `evaluate`.
fn check_rows(folder: &Folder, pairs: &str, judged: &[&str], link: &[&str]) -> Value {
    let swept = json(folder, &[&["sweep", pairs, "--thresholds", "0.6,0.65,0.9", "-q"], judged].concat());
    for row in swept["rows"].as_array().unwrap() {
        let (method, threshold) = (row["method"].as_str().unwrap(), row["threshold"].to_string());
        let options = options(method, &threshold);
        let how: Vec<&str> = options.iter().map(String::as_str).collect();
        folder.ok(&[&["cluster", pairs, "-o", "one", "--overwrite", "--format", "csv", "-q"][..], &how].concat());
        let record: Value = serde_json::from_str(&folder.read("one/run.json")).unwrap();
        for name in ["clusters", "clusters_of_two_or_more"] {
            assert_eq!(row[name], record[name], "{method} {threshold}");
        }
        assert_eq!(row["cut"], record["cut"]["pairs"], "{method} {threshold}");
        assert_eq!(row["spec"], record["spec"], "{method} {threshold}");
        assert_eq!(row["largest"], record["largest_cluster"]["records"], "{method} {threshold}");
        let single = json(folder, &[&["evaluate", "--clusters", "one/clusters.csv"], judged, link].concat());
        for name in ["precision", "recall", "f1"] {
            let (found, figure) = match judged[0] {
                "--labels" => (&row[format!("estimated_{name}")], &single[name]["estimate"]),
                _ => (&row[name], &single[name]),
            };
            assert_eq!(found, figure, "{method} {threshold} {name}");
        }
        for name in ["bcubed_precision", "bcubed_recall", "bcubed_f1", "adjusted_rand_index"] {
            assert_eq!(row[name], single["clusters"][name], "{method} {threshold} {name}");
        }
    }
    swept
}

#[test]
fn rows_are_those_of_cluster_and_evaluate() {
    let folder = Folder::new();
    folder.write("pairs.csv", PAIRS);
    folder.write("truth.csv", TRUTH);
    let swept = check_rows(&folder, "pairs.csv", &["--truth", "truth.csv"], &[]);
    let methods: Vec<&str> =
        swept["rows"].as_array().unwrap().iter().step_by(3).map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["components", "average", "complete", "louvain", "bridges"]);
    // The pairs alone at 0.65.
    folder.write("some.csv", PAIRS.replace("2,3,0.6\n", ""));
    let alone = json(&folder, &["evaluate", "--pairs", "some.csv", "--truth", "truth.csv"]);
    assert_eq!(swept["rows"][1]["pair_f1"], alone["f1"]);
    folder.write("labels.csv", "unique_id_l,unique_id_r,judgement\n1,2,same\n2,3,different\n7,9,same\n10,11,same\n");
    check_rows(&folder, "pairs.csv", &["--labels", "labels.csv"], &[]);
}

#[test]
fn pairs_of_a_link_have_the_sources_of_their_sides() {
    let folder = Folder::new();
    folder.write("left.csv", "id,name\n1,anna\n2,hanna\n3,bob\n");
    folder.write("right.csv", "id,name\n1,hanna\n2,anna\n3,bobb\n");
    let scored = "unique_id_l,unique_id_r,score\n1,2,0.9\n1,1,0.65\n2,1,0.9\n2,2,0.65\n3,3,0.6\n";
    folder.write("scored.csv", scored);
    folder.write("rules.toml", "[score]\npairs = \"scored.csv\"\n");
    folder.ok(&["link", "left.csv", "right.csv", "--rules", "rules.toml", "-o", "run"]);
    folder.write("matches.csv", "a,b\n1,2\n2,1\n3,3\n");
    let swept = check_rows(&folder, "run", &["--truth", "matches.csv"], &["--link"]);
    let found = |method: &str| {
        let mut rows = swept["rows"].as_array().unwrap().iter();
        rows.find(|row| row["method"] == method).unwrap()["f1"].as_f64()
    };
    assert_eq!((found("optimal"), found("one_to_one")), (Some(1.0), Some(1.0)));
    assert!(found("components") < Some(1.0));
    let said = folder.ok(&["sweep", "run", "--thresholds", "0.6", "--truth", "matches.csv", "-q"]).out;
    has(&said, &["one_to_one", "best F1\n", "[clusters]\nthreshold = 0.6\none_to = \"one\"\n"]);
}

/// A run of four records, the second and third of which are no true pair.
fn scored_run(folder: &Folder) {
    folder.write("people.csv", "id,name\n1,anna\n2,hanna\n3,bob\n4,bobb\n");
    folder.write("scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n2,3,0.65\n3,4,0.9\n");
    folder.write("rules.toml", "[score]\npairs = \"scored.csv\"\n");
    folder.write("clusters.csv", "id,cluster\n1,a\n2,a\n3,b\n4,b\n");
    folder.write("labels.csv", "unique_id_l,unique_id_r,judgement\n1,2,same\n2,3,different\n");
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "run"]);
}

/// The sweep in a report, and the words for it.
fn reported(folder: &Folder, options: &[&str]) -> [Value; 2] {
    folder.ok(&[&["report", "run", "--overwrite", "-q"], options].concat());
    let mut facts = Unpacked::read(folder, "run/report.html").facts;
    [facts["sweep"].take(), facts["words"]["sweep"].take()]
}

#[test]
fn a_report_has_the_sweep_of_its_run() {
    let folder = Folder::new();
    scored_run(&folder);
    let [facts, words] = reported(&folder, &["--sweep", "--truth", "clusters.csv"]);
    let swept = json(&folder, &["sweep", "run", "--truth", "clusters.csv", "-q"]);
    let (rows, figures) = (facts["rows"].as_array().unwrap(), swept["rows"].as_array().unwrap());
    assert_eq!((rows.len(), &facts["best"], &facts["scoredBy"]), (figures.len(), &swept["best"], &swept["scored_by"]));
    let counts = [("records", "clustered_records"), ("clusters", "clusters_of_two_or_more"), ("largest", "largest")];
    let others = ["method", "threshold", "pairs", "cut", "bridges", "density", "agreement"].map(|name| (name, name));
    let shares = [("pairF1", "pair_f1"), ("precision", "precision"), ("recall", "recall"), ("bcubedF1", "bcubed_f1")];
    for (row, figures) in rows.iter().zip(figures) {
        counts.iter().chain(&others).for_each(|(name, figure)| assert_eq!(row[*name], figures[*figure], "{row}"));
        let scores = &row["byTruth"];
        shares.iter().for_each(|(name, figure)| assert_eq!(scores[*name], figures[*figure], "{row}"));
        assert_eq!((&scores["f1"], &row["byLabels"]), (&figures["f1"], &Value::Null));
    }
    has(words["notes"].as_str().unwrap(), &["3 pairs of 4 records, scores in `score`; the thresholds"]);
    has(words["best"]["says"].as_str().unwrap(), &["The best, components, as a rule file says it:"]);
    has(words["best"]["clusters"].as_str().unwrap(), &["[clusters]\nthreshold = "]);
}

#[test]
fn a_report_has_no_sweep_that_nobody_asked_for() {
    let folder = Folder::new();
    scored_run(&folder);
    assert_eq!(reported(&folder, &[]), [Value::Null, Value::Null]);
    let [facts, words] = reported(&folder, &["--sweep"]);
    let row = &facts["rows"][1];
    assert!(row["agreement"].is_number() && row["byTruth"].is_null() && row["byLabels"].is_null(), "{row}");
    assert_eq!((&facts["best"], &words["best"]), (&Value::Null, &Value::Null));
    let [facts, _] = reported(&folder, &["--sweep", "--labels", "labels.csv"]);
    assert_eq!(facts["rows"][1]["byLabels"]["precision"]["estimate"], 1.0);
    has(&folder.fails(&["report", "run", "--overwrite", "--labels", "labels.csv"]), &["--sweep"]);
    let over = ["report", "run", "--sweep", "--labels", "labels.csv", "-o", "labels.csv", "--overwrite"];
    has(&folder.fails(&over), &["labels.csv"]);
}

#[test]
fn tables_say_what_is_known() {
    let folder = Folder::new();
    folder.write("pairs.csv", PAIRS);
    folder.write("truth.csv", TRUTH);
    let sweep = |args: &[&str]| folder.ok(&[&["sweep", "pairs.csv", "-q"], args].concat()).out;
    has(
        &sweep(&["--methods", "components", "--thresholds", "0.6..0.9", "--step", "0.15"]),
        &[
            "Method       threshold   pairs   clusters   records   largest   cut   bridges   density   agreement\n\
             components         0.6       7          3         9         4     0         1    0.7000           -\n\
             components        0.75       4          3         7         3     0         0    0.8000      0.5909\n\
             components         0.9       4          3         7         3     0         0    0.8000      1.0000\n",
            "\n7 pairs of 9 records, scores in `score`\n",
        ],
    );
    has(&sweep(&[]), &["scores in `score`; the thresholds part these into tenths\n", "louvain"]);
    let truth = ["--truth", "truth.csv", "--methods", "components,bridges", "--thresholds", "0.6,0.9"];
    let by_truth = sweep(&truth);
    has(
        &by_truth,
        &[
            "Method       threshold   pair F1   precision   recall       F1   B-cubed   clusters   largest\n",
            "best F1\n",
        ],
    );
    has(&by_truth, &["\nThe best, components, as a rule file says it:\n[clusters]\nthreshold = 0.9\n"]);
    folder.write("labels.csv", "unique_id_l,unique_id_r,judgement\n1,2,same\n2,3,different\n7,9,same\n");
    has(
        &sweep(&["--labels", "labels.csv", "--methods", "components", "--thresholds", "0.9"]),
        &["Method       threshold              precision", "1.000 ("],
    );
    let csv = sweep(&[&truth[..], &["--format", "csv"]].concat());
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].starts_with("method,threshold,pairs,clusters,clusters_of_two_or_more,clustered_records,largest,cut,")
    );
    assert!(lines[1].starts_with("components,0.6,7,3,3,9,4,0,1,0.7,,"), "{csv}");
    assert_eq!((lines.len(), lines[1].matches(',').count()), (5, lines[0].matches(',').count()));
}

#[test]
fn mistakes_say_what_to_do() {
    let folder = Folder::new();
    folder.write("pairs.csv", "unique_id_l,unique_id_r\n1,2\n");
    folder.write("truth.csv", TRUTH);
    has(
        &folder.fails(&["sweep", "pairs.csv", "--thresholds", "0.5"]),
        &["thresholds need scores, and the pairs have none"],
    );
    has(&folder.fails(&["sweep", "pairs.csv", "--thresholds", "0.5..0.9"]), &["have no step", "--step 0.1"]);
    has(&folder.fails(&["sweep", "pairs.csv", "--methods", "optimal"]), &["the method `optimal` is for two sources"]);
    has(&folder.fails(&["sweep", "pairs.csv", "--methods", "best"]), &["components, one_to_one, optimal"]);
    let both = ["sweep", "pairs.csv", "--truth", "truth.csv", "--labels", "truth.csv"];
    has(&folder.fails(&both), &["cannot be used with"]);
}
