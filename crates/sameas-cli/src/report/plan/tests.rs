//! The text of plans, before a run and after it.

use sameas::plan::{
    AccessPath, BranchPlace, BranchRecord, ChoiceReason, CpuReason, PlanWarning, RevisionRecord, StepRecord,
};
use sameas::rules::{LiteralRecord, NamedValue, RuleLabel, Simplification};
use sameas::{Explanation, FieldValue, LinkType, Strategy};
use serde_json::{from_value, json};

use super::numbers::{duration, each, share, short};
use super::plan;
use crate::text::{WIDTH, one_line};

fn literal(predicate: &str) -> LiteralRecord {
    LiteralRecord { predicate: predicate.into(), want: true }
}

fn step(depth: usize, check: &str, passes: Option<f64>, rules: &[&str]) -> StepRecord {
    let record = json!({
        "depth": depth, "check": literal(check), "holds": 0.25, "passes": passes, "nanoseconds": 38.2, "table": false,
        "rules": rules,
    });
    from_value(record).unwrap()
}

fn seen(mut step: StepRecord, tried: u64, passed: u64, seconds: f64) -> StepRecord {
    (step.tried, step.passed, step.seconds) = (Some(tried), Some(passed), Some(seconds));
    step
}

fn branch(steps: &[StepRecord]) -> BranchRecord {
    let reason = ChoiceReason::Alternative {
        path: AccessPath::EquiJoin,
        condition: vec![literal("l.year = r.year")],
        times_as_long: 12.0,
    };
    let record = json!({
        "path": "equi_join", "on": ["l.city = r.city", "l.zip\n  = r.zip"], "filters": [],
        "rules": ["same person", "same house"], "reason": reason, "estimated_candidates": 12_345, "exact": true,
        "estimated_seconds": 0.25, "settled": [], "steps": steps,
    });
    from_value(record).unwrap()
}

fn explanation(plan: &[BranchRecord]) -> Explanation {
    let record = json!({
        "inputs": [{"name": "people", "files": ["people.csv"], "rows": 10_000}], "nominal_pairs": 49_995_000,
        "strategy": "full", "simplifications": [], "tables": [], "plan": plan, "nevers": [], "planning_seconds": 0.012,
    });
    from_value(record).unwrap()
}

fn text(explanation: &Explanation) -> String {
    plan(explanation, LinkType::DedupeOnly)
}

/// Two rules that share their first check.
fn shared_tree() -> Vec<StepRecord> {
    vec![
        step(0, "l.year = r.year", Some(0.031), &[]),
        step(1, "jaro_winkler(l.given, r.given) >= 0.9", Some(0.5), &["same person"]),
        step(1, "levenshtein(l.street, r.street) <= 2", None, &["same house"]),
    ]
}

#[test]
fn a_plan_before_its_run() {
    let expected = "\
Pairs within one table. people: 10,000 records; 49,995,000 possible pairs.

1. Join on l.city = r.city and l.zip = r.zip
     rules        same person; same house
     candidates   12,345 (0.025 % of all pairs)
     time         about 250 ms of one core
     why          joining on l.year = r.year instead would take about 12 times as long
     check                                                   expected   cost
     l.year = r.year                                            3.1 %  38 ns
       jaro_winkler(l.given, r.given) >= 0.9 -> same person      50 %  38 ns
       levenshtein(l.street, r.street) <= 2 -> same house      (25 %)  38 ns

In all 12,345 candidates (0.025 % of all pairs), about 250 ms of one core.
Planned in 12 ms.

A check sees what the check it is indented under has passed, one at the margin every candidate;
\"expected\" is the share of these that should pass. An arrow leads to the rules that hold where the
check passes. In brackets it is one of all candidates: too few of the drawn pairs reach the check to
tell.
";
    assert_eq!(text(&explanation(&[branch(&shared_tree())])), expected);
}

#[test]
fn a_condition_that_nobody_wrote_has_its_reason() {
    let mut of_sum = branch(&[]);
    of_sum.path = AccessPath::EditJoin;
    of_sum.on = vec!["levenshtein(l.a, r.a) <= 2".into()];
    of_sum.follows_from = vec![literal("levenshtein(l.a, r.a)\n + levenshtein(l.b, r.b) <= 2")];
    let said = text(&explanation(&[of_sum])).split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "1. Join records within some edits: levenshtein(l.a, r.a) <= 2, which follows from levenshtein(l.a, r.a) + \
                    levenshtein(l.b, r.b) <= 2 rules";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn what_was_counted_is_next_to_what_was_expected() {
    let mut tree = shared_tree().into_iter();
    let mut next = |tried, passed, seconds| tree.next().map(|step| seen(step, tried, passed, seconds));
    let steps = [next(12_400, 4_000, 0.003), next(4_000, 1_800, 0.42), next(4_000, 0, 0.0)];
    let mut ran = branch(&steps.into_iter().flatten().collect::<Vec<_>>());
    (ran.candidates, ran.pairs, ran.seconds) = (Some(12_400), Some(1_800), Some(0.2));
    let said = text(&explanation(&[ran]));
    let expected = "\
     candidates   12,400 (0.025 % of all pairs), 12,345 expected
     pairs        1,800 (14.5 % of the candidates)
     time         200 ms by the clock, about 250 ms of one core expected
     why          joining on l.year = r.year instead would take about 12 times as long
     check                                                  tried  passed  share  expected     time
     l.year = r.year                                       12,400   4,000   32 %     3.1 %   3.0 ms
       jaro_winkler(l.given, r.given) >= 0.9                4,000   1,800   45 %      50 %   420 ms
           -> same person
       levenshtein(l.street, r.street) <= 2 -> same house   4,000       0    0 %         ?  <0.1 ms

In all 12,400 candidates (0.025 % of all pairs), 1,800 pairs in 200 ms.
";
    assert!(said.contains(expected), "{said}");
    let said = one_line(&said);
    assert!(
        said.ends_with("nothing was expected: \"?\". The time of a check is that of all threads together."),
        "{said}"
    );
}

#[test]
fn simplifications_tables_nevers_and_warnings() {
    let mut warned = branch(&[]);
    let key = vec![NamedValue { name: "city".into(), value: FieldValue::Text("Rome".into()) }];
    warned.warnings = vec![PlanWarning::HeavyKey { key, share: 0.5 }];
    let mut all = explanation(&[warned]);
    all.simplifications = vec![Simplification::ConditionImplied {
        rule: RuleLabel::Rule("a".into()),
        condition: literal("l.x = r.x"),
        by: literal("l.y = r.y"),
    }];
    let table = |check: &str, values: [u64; 2]| json!({"check": check, "values": values, "estimated_lookups": 1_200_000, "estimated_saving": 1.0});
    let tables = [table("jaro_winkler(l.given, r.given) >= 0.9", [4_200; 2]), table("b", [7, 1])];
    all.tables = tables.map(|table| from_value(table).unwrap()).to_vec();
    all.nevers = vec!["l.year\n<> r.year".into()];
    all.strategy = Strategy::NoEpg;
    let said = text(&all);
    for part in [
        "\n\nSimplified:\n   rule \"a\": l.x = r.x follows from",
        "\n\nDecided once for all values: jaro_winkler(l.given, r.given) >= 0.9, 4,200 values, instead of",
        "\nDecided once for all values: b, 7 and 1 values, instead of about 1,200,000 times\n\n1. ",
        "\n\nThen no pair for which l.year <> r.year holds.\n\nIn all 12,345",
        "\nPlanned in 12 ms by the strategy \"no-epg\".\n\nWarning: city = 'Rome' alone makes 50 % of the candidates\n",
    ] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    all.nevers.push("l.a = r.a".into());
    assert!(text(&all).contains("one of these holds:\n   l.year <> r.year\n   l.a = r.a\n"));
}

#[test]
fn every_way_to_join_has_words() {
    let said = |path, values| {
        let mut report = branch(&[]);
        (report.path, report.values, report.exact) = (path, values, false);
        text(&explanation(&[report.clone(), report]))
    };
    assert!(said(AccessPath::SetJoin, Some([7, 8])).contains("sets overlap: l.city = r.city and l.zip = r.zip\n"));
    assert!(said(AccessPath::EditJoin, Some([7, 8])).contains("distinct     7 and 8 values\n"));
    assert!(
        said(AccessPath::JaroJoin, Some([7, 7])).contains("distinct     7 values, each compared with every other\n")
    );
    assert!(said(AccessPath::Neighbourhood, None).contains("2. Join records near each other: l.city"));
    let all = said(AccessPath::AllPairs, None);
    assert!(all.contains("1. Look at every pair of records\n") && all.contains("candidates   about 12,345 ("), "{all}");
    assert!(all.contains("In all about 24,690 candidates") && all.contains("each join that finds it."), "{all}");
}

#[test]
fn a_branch_says_where_its_scores_are_made() {
    let said = |on: &str, by_host: Option<u64>, pairs: Option<u64>| {
        let scoring = json!({
            "estimated_pairs": 1_200, "estimated_seconds": 0.25, "expected_on": on, "by_host": by_host,
        });
        let mut report = branch(&[]);
        (report.scoring, report.pairs) = (from_value(scoring).unwrap(), pairs);
        text(&explanation(&[report]))
    };
    let expected = "about 1,200 pairs, about 250 ms of one core to compare";
    for (on, by_host, pairs, where_made) in [
        ("cpu", None, None, "to be made on the CPU"),
        ("device", None, None, "to be made on the device"),
        ("device", Some(0), Some(900), "made on the device"),
        ("cpu", Some(900), Some(900), "made on the CPU"),
        ("device", Some(20), Some(900), "20 made on the CPU, the others on the device"),
        ("device", Some(0), Some(0), "made on the CPU"),
    ] {
        let said = one_line(&said(on, by_host, pairs));
        assert!(said.contains(&format!("scores {where_made}; {expected}")), "no {where_made} in {said}");
    }
}

#[test]
fn filters_settled_rules_and_changes() {
    let late = seen(step(0, "l.a = r.a", Some(0.1), &["a"]), 300, 200, 0.1);
    let mut report = branch(&[late]);
    report.filters = vec![LiteralRecord { predicate: "l.age > 18".into(), want: false }];
    report.settled = vec!["same house".into()];
    report.revisions =
        vec![RevisionRecord::ChecksReordered { check: literal("l.b = r.b"), passed: 0.5, expected: 0.01 }];
    report.place = Some(BranchPlace::Cpu { reason: CpuReason::ExpectedSooner });
    report.candidates = Some(12_345);
    let said = text(&explanation(&[report]));
    for part in [
        "filter       only records with not (l.age > 18)\n",
        "changed      checks were reordered while it ran: l.b = r.b passed 50.0 % ",
        "counted from the change on\n     place        ran on the CPU: it is expected to end sooner there\n     then         every candidate satisfies same house\n     check ",
        "candidates   12,345 (0.025 % of all pairs), as expected\n",
    ] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
}

#[test]
fn long_checks_are_wrapped_and_nothing_of_them_is_lost() {
    let long = "regexp_matches(l.description, 'a') and (l.street || ' ' || l.house) = (r.street || ' ' || r.house)";
    // One that comes twice would be shown in full only once.
    let other = long.replace("'a'", "'b'");
    let word = format!("concat({})=1", vec!["l.street"; 20].join(","));
    let steps = [(0, long), (6, other.as_str()), (7, word.as_str())].map(|(depth, check)| {
        seen(step(depth, check, Some(0.031), &["a rule with a long name"]), 1_234_567_890, 1_234_567_890, 4000.0)
    });
    let said = text(&explanation(&[branch(&steps)]));
    assert!(said.lines().all(|line| line.chars().count() <= WIDTH), "{said}");
    let table = &said[said.find("     check ").unwrap()..said.find("In all").unwrap()];
    let cells = ["1,234,567,890", "100 %", "3.1 %", "1 h 6 min"];
    let checks: String = cells.iter().fold(table.to_owned(), |text, cell| text.replace(cell, ""));
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    assert!(letters(&checks).contains(&letters(&format!("{long} -> a rule with a long name{other}"))), "{said}");
    assert!(letters(&checks).contains(&letters(&word)), "{said}");
}

#[test]
fn a_table_is_looked_up() {
    let mut looked_up = step(0, "jaro(l.a, r.a) > 0.9", Some(0.1), &["a"]);
    (looked_up.table, looked_up.nanoseconds) = (true, 1.4);
    let said = text(&explanation(&[branch(&[looked_up])]));
    assert!(said.contains("     jaro(l.a, r.a) > 0.9 (looked up) -> a   "), "{said}");
    assert!(said.contains("1.4 ns\n"), "{said}");
}

#[test]
fn nothing_to_do_is_said_too() {
    let mut nothing = explanation(&[]);
    nothing.nominal_pairs = 0;
    let said = text(&nothing);
    assert!(
        said.ends_with("\n\nIn all 0 candidates (0 % of all pairs), under 1 ms of one core.\nPlanned in 12 ms.\n"),
        "{said}"
    );
}

#[test]
fn numbers_of_plans() {
    let shares = [0.0, 1e-7, 0.000_05, 0.000_5, 0.005, 0.05, 0.5, 1.0].map(share);
    assert_eq!(shares, ["0 %", "<0.001 %", "0.0050 %", "0.050 %", "0.50 %", "5.0 %", "50 %", "100 %"]);
    assert_eq!([0.5, 90.0, 7_320.0].map(duration), ["500 ms", "1 min 30 s", "2 h 2 min"]);
    assert_eq!([0.0, 0.002, 0.2, 4.0].map(short), ["<0.1 ms", "2.0 ms", "200 ms", "4.0 s"]);
    assert_eq!([1.23, 38.0, 1_200.0, 45_000.0, 2e6].map(each), ["1.2 ns", "38 ns", "1.2 us", "45 us", "2.0 ms"]);
}

#[test]
fn a_long_condition_has_a_number_and_its_text_once() {
    let long = "levenshtein_similarity(lower(trim(l.given_name)), lower(trim(r.given_name))) >= 0.8 ".to_owned();
    let once = "jaccard(qgrams(lower(strip_accents(l.title)), 3), qgrams(lower(strip_accents(r.title)), 3)) >= 0.6";
    let steps = [step(0, &long, None, &[]), step(1, once, None, &["a"]), step(0, &long, None, &["b"])];
    let said = text(&explanation(&[branch(&steps)]));
    assert_eq!(one_line(&said).matches(long.trim()).count(), 1, "{said}");
    assert_eq!(one_line(&said).matches("(1) levenshtein_similarity(lowe...ame))) >= 0.8").count(), 2, "{said}");
    let legend = format!("Long conditions in full: (1) {}", long.trim());
    assert!(one_line(&said).contains(&legend), "{said}");
    // What is mentioned once is shown where it is mentioned.
    let checks = one_line(&said).replace("(25 %)", "").replace("38 ns", "").replace(' ', "");
    assert!(checks.contains(&once.replace(' ', "")) && !said.contains("(2)"), "{said}");
}

#[test]
fn rules_of_both_orientations_are_named() {
    let mut given = explanation(&[branch(&[])]);
    given.both_ways = vec![RuleLabel::Rule("a".into()), RuleLabel::Never("b".into())];
    let said = one_line(&text(&given));
    let expected = "Rule \"a\", never \"b\" are not symmetric: l and r do not say the same of their records. Their pairs are \
                    looked at both ways round, and one way is enough.";
    assert!(said.contains(expected), "{said}");
    let both = one_line(&plan(&given, LinkType::LinkAndDedupe));
    assert!(both.contains("Their pairs within a table are looked at"), "{both}");
}

#[test]
fn empty_columns_have_no_values() {
    let said = |values: [u64; 2]| {
        let mut report = branch(&[]);
        (report.path, report.values) = (AccessPath::JaroJoin, Some(values));
        text(&explanation(&[report]))
    };
    assert!(said([0, 0]).contains("distinct     no values: the columns are empty\n"));
    assert!(said([0, 3]).contains("distinct     no values on the left: the column is empty\n"));
    assert!(said([3, 0]).contains("distinct     no values on the right: the column is empty\n"));
}

#[test]
fn near_pairs_come_after_the_plan() {
    let mut given = explanation(&[branch(&[])]);
    let near = json!({
        "amount": 0.05, "plan": [branch(&[])],
        "conditions": [{"rule": "a", "condition": literal("x >= 0.9"), "looser": literal("x >= 0.85")}],
    });
    given.near = Some(from_value(near).unwrap());
    let said = text(&given);
    let heading =
        "Near pairs, with one of these looser by 0.05 (counts by 1) at a time:\n   a: x >= 0.85 in place of x >= 0.9\n";
    assert!(said.contains(heading) && said.contains("\n2. Join on"), "{said}");
    assert!(said.contains("Near pairs take 12,345 more candidates (0.025 % of all pairs).\n"), "{said}");
}

#[test]
fn a_timeline_has_what_overlaps_by_its_start() {
    let record = |operator: &str, start: f64, seconds: f64| json!({"operator": operator, "input": 1, "output": 1, "start": start, "seconds": seconds});
    let mut operators: Vec<serde_json::Value> = vec![
        record("read", 0.0, 1.0),
        record("device", 0.0, 1.5),
        record("run_on_device", 1.5, 1.5),
        record("join_and_verify", 1.5, 1.5),
        record("write_pairs", 3.0, 0.001),
    ];
    operators[0]["bytes"] = 88_000_000.into();
    operators[2]["device"] = 0.into();
    operators[3]["rules"] = json!(["same person"]);
    let mut explanation = explanation(&[]);
    explanation.timeline = from_value(json!(operators)).unwrap();
    let expected = "\
Timeline, in seconds   start    end   moved
   start the GPU        0.00   1.50           |===============               |
   read                 0.00   1.00   88 MB   |==========                    |
   join: same person    1.50   3.00           |               ===============|
      run on GPU 0      1.50   3.00           |               ===============|
   write pairs          3.00   3.00           |                             =|
";
    let said = text(&explanation);
    assert!(said.contains(expected), "{said}");
}
