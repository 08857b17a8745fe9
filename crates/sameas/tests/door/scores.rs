//! Scores, by the book: every pair of small random tables is scored here, by definitions written out once more, and the
//! library must keep exactly those that reach the threshold, however it finds them.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use sameas::arrow_array::cast::AsArray;
use sameas::arrow_array::types::Float64Type;
use sameas::arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use sameas::score::{ComparisonModel, LearnedFrom, LevelModel};
use sameas::{DeviceChoice, DeviceOptions, Error, Input, Job, Model, RuleFile, RunRecord, Session};

use super::dice::Dice;
use super::inputs::counted;

pub(super) type Row = [Option<String>; 3];

pub(super) const NAMES: [&str; 9] = ["anna", "anne", "ann", "bob", "bo", "carla", "karla", "dieter", "peter"];
const CITIES: [&str; 4] = ["rome", "oslo", "bern", "lima"];

pub(super) fn row(dice: &mut Dice) -> Row {
    let mut some = |from: &[&str], nulls: usize| match dice.below(10) < nulls {
        true => None,
        // Some values are far more frequent than others.
        false => Some(from[dice.below(from.len()) * dice.below(from.len()) / from.len()].to_owned()),
    };
    let (name, city) = (some(&NAMES, 2), some(&CITIES, 3));
    let year = some(&["1970", "1971", "1975", "1990", "2001"], 1);
    [name, city, year]
}

pub(super) const RULES: &str = r#"
    [[compare]]
    name = "name"
    levels = ["l.name = r.name", "levenshtein(l.name, r.name) <= 1"]
    term_frequency = "name"

    [[compare]]
    name = "place and year"
    levels = ["l.city = r.city and l.year = r.year", "l.year = r.year", "l.city = r.city"]

    [[compare]]
    name = "year"
    levels = ["abs(l.year - r.year) <= 5"]
"#;

/// The outcomes of the three comparisons: levels, then else, then null.
fn outcomes(a: &Row, b: &Row) -> [usize; 3] {
    let equal = |at: usize| a[at].as_ref().zip(b[at].as_ref()).map(|(a, b)| a == b);
    let name = match a[0].as_ref().zip(b[0].as_ref()) {
        None => 3,
        Some((a, b)) if a == b => 0,
        Some((a, b)) if edits(a.as_bytes(), b.as_bytes()) <= 1 => 1,
        Some(_) => 2,
    };
    let place = match (equal(1), equal(2)) {
        (Some(true), Some(true)) => 0,
        (_, Some(true)) => 1,
        (Some(true), _) => 2,
        (Some(false), Some(false)) => 3,
        // A level that is null, and none that holds.
        _ => 4,
    };
    let number = |of: &Row| of[2].as_ref().map(|year| year.parse::<i64>().unwrap());
    let year = number(a).zip(number(b)).map_or(2, |(a, b)| usize::from((a - b).abs() > 5));
    [name, place, year]
}

fn edits(a: &[u8], b: &[u8]) -> usize {
    match (a, b) {
        ([], rest) | (rest, []) => rest.len(),
        ([x, a @ ..], [y, b @ ..]) if x == y => edits(a, b),
        ([_, x @ ..], [_, y @ ..]) => 1 + edits(x, y).min(edits(x, b)).min(edits(a, y)),
    }
}

pub(super) fn model(dice: &mut Dice) -> Model {
    model_with(dice, "abs(l.year - r.year) <= 5")
}

/// A model whose last comparison has this level.
fn model_with(dice: &mut Dice, year: &str) -> Model {
    let mut level = |when: Option<&str>, likely: bool| {
        let (m, u) = (0.05 + 0.55 * dice.unit(), 0.01 + 0.2 * dice.unit());
        LevelModel::new(when, if likely { m } else { m / 4.0 }, if likely { u } else { 0.9 })
    };
    let mut comparison = |name: &str, levels: &[&str]| {
        let levels = levels.iter().map(|when| level(Some(when), true)).collect();
        ComparisonModel::new(name, levels, level(None, false))
    };
    let comparisons = vec![
        comparison("name", &["l.name = r.name", "levenshtein(l.name, r.name) <= 1"]),
        comparison("place and year", &["l.city = r.city and l.year = r.year", "l.year = r.year", "l.city = r.city"]),
        comparison("year", &[year]),
    ];
    Model::new(0.001 + 0.05 * dice.unit(), comparisons)
}

/// A weight as a multiple of 2^-32.
pub(super) fn steps(bits: f64) -> i64 {
    (bits * f64::from(1 << 16) * f64::from(1 << 16)).round() as i64
}

pub(super) fn score(model: &Model, frequency: impl Fn(&str) -> Option<f64>, a: &Row, b: &Row) -> i64 {
    let mut sum = steps((model.prior / (1.0 - model.prior)).log2());
    for (comparison, outcome) in model.comparisons.iter().zip(outcomes(a, b)) {
        let mut levels = comparison.levels.iter().chain([&comparison.otherwise]);
        sum += levels.nth(outcome).map_or(0, |level| steps(level.m.log2() - level.u.log2()));
    }
    if let Some(name) = a[0].as_ref().filter(|_| a[0] == b[0]) {
        let u = model.comparisons[0].levels[0].u;
        sum += frequency(name).map_or(0, |frequency| steps(u.log2() - frequency.log2()));
    }
    sum
}

fn batch(rows: &[Row]) -> RecordBatch {
    let column = |at: usize| Arc::new(rows.iter().map(|row| row[at].clone()).collect::<StringArray>()) as ArrayRef;
    let ids = Arc::new(UInt32Array::from_iter_values(0..rows.len() as u32)) as ArrayRef;
    RecordBatch::try_from_iter_with_nullable([
        ("id", ids, false),
        ("name", column(0), true),
        ("city", column(1), true),
        ("year", column(2), true),
    ])
    .unwrap()
}

pub(super) fn input(name: &str, rows: &[Row]) -> Input {
    let batch = batch(rows);
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

/// The same, and how often it was opened.
pub(super) fn counted_input(name: &'static str, rows: &[Row]) -> (Input, Arc<AtomicUsize>) {
    counted(name, &batch(rows))
}

/// Ids and weights of pairs.
pub(super) type ScoredPairs = Vec<(usize, usize, f64)>;

/// The pairs that a job keeps.
pub(super) fn found(job: &Job, threads: usize) -> Result<ScoredPairs, Error> {
    found_by(&Session::builder().threads(threads).build()?, job).map(|(pairs, _)| pairs)
}

/// The same, and the record of the run.
pub(super) fn found_by(session: &Session, job: &Job) -> Result<(ScoredPairs, RunRecord), Error> {
    let run = session.run(job, &())?;
    let mut all = Vec::new();
    for batch in run.pairs() {
        let batch = batch?;
        let id = |at: usize| sameas_cast(batch.column(at));
        let weight = batch.column_by_name("match_weight").unwrap().as_primitive::<Float64Type>();
        let (left, right) = (id(0), id(1));
        all.extend((0..batch.num_rows()).map(|at| (left[at], right[at], weight.value(at))));
    }
    Ok((all, run.record()))
}

fn sameas_cast(column: &ArrayRef) -> Vec<usize> {
    let column = column.as_primitive::<sameas::arrow_array::types::UInt32Type>();
    column.values().iter().map(|id| *id as usize).collect()
}

pub(super) fn rules(text: &str, threshold: f64) -> RuleFile {
    RuleFile::parse(&format!("{text}\n[score]\nthreshold_weight = {threshold:?}\n"), "rules.toml").unwrap()
}

#[test]
fn every_pair_above_the_threshold_is_kept_and_no_other() {
    let (mut complete, mut refused) = (0, 0);
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let rows: Vec<Row> = (0..40 + dice.below(60)).map(|_| row(&mut dice)).collect();
        let (model, threshold, is_link) = (model(&mut dice), dice.unit() * 20.0 - 12.0, seed % 3 == 2);
        let (left, right) = rows.split_at(if is_link { rows.len() / 3 } else { 0 });
        let known = rows.iter().filter(|row| row[0].is_some()).count() as f64;
        let count = |name: &str| rows.iter().filter(|row| row[0].as_deref() == Some(name)).count() as f64;
        let frequency = |name: &str| Some(count(name) / known);
        let mut expected = Vec::new();
        let lefts = if is_link { left } else { right };
        for (l, a) in lefts.iter().enumerate() {
            for (r, b) in right.iter().enumerate().skip(if is_link { 0 } else { l + 1 }) {
                let score = score(&model, frequency, a, b);
                if score >= steps(threshold) {
                    expected.push((l, r, score as f64 / f64::from(1 << 16) / f64::from(1 << 16)));
                }
            }
        }
        let job = |text: &str| {
            let job = match is_link {
                true => Job::link(input("left", left), input("right", right)),
                false => Job::dedupe(input("people", &rows)),
            };
            job.with_rules(rules(text, threshold)).with_model(model.clone())
        };
        let context = format!("seed {seed}, threshold {threshold}");
        let all = format!("{RULES}\n[[rule]]\nwhen = \"l.id >= 0 and r.id + l.id >= 0\"\n");
        assert_eq!(found(&job(&all), 1 + seed as usize % 3).unwrap(), expected, "{context}");
        assert_eq!(found(&job(RULES).with_all_pairs(), 2).unwrap(), expected, "{context}");
        match found(&job(RULES), 1) {
            Ok(found) => {
                complete += 1;
                assert_eq!(found, expected, "{context}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains("can only be found by looking at all"), "{error}");
            }
        }
    }
    assert!(complete > 20 && refused > 3, "{complete} {refused}");
}

/// Records of people with known shares of agreement: half of them are copies of others.
fn known_people(people: usize, agree: [f64; 3], values: [usize; 3]) -> Vec<Row> {
    let mut dice = Dice(7);
    let mut rows: Vec<Row> = Vec::new();
    for _ in 0..people {
        let draw = |dice: &mut Dice| [0, 1, 2].map(|at| Some(format!("{}", 1000 + dice.below(values[at]))));
        let (first, other) = (draw(&mut dice), draw(&mut dice));
        let copy = [0, 1, 2].map(|at| if dice.unit() < agree[at] { first[at].clone() } else { other[at].clone() });
        rows.extend([first, copy]);
    }
    rows
}

#[test]
fn training_finds_what_the_records_were_made_with() {
    let (agree, values) = ([0.9, 0.8, 0.95], [800, 500, 1000]);
    let rows = known_people(20_000, agree, values);
    let text = r#"
        [[compare]]
        name = "name"
        levels = ["l.name = r.name"]
        [[compare]]
        name = "city"
        levels = ["l.city = r.city"]
        [[compare]]
        name = "year"
        levels = ["l.year = r.year"]
        [train]
        rules = ["l.name = r.name", "l.city = r.city", "l.year = r.year"]
    "#;
    let rules = RuleFile::parse(&format!("{text}\n[score]\nprior = {:e}\n", 1.0 / 40_000.0), "rules.toml").unwrap();
    let job = Job::dedupe(input("people", &rows)).with_rules(rules);
    let trained = Session::builder().threads(2).build().unwrap().train(&job, &()).unwrap();
    for (at, comparison) in trained.model.comparisons.iter().enumerate() {
        let level = &comparison.levels[0];
        let m = agree[at] + (1.0 - agree[at]) / values[at] as f64;
        assert!((level.m - m).abs() < 0.01, "{}: m {} and not {m}", comparison.name, level.m);
        assert!((level.u - 1.0 / values[at] as f64).abs() < 1e-4, "{}: u {}", comparison.name, level.u);
    }
    assert!(trained.warnings.is_empty(), "{:?}", trained.warnings);
    let again = Session::builder().threads(1).build().unwrap().train(&job, &()).unwrap();
    assert_eq!(again.model.to_text(), trained.model.to_text(), "threads do not matter");
}

/// What is learned of the one comparison of some rules.
fn learned(rows: &[Row], levels: &str) -> ComparisonModel {
    let text = format!("[[compare]]\nlevels = [{levels}]\n[train]\nrules = [\"l.year = r.year\"]\n");
    let job = Job::dedupe(input("people", rows)).with_rules(RuleFile::parse(&text, "rules.toml").unwrap());
    let mut model = Session::builder().threads(2).build().unwrap().train(&job, &()).unwrap().model;
    model.comparisons.remove(0)
}

/// The shares of all outcomes but the last, which is null, among the pairs that are not.
fn shares_by_hand<const N: usize>(records: usize, outcome: impl Fn(usize, usize) -> usize) -> [f64; N] {
    let mut counts = vec![0_u64; N + 1];
    for a in 0..records {
        (a + 1..records).for_each(|b| counts[outcome(a, b)] += 1);
    }
    let present: u64 = counts[..N].iter().sum();
    std::array::from_fn(|at| (counts[at] as f64).max(0.5) / present as f64)
}

/// Records of a job with more pairs than a sample has.
const MANY: usize = 2_100;

#[test]
fn one_dirty_record_leaves_the_rest_counted() {
    let number = |at: usize| 1_000_000 + at * 37 % 1_500;
    // A text of one character has no substrings of three.
    let phone = |at: usize| if at == 77 { "-".to_owned() } else { number(at).to_string() };
    let year = |at: usize| (1970 + at % 50).to_string();
    let rows: Vec<Row> = (0..MANY).map(|at| [Some(phone(at)), None, Some(year(at))]).collect();
    let grams = |at: usize| (0..5_u32).map(|place| number(at) / 10_usize.pow(place) % 1_000).collect();
    let mut sets: Vec<std::collections::BTreeSet<usize>> = (0..MANY).map(grams).collect();
    sets[77].clear();
    let expected: [f64; 3] = shares_by_hand(MANY, |a, b| {
        let (x, y, common) = (sets[a].len(), sets[b].len(), sets[a].intersection(&sets[b]).count());
        match () {
            () if x == 0 || y == 0 => 3,
            () if number(a) == number(b) => 0,
            () if common as f64 / (x + y - common) as f64 >= 0.6 => 1,
            () => 2,
        }
    });
    let levels = "\"l.name = r.name\", \"jaccard(qgrams(l.name, 3), qgrams(r.name, 3)) >= 0.6\"";
    for (level, expected) in learned(&rows, levels).outcomes().zip(expected) {
        assert_eq!((level.u_from, level.u_error), (Some(LearnedFrom::Counted), None));
        assert!((level.u - expected).abs() <= 1e-12 * expected, "{} and not {expected}", level.u);
    }
}

#[test]
fn levels_are_counted_where_only_the_missing_values_are_sampled() {
    let levels = "\"l.name = r.name and l.city = r.city\", \"l.name = r.name\"";
    let outcome = |[name, city, _]: &Row, [other, place, _]: &Row| match (name, other) {
        (Some(a), Some(b)) if a != b => 2,
        (Some(_), Some(_)) => usize::from(city.is_none() || city != place),
        _ => 3,
    };
    // Few pairs are all looked at; of many, a sample says how many have values.
    for (number, errors) in [(500, 0.0), (MANY, 7.0)] {
        let mut dice = Dice(11);
        let rows: Vec<Row> = (0..number).map(|_| row(&mut dice)).collect();
        let expected: [f64; 3] = shares_by_hand(number, |a, b| outcome(&rows[a], &rows[b]));
        let comparison = learned(&rows, levels);
        for (level, expected) in comparison.levels.iter().zip(expected) {
            assert_eq!((level.u_from, level.u_error.is_some()), (Some(LearnedFrom::Counted), errors > 0.0));
            let most = 1e-12 + errors * level.u_error.unwrap_or(0.0);
            assert!((level.u - expected).abs() <= most, "{number} records: {} and not {expected}", level.u);
        }
        let from = if errors > 0.0 { LearnedFrom::Sampled } else { LearnedFrom::Counted };
        assert_eq!(comparison.otherwise.u_from, Some(from));
    }
}

/// Rules that give candidates: of two that hold the first owns a pair, and one keeps its pairs whatever their score.
pub(super) const BLOCKING: &str = r#"
    [[rule]]
    when = "l.city = r.city"
    [[rule]]
    when = "l.name = r.name and l.year = r.year"
    certain = true
    [[rule]]
    when = "l.year = r.year and levenshtein(l.name, r.name) <= 4"
    [train]
    rules = ["l.city = r.city", "l.year = r.year"]
"#;

/// Sessions whose devices are emulated, in a build that has them: one device, several, one that runs parts of the records, and
/// one without a queue.
pub(super) fn device_sessions() -> Vec<Session> {
    let Some(device) = DeviceChoice::emulated() else { return Vec::new() };
    let mut several = DeviceOptions::default();
    several.logical = vec![1, 2];
    let mut in_parts = DeviceOptions::default();
    in_parts.cuts = 1;
    let all = [DeviceOptions::default(), several, in_parts, DeviceOptions::default().without_queue()];
    all.into_iter().map(|of| Session::builder().threads(2).device(device).device_options(of).build().unwrap()).collect()
}

/// The second year level is one that only the host knows.
const YEAR_LEVELS: [&str; 2] = ["abs(l.year - r.year) <= 5", "floor(abs(l.year - r.year)) <= 5"];

#[test]
fn devices_score_as_the_host_does() {
    let host = Session::builder().threads(2).device(DeviceChoice::Cpu).build().unwrap();
    let (mut kept, mut host_scored) = (0, 0);
    for (number, session) in device_sessions().iter().enumerate() {
        for seed in 0..6 {
            let mut dice = Dice(1000 + seed);
            let rows: Vec<Row> = (0..120 + dice.below(80)).map(|_| row(&mut dice)).collect();
            let year = YEAR_LEVELS[seed as usize % 2];
            let (model, threshold) = (model_with(&mut dice, year), dice.unit() * 12.0 - 8.0);
            let text = format!("{}{BLOCKING}", RULES.replace(YEAR_LEVELS[0], year));
            let job = Job::dedupe(input("people", &rows)).with_rules(rules(&text, threshold)).with_model(model);
            let (expected, of_host) = found_by(&host, &job).unwrap();
            let (found, of_device) = found_by(session, &job).unwrap();
            let context = format!("seed {seed}, session {number}, threshold {threshold}");
            assert_eq!(found, expected, "{context}");
            let [by_device, by_host] = [of_device.scores.unwrap(), of_host.scores.unwrap()];
            assert_eq!((by_device.scored, by_device.kept), (by_host.scored, by_host.kept), "{context}");
            assert_eq!(by_host.scored_by_host, by_host.scored, "{context}");
            // Parts are scored by the host; of other pairs only those that a level depends on which only the host knows.
            match number {
                2 => assert_eq!(by_device.scored_by_host, by_device.scored, "{context}"),
                _ if year == YEAR_LEVELS[0] => assert_eq!(by_device.scored_by_host, 0, "{context}"),
                _ => host_scored += by_device.scored_by_host,
            }
            assert_eq!(of_device.clusters, of_host.clusters, "{context}");
            kept += found.len();
        }
    }
    assert!(kept > 1000 && host_scored > 100 || device_sessions().is_empty(), "{kept} {host_scored}");
}

#[test]
fn devices_learn_what_the_host_does() {
    let mut dice = Dice(5);
    let rows: Vec<Row> = (0..250).map(|_| row(&mut dice)).collect();
    // More patterns than a device has places for.
    let many: String = (0..4).map(|copy| RULES.replace("name = \"", &format!("name = \"{copy} "))).collect();
    let all = YEAR_LEVELS.map(|year| RULES.replace(YEAR_LEVELS[0], year)).into_iter().chain([many]);
    for comparisons in all {
        let text = format!("{comparisons}{BLOCKING}");
        let job = Job::dedupe(input("people", &rows)).with_rules(RuleFile::parse(&text, "rules.toml").unwrap());
        let learned = |session: &Session| session.train(&job, &()).unwrap().model.to_text();
        let host = learned(&Session::builder().threads(2).device(DeviceChoice::Cpu).build().unwrap());
        for session in device_sessions() {
            assert_eq!(learned(&session), host);
        }
    }
}
