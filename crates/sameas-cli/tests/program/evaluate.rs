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
