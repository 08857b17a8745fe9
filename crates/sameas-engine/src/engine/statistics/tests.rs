//! Statistics of parts, put together in any way, plan the job, and the plan gives the pairs of the run.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::cancel::Cancel;
use crate::candidates::{Batch, Batches, Shape};
use crate::device::DeviceChoice;
use crate::engine::{PairUse, find};
use crate::plan::Plan;
use crate::records::Input;
use crate::rules::RuleFile;
use crate::verify::{PairBatch, Program, Verifier};

/// Conditions of every kind: equalities, texts, sets, numbers, one record, both records, and what is derived.
const RULES: &str = r#"
[derive]
initial = "left(name, 1)"

[[rule]]
when = "l.city = r.city and levenshtein(l.name, r.name) <= 1"

[[rule]]
when = "jaccard(words(l.name), words(r.name)) >= 0.5 and l.age > 30"

[[rule]]
when = "l.initial = r.initial and abs(l.age - r.age) <= 2 and l.city is not distinct from r.city"

[[rule]]
when = "l.age + r.age = 71 and l.name = r.name"

[[never]]
when = "l.city = 'c1' and r.name = 'ann lee'"
"#;

/// What jobs may use.
struct TestSession(Settings);

impl TestSession {
    fn new() -> Self {
        Self(Settings { device: DeviceChoice::Cpu, ..Settings::default() })
    }

    fn statistics(&self, job: &Job) -> Result<Statistics> {
        unobserved(|progress| statistics(job, None, &self.0, progress))
    }

    fn statistics_of_part(&self, job: &Job, numbers: &[Vec<u64>]) -> Result<Statistics> {
        unobserved(|progress| statistics(job, Some(numbers), &self.0, progress))
    }

    fn plan_from(&self, spec: &JobSpec, schemas: &[SchemaRef], statistics: &Statistics) -> Result<JobPlan> {
        unobserved(|progress| plan_from(spec, schemas, statistics, &self.0, progress))
    }
}

fn unobserved<T>(work: impl FnOnce(Progress<'_>) -> T) -> T {
    work(Progress::new(&(), &|| false))
}

/// The records with these numbers, which are their ids.
fn batch(numbers: &[u64]) -> RecordBatch {
    let texts = |value: &dyn Fn(u64) -> Option<String>| -> ArrayRef {
        Arc::new(StringArray::from_iter(numbers.iter().map(|number| value(*number))))
    };
    let names = ["ann lee", "anne lee", "bo fox", "bob fox", "cy hall", "dee hall"];
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(numbers.iter().map(|number| *number as i64)));
    let ages: ArrayRef = Arc::new(Int64Array::from_iter_values(numbers.iter().map(|number| (number * 13 % 61) as i64)));
    let columns = [
        ("id", ids),
        ("name", texts(&|number| (number % 11 != 0).then(|| names[(number * 7 % 6) as usize].to_owned()))),
        ("city", texts(&|number| (number % 7 != 0).then(|| format!("c{}", number * number % 9)))),
        ("age", ages),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

fn input(name: &str, numbers: &[u64]) -> Input {
    let batch = batch(numbers);
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

fn dedupe(numbers: &[u64]) -> Job {
    Job::dedupe(input("people", numbers)).with_rules(RuleFile::parse(RULES, "rules.toml").unwrap())
}

/// The statistics of a part of a dedupe.
fn of_part(session: &TestSession, numbers: &[u64]) -> Statistics {
    session.statistics_of_part(&dedupe(numbers), &[numbers.to_vec()]).unwrap()
}

/// A number of parts, and the numbers of the records of each.
fn parts(records: u64, parts: u64) -> Vec<Vec<u64>> {
    (0..parts).map(|part| (0..records).filter(|number| number * 31 % 97 % parts == part).collect()).collect()
}

/// A pair of records, and its rule.
type FoundPairs = BTreeSet<(u32, u32, u32)>;

/// The pairs of a run.
fn of_run(session: &TestSession, job: &Job) -> FoundPairs {
    let found = unobserved(|progress| find(job, None, &session.0, PairUse::default(), progress)).unwrap();
    let pairs = found.pairs.read(0..found.pairs.len()).unwrap();
    pairs.into_iter().map(|pair| (pair.l, pair.r, pair.rule)).collect()
}

/// The program of a job over all of its records, with the rows of both sides.
fn bound(job: &Job) -> (Program, [u32; 2], Shape) {
    let budget = MemoryBudget::unlimited();
    let (dataset, written) = unobserved(|progress| Dataset::open(job, Keep::Nothing, &budget, progress)).unwrap();
    let rules = written.simplified().rules;
    let program = unobserved(|progress| dataset.bind(&rules, progress, Cancel::NEVER)).unwrap();
    let shape = if dataset.layout().has_two_sides() { Shape::Rectangle } else { Shape::Triangle };
    (program, dataset.layout().rows(), shape)
}

/// The pairs that a plan finds.
fn of_plan(plan: &Plan, (program, rows, shape): &(Program, [u32; 2], Shape)) -> FoundPairs {
    let mut found = FoundPairs::new();
    for branch in &plan.branches {
        let (steps, mut verifier) = (branch.program(program), Verifier::new(program, Vec::new()));
        let (mut batch, mut passed) = (Batch::default(), PairBatch::default());
        let mut sink = Batches::new(&mut batch, |batch: &Batch| verifier.verify(&steps, batch, &mut passed));
        let mut path = branch.condition.path(program.source(), *rows, *shape, 1 << 20);
        for round in 0..path.rounds() {
            path.prepare(round);
            (0..path.tasks()).for_each(|task| path.run(task, &mut sink));
            path.pieces().iter().for_each(|piece| path.run_piece(piece, &mut sink));
        }
        sink.flush();
        for pair in &passed.pairs {
            assert!(found.insert((pair.l, pair.r, pair.rule)), "a pair came twice");
        }
    }
    found
}

fn merged(parts: Vec<Statistics>) -> Statistics {
    parts.into_iter().reduce(|all, part| all.merge(part).unwrap()).unwrap()
}

fn stored(statistics: &Statistics) -> String {
    serde_json::to_string(statistics).unwrap()
}

#[test]
fn statistics_of_halves_thirds_and_of_all_plan_the_pairs_of_the_run() {
    const RECORDS: u64 = 300;
    let (session, all) = (TestSession::new(), (0..RECORDS).collect::<Vec<u64>>());
    let job = dedupe(&all);
    let (expected, program) = (of_run(&session, &job), bound(&job));
    assert!(expected.len() > 100, "{} pairs", expected.len());
    let (spec, schema) = (JobSpec::new(&job), batch(&[]).schema());
    let whole = session.statistics(&job).unwrap();
    assert_eq!(whole, of_part(&session, &all), "a record has the number of its row");
    let halves = merged(parts(RECORDS, 2).iter().map(|part| of_part(&session, part)).collect());
    let thirds = merged(parts(RECORDS, 3).iter().map(|part| of_part(&session, part)).collect());
    for statistics in [whole, halves, thirds] {
        let plan_from =
            |statistics: &Statistics| session.plan_from(&spec, std::slice::from_ref(&schema), statistics).unwrap();
        let plan = plan_from(&statistics);
        assert!(plan.branches() > 0);
        assert_eq!(of_plan(plan.plan(), &program), expected);
        let again: Statistics = serde_json::from_str(&stored(&statistics)).unwrap();
        assert_eq!(again, statistics);
        assert_eq!(plan_from(&again), plan);
    }
}

#[test]
fn a_link_of_two_inputs_is_planned_from_statistics() {
    let (session, rules) = (TestSession::new(), RuleFile::parse(RULES, "rules.toml").unwrap());
    let link =
        |left: &[u64], right: &[u64]| Job::link(input("left", left), input("right", right)).with_rules(rules.clone());
    let (left, right): (Vec<u64>, Vec<u64>) = ((0..120).collect(), (0..150).collect());
    let job = link(&left, &right);
    let (expected, program) = (of_run(&session, &job), bound(&job));
    assert!(!expected.is_empty());
    // One part has all of the left records, the other most of the right ones.
    let of_parts = [(&left[..], &right[..10]), (&left[..0], &right[10..])]
        .map(|(left, right)| session.statistics_of_part(&link(left, right), &[left.to_vec(), right.to_vec()]).unwrap());
    let schema = batch(&[]).schema();
    for statistics in [session.statistics(&job).unwrap(), merged(of_parts.to_vec())] {
        let schemas = [Arc::clone(&schema), Arc::clone(&schema)];
        let plan = session.plan_from(&JobSpec::new(&job), &schemas, &statistics).unwrap();
        assert_eq!(of_plan(plan.plan(), &program), expected);
    }
}

/// A column of few values that many share, and one of many values that few share.
#[test]
fn merged_statistics_are_near_those_of_all() {
    const RECORDS: u64 = 12_000;
    let session = TestSession::new();
    for (rule, column) in [("skewed", 0), ("even", 1)] {
        let part = |numbers: &[u64]| {
            let skewed = numbers.iter().map(|number| Some(format!("v{}", 3000 / (number % 3000 + 1))));
            let even = numbers.iter().map(|number| Some(format!("v{}", number * 7919 % 700)));
            let values: ArrayRef = match column {
                0 => Arc::new(skewed.collect::<StringArray>()),
                _ => Arc::new(even.collect::<StringArray>()),
            };
            let batch = RecordBatch::try_from_iter_with_nullable([("value", values, true)]).unwrap();
            let job = Job::dedupe(Input::batches("t", batch.schema(), vec![batch]).unwrap());
            session.statistics_of_part(&job.with_id("row").with_rule("l.value = r.value"), &[numbers.to_vec()]).unwrap()
        };
        let whole = part(&(0..RECORDS).collect::<Vec<u64>>());
        let of_parts = |count: u64| -> Vec<Statistics> {
            let parts = parts(RECORDS, count);
            parts.iter().map(|numbers| part(numbers)).collect()
        };
        let four = of_parts(4);
        let all = merged(four.clone());
        // Records of samples and drawn pairs are cut away on the way, and the same ones in any grouping.
        let sampled: usize = four.iter().map(|part| part.records.len()).sum();
        assert!(all.records.len() < sampled, "{} of {sampled} sampled records", all.records.len());
        let by_two: Vec<Statistics> = four.chunks(2).rev().map(|two| merged(two.to_vec())).collect();
        assert_eq!(stored(&merged(by_two)), stored(&all), "{rule}");
        // All records of four parts are sampled, and not all of two: what is put together is cut in both.
        assert!(whole.samples.iter().all(|sample| (3_000..6_000).contains(&sample.len())));
        assert_eq!((&all.samples, &merged(of_parts(2)).samples), (&whole.samples, &whole.samples));
        let (key, operand) = all.operands.iter().next().unwrap();
        let distinct = whole.operands[key].exact.unwrap().distinct as f64;
        assert!(
            (operand.distinct() - distinct).abs() <= 0.06 * distinct,
            "{rule}: {} of {distinct}",
            operand.distinct()
        );
        let pairs = whole.equalities.values().next().unwrap().pairs_within();
        let estimate = all.sketched_pairs(key, key, false);
        assert!((pairs / 2.0..=pairs * 2.0).contains(&estimate), "{rule}: {estimate} of {pairs}");
        let within = all.equalities.values().next().unwrap();
        assert!(within.pairs_within() < pairs && within.exact.is_none());
    }
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let (session, all) = (TestSession::new(), (0..40).collect::<Vec<u64>>());
    let (job, schema) = (dedupe(&all), batch(&[]).schema());
    let statistics = session.statistics(&job).unwrap();
    let plan = |job: &Job, statistics: &Statistics| {
        session.plan_from(&JobSpec::new(job), std::slice::from_ref(&schema), statistics).map(drop)
    };
    let code = |result: Result<()>| result.unwrap_err().code();
    assert_eq!(code(plan(&job.clone().with_rule("l.id = r.id"), &statistics)), ErrorCode::OtherStatistics);
    let link = Job::link(input("people", &all), input("others", &all)).with_rule("l.name = r.name");
    assert_eq!(code(plan(&link, &statistics)), ErrorCode::OtherStatistics);
    let mut later = statistics.clone();
    later.version = 99;
    assert_eq!(code(plan(&job, &later)), ErrorCode::OtherStatistics);
    let mut without_values = statistics.clone();
    without_values.records.clear();
    assert_eq!(code(plan(&job, &without_values)), ErrorCode::OtherStatistics);
    let other = session.statistics(&dedupe(&all).with_rule("l.id = r.id")).unwrap();
    assert_eq!(code(statistics.merge(other).map(drop)), ErrorCode::OtherStatistics);
    let part = |job: &Job, numbers: Vec<u64>| session.statistics_of_part(job, &[numbers]).map(drop);
    assert!(part(&job, vec![1]).unwrap_err().message().contains("row numbers were given"));
    assert!(part(&job, (0..40).rev().collect()).unwrap_err().message().contains("must ascend"));
    let ranked = job.with_rule("neighbours(l.name, r.name, 2)");
    assert_eq!(code(part(&ranked, all)), ErrorCode::NeedsAllRecords);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// However records are divided, and in whatever order and grouping parts are put together; one of them may be empty.
    #[test]
    fn parts_are_put_together_in_any_order(of in vec(0_usize..3, 60)) {
        let session = TestSession::new();
        let numbers = |part: usize| (0..60_u64).filter(|number| of[*number as usize] == part).collect::<Vec<u64>>();
        let [a, b, c] = [0, 1, 2].map(|part| of_part(&session, &numbers(part)));
        let merge = |left: &Statistics, right: &Statistics| left.clone().merge(right.clone()).unwrap();
        let all = merge(&merge(&a, &b), &c);
        prop_assert_eq!(stored(&merge(&a, &merge(&b, &c))), stored(&all));
        prop_assert_eq!(stored(&merge(&merge(&c, &a), &b)), stored(&all));
        prop_assert_eq!(stored(&merge(&b, &merge(&c, &a))), stored(&all));
        let none = of_part(&session, &[]);
        prop_assert_eq!(stored(&merge(&a, &none)), stored(&a));
        prop_assert_eq!(stored(&merge(&none, &a)), stored(&a));
        let whole = of_part(&session, &(0..60).collect::<Vec<u64>>());
        prop_assert_eq!(&all.samples, &whole.samples);
        prop_assert_eq!(&all.inputs, &whole.inputs);
        for (own, others) in all.operands.values().zip(whole.operands.values()) {
            prop_assert_eq!((own.rows, own.nulls, &own.sketches), (others.rows, others.nulls, &others.sketches));
        }
    }
}
