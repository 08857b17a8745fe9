//! `generate` and `demo`.

use crate::support::{Folder, has};

#[test]
fn one_seed_gives_one_folder() {
    let folder = Folder::new();
    let make =
        |output: &str, seed: &str| folder.ok(&["generate", "people", "--records", "300", "--seed", seed, "-o", output]);
    has(&make("a", "1").out, &["300, of which 60 are copies", "a/records.csv", "a/truth.csv"]);
    make("b", "1");
    make("c", "2");
    assert_eq!(folder.bytes("a/records.csv"), folder.bytes("b/records.csv"));
    assert_ne!(folder.bytes("a/records.csv"), folder.bytes("c/records.csv"));
    assert_eq!(folder.read("a/records.csv").lines().count(), 301);
    has(&folder.fails(&["generate", "people", "--records", "3", "-o", "a"]), &["not empty; use --overwrite"]);
    folder.ok(&["generate", "people", "--records", "3", "-o", "a", "--overwrite"]);
    has(&folder.fails(&["generate", "people", "--records", "3", "--duplicates", "2", "-o", "x"]), &["from 0 to 1"]);
}

#[test]
fn two_tables_of_publications_can_be_linked_and_evaluated() {
    let folder = Folder::new();
    let args = ["generate", "publications", "--records", "400", "--two-inputs", "--format", "parquet", "-o", "papers"];
    folder.ok(&args);
    folder.ok(&["link", "papers/left.parquet", "papers/right.parquet", "--rule", "l.title = r.title", "-q"]);
    let said = folder.ok(&["evaluate", "--pairs", "sameas-out/pairs.parquet", "--truth", "papers/truth.csv"]).out;
    has(&said, &["All pairs                  40,000", "True pairs                 40"]);
}

#[test]
fn the_demo_finds_judges_and_explains() {
    let folder = Folder::new();
    let said = folder.ok(&["demo"]).out;
    has(
        &said,
        &["10,000 made-up people", "same phone", "F1", "near miss", "are a pair", "are not a pair", "sameas generate"],
    );
    assert!(said.lines().all(|line| line.chars().count() <= 100), "a line is too long:\n{said}");
    let f1 = said.lines().find_map(|line| line.strip_prefix("F1")).unwrap();
    assert!(f1.trim().parse::<f64>().unwrap() >= 0.9, "{f1}");
    assert_eq!(folder.names(), [""; 0]);
    folder.write("rules.toml", folder.ok(&["demo", "--print-rules"]).out);
    folder.ok(&["check", "--rules", "rules.toml"]);
}
