//! A plan is a value: it can be stored, and what is read back runs without the planner.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::cost::Costs;
use super::{Plan, PlanInput, Planner, Strategy, Survey};
use crate::cancel::Cancel;
use crate::candidates::{Batch, Batches, Shape};
use crate::records::{Frame, RowOrigin, Table};
use crate::rules::{LinkType, RuleFile, Simplified, compile, input_columns};
use crate::verify::{Check, PairBatch, Program, Verifier, compile_rules};

const RECORDS: usize = 300;

/// Rules that take several paths, and share some.
const RULES: [&str; 5] = [
    "l.city = r.city and levenshtein(l.name, r.name) <= 1",
    "jaro_winkler(l.name, r.name) >= 0.93 and abs(l.n - r.n) <= 3",
    "levenshtein(l.name, r.name) <= 2 and l.n > 40",
    "abs(l.n - r.n) <= 1 and l.city = r.city and l.name = r.name",
    "l.n + r.n = 31",
];

fn table() -> Table {
    let word =
        |at: usize| ["anna", "hanna", "johann", "johanna", "jon", "john"][at % 6].to_owned() + &"x".repeat(at % 3);
    let names: ArrayRef = Arc::new(StringArray::from_iter_values((0..RECORDS).map(|at| word(at * 7 % 23))));
    let cities: ArrayRef = Arc::new(StringArray::from_iter_values((0..RECORDS).map(|at| format!("c{}", at * 5 % 31))));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..RECORDS as i64).map(|at| at * 13 % 97)));
    let batch = RecordBatch::try_from_iter([("name", names), ("city", cities), ("n", numbers)]).unwrap();
    Table {
        name: "t".into(),
        schema: batch.schema(),
        batches: vec![batch],
        files: vec![("t".into(), RECORDS)],
        origin: RowOrigin::default(),
    }
}

fn program(rules: &[&str]) -> (Program, Simplified) {
    let table = table();
    let mut job = RuleFile::default();
    rules.iter().for_each(|rule| job.add_rule(rule));
    let columns = input_columns(&table.schema, false);
    let rules = compile(&job, LinkType::DedupeOnly, [&columns, &columns]).unwrap();
    let simplified = rules.simplified();
    let frames = [Frame::new(&[(&table, &[])], Cancel::NEVER)];
    let (compiled, encoder) = compile_rules(&simplified.rules, 1, &[]);
    let values: Vec<_> =
        compiled.conditions().map(|(frame, condition)| frames[frame].evaluate(condition, Cancel::NEVER)).collect();
    (compiled.into_program(encoder.encode(&frames, Cancel::NEVER), &values), simplified)
}

fn pairs(plan: &Plan, program: &Program) -> Vec<(u32, u32, u32)> {
    let mut found = Vec::new();
    for branch in &plan.branches {
        let (steps, mut verifier, mut batch) =
            (branch.program(program), Verifier::new(program, Vec::new()), Batch::default());
        let mut passed = PairBatch::default();
        let mut sink = Batches::new(&mut batch, |batch: &Batch| verifier.verify(&steps, batch, &mut passed));
        let mut path = branch.condition.path(program.source(), [RECORDS as u32; 2], Shape::Triangle, 1 << 20);
        for round in 0..path.rounds() {
            path.prepare(round);
            (0..path.tasks()).for_each(|task| path.run(task, &mut sink));
            path.pieces().iter().for_each(|piece| path.run_piece(piece, &mut sink));
        }
        sink.flush();
        found.extend(passed.pairs.iter().map(|pair| (pair.l, pair.r, pair.rule)));
    }
    found.sort_unstable();
    found
}

fn plan(program: &Program, simplified: &Simplified, strategy: Strategy) -> Plan {
    let input = PlanInput {
        program,
        rows: [RECORDS as u32; 2],
        shape: Shape::Triangle,
        survey: &Survey::of(program, Shape::Triangle, &["t".into()], Cancel::NEVER),
        costs: &Costs::shipped(),
        implications: &simplified.implications,
        shadowed: &simplified.shadowed,
        facts: &[],
        strategy,
        memory: 1 << 20,
        device: None,
    };
    Planner::new(input).plan(&(0..program.conjunctions.len()).collect::<Vec<usize>>())
}

/// Every operand is surveyed with its own domain, and every predicate with that of its operands.
#[test]
fn a_survey_knows_who_reads_a_domain() {
    let many: Vec<String> = (0..500).map(|at| format!("l.city = 'v{at}' and r.name = 'w{at}'")).collect();
    let rule = format!("l.name = r.name and l.city = r.city and ({})", many.join(" or "));
    let (program, _) = program(&[&rule, "l.name = r.city"]);
    let survey = Survey::of(&program, Shape::Triangle, &["t".into()], Cancel::NEVER);
    let known: Vec<&str> = survey.statistics.columns.iter().map(|column| column.column.as_str()).collect();
    let wanted: Vec<&str> = program.encoded.columns.iter().map(|column| column.text.as_str()).collect();
    assert!(known.len() > 1_000 && known == wanted, "{} of {}", known.len(), wanted.len());
    for (check, surveyed) in program.checks.iter().zip(&survey.predicates) {
        let is_equality = matches!(check, Check::Equal { .. });
        assert_eq!((surveyed.drawn.is_some(), surveyed.distinct[0] > 0.0), (is_equality, is_equality));
    }
}

/// Each way round of a rule that is not symmetric would rather stay by itself than join the others of its condition.
#[test]
fn the_two_ways_round_of_a_rule_share_candidates() {
    let (program, simplified) = program(&[
        "left(l.city, 1) = left(r.city, 1) and l.n + r.n = 31",
        "left(l.city, 1) = left(r.city, 1) and l.n * r.n = 600 and l.n > 14",
    ]);
    let plan = plan(&program, &simplified, Strategy::Full);
    assert_eq!(plan.branches.len(), 1, "{plan:#?}");
}

/// The texts of the steps at the top of the only branch.
fn first_checks(rules: &[&str]) -> Vec<String> {
    let (program, simplified) = program(rules);
    let plan = plan(&program, &simplified, Strategy::Full);
    assert_eq!(plan.branches.len(), 1, "{plan:#?}");
    let top = plan.branches[0].steps.iter().filter(|step| step.depth == 0);
    top.map(|step| simplified.rules.predicates[step.literal.predicate].text.clone()).collect()
}

/// A weaker check comes first where another rule evaluates it anyway, and only there.
#[test]
fn a_weaker_check_of_another_rule_comes_first_where_it_is_evaluated_anyway() {
    let strict = "l.city = r.city and l.n * r.n > 600 and jaro(l.name, r.name) >= 0.95";
    let loose = "l.city = r.city and jaro(l.name, r.name) >= 0.8 and l.n + r.n > 3";
    let rare = "l.city = r.city and jaro(l.name, r.name) >= 0.8 and l.n = r.n + 1";
    assert_eq!(first_checks(&[strict, loose]), ["jaro(l.name, r.name) >= 0.8"]);
    let apart = ["jaro(l.name, r.name) >= 0.95", "l.n = r.n + 1", "r.n = l.n + 1"];
    assert_eq!(first_checks(&[strict, rare]), apart);
}

#[test]
fn a_plan_that_was_stored_is_the_same_and_runs() {
    let (program, simplified) = program(&RULES);
    let plan_by = |strategy: Strategy| plan(&program, &simplified, strategy);
    let all = pairs(&plan_by(Strategy::Full), &program);
    assert!(!all.is_empty());
    for strategy in Strategy::NAMED.map(|(_, strategy)| strategy) {
        let plan = plan_by(strategy);
        let text = serde_json::to_string(&plan).unwrap();
        let stored: Plan = serde_json::from_str(&text).unwrap();
        assert_eq!(stored, plan, "{}", strategy.name());
        assert_eq!(pairs(&stored, &program), all, "{}", strategy.name());
    }
}
