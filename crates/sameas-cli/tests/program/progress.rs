//! How far a run has come, where standard error is no terminal.

use crate::support::{Folder, has};

const RULES: [&str; 4] = [
    "--rule",
    "jaro_winkler(l.street || l.given_name, r.street || r.given_name) >= 0.9",
    "--rule",
    "l.surname = r.surname and l.city = r.city",
];

#[test]
fn a_line_from_time_to_time_counts_what_a_person_understands() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "20000", "-o", "people"]);
    let run = |out: &'static str, more: &[&'static str]| {
        [&["dedupe", "people/records.csv", "-o", out][..], &RULES, more].concat()
    };
    let tell = |args: &[&str]| {
        let output = folder.command(args).env("SAMEAS_PROGRESS_SECONDS", "0.02").output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let lines = tell(&run("a", &[]));
    has(&lines, &["after 0 s: ", "finding pairs, branch 1 of 2 (", " candidates, ", " so far"]);
    assert!(lines.lines().all(|line| line.starts_with("after ")), "{lines}");
    assert_eq!(tell(&run("b", &["--quiet"])), "");
}

#[test]
fn a_short_run_says_nothing() {
    let folder = Folder::with_people();
    assert_eq!(folder.ok(&["dedupe", "people.csv", "--rule", "l.phone = r.phone"]).err, "");
}
