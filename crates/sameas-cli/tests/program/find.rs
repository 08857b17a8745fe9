//! `dedupe` and `link`: results, summaries and rule files.

use crate::support::{Folder, SAME_PHONE, has};

#[test]
fn dedupe_writes_pairs_clusters_and_the_record_of_the_run() {
    let folder = Folder::with_people();
    let said = folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "--format", "csv"]);
    assert_eq!(folder.read("sameas-out/pairs.csv"), "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n");
    let clusters = "unique_id,cluster_id\n1,1\n2,1\n3,3\n4,4\n5,5\n6,6\n";
    assert_eq!(folder.read("sameas-out/clusters.csv"), clusters);
    let run: serde_json::Value = serde_json::from_str(&folder.read("sameas-out/run.json")).unwrap();
    assert_eq!((run["pairs"].as_u64(), run["nominal_pairs"].as_u64()), (Some(1), Some(15)));
    has(
        &said.out,
        &["people: 6 records", "rule_1: l.phone = r.phone", "2 (13.3 % of 15 possible pairs)", "sameas-out/pairs.csv"],
    );
    assert_eq!(said.err, "", "nothing but the summary, and no progress bar outside a terminal");
}

#[test]
fn quiet_says_nothing() {
    let folder = Folder::with_people();
    let said = folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "--quiet"]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    assert!(folder.path("sameas-out/pairs.parquet").exists());
}

#[test]
fn rules_come_from_files_and_from_the_command_line_in_this_order() {
    let folder = Folder::with_people();
    let rules = "[derive]\nfirst = \"split_part(name, ' ', 1)\"\n[[rule]]\nname = \"first name\"\n\
                 when = \"jaro_winkler(l.first, r.first) >= 0.8 and l.year = r.year\"\n\
                 [[never]]\nwhen = \"l.id = '3'\"\n";
    folder.write("rules.toml", rules);
    let args = ["dedupe", "people.csv", "--rules", "rules.toml", "--rule", "l.phone = r.phone", "--format", "csv"];
    folder.ok(&args);
    assert_eq!(folder.read("sameas-out/pairs.csv"), "unique_id_l,unique_id_r,match_key\n1,2,first name\n");
}

#[test]
fn certain_rules_come_before_all_others() {
    let folder = Folder::with_people();
    let rule = |name: &str, when: &str, more: &str| format!("[[rule]]\nname = \"{name}\"\nwhen = \"{when}\"\n{more}");
    let rules = rule("year", "l.year = r.year", "") + &rule("phone", "l.phone = r.phone", "certain = true\n");
    folder.write("rules.toml", &rules);
    let args = ["dedupe", "people.csv", "--rules", "rules.toml", "--format", "csv"];
    let said = folder.ok(&args);
    let pairs = "unique_id_l,unique_id_r,match_key\n1,2,phone\n3,4,phone\n";
    assert_eq!(folder.read("sameas-out/pairs.csv"), pairs);
    has(&said.out, &["phone             2          2            2\n", "year              2          0            2\n"]);
    folder.write("rules.toml", rules.replace("certain = true\n", ""));
    folder.ok(&[&args[..], &["--overwrite"]].concat());
    assert_eq!(folder.read("sameas-out/pairs.csv"), pairs.replace("phone", "year"));
}

#[test]
fn link_pairs_two_tables_and_with_dedupe_also_within_them() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,red\n2,blue\n3,blue\n");
    let rule = ["--rule", "l.x = r.x", "--format", "csv", "--overwrite"];
    folder.write("b.csv", "id;x\n1;blue\n9;green\n");
    let said = folder.ok(&[&["link", "a.csv", "b.csv"][..], &rule].concat());
    assert_eq!(folder.read("sameas-out/pairs.csv"), "unique_id_l,unique_id_r,match_key\n2,1,rule_1\n3,1,rule_1\n");
    has(&said.out, &["a: 3 records; b: 2 records", "2 (33.3 % of 6 possible pairs)"]);
    folder.ok(&[&["link", "a.csv", "b.csv", "--dedupe"][..], &rule].concat());
    let pairs = folder.read("sameas-out/pairs.csv");
    assert_eq!(pairs.lines().count(), 4, "{pairs}");
    has(&pairs, &["source_dataset_l,unique_id_l", "a,2,a,3,rule_1", "a,2,b,1,rule_1"]);
}

#[test]
fn several_files_of_one_table() {
    let folder = Folder::new();
    folder.write("p1.csv", "id,x\n1,red\n");
    folder.write("p2.csv", "id,x\n2,red\n");
    folder.ok(&["dedupe", "p*.csv", "--rule", "l.x = r.x", "--format", "json"]);
    assert_eq!(folder.read("sameas-out/pairs.jsonl").lines().count(), 1);
    let said = folder.ok(&["dedupe", "p2.csv", "p1.csv", "--rule", "l.x = r.x", "-o", "other", "--format", "csv"]);
    has(&said.out, &["2 records in 2 files"]);
    has(&folder.read("other/pairs.csv"), &["2,1,rule_1"]);
}

#[test]
fn max_pairs_refuses_and_a_row_number_can_be_the_id() {
    let folder = Folder::new();
    folder.write("x.csv", "a\nred\nred\nred\n");
    let args = ["dedupe", "x.csv", "--id", "row", "--rule", "l.a = r.a", "--format", "csv"];
    let error = folder.fails(&[&args[..], &["--max-pairs", "2"]].concat());
    has(&error, &["3 candidate pairs, more than the limit of 2", "help:", "--max-pairs"]);
    folder.ok(&[&args[..], &["--max-pairs", "3"]].concat());
    has(&folder.read("sameas-out/pairs.csv"), &["1,2,rule_1", "1,3,rule_1", "2,3,rule_1"]);
}

#[test]
fn values_that_cannot_be_read_are_reported() {
    let folder = Folder::new();
    folder.write("x.csv", "id,a\n1,5\n2,six\n3,5\n");
    let said = folder.ok(&["dedupe", "x.csv", "--rule", "abs(l.a - r.a) <= 1"]);
    has(&said.out, &["1 value is not a number or date", "column `a`"]);
}

#[test]
fn values_that_no_case_comes_to_are_not_read() {
    let folder = Folder::new();
    folder.write("x.csv", "id,kind,a\n1,n,5\n2,t,six\n3,n,5\n4,n,seven\n5,t,nine\n6,,ten\n");
    let note = |expression: &str| {
        let rules = format!("[derive]\nv = \"{expression}\"\n[[rule]]\nwhen = \"abs(l.v - r.v) <= 1\"\n");
        folder.write("rules.toml", rules);
        folder.ok(&["dedupe", "x.csv", "--rules", "rules.toml", "-o", "out", "--overwrite"]).out
    };
    let when = "case when kind = 'n' then cast(a as bigint)";
    has(&note(&format!("{when} end")), &["1 value is not a number or date", "column `a`"]);
    has(&note(&format!("{when} when kind = 't' then cast(a as bigint) end")), &["3 values are not a number or date"]);
    has(&note(&format!("{when} else coalesce(cast(a as bigint), 0) end")), &["4 values are not a number or date"]);
    let of_pairs = "case when l.kind = 'n' and r.kind = 'n' then cast(l.a as bigint) - cast(r.a as bigint) end = 0";
    let said = folder.ok(&["dedupe", "x.csv", "--rule", of_pairs, "-o", "out", "--overwrite"]);
    has(&said.out, &["1 value is not a number or date", "column `a`"]);
}
