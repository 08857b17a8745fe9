//! Shares of null pairs against pairs counted one by one.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};

use super::super::testing::TestRecords;
use super::*;
use crate::job::Job;
use crate::records::Input;
use crate::rules::RuleFile;

const RULES: &str = r#"
    [[compare]]
    name = "place"
    levels = ["l.city = r.city and l.region = r.region", "l.region = r.region and l.city <> r.city"]

    [[compare]]
    name = "place, whatever is missing"
    levels = ["(l.city = r.city and l.region = r.region) is true"]

    [[compare]]
    name = "region"
    levels = ["l.region = r.region"]

    [[compare]]
    name = "name"
    levels = ["l.name = r.name"]

    [train]
    rules = ["l.name = r.name"]
"#;

/// A hundred people; one in ten has a region, and all have a city.
fn job() -> Job {
    let text =
        |of: &dyn Fn(usize) -> Option<String>| -> ArrayRef { Arc::new((0..100).map(of).collect::<StringArray>()) };
    let columns = [
        ("id", text(&|row| Some(row.to_string()))),
        ("name", text(&|row| Some(format!("n{}", row % 7)))),
        ("city", text(&|row| Some(format!("c{}", row % 5)))),
        ("region", text(&|row| (row % 10 == 0).then(|| format!("r{}", row % 3)))),
    ];
    let people = RecordBatch::try_from_iter(columns).unwrap();
    let input = Input::batches("people", people.schema(), vec![people]).unwrap();
    Job::dedupe(input).with_rules(RuleFile::parse(RULES, "rules.toml").unwrap())
}

#[test]
fn the_column_that_makes_most_pairs_null_is_named() {
    let records = TestRecords::read(&job());
    let found = null_shares(&records.known(), &records.columns).unwrap();
    let pairs = || (0..100_usize).flat_map(|l| (l + 1..100).map(move |r| (l, r)));
    let share = |null: &dyn Fn(usize, usize) -> bool| {
        pairs().filter(|(l, r)| null(*l, *r)).count() as f64 / pairs().count() as f64
    };
    let lacks_region = |l: usize, r: usize| !l.is_multiple_of(10) || !r.is_multiple_of(10);
    // Other cities decide the first level, and equal ones the second: one of the two is null.
    assert_eq!(found[0].share, share(&|l, r| lacks_region(l, r)));
    assert_eq!(found[0].missing.as_deref(), Some("region"));
    assert_eq!(found[1], NullShare { share: 0.0, missing: None });
    // One column is not one of several.
    assert_eq!(found[2], NullShare { share: share(&|l, r| lacks_region(l, r)), missing: None });
    assert_eq!(found[3], NullShare { share: 0.0, missing: None });
}
