//! What is found in records once: values that rules cannot read, hashes of columns, how many records have each value.

use super::*;
use crate::dataset::{BindingRequest, InputFindings};
use crate::records::stats::ValueRows;
use crate::timeline::Timeline;
use crate::verify::RuleProgram;

fn findings(dataset: &Dataset, rules: &RuleSet) -> InputFindings {
    let program = &RuleProgram::compile(rules, dataset.layout().frames());
    let request = BindingRequest { rules, program, with_findings: true, with_counts: false };
    let mut binding = dataset.derive(request, &mut Timeline::start(), unobserved(), Cancel::NEVER).unwrap();
    let found = binding.findings(Cancel::NEVER);
    binding.bind(unobserved(), Cancel::NEVER);
    found
}

const READINGS: [&str; 6] = [
    "cast(l.year as bigint) = cast(r.year as bigint)",
    "abs(cast(l.city as bigint) - r.age) < 3",
    "case when l.age > 5 then cast(l.year as bigint) else 0 end = r.age",
    "cast(l.year as bigint) + cast(r.name as bigint) > 7",
    "cast(l.age as bigint) + cast(r.other as bigint) > 7 and cast(l.year as bigint) > 3",
    "cast(l.other as bigint) = cast(r.other as bigint) and cast(l.year as bigint) > 3",
];

#[test]
fn findings_are_those_of_a_run_whoever_asks_first() {
    let jobs: [fn() -> Job; 2] =
        [|| Job::dedupe(people("people", 0..70)), || Job::link(people("left", 0..40), people("right", 30..70))];
    for job in jobs {
        let (dataset, _) = kept(&job().with_rule(READINGS[0]), Keep::IfRoom);
        // The one before the last looks at a column of both sides that it reads of one, the last reads it of both.
        for some in [&READINGS[..1], &READINGS[1..3], &READINGS[4..5], &READINGS[5..], &READINGS[..]] {
            let job = some.iter().fold(job(), |job, rule| job.with_rule(rule));
            let (found, of_run) = (findings(&dataset, &compiled(&dataset, &job)), run(&job));
            assert_eq!(found.unreadable, of_run.unreadable_values, "{some:?}");
            assert!(!found.unreadable.is_empty());
            let is_cast =
                |rule: &&str| ["city", "name", "other"].iter().any(|column| rule.contains(&format!(".{column} as")));
            assert_eq!(found.doubts.is_empty(), !some.iter().any(is_cast), "{some:?}");
            assert!(found.doubts.iter().all(|doubt| of_run.doubts.contains(doubt)), "{some:?}");
        }
    }
}

#[test]
fn what_was_found_needs_no_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    std::fs::write(&file, "id,year,city\n1,1950,a\n2,old,b\n3,1951,\n").unwrap();
    let job = |when: &str| Job::dedupe(Input::files([&file])).with_rule(when);
    let first = job("cast(l.year as bigint) = cast(r.year as bigint) and cast(l.city as bigint) = 1");
    let (dataset, rules) = opened(&first);
    let found = findings(&dataset, &rules);
    assert_eq!(found.unreadable.iter().collect::<Vec<_>>(), [(&"city".to_owned(), &2), (&"year".to_owned(), &1)]);
    std::fs::remove_file(&file).unwrap();
    let again = findings(&dataset, &compiled(&dataset, &first));
    assert_eq!((again.unreadable, again.doubts), (found.unreadable, found.doubts));
}

#[test]
fn hashes_are_of_the_columns_that_a_job_reads() {
    let job = |when: &str| Job::dedupe(people("people", 0..30)).with_rule(when);
    let (some, others) = (job("l.name = r.name"), job("l.city = r.city and l.age = r.age"));
    for keep in [Keep::Nothing, Keep::IfRoom, Keep::Always] {
        let (dataset, rules) = kept(&some, keep);
        bound(&dataset, &rules);
        for job in [&some, &others] {
            let rules = compiled(&dataset, job);
            let records = dataset.input_records(&rules, unobserved(), Cancel::NEVER).unwrap();
            assert_eq!(records, run(job).inputs, "{keep:?}");
        }
    }
    assert_ne!(run(&some).inputs[0].xxh128, run(&others).inputs[0].xxh128);
}

#[test]
fn values_are_counted_once_for_all_jobs() {
    let job = |when: &str| Job::dedupe(people("people", 0..60)).with_rule(when);
    let (dataset, rules) = kept(&job("l.name = r.name"), Keep::Always);
    let (first, before) = (bound(&dataset, &rules), dataset.bytes());
    let counted = first.encoded.value_rows(0);
    assert_eq!(counted.by_code.iter().sum::<u32>(), 54, "six have no name");
    assert_eq!((counted.present, counted.by_code.len()), (54, 6));
    assert_eq!(dataset.bytes(), before + 24);
    let second = bound(&dataset, &compiled(&dataset, &job("l.name = r.name and l.city = r.city")));
    assert!(std::ptr::eq(second.encoded.value_rows(0), counted));
    assert_eq!(*counted, ValueRows::count(&first.encoded.columns[0].codes, 6));
}
