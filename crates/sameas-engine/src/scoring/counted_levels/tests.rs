//! Levels are counted by other rules than those of a job, which stays as it is.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};

use super::super::testing::{TestRecords, cpu};
use super::*;
use crate::job::Job;
use crate::records::Input;
use crate::rules::RuleFile;

const RULES: &str = r#"
    [[rule]]
    when = "l.city = r.city"

    [[rule]]
    when = "levenshtein(l.name, r.name) <= 1"

    [[never]]
    when = "l.city = r.city and l.name <> r.name"

    [[compare]]
    name = "name"
    levels = ["l.name = r.name", "levenshtein(l.name, r.name) <= 1"]

    [[compare]]
    name = "city"
    levels = ["l.city = r.city"]

    [[compare]]
    name = "both"
    levels = ["(l.name = r.name and l.city = r.city) is true", "(l.city = r.city) is true"]
"#;

/// Forty people: ten have each name, and eight live in each city.
fn job() -> Job {
    job_of(|row| Some(format!("c{}", row % 5)))
}

fn job_of(city: impl Fn(usize) -> Option<String>) -> Job {
    let names = ["anna", "hanna", "anne", "otto"];
    let text =
        |of: &dyn Fn(usize) -> Option<String>| -> ArrayRef { Arc::new((0..40).map(of).collect::<StringArray>()) };
    let columns = [
        ("id", text(&|row| Some(row.to_string()))),
        ("name", text(&|row| Some(names[row % 4].to_owned()))),
        ("city", text(&city)),
    ];
    let people = RecordBatch::try_from_iter(columns).unwrap();
    let input = Input::batches("people", people.schema(), vec![people]).unwrap();
    Job::dedupe(input).with_rules(RuleFile::parse(RULES, "rules.toml").unwrap())
}

#[test]
fn pairs_that_the_job_never_gives_count() {
    let is_cancelled = || false;
    let (records, mut machine) = (TestRecords::read(&job()), cpu());
    assert!(!records.program.nevers.is_empty());
    for _ in 0..2 {
        let counter = LevelCounter { records: records.known(), comparison: &records.rules.scoring.comparisons[0] };
        let counted = counter.count(counter.countable(), &mut machine, Progress::new(&(), &is_cancelled)).unwrap();
        // `anna` is one edit from `hanna` and from `anne`.
        assert_eq!(counted.pairs, [4 * 45, 2 * 100]);
    }
}

#[test]
fn a_level_that_is_true_is_counted_and_never_null() {
    let is_cancelled = || false;
    // Every third person has no city; the others of a remainder of 5 share one.
    let city = |row: usize| (!row.is_multiple_of(3)).then(|| format!("c{}", row % 5));
    let (records, mut machine) = (TestRecords::read(&job_of(city)), cpu());
    let counter = LevelCounter { records: records.known(), comparison: &records.rules.scoring.comparisons[2] };
    let counted = counter.count(counter.countable(), &mut machine, Progress::new(&(), &is_cancelled)).unwrap();
    let pairs = || (0..40_usize).flat_map(|l| (l + 1..40).map(move |r| (l, r)));
    let same_city = |(l, r): &(usize, usize)| city(*l).is_some() && city(*l) == city(*r);
    let same_name = |(l, r): &(usize, usize)| l % 4 == r % 4;
    let both = pairs().filter(|pair| same_city(pair) && same_name(pair)).count() as u128;
    let city_alone = pairs().filter(|pair| same_city(pair) && !same_name(pair)).count() as u128;
    assert!(both > 0 && city_alone > 0);
    assert_eq!(counted.pairs, [both, city_alone]);
    assert_eq!(counted.present, Some(40 * 39 / 2));
}

#[test]
fn groups_that_differ_by_what_a_level_needs_to_be_equal_are_not_joined() {
    let is_cancelled = || false;
    let city = |row: usize| (!row.is_multiple_of(3)).then(|| format!("c{}", row % 5));
    let (records, mut machine) = (TestRecords::read(&job_of(city)), cpu());
    let comparisons = &records.rules.scoring.comparisons;
    let are_apart = |at: usize| {
        let counter = LevelCounter { records: records.known(), comparison: &comparisons[at] };
        let CountableLevels { counted, sides } = counter.countable().unwrap();
        counter.needs_equal(&counted, &sides.differ_by.unwrap())
    };
    // Names are compared by their edits, too, and a level of the last comparison needs no equal names.
    assert_eq!([0, 1, 2].map(are_apart), [false, true, false]);
    let progress = Progress::new(&(), &is_cancelled);
    let counted = count_levels(records.known(), comparisons, &mut machine, progress).unwrap();
    let pairs = (0..40_usize).flat_map(|l| (l + 1..40).map(move |r| (l, r)));
    let same = pairs.filter(|(l, r)| city(*l).is_some() && city(*l) == city(*r)).count() as u128;
    assert_eq!((counted.len(), &counted[1].pairs), (3, &vec![same]));
}
