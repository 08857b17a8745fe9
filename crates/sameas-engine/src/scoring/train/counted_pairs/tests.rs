//! Samples of pairs beside all pairs, over people whose duplicates are known.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};

use super::*;
use crate::cancel::{Cancel, catch};
use crate::error::ErrorCode;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::model::Model;
use crate::records::Input;
use crate::records::stats::Random;
use crate::rules::RuleFile;
use crate::scoring::testing::{TestRecords, cpu};
use crate::scoring::train::{Trained, Training};

const PEOPLE: usize = 3_000;

const RULES: &str = r#"
    [[compare]]
    name = "name"
    levels = ["l.name = r.name", "levenshtein(l.name, r.name) <= 1"]

    [[compare]]
    name = "street"
    levels = ["l.street = r.street"]

    [[compare]]
    name = "year"
    levels = ["l.year = r.year", "levenshtein(l.year, r.year) <= 1"]

    [train]
    rules = ["l.city = r.city", "l.name = r.name and l.street = r.street"]
    deterministic = ["l.name = r.name and l.street = r.street and l.year = r.year"]
    recall = 0.6
"#;

/// People in three cities, and one copy of each, with errors.
fn people() -> RecordBatch {
    let mut random = Random::new(17);
    let mut columns: [Vec<String>; 5] = Default::default();
    for person in 0..PEOPLE {
        let city = random.below(3);
        let truth = [random.below(400), random.below(300), 1920 + random.below(80)];
        for copy in 0..2 {
            let changed = truth.map(|value| if random.unit() < 0.12 { value + 1 + random.below(7) } else { value });
            let [name, street, year] = changed;
            let row = [format!("{person}-{copy}"), format!("c{city}"), format!("n{name}"), format!("s{street}")];
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            columns[4].push(year.to_string());
        }
    }
    let column = |values: Vec<String>| -> ArrayRef { Arc::new(StringArray::from(values)) };
    let names = ["id", "city", "name", "street", "year"];
    RecordBatch::try_from_iter(names.into_iter().zip(columns.map(column))).unwrap()
}

fn job() -> Job {
    let people = people();
    let input = Input::batches("people", people.schema(), vec![people]).unwrap();
    Job::dedupe(input).with_rules(RuleFile::parse(RULES, "rules.toml").unwrap())
}

/// Half of what a pass over all pairs of a city takes, which is far more than one over equal names and streets.
fn limits(records: &TestRecords) -> SampleLimits {
    let rules = LearnedRules::choose(&records.rules).unwrap();
    let counter = PairCounter { records: records.known(), rules: &rules, limits: SampleLimits::default() };
    let [city, names] = [0, 1].map(|rule| expected_effort(counter.records, counter.only(&[rule])));
    assert!(city > 4.0 * names, "{city} {names}");
    SampleLimits { pairs: 0, effort: city / 2.0, effort_of_record: 0.0, sampled: 1_000 }
}

fn trained(records: &TestRecords, job: &Job, limits: SampleLimits) -> Trained {
    let is_cancelled = || false;
    let training = Training { records: records.known(), written: &job.rules, combine_dependent: false };
    training.learn_within(limits, &mut cpu(), Progress::new(&(), &is_cancelled)).unwrap()
}

fn sampled(model: &Model) -> Vec<Option<f64>> {
    model.passes.iter().map(|pass| pass.sampled).collect()
}

#[test]
fn a_sampled_pass_is_the_exact_one_within_its_errors() {
    let job = job();
    let records = TestRecords::read(&job);
    let exact = trained(&records, &job, SampleLimits::default()).model;
    let model = trained(&records, &job, limits(&records)).model;
    assert_eq!(sampled(&exact), [None, None]);
    let [Some(share), None] = sampled(&model)[..] else { panic!("{:?}", sampled(&model)) };
    assert_eq!(share, 1.0 / 16.0);
    let pairs = model.passes[0].pairs as f64 / share / exact.passes[0].pairs as f64;
    assert!((pairs - 1.0).abs() < 0.15, "{pairs}");
    assert_eq!((model.prior, model.passes[1].pairs), (exact.prior, exact.passes[1].pairs));
    // The year takes part in both passes; name and street only in the sampled one.
    for (comparison, counted) in model.comparisons.iter().zip(&exact.comparisons) {
        for (level, known) in comparison.outcomes().zip(counted.outcomes()) {
            let (error, exactly) = (level.m_error.unwrap(), known.m_error.unwrap());
            assert!((level.m - known.m).abs() <= 4.0 * error.hypot(exactly) + 1e-3, "{level:?} {known:?}");
            assert!(level.m_pairs <= known.m_pairs.map(|pairs| pairs * 1.2 + 10.0), "{level:?} {known:?}");
        }
    }
    let wide = |of: &Model| of.comparisons[1].levels[0].m_error.unwrap();
    assert!(wide(&model) > 1.5 * wide(&exact), "{} {}", wide(&model), wide(&exact));
    assert_eq!(sampled(&Model::parse(&model.to_text(), "model.toml").unwrap()), sampled(&model));
}

#[test]
fn threads_do_not_change_a_sampled_pass() {
    let job = job();
    let records = TestRecords::read(&job);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(&records, &job, limits(&records)).model.to_text())
    };
    let text = with_threads(1);
    assert!(text.contains("\nsampled = "), "{text}");
    assert_eq!(text, with_threads(4));
}

#[test]
fn tables_are_counted_in_the_memory_of_the_job() {
    let job = job();
    let records = TestRecords::read(&job);
    let within = |bytes: usize| {
        let (budget, is_cancelled) = (MemoryBudget::of_relations(bytes), || false);
        let known = KnownRecords { cancel: Cancel::NEVER.within(&budget), ..records.known() };
        let training = Training { records: known, written: &job.rules, combine_dependent: false };
        let learned = catch(|| training.learn(&mut cpu(), Progress::new(&(), &is_cancelled)));
        assert_eq!(budget.room(), bytes, "nothing is held afterwards");
        learned.map(|trained| trained.model.to_text())
    };
    let all = trained(&records, &job, SampleLimits::default()).model.to_text();
    assert_eq!(within(1 << 26).unwrap(), all);
    assert_eq!(within(100).unwrap_err().code(), ErrorCode::MemoryLimit);
}

#[test]
fn a_rule_with_fewer_pairs_than_expected_is_counted() {
    let job = job();
    let records = TestRecords::read(&job);
    let all = trained(&records, &job, SampleLimits::default()).model;
    let none = SampleLimits { sampled: u64::MAX, ..limits(&records) };
    assert_eq!(trained(&records, &job, none).model.to_text(), all.to_text());
    let few = SampleLimits { pairs: 1 << 40, ..limits(&records) };
    assert_eq!(trained(&records, &job, few).model.to_text(), all.to_text());
}
