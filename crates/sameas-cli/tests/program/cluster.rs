//! `cluster`: pairs of any origin in, clusters and cut pairs out.

use crate::support::{Folder, has};

const PAIRS: &str = "unique_id_l,unique_id_r,score\n1,2,0.9\n2,3,0.8\n3,4,0.95\n10,9,0.7\n";

/// The clusters that options give, as CSV.
fn clusters(folder: &Folder, options: &[&str]) -> String {
    folder.ok(&[&["cluster", "pairs.csv", "-o", "out", "--overwrite", "--format", "csv", "-q"], options].concat());
    folder.read("out/clusters.csv")
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("pairs.csv", PAIRS);
    folder
}

#[test]
fn clusters_are_made_in_each_way() {
    let folder = folder();
    let of = |options: &[&str]| clusters(&folder, options).replace("unique_id,cluster_id\n", "").replace('\n', " ");
    assert_eq!(of(&[]), "1,1 2,1 3,1 4,1 9,9 10,9 ");
    assert_eq!(of(&["--threshold", "0.85"]), "1,1 2,1 3,3 4,3 9,9 10,10 ");
    assert_eq!(of(&["--max-size", "2"]), "1,1 2,1 3,3 4,3 9,9 10,9 ");
    assert_eq!(of(&["--method", "average", "--least", "0.5"]), "1,1 2,1 3,3 4,3 9,9 10,9 ");
    assert_eq!(of(&["--method", "complete", "--least", "0.85"]), "1,1 2,1 3,3 4,3 9,9 10,10 ");
    assert_eq!(of(&["--split", "bridges", "--density", "0.6"]), "1,1 2,1 3,3 4,3 9,9 10,9 ");
    of(&["--method", "louvain"]);
    assert_eq!(folder.read("out/cut.csv").lines().next(), Some("unique_id_l,unique_id_r,score,cause,because"));
    of(&["--max-size", "2"]);
    assert_eq!(folder.read("out/cut.csv"), "unique_id_l,unique_id_r,score,cause,because\n2,3,0.8,max_size,\n");
    let several = clusters(&folder, &["--threshold", "0.75,0.85"]);
    assert!(several.starts_with("unique_id,cluster_id,cluster_id_0.85\n1,1,1\n2,1,1\n3,1,3\n"), "{several}");
    folder.write("c.toml", "[clusters]\nmax_size = 2\n");
    assert_eq!(of(&["--rules", "c.toml"]), "1,1 2,1 3,3 4,3 9,9 10,9 ");
}

#[test]
fn the_order_of_pairs_threads_and_formats_change_nothing() {
    let folder = folder();
    let options = ["--max-size", "3"];
    let expected = clusters(&folder, &options);
    let cut = folder.read("out/cut.csv");
    let mut lines: Vec<&str> = PAIRS.lines().collect();
    lines[1..].reverse();
    folder.write("pairs.csv", lines.join("\n") + "\n");
    for threads in ["1", "3"] {
        assert_eq!(clusters(&folder, &[&options[..], &["--threads", threads, "--memory", "300MB"]].concat()), expected);
        assert_eq!(folder.read("out/cut.csv"), cut);
    }
    folder.ok(&["cluster", "pairs.csv", "-o", "rows", "--format", "json", "--max-size", "3"]);
    assert!(folder.read("rows/clusters.jsonl").starts_with("{\"unique_id\":\"1\",\"cluster_id\":\"1\"}\n"));
    let said = folder.ok(&["cluster", "pairs.csv", "-o", "all", "--max-size", "3"]).out;
    has(
        &said,
        &["Pairs", "4, with scores in `score`", "Records", "Clusters", "Cut", "by max_size", "all/clusters.parquet"],
    );
    assert_eq!(folder.ok(&["cluster", "pairs.csv", "-o", "more", "-q"]).out, "");
    let record = folder.read("all/run.json");
    has(&record, &["\"clustered_pairs\": 4", "\"max_size\": 3", "\"clustering\":", "\"cluster\""]);
}

#[test]
fn records_sources_and_decisions_are_read() {
    let folder = Folder::new();
    let columns = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,match_probability\n";
    folder.write("pairs.csv", format!("{columns}a,1,b,1,0.9\na,1,b,2,0.8\na,2,b,2,0.7\n"));
    folder.write("a.csv", "id,passport\n1,P1\n2,P2\n3,\n");
    folder.write("b.csv", "id,passport\n1,P1\n2,P1\n");
    let records = ["--records", "a.csv", "b.csv"];
    let with = |options: &[&str]| clusters(&folder, &[options, &records].concat());
    let expected = "source_dataset,unique_id,cluster_id\na,1,a:1\na,2,a:2\na,3,a:3\nb,1,a:1\nb,2,a:2\n";
    assert_eq!(with(&["--one-to"]), expected);
    assert_eq!(with(&["--method", "optimal"]), expected);
    assert!(with(&["--one-to-many", "b"]).contains("\na,2,a:2\n"));
    folder.write("c.toml", "[[limit]]\nmost = 1\nvalues_of = \"passport\"\n");
    assert!(with(&["--rules", "c.toml"]).ends_with("b,1,a:1\nb,2,a:1\n"));
    has(&folder.read("out/cut.csv"), &["a,2,b,2,0.7,limit,passport: P"]);
    has(
        &folder.fails(&["cluster", "pairs.csv", "--rules", "c.toml"]),
        &["`[[limit]]` counts values of records", "records"],
    );
    let judged = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\n";
    folder.write("judged.csv", format!("{judged}a,1,b,1,different\na,2,a,3,same\n"));
    let decided = with(&["--decided", "judged.csv"]);
    has(&decided, &["a,3,a:1", "b,1,b:1"]);
    folder.write("judged.csv", format!("{judged}a,1,b,1,same\nb,1,b,2,same\nb,2,a,1,different\n"));
    let said = folder.fails(&[&["cluster", "pairs.csv", "--decided", "judged.csv"], &records[..]].concat());
    has(&said, &["judged.csv:4", "decided to be different", "`a:1` = `b:1` = `b:2`"]);
}

#[test]
fn the_pairs_of_a_run_are_taken_by_its_folder() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "-o", "run", "--format", "csv", "-q"]);
    folder.ok(&["cluster", "run", "-o", "again", "--records", "people.csv", "--format", "csv", "-q"]);
    assert_eq!(folder.read("again/clusters.csv"), folder.read("run/clusters.csv"));
    folder.write("truth.csv", "id,cluster\n1,1\n2,1\n3,3\n4,3\n5,5\n6,6\n");
    let said = folder.ok(&["evaluate", "--clusters", "again/clusters.csv", "--truth", "truth.csv"]).out;
    has(&said, &["F1"]);
}

#[test]
fn mistakes_name_what_is_wrong() {
    let folder = folder();
    let fails = |options: &[&str]| folder.fails(&[&["cluster", "pairs.csv"], options].concat());
    has(&fails(&["--score", "scores"]), &["`pairs` has no column `scores`", "did you mean `score`?"]);
    has(&fails(&["--columns", "a"]), &["--columns takes two columns, and 1 were given"]);
    has(&fails(&["--method", "average"]), &["the method `average` has no `least`"]);
    has(&fails(&["--one-to"]), &["`one_to` is for records of several sources"]);
    has(&fails(&["--max-size", "0"]), &["`max_size` is 0"]);
    folder.write("never.csv", "unique_id_l,unique_id_r\n1,\n");
    has(&fails(&["--keep-apart", "never.csv"]), &["never.csv:2: the id in column `unique_id_r` is missing"]);
    folder.write("wrong.csv", "unique_id_l,unique_id_r,score\n1,2,x\n");
    has(&folder.fails(&["cluster", "wrong.csv"]), &["wrong.csv:2: `score` is `x`, which is no score"]);
    folder.write("half.csv", "source_dataset_l,unique_id_l,unique_id_r\na,1,2\n");
    has(&folder.fails(&["cluster", "half.csv"]), &["no column `source_dataset_r`", "help: give it both, or neither"]);
    has(&fails(&["-o", "-"]), &["cannot be written to standard output", "help: name a folder"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    has(&folder.fails(&["cluster", "empty"]), &["cannot read the record of a run", "help: give the `run.json`"]);
    folder.ok(&["cluster", "pairs.csv", "-o", "out", "-q"]);
    has(&fails(&["-o", "out"]), &["is not empty", "--overwrite"]);
    has(
        &folder.fails(&["cluster", "out"]),
        &["out/run.json: not the record of a run, but of clusters of pairs", "help"],
    );
    assert!(folder.names().iter().all(|name| !name.starts_with('.')), "nothing unfinished is left");
}
