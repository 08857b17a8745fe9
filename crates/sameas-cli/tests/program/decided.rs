//! `--decided`: what people have decided about pairs goes before rules, `never` rules and scores. The page docs/clusters.md shows it.

use serde_json::Value;

use crate::report::{Unpacked, pair};
use crate::support::{Folder, has};

const PEOPLE: &str = "id,name,phone\n1,ann,555\n2,anna,555\n3,bob,556\n4,rob,557\n";

const HEAD: &str = "unique_id_l,unique_id_r,judgement\n";

const DEDUPE: [&str; 10] =
    ["dedupe", "people.csv", "--format", "csv", "-o", "out", "--overwrite", "--decided", "judged.csv", "--rule"];

fn folder(judged: &str) -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("judged.csv", judged);
    folder
}

fn dedupe<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&DEDUPE[..], &["l.phone = r.phone"], more].concat()
}

fn record(folder: &Folder) -> Value {
    serde_json::from_str(&folder.read("out/run.json")).unwrap()
}

#[test]
fn decided_pairs_are_what_was_decided() {
    let judged =
        "unique_id_l,unique_id_r,judgement,who,when\n4,3,same,Ann,2026-01-02\n1,2,different,,\n2,3,unsure,Bob,\n";
    let folder = folder(judged);
    let said = folder.ok(&dedupe(&[])).out;
    has(&said, &["Decided      1 pair the same, 1 of them only by that;"]);
    assert_eq!(folder.read("out/pairs.csv"), "unique_id_l,unique_id_r,match_key\n3,4,decided\n");
    assert_eq!(folder.read("out/clusters.csv"), "unique_id,cluster_id\n1,1\n2,2\n3,3\n4,3\n");
    let record = record(&folder);
    let counted = |of: &str| record["decided"][of].as_u64();
    assert_eq!(["same", "added", "different", "removed", "unsure"].map(counted), [Some(1); 5]);
    // The rules have given what they give.
    assert_eq!((record["rules"][0]["cumulative"].as_u64(), record["pairs"].as_u64()), (Some(1), Some(1)));
    has(
        &folder.ok(&["why", "out", "--pair", "4", "3"]).out,
        &["3 and 4 are a pair: Ann has decided (2026-01-02) that they are the same"],
    );
    let asked = ["why", "people.csv", "--rule", "l.phone = r.phone", "--decided", "judged.csv", "--pair", "1", "2"];
    for args in [&asked[..], &["why", "out", "--pair", "1", "2"]] {
        has(&folder.ok(args).out, &["1 and 2 are not a pair: somebody has decided that they are different", "holds"]);
    }
    has(&folder.ok(&["why", "out", "--pair", "2", "3"]).out, &["2 and 3 are not a pair: no rule holds"]);
    folder.write("judged.csv", format!("{HEAD}1,2,same\n"));
    has(&folder.fails(&["why", "out", "--pair", "1", "2"]), &["the judgements are not those that the run has read"]);
    let twice = folder.fails(&["why", "out", "--decided", "judged.csv", "--pair", "1", "2"]);
    has(&twice, &["says itself how its inputs are read"]);
}

#[test]
fn a_decision_goes_before_a_never_and_keeps_clusters_apart() {
    let folder = folder(&format!("{HEAD}1,2,same\n1,4,different\n"));
    folder.write("rules.toml", "[[never]]\nwhen = \"l.name <> r.name\"\n");
    let never = ["--rules", "rules.toml"];
    folder.ok(&dedupe(&never));
    assert_eq!(folder.read("out/pairs.csv"), "unique_id_l,unique_id_r,match_key\n1,2,decided\n");
    // A chain from 1 to 4 by way of the others.
    folder.ok(&dedupe(&["--rule", "abs(l.id - r.id) = 1"]));
    let pairs = "unique_id_l,unique_id_r,match_key\n1,2,decided\n2,3,rule_2\n3,4,rule_2\n";
    assert_eq!(folder.read("out/pairs.csv"), pairs);
    assert_eq!(folder.read("out/clusters.csv"), "unique_id,cluster_id\n1,1\n2,1\n3,1\n4,4\n");
    let cut = "unique_id_l,unique_id_r,match_key,cause,because\n3,4,rule_2,decided,\"1, 4\"\n";
    assert_eq!(folder.read("out/cut.csv"), cut);
}

#[test]
fn a_decided_pair_has_the_score_that_it_would_have() {
    let folder = folder(&format!("{HEAD}3,4,same\n1,4,same\n1,2,different\n"));
    folder.write("scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n2,3,0.8\n3,4,0.3\n");
    folder.write("rules.toml", "[score]\npairs = \"scored.csv\"\n");
    let args = [&DEDUPE[..9], &["--rules", "rules.toml"]].concat();
    folder.ok(&args);
    let pairs = "unique_id_l,unique_id_r,match_key,score\n1,4,decided,\n2,3,score,0.8\n3,4,decided,0.3\n";
    assert_eq!(folder.read("out/pairs.csv"), pairs);
    assert_eq!(folder.read("out/clusters.csv"), "unique_id,cluster_id\n1,1\n2,2\n3,1\n4,1\n");
}

#[test]
fn decisions_of_a_link_have_sides_or_sources() {
    let folder = folder(&format!("{HEAD}1,8,same\n1,7,different\n"));
    folder.write("left.csv", "id,name\n1,ann\n2,bob\n");
    folder.write("right.csv", "id,name\n7,ann\n8,anna\n");
    let options =
        ["--rule", "l.name = r.name", "--format", "csv", "-o", "out", "--overwrite", "--decided", "judged.csv"];
    let link = [&["link", "left.csv", "right.csv"][..], &options].concat();
    let pairs = "unique_id_l,unique_id_r,match_key\n1,8,decided\n";
    folder.ok(&link);
    assert_eq!(folder.read("out/pairs.csv"), pairs);
    let named = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\n";
    folder.write("judged.csv", format!("{named}right,8,left,1,same\nleft,1,right,7,different\n"));
    folder.ok(&link);
    assert_eq!(folder.read("out/pairs.csv"), pairs);
    folder.write("judged.csv", format!("{named}left,1,left,2,same\n"));
    has(&folder.fails(&link), &["judged.csv:2: `1` and `2` are both records of left"]);
    folder.write("judged.csv", format!("{named}left,1,middle,2,same\n"));
    has(&folder.fails(&link), &["judged.csv:2: there is no input `middle`: they are left, right"]);
    folder.write("judged.csv", format!("{HEAD}1,7,same\n"));
    let within = [&link[..], &["--dedupe"]].concat();
    has(&folder.fails(&within), &["do not say which inputs records are from", "source_dataset_l"]);
}

#[test]
fn decisions_that_cannot_hold_are_refused() {
    let fails = |judged: &str, more: &[&str]| {
        let folder = folder(&format!("{HEAD}{judged}"));
        folder.write("limit.toml", "[clusters]\nmax_size = 2\n");
        folder.fails(&dedupe(more))
    };
    let chain =
        "judged.csv:4: `1` and `3` are decided to be different, and decisions hold them together: `1` = `2` = `3`";
    has(&fails("1,2,same\n2,3,same\n1,3,different\n", &[]), &[chain]);
    has(&fails("1,2,same\n1,9,different\n", &[]), &["judged.csv:3: there is no record with id `9` in people"]);
    let limit = "decisions hold 3 records together, and a cluster has at most 2 records: `1`, `2`, `3`";
    has(&fails("1,2,same\n2,3,same\n", &["--rules", "limit.toml"]), &[limit]);
}

#[test]
fn a_rule_has_another_name_and_a_near_pair_is_decided_no_more() {
    let folder = folder(&format!("{HEAD}3,4,different\n"));
    folder.write("rules.toml", "[[rule]]\nname = \"decided\"\nwhen = \"l.name = r.name\"\n");
    has(&folder.fails(&dedupe(&["--rules", "rules.toml"])), &["a rule is called `decided`"]);
    let rule = "l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.95";
    let near = [&DEDUPE[..], &[rule, "--near", "0.1"]].concat();
    let near_pairs = || {
        folder.ok(&near);
        let (near, text) = (record(&folder)["near"].clone(), folder.read("out/near.csv"));
        assert_eq!(near["pairs"], near["conditions"][0]["pairs"]);
        assert_eq!(near["pairs"].as_u64(), Some(text.lines().count() as u64 - 1));
        text
    };
    has(&near_pairs(), &["\n1,2,rule_1,"]);
    folder.write("judged.csv", format!("{HEAD}1,2,different\n"));
    assert_eq!(near_pairs(), "unique_id_l,unique_id_r,match_key,loosened\n");
}

/// Where a run has not looked for near pairs, its report does.
#[test]
fn a_decided_pair_is_no_near_miss_of_a_report() {
    let folder = folder(HEAD);
    let run = |judged: &str| {
        folder.write("judged.csv", format!("{HEAD}{judged}"));
        folder.ok(&[&DEDUPE[..], &["l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.95"]].concat());
    };
    let report = || {
        folder.ok(&["report", "out", "-o", "report.html", "--overwrite"]);
        Unpacked::read(&folder, "report.html")
    };
    let said = |report: &Unpacked| report.facts["words"]["search"].as_str().unwrap().to_owned();
    run("1,2,unsure\n");
    assert_eq!(report().pairs(2), [pair("1", "2")]);
    run("2,1,different\n");
    let apart = report();
    assert_eq!((apart.pairs(2), apart.facts["search"]["misses"].as_str()), (Vec::new(), Some("report")));
    has(&said(&apart), &["a little looser, without pairs that are decided: 0 pairs"]);
    run("1,2,same\n");
    let together = report();
    assert_eq!((together.pairs(0), together.pairs(2)), (vec![pair("1", "2")], Vec::new()));
    assert_eq!(together.facts["rules"]["list"][1]["name"], "decided");
    // Nobody knows what was decided where the file is gone.
    run("2,1,different\n");
    std::fs::remove_file(folder.path("judged.csv")).unwrap();
    let gone = report();
    assert_eq!((gone.pairs(2), gone.facts["search"]["misses"].as_str()), (Vec::new(), Some("none")));
    has(&said(&gone), &["the values or decisions are not there"]);
}

/// Clusters that are made of the pairs of a run keep what was decided for it.
#[test]
fn decided_pairs_stay_the_strongest() {
    let folder = folder(&format!("{HEAD}2,4,same\n"));
    folder.write("scored.csv", "unique_id_l,unique_id_r,score\n1,2,0.9\n");
    folder.write("rules.toml", "[score]\npairs = \"scored.csv\"\n");
    folder.ok(&[&DEDUPE[..9], &["--rules", "rules.toml"]].concat());
    folder.ok(&["cluster", "out", "--max-size", "2", "-o", "again", "--format", "csv", "-q"]);
    assert_eq!(folder.read("again/clusters.csv"), "unique_id,cluster_id\n1,1\n2,2\n4,2\n");
}
