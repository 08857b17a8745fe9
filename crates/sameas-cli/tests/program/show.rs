//! `show`: the records of a cluster side by side.

use crate::support::{Folder, SAME_PHONE, has};

#[test]
fn records_are_side_by_side_and_differences_are_marked() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE]);
    let said = folder.ok(&["show", "2"]).out;
    let lines: Vec<String> = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines,
        [
            "Cluster 1: 2 records; * marks where they differ",
            "",
            "id 1 2",
            "* name john smith jon smith*",
            "phone 555-1 555-1",
            "year 1980 1980",
            "",
            "Pairs: 1 of 1 possible",
            "rule_1: 1 and 2",
        ]
    );
    has(&folder.fails(&["show", "99"]), &["there is no cluster and no record with id `99`"]);
    has(&folder.ok(&["show", "5"]).out, &["Cluster 5: 1 record\n"]);
    std::fs::remove_file(folder.path("people.csv")).unwrap();
    has(&folder.ok(&["show", "1"]).out, &["There are no values of records", "Pairs: 1 of 1 possible"]);
}

#[test]
fn what_the_records_become_is_above_them() {
    let folder = Folder::with_people();
    let entity = "[entity]\nname = \"longest\"\nphone = { take = \"union\", where = \"phone like '555%'\" }\n";
    folder.write("rules.toml", format!("[[rule]]\nwhen = \"{SAME_PHONE}\"\n{entity}"));
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml"]);
    let said = folder.ok(&["show", "2"]).out;
    let lines: Vec<String> = said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let entity = ["entity value from other values", "name john smith 1 1", "phone [555-1] - 0", "year 1980 1 0"];
    assert_eq!(lines[2..6], entity, "{said}");
    assert_eq!(lines[7], "id 1 2");
    std::fs::remove_file(folder.path("people.csv")).unwrap();
    assert!(!folder.ok(&["show", "1"]).out.contains("other values"));
}

#[test]
fn long_values_are_cut_and_marks_are_not() {
    let folder = Folder::new();
    let long = "x".repeat(300);
    folder.write("a.csv", format!("id,text,key\n1,{long},k\n2,{long}y,k\n"));
    folder.ok(&["dedupe", "a.csv", "--rule", "l.key = r.key"]);
    let said = folder.ok(&["show", "1"]).out;
    assert!(said.lines().all(|line| line.chars().count() <= 100), "{said}");
    has(&said, &["x…*\n"]);
    assert!(folder.ok(&["show", "1", "--full"]).out.matches('x').count() >= 600);
}
