//! A plan is a value: stored and read back, its branches give the pairs of the job, also over some of the records.

use std::collections::BTreeSet;
use std::slice::from_ref;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, UInt64Array};
use sameas::record_parts::{BranchPairs, OfAllRecords, PartInput, RecordPart};
use sameas::{Error, ErrorCode, Input, Job, JobPlan, RuleFile, Session};

/// People with names that are near each other, in few cities; ids are row numbers.
fn people(rows: std::ops::Range<i64>) -> RecordBatch {
    let names: StringArray = rows.clone().map(|row| Some(format!("name {} {}", row % 70, row % 3))).collect();
    let cities: StringArray = rows.clone().map(|row| (row % 11 != 0).then(|| format!("city {}", row % 5))).collect();
    let ids = Int64Array::from_iter_values(rows);
    let columns = [("id", Arc::new(ids) as ArrayRef), ("name", Arc::new(names)), ("city", Arc::new(cities))];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn job(people: RecordBatch) -> Job {
    Job::dedupe(Input::batches("people", people.schema(), vec![people]).unwrap())
        .with_rule("l.city = r.city and levenshtein(l.name, r.name) <= 1")
        .with_rule("jaro_winkler(l.name, r.name) >= 0.97")
        .with_rule("jaccard(words(l.name), words(r.name)) >= 0.6 and l.city is null")
}

type Pairs = BTreeSet<(u64, u64, String)>;

/// Some of the people, as a part.
fn part(people: &RecordBatch, rows: &[u64]) -> RecordPart {
    let places = UInt64Array::from(rows.to_vec());
    let columns = people.columns().iter().map(|column| arrow_select::take::take(column, &places, None).unwrap());
    let some = RecordBatch::try_new(people.schema(), columns.collect()).unwrap();
    let records = Input::batches("people", some.schema(), vec![some]).unwrap();
    RecordPart::new(vec![PartInput::new(records, rows.to_vec())])
}

/// The pairs of all branches of a plan over some records; no pair comes twice.
fn of_branches(session: &Session, plan: &JobPlan, people: &RecordBatch, rows: &[u64]) -> Pairs {
    let (parts, of_all) = ([part(people, rows)], OfAllRecords::nothing());
    let records = session.open_parts(&job(people.clone()), plan, &parts, &of_all, &()).unwrap();
    let mut pairs = Pairs::new();
    for branch in 0..plan.branches() {
        let run = session.run_branch(plan, branch, &records, BranchPairs::Within, &()).unwrap();
        for batch in run.batches() {
            let batch = batch.unwrap();
            let [l, r] = ["row_l", "row_r"]
                .map(|name| batch.column_by_name(name).unwrap().as_primitive::<UInt64Type>().values().to_vec());
            let rules = batch.column_by_name("match_key").unwrap().as_string::<i32>().clone();
            for at in 0..batch.num_rows() {
                assert!(pairs.insert((l[at], r[at], rules.value(at).to_owned())), "a pair came twice");
            }
        }
        assert!(run.candidates >= run.owned);
    }
    pairs
}

#[test]
fn the_branches_of_a_stored_plan_give_the_pairs_of_the_job() {
    let (session, people) = (Session::builder().threads(2).build().unwrap(), people(0..400));
    let plan = session.plan(&job(people.clone()), &()).unwrap();
    assert!(plan.branches() > 1, "{plan:?}");
    let stored: JobPlan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
    assert_eq!(stored, plan);

    let run = session.run(&job(people.clone()), &()).unwrap();
    let mut expected = Pairs::new();
    for batch in run.pairs() {
        let batch = batch.unwrap();
        let [l, r] = [0, 1].map(|at| batch.column(at).as_primitive::<Int64Type>().values().to_vec());
        let rules = batch.column(2).as_string::<i32>();
        for at in 0..batch.num_rows() {
            expected.insert((l[at] as u64, r[at] as u64, rules.value(at).to_owned()));
        }
    }
    assert!(expected.len() > 1000, "{} pairs", expected.len());
    let all: Vec<u64> = (0..400).collect();
    assert_eq!(of_branches(&session, &stored, &people, &all), expected);
    // Some of the records, with the numbers that they have among all.
    let some: Vec<u64> = all.into_iter().filter(|row| row % 3 != 1).collect();
    let among_some = expected.iter().filter(|(l, r, _)| l % 3 != 1 && r % 3 != 1).cloned().collect::<Pairs>();
    assert_eq!(of_branches(&session, &stored, &people, &some), among_some);
}

#[test]
fn a_plan_and_its_explanation_say_by_what_records_are_divided() {
    let (session, people) = (Session::builder().threads(2).build().unwrap(), people(0..200));
    let parted = |rule: &str| {
        let job = Job::dedupe(Input::batches("people", people.schema(), vec![people.clone()]).unwrap()).with_rule(rule);
        let (plan, explained) = (session.plan(&job, &()).unwrap(), session.explain(&job, &()).unwrap());
        let [kind] = plan.kinds() else { panic!("one branch: {plan:?}") };
        assert_eq!(explained.plan[0].parted_by.as_ref(), Some(&kind.parted_by));
        serde_json::to_value(kind.parted_by.clone()).unwrap()
    };
    let keys = serde_json::json!({"by": "keys", "keys": [{"left": "city", "right": "city", "null_safe": false}]});
    assert_eq!(parted("l.city = r.city"), keys);
    let ranges = serde_json::json!({"by": "ranges", "left": "id", "right": "id", "width": "2"});
    assert_eq!(parted("abs(l.id - r.id) <= 2"), ranges);
    // A rank is known of all records together alone.
    for rule in ["neighbours(l.name, r.name, 3)", "jaro_winkler(l.name, r.name) >= 0.97"] {
        assert_eq!(parted(rule), serde_json::json!({"by": "rows"}), "{rule}");
    }
}

#[test]
fn what_a_branch_cannot_do_is_refused() {
    let (session, people) = (Session::new().unwrap(), people(0..9));
    let plan = session.plan(&job(people.clone()), &()).unwrap();
    let rows: Vec<u64> = (0..9).collect();
    let whole = part(&people, &rows);
    let open = |job: Job, parts: &[RecordPart]| session.open_parts(&job, &plan, parts, &OfAllRecords::nothing(), &());
    let refused = |job: Job, parts: &[RecordPart]| -> Error { open(job, parts).err().unwrap() };
    let numbered = |numbers: Vec<u64>| {
        let PartInput { records, .. } = whole.inputs[0].clone();
        RecordPart::new(vec![PartInput::new(records, numbers)])
    };
    let said = |job: Job, parts: &[RecordPart]| refused(job, parts).message().to_owned();
    assert!(said(job(people.clone()), &[numbered(rows.iter().rev().copied().collect())]).contains("must ascend"));
    assert!(said(job(people.clone()), &[numbered(vec![1])]).contains("row numbers were given"));
    assert!(said(job(people.clone()), &[whole.clone(), whole.clone()]).contains("is in two parts"));
    assert!(said(job(people.clone()), &[]).contains("no part of the records"));
    assert!(said(job(people.clone()), &[RecordPart::new(Vec::new())]).contains("the job has 1 inputs"));
    assert!(said(job(people.clone()).with_rule("l.id = r.id"), from_ref(&whole)).contains("other rules"));
    let ranked = job(people.clone()).with_rule("neighbours(l.name, r.name, 3)");
    assert_eq!(refused(ranked, from_ref(&whole)).code(), ErrorCode::NeedsAllRecords);
    let opened = open(job(people), &[whole]).unwrap();
    let run = |branch: usize, pairs: BranchPairs| session.run_branch(&plan, branch, &opened, pairs, &()).err().unwrap();
    assert!(run(99, BranchPairs::Within).message().contains("no branch 99"));
    assert!(run(0, BranchPairs::Across).message().contains("need two parts"));
    assert!(run(0, BranchPairs::InPart(1)).message().contains("there is no part 1: 1 was opened"));
    assert!(run(0, BranchPairs::Between(0, 3)).message().contains("there is no part 3"));
    assert!(run(0, BranchPairs::Between(0, 0)).message().contains("part 0 is given twice"));
}

/// Why a branch of a plan made with the first rules is not run with the others; nothing where it is.
fn refusal(session: &Session, [planned, given]: [&str; 2]) -> Option<(String, Option<String>)> {
    let people = people(0..60);
    let job = |rules: &str| {
        let input = Input::batches("people", people.schema(), vec![people.clone()]).unwrap();
        Job::dedupe(input).with_rules(RuleFile::parse(rules, "rules.toml").unwrap())
    };
    let plan = session.plan(&job(planned), &()).unwrap();
    let parts = [part(&people, &(0..60).collect::<Vec<u64>>())];
    let error = session.open_parts(&job(given), &plan, &parts, &OfAllRecords::nothing(), &()).err()?;
    Some((error.message().to_owned(), error.help().map(str::to_owned)))
}

#[test]
fn a_plan_is_run_with_the_rules_it_was_made_for() {
    const NAME: &str = "[[rule]]\nwhen = \"l.name = r.name\"\n";
    const CITY: &str = "[[rule]]\nwhen = \"l.city = r.city\"\n";
    const NEVER_CITY: &str = "[[never]]\nwhen = \"l.city = r.city\"\n";
    const NEVER_ID: &str = "[[never]]\nwhen = \"l.id = r.id\"\n";
    let session = Session::builder().threads(2).build().unwrap();
    let refusal = |planned: &str, given: &str| refusal(&session, [planned, given]);
    let other = |what: &str| {
        let message = format!("the plan is of other {what} than the job's");
        Some((message, Some("plan the job again".to_owned())))
    };
    let (two_rules, rule_and_never) = (format!("{NAME}{CITY}"), format!("{NAME}{NEVER_CITY}"));
    assert_eq!(refusal(&two_rules, &two_rules), None);
    assert_eq!(refusal(&two_rules, &rule_and_never), other("rules"));
    assert_eq!(refusal(&rule_and_never, &two_rules), other("rules"));
    // One rule of two ways, and two rules.
    let either = "[[rule]]\nwhen = \"l.name = r.name or l.city = r.city\"\n";
    assert_eq!(refusal(&two_rules, either), other("rules"));
    let nevers = format!("{NAME}{NEVER_CITY}{NEVER_ID}");
    assert_eq!(refusal(&rule_and_never, &nevers), other("rules"));
    assert_eq!(refusal(&nevers, &format!("{NAME}{NEVER_ID}{NEVER_CITY}")), other("rules"));
    assert_eq!(refusal(&two_rules, &format!("{NAME}certain = true\n{CITY}")), other("rules"));
    // A name changes no number.
    assert_eq!(refusal(&two_rules, &format!("{NAME}name = \"same\"\n{CITY}")), None);
    let derived = |expression: &str| format!("[derive]\nkey = \"{expression}\"\n[[rule]]\nwhen = \"l.key = r.key\"\n");
    assert_eq!(refusal(&derived("lower(city)"), &derived("lower( city )")), None);
    assert_eq!(refusal(&derived("lower(city)"), &derived("lower(name)")), other("derived columns"));
}
