//! A plan is a value: it can be stored, and what is read back runs without the planner.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::Strategy;
use super::cost::Costs;
use super::{AccessPath, JobPlan, KeyRecord, PartingRecord, Plan, PlanInput, Planner, SampleProgram, ScorePlan};
use crate::cancel::Cancel;
use crate::candidates::{Batch, Batches, Shape};
use crate::dataset::{CountedRecords, OperandKeys, RecordCounter, RecordLayout};
use crate::records::encode::OperandKey;
use crate::records::stats::EqualityKey;
use crate::records::{Frame, RowOrigin, Table};
use crate::rules::{LinkType, RuleFile, RuleSet, Simplified, compile, input_columns};
use crate::score::ScoreRule;
use crate::verify::{Check, PairBatch, Program, RuleProgram, Verifier};

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
    let compiled = RuleProgram::compile(&simplified.rules, 1);
    let (encoded, verdicts) =
        (compiled.wanted.encode(&frames, Cancel::NEVER), compiled.verdicts(&frames, Cancel::NEVER));
    (compiled.bind(encoded, verdicts, &[], None), simplified)
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

/// What was counted of the records, and what the operands are.
fn counted(program: &Program, rules: &RuleSet) -> (CountedRecords, Vec<OperandKey>) {
    let keys = OperandKeys::new(&RuleProgram::compile(rules, 1), rules, 1).operands;
    let (layout, names) = (RecordLayout::new(rules, vec![RECORDS as u32]), ["t".to_owned()]);
    let counter = RecordCounter { program, keys: &keys, layout: &layout, names: &names, numbers: None };
    (counter.count(Cancel::NEVER), keys)
}

fn plan(program: &Program, simplified: &Simplified, strategy: Strategy) -> Plan {
    let (CountedRecords { statistics, .. }, keys) = counted(program, &simplified.rules);
    let input = PlanInput {
        sample: &SampleProgram::new(program, &keys, &statistics),
        statistics: &statistics,
        costs: &Costs::shipped(),
        implications: &simplified.implications,
        shadowed: &simplified.shadowed,
        facts: &[],
        strategy,
        memory: 1 << 20,
        device: None,
        comparisons: &[],
    };
    Planner::new(input).plan(&(0..program.conjunctions.len()).collect::<Vec<usize>>())
}

/// Every operand is counted with its own domain, and every predicate with that of its operands.
#[test]
fn whoever_reads_a_domain_is_counted_with_it() {
    let many: Vec<String> = (0..500).map(|at| format!("l.city = 'v{at}' and r.name = 'w{at}'")).collect();
    let rule = format!("l.name = r.name and l.city = r.city and ({})", many.join(" or "));
    let (program, simplified) = program(&[&rule, "l.name = r.city"]);
    let (CountedRecords { statistics, columns }, keys) = counted(&program, &simplified.rules);
    let known: Vec<&str> = columns.columns.iter().map(|column| column.column.as_str()).collect();
    let wanted: Vec<&str> = program.encoded.columns.iter().map(|column| column.text.as_str()).collect();
    assert!(known.len() > 1_000 && known == wanted, "{} of {}", known.len(), wanted.len());
    let mut equalities = 0;
    for check in &program.checks {
        let Check::Equal { operands, null_safe } = check else { continue };
        let [left, right] = [&keys[operands.left], &keys[operands.right]];
        let of = &statistics.equalities[&EqualityKey::new(left, right, *null_safe)];
        assert!(of.drawn.is_some() && of.exact.is_some());
        assert!(statistics.operands[left].exact.is_some_and(|exact| exact.distinct > 0));
        equalities += 1;
    }
    assert_eq!((statistics.equalities.len(), statistics.operands.len()), (equalities, wanted.len()));
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

#[test]
fn a_branch_says_by_what_its_records_are_divided() {
    let kind = |rule: &str| {
        let (program, simplified) = program(&[rule]);
        let plan = JobPlan::new(&simplified.rules, program.source(), plan(&program, &simplified, Strategy::Full));
        assert_eq!((plan.branches(), plan.kinds().len()), (1, 1), "{plan:#?}");
        plan.kinds()[0].clone()
    };
    let key = |left: &str, right: &str, null_safe| KeyRecord { left: left.into(), right: right.into(), null_safe };
    let keys = kind("l.city is not distinct from r.city and lower(l.name) = lower(r.name)");
    assert_eq!((keys.path, &keys.rules[..]), (Some(AccessPath::EquiJoin), &["rule_1".to_owned()][..]));
    let PartingRecord::Keys { keys } = keys.parted_by else { panic!("equal values meet") };
    let known = [key("city", "city", true), key("lower(name)", "lower(name)", false)];
    assert!(!keys.is_empty() && keys.iter().all(|of| known.contains(of)), "{keys:?}");
    let near = kind("abs(l.n - r.n) <= 3");
    let ranges = PartingRecord::Ranges { left: "n".into(), right: "n".into(), width: "3".into() };
    assert_eq!((near.path, near.parted_by), (Some(AccessPath::Neighbourhood), ranges));
    for rule in ["jaro_winkler(l.name, r.name) >= 0.93", "levenshtein(l.name, r.name) <= 1", "l.n + r.n = 31"] {
        assert_eq!(kind(rule).parted_by, PartingRecord::Rows, "{rule}");
    }
}

#[test]
fn the_plan_of_a_job_is_of_its_rules_and_of_no_others() {
    let (own, other) = (program(&RULES), program(&RULES[1..]));
    let plan = JobPlan::new(&own.1.rules, own.0.source(), plan(&own.0, &own.1, Strategy::Full));
    let stored: JobPlan = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
    assert_eq!(stored, plan);
    assert_eq!((stored.is_of(&own.1.rules), stored.is_of(&other.1.rules)), (true, false));
    let last = stored.branches() - 1;
    assert!(stored.check(&own.1.rules).is_ok());
    assert!(stored.check(&other.1.rules).unwrap_err().message().contains("other rules"));
    assert_eq!(stored.branch(last).unwrap().unwrap().branches, [stored.plan().branches[last].clone()]);
    assert!(stored.branch(last + 1).unwrap_err().message().contains(&format!("no branch {}", last + 1)));
    // Pairs that others have scored are one more.
    let rule = ScoreRule::new("score >= 0.5".into(), Vec::new());
    let scores = ScorePlan { rule, key: String::new(), has_given_pairs: true };
    let given = stored.with_scores(Some(scores), &own.1.rules);
    assert_eq!((given.branches(), given.branch(last + 1).unwrap()), (last + 2, None));
    assert!(given.branch(last + 2).is_err());
}
