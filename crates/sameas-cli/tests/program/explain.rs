//! `explain` and `why`.

use std::fmt::Write;

use serde_json::Value;

use crate::support::{Folder, SAME_PHONE, has};

const SAME_YEAR: &str = "l.phone = r.phone and l.year = r.year";

/// `explain people.csv` by two rules that share a join, and what else is asked for.
fn shared_join<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["explain", "people.csv", "--rule", SAME_PHONE, "--rule", SAME_YEAR][..], more].concat()
}

/// A text with one blank wherever there is white space: where lines end and how wide columns are does not matter.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As many records as asked for, each with a name of its own, all of one length; the first `big` live in New York, the
/// others in Boston.
fn citizens(folder: &Folder, records: usize, big: usize) {
    let mut text = String::from("id,name,city\n");
    for i in 0..records {
        let city = if i < big { "New York" } else { "Boston" };
        writeln!(text, "{i},citizen {i:06},{city}").unwrap();
    }
    folder.write("citizens.csv", text);
}

#[test]
fn a_plan_in_words_with_candidates() {
    let folder = Folder::with_people();
    let plan = folder.ok(&shared_join(&[])).out;
    has(&plan, &["people: 6 records; 15 possible pairs", "1. Join on l.phone = r.phone\n"]);
    has(&plan, &["rules        rule_1; rule_2\n", "candidates   2 (13.3 % of all pairs)\n", " of one core\n"]);
    has(&plan, &["jaro_winkler(l.name, r.name) >= 0.9 -> rule_1 ", "l.year = r.year -> rule_2 ", " expected "]);
    has(
        &plan,
        &["In all 2 candidates (13.3 % of all pairs)", "Planned in ", "A check sees what the check it is indented"],
    );
    assert!(!plan.contains("\n2. ") && !plan.contains("Warning") && !plan.contains("tried"), "{plan}");
    assert!(plan.lines().all(|line| line.chars().count() <= 100), "{plan}");
    assert_eq!(folder.names(), ["people.csv"]);
}

#[test]
fn a_plan_names_the_way_to_its_candidates() {
    let folder = Folder::with_people();
    let explain = |rule: &str| folder.ok(&["explain", "people.csv", "--rule", rule]).out;
    let similar = explain("jaro(l.name, r.name) > 0.95");
    has(&similar, &["1. Join records with similar texts: jaro(l.name, r.name) > 0.95\n"]);
    has(&similar, &["6 values, each compared with every other", "every candidate satisfies rule_1"]);
    has(&explain("hamming(l.name, r.name) <= 1"), &["1. Look at every pair of records\n", "In all 15 candidates"]);
}

#[test]
fn a_plan_tells_what_is_simplified_and_what_is_forbidden() {
    let folder = Folder::with_people();
    let rules = "[[rule]]\nwhen = \"l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.8 and \
                 jaro_winkler(l.name, r.name) >= 0.9\"\n[[never]]\nwhen = \"l.year = r.year\"\n";
    folder.write("rules.toml", rules);
    let plan = folder.ok(&["explain", "people.csv", "--rules", "rules.toml"]).out;
    let weaker = "jaro_winkler(l.name, r.name) >= 0.8 follows from jaro_winkler(l.name, r.name) >= 0.9";
    has(&flat(&plan), &["Simplified: ", weaker, "Then no pair for which l.year = r.year holds."]);
}

#[test]
fn analyze_shows_what_came_and_writes_nothing() {
    let folder = Folder::with_people();
    let said = folder.ok(&shared_join(&["--analyze"]));
    let plan = flat(&said.out);
    has(&plan, &["candidates 2 (13.3 % of all pairs), as expected pairs 2 (100.0 % of the candidates) time "]);
    has(&plan, &["check tried passed share expected time"]);
    has(&plan, &["jaro_winkler(l.name, r.name) >= 0.9 -> rule_1 2 1 50 %", "l.year = r.year -> rule_2 2 2 100 %"]);
    has(&plan, &["In all 2 candidates (13.3 % of all pairs), 2 pairs in "]);
    has(
        &plan,
        &["Timeline, in seconds start end moved read 0.00", "join: rule_1, rule_2", "sort pairs, form clusters"],
    );
    assert_eq!((said.err.as_str(), folder.names()), ("", vec!["people.csv".to_owned()]));
}

#[test]
fn a_plan_for_programs() {
    let folder = Folder::with_people();
    let read = |more: &[&str]| serde_json::from_str::<Value>(&folder.ok(&shared_join(more)).out).unwrap();
    let plan = read(&["--format", "json"]);
    assert_eq!((plan["nominal_pairs"].as_u64(), plan["strategy"].as_str()), (Some(15), Some("full")));
    let branch = &plan["plan"][0];
    assert_eq!((branch["path"].as_str(), branch["on"][0].as_str()), (Some("equi_join"), Some("l.phone = r.phone")));
    assert_eq!((branch["estimated_candidates"].as_u64(), branch["exact"].as_bool()), (Some(2), Some(true)));
    let steps = branch["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2, "{plan:#}");
    assert!(steps.iter().all(|step| step["nanoseconds"].is_number() && step["tried"].is_null()), "{plan:#}");
    let ran = read(&["--format", "json", "--analyze"]);
    let branch = &ran["plan"][0];
    assert_eq!((branch["candidates"].as_u64(), branch["pairs"].as_u64()), (Some(2), Some(2)));
    let tried = |step: &Value| step["tried"].as_u64() == Some(2) && step["seconds"].is_number();
    assert!(branch["steps"].as_array().unwrap().iter().all(tried), "{ran:#}");
    let timeline = ran["timeline"].as_array().unwrap();
    let of = |operator: &str| timeline.iter().find(|record| record["operator"] == operator).unwrap();
    let end = |record: &Value| record["start"].as_f64().unwrap() + record["seconds"].as_f64().unwrap();
    assert_eq!(of("read")["bytes"].as_u64(), Some(folder.read("people.csv").len() as u64));
    assert!(end(of("encode")) <= of("join_and_verify")["start"].as_f64().unwrap(), "{ran:#}");
}

#[test]
fn however_it_is_planned_the_pairs_are_the_same() {
    const STRATEGIES: [&str; 6] =
        ["full", "no-epg", "no-predicate-order", "no-rule-order", "cheap-first", "selective-first"];
    let folder = Folder::with_people();
    for strategy in STRATEGIES {
        let rules = ["--rule", SAME_PHONE, "--rule", SAME_YEAR];
        let output = ["--format", "csv", "--overwrite", "--plan", strategy];
        folder.ok(&[&["dedupe", "people.csv"][..], &rules, &output].concat());
        let pairs = folder.read("sameas-out/pairs.csv");
        assert_eq!(pairs, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n3,4,rule_2\n", "{strategy}");
    }
    has(&folder.ok(&shared_join(&["--plan", "no-epg"])).out, &["by the strategy \"no-epg\".\n"]);
    let error = folder.fails(&shared_join(&["--plan", "fastest"]));
    has(&error, &["invalid value 'fastest' for '--plan <STRATEGY>'"]);
    has(&error, &STRATEGIES);
}

#[test]
fn a_value_that_makes_most_of_the_candidates_is_reported() {
    let folder = Folder::new();
    // 319,600 pairs in New York and 19,900 in Boston.
    citizens(&folder, 1_000, 800);
    let rule = "l.city = r.city and hamming(l.name, r.name) <= 1";
    let plan = folder.ok(&["explain", "citizens.csv", "--rule", rule]).out;
    has(&plan, &["1. Join on l.city = r.city\n", "candidates   339,500 (68.0 % of all pairs)\n"]);
    let (_, warning) = plan.split_once("\nWarning: ").unwrap();
    has(&flat(warning), &["New York", "alone makes 94 % of the candidates"]);
}

#[test]
fn a_rule_that_looks_at_all_pairs_of_many_records_is_reported() {
    let folder = Folder::new();
    citizens(&folder, 5_000, 100);
    let plan = folder.ok(&["explain", "citizens.csv", "--rule", "hamming(l.name, r.name) <= 1"]).out;
    has(&plan, &["1. Look at every pair of records\n", "In all 12,497,500 candidates (100.0 % of all pairs)"]);
    let (_, warning) = plan.split_once("\nWarning: ").unwrap();
    let warning = flat(warning);
    has(&warning, &["rule_1 must look at every pair of records", "levenshtein(l.name, r.name) <= 1", "add it"]);
    assert!(warning.replace(',', "").contains("12497500"), "{warning}");
}

#[test]
fn a_link_is_explained_by_flag_or_rule_file() {
    let folder = Folder::with_people();
    folder.write("other.csv", "id,phone\n9,555-1\n");
    let explain = |args: &[&str]| {
        let plan = folder.ok(args).out;
        // All but the time it took is the same each time.
        plan.lines().filter(|line| !line.starts_with("Planned in ")).collect::<Vec<_>>().join("\n")
    };
    let by_flag = explain(&["explain", "--link", "people.csv", "other.csv", "--rule", "l.phone = r.phone"]);
    has(&by_flag, &["Pairs across two tables", "other: 1 record; 6 possible pairs", "In all 2 candidates"]);
    has(&by_flag, &["then         every candidate satisfies rule_1\n"]);
    folder
        .write("rules.toml", "link_type = \"link_only\"\n[[rule]]\nname = \"rule_1\"\nwhen = \"l.phone = r.phone\"\n");
    let by_file = explain(&["explain", "people.csv", "other.csv", "--rules", "rules.toml"]);
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
        &["3 and 4 are not a pair: no rule holds", "1 of its 2 conditions fails", "false  jaro_winkler", "missed by 0"],
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
        &["not a pair: \"rule_1\" holds, but a `never` rule forbids it: l.year = r.year", "Never \"never_1\" holds"],
    );
}

#[test]
fn why_needs_two_records_that_exist() {
    let folder = Folder::with_people();
    let ask = |a: &str, b: &str| folder.fails(&["why", "people.csv", "--rule", SAME_PHONE, "--pair", a, b]);
    has(&ask("1", "77"), &["no record with id `77` in people"]);
    has(&ask("1", "1"), &["a pair needs two"]);
}

#[test]
fn an_earlier_run_tells_the_planner_what_it_saw() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out"]);
    let explain =
        |input: &'static str, file: &'static str| ["explain", input, "--rule", SAME_PHONE, "--statistics", file];
    has(&folder.ok(&explain("people.csv", "out/run.json")).out, &["Join on l.phone = r.phone"]);
    folder.write("other.csv", "id,name,phone\n1,ann,5\n");
    let refused = folder.fails(&explain("other.csv", "out/run.json"));
    has(&refused, &["the statistics are of people with 6 records, the inputs are other with 1 records"]);
    folder.write("no.json", "{}");
    has(&folder.fails(&explain("people.csv", "no.json")), &["no.json: not the record of a run", "run.json"]);
}

#[test]
fn a_rule_that_is_not_symmetric_says_so() {
    let folder = Folder::with_people();
    let explain = |rule: &str| flat(&folder.ok(&["explain", "people.csv", "--rule", rule]).out);
    let said = explain("l.phone = r.phone and l.year <= 1980 and r.name like 'jon%'");
    has(&said, &["Rule \"rule_1\" is not symmetric: l and r do not say the same of their records."]);
    has(&said, &["Its pairs are looked at both ways round, and one way is enough."]);
    assert!(!explain(SAME_PHONE).contains("symmetric"));
}

#[test]
fn a_long_condition_is_shown_once_and_referred_to() {
    let folder = Folder::with_people();
    let long = "lower(trim(replace(replace(l.name, ' ', ''), '-', ''))) = \
                lower(trim(replace(replace(r.name, ' ', ''), '-', '')))";
    let rules: Vec<String> = ["l.year = r.year", "l.phone = r.phone"]
        .iter()
        .map(|other| format!("{long} and jaro(l.phone, r.phone) >= 0.9 and {other}"))
        .collect();
    let said = folder.ok(&["explain", "people.csv", "--rule", &rules[0], "--rule", &rules[1]]).out;
    assert_eq!(flat(&said).matches(long).count(), 1, "{said}");
    if said.contains("(1) ") {
        has(&flat(&said), &["Long conditions in full: (1) lower(trim(", "(1) lower(trim(replace("]);
    }
}

#[test]
fn columns_without_values_say_so() {
    let folder = Folder::new();
    folder.write(
        "tags.jsonl",
        "{\"id\":1,\"name\":\"a b\",\"tags\":[\"a\"]}\n{\"id\":2,\"name\":\"c\",\"tags\":[\"a\",\"b\"]}\n",
    );
    let said = folder.ok(&["explain", "tags.jsonl", "--rule", "jaccard(words(l.name), r.tags) >= 0.3"]).out;
    has(&said, &["distinct     2 values\n"]);
    folder.write("people.csv", "id,name\n1,\n2,\n3,\n");
    for rule in ["jaro(l.name, r.name) >= 0.9", "jaccard(words(l.name), words(r.name)) >= 0.5"] {
        let said = folder.ok(&["explain", "people.csv", "--rule", rule]).out;
        assert!(!said.contains("0 values"), "{said}");
        if said.contains("distinct") {
            has(&said, &["distinct     no values: the columns are empty\n"]);
        }
    }
}
