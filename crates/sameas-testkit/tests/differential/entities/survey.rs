//! What random cases have, so that a comparison says something: every rule, every type, conflicts and ties.

use std::collections::BTreeMap;

use sameas_testkit::entities::{EntityCase, Item, SurvivorRule, ValueExpr};
use sameas_testkit::oracle::entities::EntityAnswer;
use sameas_testkit::random::entities::entity_case;

/// Cases that are looked at.
const CASES: u64 = 600;

/// What must be in this many of them, besides every rule.
const WANTED: [(&str, u64); 14] = [
    ("group", 100),
    ("whole record", 30),
    ("rest", 60),
    ("rest left out", 10),
    ("condition", 200),
    ("value by input", 30),
    ("new column", 100),
    ("id that is named", 5),
    ("no section", 40),
    ("three inputs", 20),
    ("input without records", 10),
    ("inputs with other columns", 50),
    ("cluster of five", 60),
    ("disagreement", 300),
];

#[test]
fn cases_have_everything() {
    let mut seen: BTreeMap<&'static str, u64> = BTreeMap::new();
    for seed in 0..CASES {
        let case = entity_case(seed);
        let mut of_case = in_section(&case);
        of_case.extend(in_inputs(&case));
        of_case.extend(in_answer(&case));
        of_case.sort_unstable();
        of_case.dedup();
        of_case.into_iter().for_each(|what| *seen.entry(what).or_default() += 1);
    }
    let rules = SurvivorRule::ALL.map(|take| (take.name(), 40));
    for (what, least) in WANTED.into_iter().chain(rules) {
        let found = seen.get(what).copied().unwrap_or(0);
        assert!(found >= least, "{what}: {found} of {CASES} cases: {seen:?}");
    }
}

fn in_section(case: &EntityCase) -> Vec<&'static str> {
    let Some(section) = &case.section else { return vec!["no section"] };
    let mut seen = if section.leaves_rest_out { vec!["rest left out"] } else { Vec::new() };
    for entry in &section.entries {
        let is_id = case.inputs.iter().any(|input| input.columns[input.id].name == entry.key);
        let has = [
            (entry.columns.is_some() && !entry.is_whole_record(), "group"),
            (entry.is_whole_record(), "whole record"),
            (entry.key == "*", "rest"),
            (entry.condition.is_some(), "condition"),
            (matches!(entry.value, Some(ValueExpr::ByInput(_))), "value by input"),
            (entry.key.starts_with("new"), "new column"),
            (is_id, "id that is named"),
        ];
        seen.extend(has.iter().filter(|(has, _)| *has).map(|(_, what)| *what));
        seen.push(entry.take.name());
    }
    seen
}

fn in_inputs(case: &EntityCase) -> Vec<&'static str> {
    let names =
        |at: usize| -> Vec<&str> { case.inputs[at].columns.iter().map(|column| column.name.as_str()).collect() };
    let differ = case.inputs.len() > 1 && names(0).iter().any(|name| !names(1).contains(name));
    let has = [
        (case.inputs.len() == 3, "three inputs"),
        (case.inputs.iter().any(|input| input.rows() == 0), "input without records"),
        (differ, "inputs with other columns"),
    ];
    has.iter().filter(|(has, _)| *has).map(|(_, what)| *what).collect()
}

fn in_answer(case: &EntityCase) -> Vec<&'static str> {
    let answer = EntityAnswer::new(case);
    let first_rows = answer.first_rows();
    let size = |first: &usize| first_rows.iter().filter(|row| *row == first).count();
    let table = answer.entities(true);
    let disagrees = |row: &Vec<Item>| {
        let columns = table.columns.iter().zip(row).filter(|(column, _)| column.name.ends_with("_disagreed"));
        columns.into_iter().any(|(_, item)| *item != Item::whole(0))
    };
    let has = [
        (first_rows.iter().any(|first| size(first) >= 5), "cluster of five"),
        (table.rows.iter().any(disagrees), "disagreement"),
    ];
    has.iter().filter(|(has, _)| *has).map(|(_, what)| *what).collect()
}
