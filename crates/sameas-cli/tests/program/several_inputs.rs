//! Links of more than two inputs, from the command line to the files.

use crate::support::{Folder, has};

/// Three tables with ids in common.
fn three() -> Folder {
    let folder = Folder::new();
    folder.write("a.csv", "id,x,y\n1,red,1\n2,red,2\n3,blue,3\n");
    folder.write("b.csv", "id,x,y\n1,red,5\n2,green,1\n");
    folder.write("c.csv", "id,y,x\n1,9,red\n7,2,green\n");
    folder
}

const RULE: [&str; 2] = ["--rule", "l.x = r.x and l.y < r.y"];

fn link(folder: &Folder, more: &[&str]) -> String {
    let given = ["link", "a.csv", "b.csv", "c.csv", "--format", "csv", "--overwrite"];
    folder.ok(&[&given[..], &RULE, more].concat()).out
}

#[test]
fn pairs_are_across_inputs_and_name_them() {
    let folder = three();
    let said = link(&folder, &[]);
    has(&said, &["a: 3 records; b: 2 records; c: 2 records", "of 16 possible pairs"]);
    let pairs = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,match_key\n\
        a,1,b,1,rule_1\na,1,c,1,rule_1\na,2,b,1,rule_1\na,2,c,1,rule_1\nb,1,c,1,rule_1\nb,2,c,7,rule_1\n";
    assert_eq!(folder.read("sameas-out/pairs.csv"), pairs);
    let clusters = "source_dataset,unique_id,cluster_id\n\
        a,1,a:1\na,2,a:1\na,3,a:3\nb,1,a:1\nb,2,b:2\nc,1,a:1\nc,7,b:2\n";
    assert_eq!(folder.read("sameas-out/clusters.csv"), clusters);
    link(&folder, &["--dedupe", "-q"]);
    let with_dedupe = pairs.replacen("match_key\n", "match_key\na,1,a,2,rule_1\n", 1);
    assert_eq!(folder.read("sameas-out/pairs.csv"), with_dedupe);
}

#[test]
fn explain_why_and_check_take_several_inputs() {
    let folder = three();
    let inputs = ["--link", "a.csv", "b.csv", "c.csv"];
    let asked = |command: &[&str], more: &[&str]| folder.ok(&[command, &inputs, &RULE, more].concat()).out;
    has(
        &asked(&["explain"], &[]),
        &["Pairs across 3 tables", "16 possible pairs", "In all 6 candidates (37.5 % of all pairs)"],
    );
    has(&asked(&["explain"], &["--analyze"]), &["6 candidates"]);
    has(&asked(&["check"], &[]), &["no mistakes found, and all columns are there"]);
    has(&asked(&["why"], &["--pair", "c:1", "b:1"]), &["b:1 and c:1 are a pair"]);
    has(&asked(&["why"], &["--pair", "b:2", "7"]), &["b:2 and c:7 are a pair"]);
    let refused = |pair: [&str; 2]| folder.fails(&[&["why"], &inputs[..], &RULE, &["--pair"], &pair].concat());
    has(&refused(["1", "7"]), &["there is a record with id `1` in a and in b and in c", "`a:1` or `b:1` or `c:1`"]);
    has(&refused(["2", "7"]), &["there is a record with id `2` in a and in b\n", "`a:2` or `b:2`"]);
    has(&asked(&["why"], &["--pair", "a:1", "a:2"]), &["a:1 and a:2 are not a pair: both are records of a"]);
    has(&refused(["8", "7"]), &["no record with id `8` in a or b or c"]);
}

#[test]
fn mistakes_name_the_input() {
    let folder = three();
    folder.write("d.csv", "id,x\n1,red\n");
    let inputs = ["link", "a.csv", "b.csv", "d.csv", "--rule", "l.y = r.y"];
    has(&folder.fails(&inputs), &["not every input has a column `y`: `d` has none", "`[derive.d]`"]);
    has(&folder.fails(&["link", "a.csv", "--rule", "l.x = r.x"]), &["a link needs two inputs, and 1 was given"]);
    folder.write("rules.toml", "[derive.left]\nx = \"lower(x)\"\n[[rule]]\nwhen = \"l.x = r.x\"\n");
    let said = folder.fails(&["link", "a.csv", "b.csv", "c.csv", "--rules", "rules.toml"]);
    has(
        &said,
        &["belong to a link of two inputs; this one has 3", "write `[derive.a]` or `[derive.b]` or `[derive.c]`"],
    );
}

#[test]
fn results_of_several_inputs_are_evaluated() {
    let folder = three();
    link(&folder, &["-q"]);
    folder.write("truth.csv", "source_dataset,id,cluster\na,1,x\nb,1,x\nc,1,x\na,3,y\nb,2,y\n");
    let said = folder.ok(&["evaluate", "--pairs", "sameas-out/pairs.csv", "--truth", "truth.csv"]).out;
    has(&said, &["3"]);
    let json = ["evaluate", "--pairs", "sameas-out/pairs.csv", "--truth", "truth.csv", "--format", "json"];
    let said: serde_json::Value = serde_json::from_str(&folder.ok(&json).out).unwrap();
    let text = said.to_string();
    has(&text, &["\"all_pairs\":16"]);
    folder.write("truth.csv", "id_l,id_r\n1,1\n");
    let said = folder.fails(&["evaluate", "--pairs", "sameas-out/pairs.csv", "--truth", "truth.csv"]);
    has(&said, &["only one of result and truth says", "`source_dataset_l` and `source_dataset_r`"]);
}

/// Names that could be confused get numbers; no number of inputs is too large.
#[test]
fn hundreds_of_inputs_with_the_same_name() {
    let folder = Folder::new();
    let paths: Vec<String> = (0..300).map(|at| format!("f{at}/part.csv")).collect();
    for (at, path) in paths.iter().enumerate() {
        std::fs::create_dir(folder.path(&format!("f{at}"))).unwrap();
        folder.write(path, format!("id,x,n\n1,{},{at}\n2,other {at},{at}\n", at % 100));
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let rule = ["--rule", "l.x = r.x", "--rule", "abs(l.n - r.n) = 100 and l.x < r.x", "--format", "csv", "-q"];
    folder.ok(&[&["link"], &paths[..], &rule].concat());
    let pairs = folder.read("sameas-out/pairs.csv");
    let of_rule = |rule: &str| pairs.lines().filter(|line| line.ends_with(rule)).count();
    assert_eq!(of_rule(",rule_1"), 100 * 3, "{pairs}");
    has(&pairs, &["part_1,1,part_101,1,rule_1", "part_1,1,part_101,2,rule_2"]);
    assert_eq!(folder.read("sameas-out/clusters.csv").lines().count(), 601);
}
