//! Near pairs: what one looser threshold would find, in a file of their own.

use serde_json::Value;

use crate::support::{Folder, has};

const RULE: &str = "l.phone = r.phone and levenshtein(l.name, r.name) <= 2";

const NEAR: &str = "unique_id_l,unique_id_r,match_key,loosened\n3,4,rule_1,\"levenshtein(l.name, r.name) <= 2\"\n";

fn dedupe<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["dedupe", "people.csv", "--rule", RULE, "--format", "csv", "-o", "out", "--overwrite"][..], more].concat()
}

#[test]
fn near_pairs_have_a_file_of_their_own_and_change_no_other() {
    let folder = Folder::with_people();
    let results = ["out/pairs.csv", "out/clusters.csv"];
    folder.ok(&dedupe(&[]));
    let without = results.map(|name| folder.bytes(name));
    let said = folder.ok(&dedupe(&["--near", "0.05"])).out;
    assert_eq!(results.map(|name| folder.bytes(name)), without);
    assert_eq!(folder.read("out/near.csv"), NEAR);
    has(&said, &["Pairs        1\n"]);
    let near = "Near         1 pair would be found if one threshold were looser by 0.05 (counts by 1):";
    has(&said, &[near, "out/near.csv"]);
    let record: Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    let near = &record["near"];
    assert_eq!(
        (near["amount"].as_f64(), near["pairs"].as_u64(), record["pairs"].as_u64()),
        (Some(0.05), Some(1), Some(1))
    );
    assert_eq!((near["candidates"].as_u64(), record["candidates"].as_u64()), (Some(2), Some(2)));
    let condition = &near["conditions"][0];
    assert_eq!(condition["looser"]["predicate"], "levenshtein(l.name, r.name) <= 3");
    assert_eq!((condition["rule"].as_str(), condition["pairs"].as_u64()), (Some("rule_1"), Some(1)));
    assert_eq!(record["rules"].as_array().unwrap().len(), 1);
    // Without them, the file of the earlier run is no result any more.
    folder.ok(&dedupe(&[]));
    assert!(!folder.path("out/near.csv").exists());
}

#[test]
fn what_a_rule_gives_or_a_never_forbids_is_not_near() {
    let folder = Folder::with_people();
    let rules = "[[rule]]\nwhen = \"l.phone = r.phone and levenshtein(l.name, r.name) <= 2\"\n\
                 [[never]]\nwhen = \"l.year < 1980 and r.year < 1980\"\n";
    folder.write("rules.toml", rules);
    let run = ["dedupe", "people.csv", "--rules", "rules.toml", "--near", "0.1", "--format", "csv", "-o", "out"];
    has(&folder.ok(&run).out, &["Near         0 pairs would be found"]);
    assert_eq!(folder.read("out/near.csv"), "unique_id_l,unique_id_r,match_key,loosened\n");
    // No rule gives the pair that is forbidden, so the `never` removes nothing.
    let record: Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    assert_eq!((record["never"][0]["removed"].as_u64(), record["pairs"].as_u64()), (Some(0), Some(1)));
    let more = dedupe(&["--near", "0.1", "--rule", "l.phone = r.phone"]);
    has(&folder.ok(&more).out, &["Near         0 pairs would be found"]);
}

#[test]
fn near_pairs_of_a_link_and_of_the_same_rule_loosened_twice() {
    let folder = Folder::with_people();
    folder.write("other.csv", "id,name,phone\na,marie jonas,555-2\nb,jon smit,555-9\n");
    let rule = "levenshtein(l.name, r.name) <= 1 and jaro_winkler(l.name, r.name) >= 0.5";
    let args = ["--rule", rule, "--near", "0.05", "--format", "json", "-o", "out"];
    folder.ok(&[&["link", "people.csv", "other.csv"][..], &args].concat());
    let near = folder.read("out/near.jsonl");
    assert_eq!(near.lines().count(), 1, "{near}");
    has(
        &near,
        &["\"unique_id_l\":\"1\"", "\"unique_id_r\":\"b\"", "\"loosened\":\"levenshtein(l.name, r.name) <= 1\""],
    );
}

#[test]
fn near_pairs_of_three_inputs_name_them() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,smith\n2,smithe\n");
    folder.write("b.csv", "id,x\n1,smyths\n");
    folder.write("c.csv", "id,x\n1,smyth\n");
    let link = ["link", "a.csv", "b.csv", "c.csv", "--rule", "levenshtein(l.x, r.x) <= 1", "--near", "0.05"];
    let to = ["--format", "csv", "-o", "out", "--overwrite"];
    let near = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,match_key,loosened\n\
                a,1,b,1,rule_1,\"levenshtein(l.x, r.x) <= 1\"\n\
                a,2,b,1,rule_1,\"levenshtein(l.x, r.x) <= 1\"\n\
                a,2,c,1,rule_1,\"levenshtein(l.x, r.x) <= 1\"\n";
    for (more, pairs) in [(&[][..], 2), (&["--dedupe"], 3)] {
        folder.ok(&[&link[..], &to, more].concat());
        assert_eq!(folder.read("out/near.csv"), near);
        assert_eq!(folder.read("out/pairs.csv").lines().count(), 1 + pairs);
    }
}

#[test]
fn rules_without_a_threshold_have_no_near_pairs() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", "l.phone = r.phone", "--near", "0.05", "-o", "out"];
    has(
        &folder.ok(&run).out,
        &["Near         no rule has a threshold that could be looser", "out/near.parquet has no rows"],
    );
    let plan = folder.ok(&["explain", "people.csv", "--rule", "l.phone = r.phone", "--near", "0.05"]).out;
    has(&plan, &["Near pairs: no rule has a threshold that could be looser.\n"]);
}

#[test]
fn a_plan_shows_what_near_pairs_take() {
    let folder = Folder::with_people();
    let explain = |more: &[&str]| folder.ok(&[&["explain", "people.csv", "--rule", RULE], more].concat()).out;
    let (without, with) = (explain(&[]), explain(&["--near", "0.05"]));
    has(&with, &["Near pairs, with one of these looser by 0.05 (counts by 1) at a time:\n"]);
    has(&with, &["rule_1: levenshtein(l.name, r.name) <= 3 in place of levenshtein(l.name, r.name) <= 2\n"]);
    has(&with, &["\n2. Join on l.phone = r.phone\n", "Near pairs take 2 more candidates (13.3 % of all pairs).\n"]);
    has(&with, &["In all 2 candidates (13.3 % of all pairs)"]);
    assert!(!without.contains("Near") && !without.contains("\n2. "), "{without}");
    let ran = explain(&["--near", "0.05", "--analyze"]);
    let flat = ran.split_whitespace().collect::<Vec<_>>().join(" ");
    has(&flat, &["in place of levenshtein(l.name, r.name) <= 2: 1 near pair 2. Join"]);
    has(&ran, &["Near pairs take 2 more candidates (13.3 % of all pairs), 1 near pair.\n", "In all 2 candidates"]);
}

#[test]
fn near_pairs_count_for_the_limit_and_can_be_resumed() {
    let folder = Folder::with_people();
    folder.ok(&dedupe(&["--max-pairs", "2"]));
    let refused = folder.fails(&dedupe(&["--max-pairs", "2", "--near", "0.05"]));
    has(&refused, &["4 candidate pairs, more than the limit of 2"]);
    folder.ok(&dedupe(&["--resume", "--near", "0.05"]));
    assert_eq!(folder.read("out/near.csv"), NEAR);
}

#[test]
fn near_pairs_need_a_folder_and_a_small_amount() {
    let folder = Folder::with_people();
    for one in ["-", "pairs.csv"] {
        let refused = folder.fails(&["dedupe", "people.csv", "--rule", RULE, "--near", "0.05", "-o", one]);
        has(&refused, &["--near needs an output folder", "near pairs go to a file beside the pairs"]);
    }
    assert!(!folder.path("pairs.csv").exists());
    let refused = folder.fails(&["dedupe", "people.csv", "--rule", RULE, "--near", "5"]);
    has(&refused, &["similarities are between 0 and 1", "for example 0.05"]);
}
