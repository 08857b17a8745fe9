//! Datasets: opened, bound to rules, shared.

mod facts;
mod growth;
mod keeping;
mod opening;
mod statistics;
mod subset;

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use super::{Dataset, Keep};
use crate::cancel::Cancel;
use crate::candidates::Batch;
use crate::device::DeviceChoice;
use crate::engine::{self, PairUse, RunRecord};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::observer::Progress;
use crate::records::Input;
use crate::rules::{RuleFile, RuleSet};
use crate::settings::Settings;
use crate::threshold::Truth;
use crate::verify::Program;

/// Nobody wants work to stop.
const NEVER: &(dyn Fn() -> bool + Sync) = &never;

fn never() -> bool {
    false
}

/// Whoever waits for a test wants to know nothing.
fn unobserved() -> Progress<'static> {
    Progress::new(&(), NEVER)
}

/// Records of a batch.
const BATCH: usize = 7;

/// People by number, in batches: texts that repeat, a text that is a number for most, a number, and values that are missing.
fn people(name: &str, numbers: std::ops::Range<usize>) -> Input {
    let numbers: Vec<usize> = numbers.collect();
    let batch = |some: &[usize]| {
        let texts = |value: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
            Arc::new(StringArray::from_iter(some.iter().map(|number| value(*number))))
        };
        let names = ["ann lee", "bo lee", "ann fox", "cy", "dee hall", "bo fox"];
        let cities = ["rome", "romes", "oslo", "lima", "lims"];
        let present = |number: usize, every: usize| !number.is_multiple_of(every);
        let year = |number: usize| if number % 9 == 4 { "old".to_owned() } else { (1950 + number % 17).to_string() };
        let age = |number: &usize| present(*number, 13).then_some((number * 13 % 61) as i64);
        let ages: ArrayRef = Arc::new(Int64Array::from_iter(some.iter().map(age)));
        let columns: [(&str, ArrayRef); 6] = [
            ("id", texts(&|number| Some(format!("p{number}")))),
            ("name", texts(&|number| present(number, 11).then(|| names[number * 7 % 6].to_owned()))),
            ("other", texts(&|number| present(number, 5).then(|| names[number * 5 / 3 % 6].to_owned()))),
            ("city", texts(&|number| Some(cities[number / 2 % 5].to_owned()))),
            ("year", texts(&|number| Some(year(number)))),
            ("age", ages),
        ];
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
    };
    let batches: Vec<RecordBatch> = numbers.chunks(BATCH).map(batch).collect();
    Input::batches(name, batches[0].schema(), batches).unwrap()
}

fn rules(text: &str) -> RuleFile {
    RuleFile::parse(text, "rules.toml").unwrap()
}

/// The record of a run of the job.
fn run(job: &Job) -> RunRecord {
    let settings = Settings { device: DeviceChoice::Cpu, ..Settings::default() };
    engine::find(job, None, &settings, PairUse::default(), unobserved()).unwrap().record()
}

fn opened(job: &Job) -> (Dataset, RuleSet) {
    kept(job, Keep::Nothing)
}

fn kept(job: &Job, keep: Keep) -> (Dataset, RuleSet) {
    Dataset::open(job, keep, &MemoryBudget::unlimited(), unobserved()).unwrap()
}

/// The rules of another job over the records of a dataset.
fn compiled(dataset: &Dataset, job: &Job) -> RuleSet {
    dataset.compile(job, &MemoryBudget::unlimited(), unobserved()).unwrap()
}

fn bound(dataset: &Dataset, rules: &RuleSet) -> Program {
    dataset.bind(rules, unobserved(), Cancel::NEVER).unwrap()
}

/// The program of a job that nobody has run before.
fn alone(job: &Job) -> Program {
    let (dataset, rules) = opened(job);
    bound(&dataset, &rules)
}

/// Pairs that are looked at together.
const TOGETHER: usize = 1000;

/// The verdicts of all checks of a program on some pairs of rows.
fn verdicts_on(program: &Program, pairs: &[(u32, u32)]) -> Vec<Vec<Truth>> {
    let of_check = |check: usize| {
        let some = |pairs: &[(u32, u32)]| {
            let mut batch = Batch::default();
            batch.set(pairs.iter().copied());
            let (selection, mut truths) =
                ((0..pairs.len() as u32).collect::<Vec<u32>>(), vec![Truth::Unknown; pairs.len()]);
            program.evaluate(check, &batch, &selection, &mut truths);
            truths
        };
        pairs.chunks(TOGETHER).flat_map(some).collect()
    };
    (0..program.checks.len()).map(of_check).collect()
}

/// Each left row with each right one.
fn all_pairs([left, right]: [u32; 2]) -> Vec<(u32, u32)> {
    (0..left).flat_map(|l| (0..right).map(move |r| (l, r))).collect()
}

/// Rules of every kind of check: texts, sets, numbers, ranks, one record, both records, and what is derived.
const EVERY_KIND: &str = r#"
[derive]
words = "words(name)"
century = "cast(year as bigint) / 10"

[[rule]]
when = "l.city = r.city and abs(l.age - r.age) <= 3"

[[rule]]
when = "l.name = r.name and l.age > 40"

[[rule]]
when = "list_has_any(l.words, r.words) and levenshtein(l.city, r.city) <= 1"

[[rule]]
when = "jaccard(words(l.other), words(r.other)) >= 0.5 and l.century = r.century"

[[rule]]
when = "neighbours(l.other, r.other, 2) and l.age + r.age > 31"

[[never]]
when = "l.name is null and r.city = 'rome'"
"#;
