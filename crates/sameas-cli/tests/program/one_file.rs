//! One table in one file, or on standard output.

use std::fs;

use crate::support::{Folder, PEOPLE, SAME_PHONE, has};

const PAIRS: &str = "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n";
const CLUSTERS: &str = "unique_id,cluster_id\n1,1\n2,1\n3,3\n4,4\n5,5\n6,6\n";

fn run<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", output], more].concat()
}

#[test]
fn the_ending_of_a_file_says_its_format() {
    let folder = Folder::with_people();
    let said = folder.ok(&run("res.csv", &[]));
    has(&said.out, &["1 pair in res.csv"]);
    assert_eq!(folder.read("res.csv"), PAIRS);
    folder.ok(&run("res.jsonl", &[]));
    assert_eq!(folder.read("res.jsonl"), "{\"unique_id_l\":\"1\",\"unique_id_r\":\"2\",\"match_key\":\"rule_1\"}\n");
    folder.ok(&run("res.parquet", &[]));
    assert!(folder.bytes("res.parquet").starts_with(b"PAR1"));
    let said = folder.ok(&run("clusters.csv", &["--what", "clusters"]));
    has(&said.out, &["the clusters of 6 records in clusters.csv"]);
    assert_eq!(folder.read("clusters.csv"), CLUSTERS);
    assert_eq!(folder.names(), ["clusters.csv", "people.csv", "res.csv", "res.jsonl", "res.parquet"]);
    fs::create_dir(folder.path("old.csv")).unwrap();
    folder.ok(&run("old.csv", &["--format", "csv"]));
    assert_eq!(folder.read("old.csv/pairs.csv"), PAIRS);
}

#[test]
fn a_file_is_replaced_only_when_that_is_wanted_and_an_input_never() {
    let folder = Folder::with_people();
    folder.write("res.csv", "mine");
    let complaint = folder.fails(&run("res.csv", &[]));
    has(
        &complaint,
        &["the output file `res.csv` is there already", "choose another name, or overwrite it; use --overwrite"],
    );
    assert_eq!(folder.read("res.csv"), "mine");
    folder.ok(&run("res.csv", &["--overwrite"]));
    assert_eq!(folder.read("res.csv"), PAIRS);
    let complaint = folder.fails(&run("people.csv", &["--overwrite"]));
    has(&complaint, &["`people.csv` is an input, and would be replaced by the output"]);
    assert_eq!(folder.read("people.csv"), PEOPLE);
    // A run that fails leaves the file that was there.
    let bad = ["dedupe", "people.csv", "--rule", "l.nothing = r.nothing", "-o", "res.csv", "--overwrite"];
    has(&folder.fails(&bad), &["unknown column"]);
    assert_eq!(folder.read("res.csv"), PAIRS);
    has(&folder.fails(&run("no/res.csv", &[])), &["cannot write into the folder `no`"]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_advice() {
    let folder = Folder::with_people();
    has(
        &folder.fails(&run("res.json", &[])),
        &["a file like `res.json` cannot be written", "help: end its name with .csv, .parquet or .jsonl"],
    );
    has(&folder.fails(&run("res.csv.gz", &[])), &["a file like `res.csv.gz` cannot be written"]);
    has(
        &folder.fails(&run("res.csv", &["--format", "parquet"])),
        &["`res.csv` ends like another format than the one of --format", "help: leave --format out"],
    );
    has(
        &folder.fails(&run("res.csv", &["--resume"])),
        &["--resume needs an output folder", "help: name one with --output, in place of one file"],
    );
    has(&folder.fails(&run("out", &["--what", "clusters"])), &["a folder gets both tables", "as in -o clusters.csv"]);
}

#[test]
fn standard_output_takes_any_format_and_either_table() {
    let folder = Folder::with_people();
    let out = |more: &[&'static str]| folder.ok(&run("-", more)).out;
    assert_eq!(out(&[]), PAIRS);
    assert_eq!(out(&["--what", "clusters"]), CLUSTERS);
    assert_eq!(
        out(&["--format", "json", "--what", "clusters"]).lines().next(),
        Some("{\"unique_id\":\"1\",\"cluster_id\":\"1\"}")
    );
    let said = folder.command(&run("-", &["--format", "parquet"])).output().unwrap();
    assert!(said.status.success() && said.stdout.starts_with(b"PAR1") && said.stdout.ends_with(b"PAR1"));
    has(&folder.ok(&run("-", &["--what", "clusters"])).err, &["the clusters of 6 records written to standard output"]);
}

/// An id such as `=1+1` is what a spreadsheet computes, unless it is escaped.
#[test]
fn formulas_are_escaped_when_that_is_wanted() {
    let folder = Folder::new();
    folder.write("people.csv", "id,phone\n=1+1,5\n-2,5\n");
    let run = |more: &[&'static str]| {
        [&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "-q", "--overwrite"], more].concat()
    };
    assert_eq!(folder.ok(&run(&["-o", "-"])).out, "unique_id_l,unique_id_r,match_key\n=1+1,-2,rule_1\n");
    let escaped = "unique_id_l,unique_id_r,match_key\n'=1+1,-2,rule_1\n";
    assert_eq!(folder.ok(&run(&["-o", "-", "--escape-formulas"])).out, escaped);
    folder.ok(&run(&["-o", "pairs.csv", "--escape-formulas"]));
    folder.ok(&run(&["-o", "out", "--format", "csv", "--escape-formulas"]));
    assert_eq!((folder.read("pairs.csv"), folder.read("out/pairs.csv")), (escaped.to_owned(), escaped.to_owned()));
    assert_eq!(folder.read("out/clusters.csv"), "unique_id,cluster_id\n'=1+1,'=1+1\n-2,'=1+1\n");
    let complaint = folder.fails(&run(&["-o", "new", "--escape-formulas"]));
    has(&complaint, &["--escape-formulas is for CSV", "help: leave it out, or write CSV, as in --format csv"]);
    folder.write("edges.csv", "a,b\n=1,2\n");
    assert_eq!(folder.ok(&["closure", "edges.csv", "-q", "--escape-formulas"]).out, "a,b\n'=1,2\n");
}
