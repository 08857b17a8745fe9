//! `explain` and `why`.

use crate::support::{Folder, SAME_PHONE, has};

#[test]
fn a_plan_in_words_with_candidates() {
    let folder = Folder::with_people();
    let args = ["explain", "people.csv", "--rule", SAME_PHONE, "--rule", "jaro(l.name, r.name) > 0.95"];
    let plan = folder.ok(&args).out;
    has(&plan, &["people: 6 records; 15 possible pairs", "Join on l.phone = r.phone", "2 (13.3 % of all pairs)"]);
    has(
        &plan,
        &[
            "rule_1: jaro_winkler(l.name, r.name) >= 0.9",
            "Join records with similar texts: jaro(l.name, r.name) > 0.95",
        ],
    );
    has(&plan, &["6 values, each compared with every other", "In all at most 17 candidates"]);
    let args = ["explain", "people.csv", "--rule", "hamming(l.name, r.name) <= 1"];
    has(&folder.ok(&args).out, &["Look at every pair", "In all 15 candidates"]);
    assert_eq!(folder.names(), ["people.csv"]);
}

#[test]
fn a_link_is_explained_by_flag_or_rule_file() {
    let folder = Folder::with_people();
    folder.write("other.csv", "id,phone\n9,555-1\n");
    let by_flag = folder.ok(&["explain", "--link", "people.csv", "other.csv", "--rule", "l.phone = r.phone"]).out;
    has(&by_flag, &["Pairs across two tables", "other: 1 record; 6 possible pairs", "In all 2 candidates"]);
    folder
        .write("rules.toml", "link_type = \"link_only\"\n[[rule]]\nname = \"rule_1\"\nwhen = \"l.phone = r.phone\"\n");
    let by_file = folder.ok(&["explain", "people.csv", "other.csv", "--rules", "rules.toml"]).out;
    assert_eq!(by_flag, by_file);
}

#[test]
fn why_a_pair_is_one() {
    let folder = Folder::with_people();
    let said = folder.ok(&["why", "people.csv", "--rule", SAME_PHONE, "--pair", "2", "1"]).out;
    has(
        &said,
        &["1 and 2 are a pair: rule \"rule_1\" holds.", "true   l.phone = r.phone", "l = '555-1',  r = '555-1'"],
    );
    has(&said, &["l = 'john smith',  r = 'jon smith',  measured 0.97"]);
}

#[test]
fn why_a_pair_is_none() {
    let folder = Folder::with_people();
    let ask =
        |rule: &str, pair: [&str; 2]| folder.ok(&["why", "people.csv", "--rule", rule, "--pair", pair[0], pair[1]]).out;
    let missed = ask("l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.95", ["3", "4"]);
    has(
        &missed,
        &["3 and 4 are no pair: no rule holds.", "1 of its 2 conditions fails", "false  jaro_winkler", "missed by 0."],
    );
    let unknown = ask("l.phone = r.phone", ["4", "5"]);
    has(&unknown, &["null   l.phone = r.phone", "l = '555-2',  r = null"]);
}

#[test]
fn why_shows_the_nearest_way_first_and_the_others_briefly() {
    let folder = Folder::with_people();
    let rule = "l.year = r.year and (l.name = r.name or (l.phone = r.phone and levenshtein(l.name, r.name) <= 1))";
    let said = folder.ok(&["why", "people.csv", "--rule", rule, "--pair", "3", "4"]).out;
    has(
        &said,
        &[
            "false  levenshtein(l.name, r.name) <= 1",
            "measured 3, missed by 2",
            "or another way with l.name = r.name: 1 of 2 conditions hold",
        ],
    );
    assert!(said.find("levenshtein").unwrap() < said.find("or another way").unwrap(), "{said}");
}

#[test]
fn why_names_the_never_rule() {
    let folder = Folder::with_people();
    folder.write("rules.toml", "[[rule]]\nwhen = \"l.phone = r.phone\"\n[[never]]\nwhen = \"l.year = r.year\"\n");
    let said = folder.ok(&["why", "people.csv", "--rules", "rules.toml", "--pair", "1", "2"]).out;
    has(
        &said,
        &["are no pair: \"rule_1\" holds, but a `never` rule forbids it: l.year = r.year", "Never \"never_1\" holds"],
    );
}

#[test]
fn why_needs_two_records_that_exist() {
    let folder = Folder::with_people();
    let ask = |a: &str, b: &str| folder.fails(&["why", "people.csv", "--rule", SAME_PHONE, "--pair", a, b]);
    has(&ask("1", "77"), &["no record with id `77` in people"]);
    has(&ask("1", "1"), &["a pair needs two"]);
}
