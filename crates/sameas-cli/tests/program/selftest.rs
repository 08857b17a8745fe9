//! `selftest`: a line a group, the sum at the end; a GPU that is not there is a failure, not a pass.

use crate::support::{Folder, has};

#[test]
fn a_part_of_the_suite_passes() {
    let folder = Folder::new();
    let said = folder.ok(&["selftest", "--device", "cpu", "--filter", "edges/33 rows"]).out;
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0] == "Testing on the CPU" && lines[1].starts_with("edges ") && lines.len() == 3, "{said}");
    assert_eq!(lines[2], "3 passed, 0 failed");
    let seeds = ["selftest", "--device", "cpu", "--seed", "17", "--cases", "2", "--filter", "random/seed"];
    has(&folder.ok(&seeds).out, &["random ", "2 passed, 0 failed\n"]);
    assert!(folder.names().is_empty(), "nothing is left behind");
}

#[test]
fn what_cannot_be_tested_is_a_failure() {
    let folder = Folder::new();
    let none = ["selftest", "--device", "cpu", "--filter", "no such case"];
    let said = folder.run(&none);
    assert_eq!(said.code, Some(2), "{said:?}");
    has(&said.err, &["no case has `no such case` in its name", "edges/65 rows"]);
    let listed = folder.ok(&["devices", "--format", "json"]).out;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    if listed["devices"].as_array().is_some_and(Vec::is_empty) {
        has(&folder.fails(&["selftest", "--device", "cuda"]), &["--device cuda", "sameas devices"]);
    }
}
