//! `evaluate`: figures from files.

use crate::support::{Folder, has};

fn figures(folder: &Folder, args: &[&str]) -> serde_json::Value {
    let said = folder.ok(&[&["evaluate", "--format", "json"][..], args].concat());
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn a_run_against_pairs_and_against_clusters() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone"]);
    folder.write("matches.csv", "id_a,id_b\n2,1\n5,6\n");
    let by_pairs = figures(&folder, &["--pairs", "sameas-out/pairs.parquet", "--truth", "matches.csv"]);
    assert_eq!((by_pairs["precision"].as_f64(), by_pairs["recall"].as_f64()), (Some(0.5), Some(0.5)));
    assert_eq!((by_pairs["all_pairs"].as_u64(), by_pairs["candidates"].as_u64()), (Some(15), Some(2)));
    folder.write("clusters.csv", "id,cluster\n1,a\n2,a\n3,b\n4,b\n5,c\n");
    let args = ["--clusters", "sameas-out/clusters.parquet", "--truth", "clusters.csv"];
    assert_eq!(figures(&folder, &args)["f1"].as_f64(), Some(1.0));
    let said = folder.ok(&["evaluate", "--pairs", "sameas-out/pairs.parquet", "--truth", "matches.csv"]).out;
    has(&said, &["Precision", "0.5000", "Reduction ratio", "0.8667", "Pairs completeness"]);
}

#[test]
fn without_a_run_record_the_user_says_how_many_records_there_are() {
    let folder = Folder::new();
    folder.write("found.csv", "a,b\nx,y\n");
    folder.write("truth.csv", "p,q\ny,x\n");
    let args = ["--pairs", "found.csv", "--truth", "truth.csv"];
    let unknown = folder.ok(&[&["evaluate"][..], &args].concat()).out;
    has(&unknown, &["F1", "1.0000", "unknown"]);
    assert_eq!(figures(&folder, &[&args[..], &["--records", "4"]].concat())["all_pairs"].as_u64(), Some(6));
    assert_eq!(figures(&folder, &[&args[..], &["--link", "--records", "4", "5"]].concat())["f1"].as_f64(), Some(0.0));
}

#[test]
fn a_truth_about_some_records_only() {
    let folder = Folder::new();
    folder.write("found.csv", "a,b\n1,2\n8,9\n");
    folder.write("truth.csv", "who,what\n1,x\n2,x\n");
    let args = ["--pairs", "found.csv", "--truth", "truth.csv", "--truth-kind", "clusters"];
    assert_eq!(figures(&folder, &args)["precision"].as_f64(), Some(0.5));
    assert_eq!(figures(&folder, &[&args[..], &["--among"]].concat())["precision"].as_f64(), Some(1.0));
}

#[test]
fn a_link_knows_its_sides_from_the_run_record() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,red\n2,blue\n");
    folder.write("b.csv", "id,x\n1,blue\n2,red\n");
    folder.ok(&["link", "a.csv", "b.csv", "--rule", "l.x = r.x"]);
    folder.write("matches.csv", "id_a,id_b\n1,2\n");
    let figures_of =
        |kind: &str, file: &str| figures(&folder, &[kind, file, "--truth", "matches.csv"])["precision"].as_f64();
    assert_eq!(figures_of("--pairs", "sameas-out/pairs.parquet"), Some(0.5));
    assert_eq!(figures_of("--clusters", "sameas-out/clusters.parquet"), Some(0.5));
}

#[test]
fn too_low_a_figure_is_a_finding_and_bad_files_are_failures() {
    let folder = Folder::new();
    folder.write("found.csv", "a,b\n1,2\n8,9\n");
    folder.write("truth.csv", "a,b\n1,2\n");
    let args = ["evaluate", "--pairs", "found.csv", "--truth", "truth.csv", "--min-f1"];
    assert_eq!(folder.run(&[&args[..], &["0.9"]].concat()).code, Some(1));
    assert_eq!(folder.run(&[&args[..], &["0.6"]].concat()).code, Some(0));
    folder.write("one.csv", "a\n1\n");
    has(&folder.fails(&["evaluate", "--pairs", "found.csv", "--truth", "one.csv"]), &["only one column"]);
    folder.fails(&["evaluate", "--truth", "truth.csv"]);
}

#[test]
fn rules_are_scored_and_wrong_and_missed_pairs_are_listed() {
    let folder = Folder::with_people();
    folder.ok(&[
        "dedupe",
        "people.csv",
        "--rule",
        "l.phone = r.phone and l.id < r.id",
        "--rule",
        "l.year = r.year",
        "-o",
        "p.csv",
    ]);
    folder.write("truth.csv", "id,cluster\n1,a\n2,a\n3,b\n4,c\n5,d\n6,d\n");
    let args = ["--pairs", "p.csv", "--truth", "truth.csv", "--wrong", "wrong.csv", "--missed", "missed.jsonl"];
    let figures = figures(&folder, &args);
    assert_eq!(folder.read("wrong.csv"), "unique_id_l,unique_id_r,match_key\n3,4,rule_1\n");
    assert_eq!(folder.read("missed.jsonl"), "{\"unique_id_l\":\"5\",\"unique_id_r\":\"6\"}\n");
    let rule = &figures["rules"][0];
    assert_eq!(
        (rule["name"].as_str(), rule["found"].as_u64(), rule["found_and_true"].as_u64()),
        (Some("rule_1"), Some(2), Some(1))
    );
    assert_eq!((rule["precision"].as_f64(), rule["recall"].as_f64()), (Some(0.5), Some(0.5)));
    let evaluate = |more: &[&str]| folder.run(&[&["evaluate"][..], &args[..4], more].concat());
    has(
        &evaluate(&[]).out,
        &[
            "Rule (match_key)   found   true   precision   recall\nrule_1                 2      1      0.5000   0.5000\n",
        ],
    );
    let refused = evaluate(&["--wrong", "wrong.csv"]);
    assert_eq!(refused.code, Some(2));
    has(&refused.err, &["the output file `wrong.csv` is there already", "use --overwrite"]);
    assert_eq!(evaluate(&["--wrong", "wrong.csv", "--overwrite"]).code, Some(0));
    has(&evaluate(&["--missed", "truth.csv", "--overwrite"]).err, &["`truth.csv` is an input"]);
    has(
        &evaluate(&["--missed", "missed.xlsx"]).err,
        &["a file like `missed.xlsx` cannot be written", "help: end its name with"],
    );
    has(&evaluate(&["--wrong", "x.csv", "--missed", "x.csv"]).err, &["--wrong and --missed name the same file"]);
    assert_eq!(folder.names(), ["missed.jsonl", "p.csv", "people.csv", "truth.csv", "wrong.csv"]);
}

#[test]
fn pairs_of_clusters_and_of_two_inputs_are_listed_too() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "-o", "c.csv", "--what", "clusters"]);
    folder.write("truth.csv", "a,b\n2,1\n5,6\n");
    folder.ok(&[
        "evaluate",
        "--clusters",
        "c.csv",
        "--truth",
        "truth.csv",
        "--wrong",
        "wrong.csv",
        "--missed",
        "missed.csv",
    ]);
    assert_eq!(folder.read("wrong.csv"), "unique_id_l,unique_id_r\n3,4\n");
    assert_eq!(folder.read("missed.csv"), "unique_id_l,unique_id_r\n5,6\n");
    folder.write("a.csv", "id,x\n1,red\n2,blue\n");
    folder.write("b.csv", "id,x\n1,blue\n2,red\n");
    folder.ok(&["link", "a.csv", "b.csv", "--rule", "l.x = r.x", "-o", "out"]);
    folder.write("matches.csv", "id_a,id_b\n1,2\n1,1\n");
    let args = ["evaluate", "--pairs", "out/pairs.parquet", "--truth", "matches.csv", "--overwrite"];
    folder.ok(&[&args[..], &["--wrong", "wrong.csv", "--missed", "missed.csv"]].concat());
    assert_eq!(folder.read("wrong.csv"), "unique_id_l,unique_id_r,match_key\n2,1,rule_1\n");
    assert_eq!(folder.read("missed.csv"), "unique_id_l,unique_id_r\n1,1\n");
}

#[test]
fn a_file_of_the_other_kind_is_refused_with_the_right_option() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "-o", "out", "--format", "csv"]);
    folder.write("truth.csv", "a,b\n1,2\n");
    has(
        &folder.fails(&["evaluate", "--pairs", "out/clusters.csv", "--truth", "truth.csv"]),
        &[
            "the result, `clusters`, holds clusters (it has a column `cluster_id`), and pairs are expected",
            "use --clusters in place",
        ],
    );
    has(
        &folder.fails(&["evaluate", "--clusters", "out/pairs.csv", "--truth", "truth.csv"]),
        &[
            "the result, `pairs`, holds pairs (it has a column `unique_id_l`), and clusters are expected",
            "use --pairs in place",
        ],
    );
}

#[test]
fn every_threshold_on_a_score_is_judged() {
    let folder = Folder::new();
    let pairs = "unique_id_l,unique_id_r,match_key,match_weight,match_probability\n1,2,score,9,0.99\n3,4,score,5,0.9\n\
                 5,6,score,5,0.9\n7,8,score,1,0.5\n";
    folder.write("pairs.csv", pairs);
    folder.write("truth.csv", "a,b\n1,2\n5,6\n7,9\n");
    let run = ["evaluate", "--pairs", "pairs.csv", "--truth", "truth.csv", "--thresholds", "all.csv"];
    has(&folder.ok(&run).out, &["match_weight", "probability", "5.000", "0.969697", "best F1", "9.000", "0.998051"]);
    let expected = "threshold,found,found_and_true,precision,recall,f1\n9.0,1,1,1.0,0.3333333333333333,0.5\n\
                    5.0,3,2,0.6666666666666666,0.6666666666666666,0.6666666666666666\n1.0,4,2,0.5,0.6666666666666666,0.5714285714285714\n";
    assert_eq!(folder.read("all.csv"), expected);
    let json = folder.ok(&[&run[..5], &["--format", "json"]].concat()).out;
    has(&json, &["\"scored_by\": \"match_weight\"", "\"thresholds\": [", "\"threshold\": 9.0"]);
    folder.write("plain.csv", "unique_id_l,unique_id_r\n1,2\n");
    let run = ["evaluate", "--pairs", "plain.csv", "--truth", "truth.csv", "--thresholds", "other.csv"];
    has(&folder.fails(&run), &["the pairs have no scores", "`match_probability`"]);
    assert!(!folder.path("other.csv").exists());
}
