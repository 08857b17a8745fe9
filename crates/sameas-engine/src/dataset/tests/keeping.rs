//! What is kept of tables, and what is read again.

use std::io::Write;

use super::*;
use crate::error::ErrorKind;

fn write(file: &std::path::Path, rows: &[&str]) {
    let mut out = std::fs::File::create(file).unwrap();
    writeln!(out, "id,name,city").unwrap();
    rows.iter().for_each(|row| writeln!(out, "{row}").unwrap());
}

fn is_kept(dataset: &Dataset) -> bool {
    dataset.tables().kept().is_some()
}

#[test]
fn tables_stay_where_there_is_room() {
    let job = Job::dedupe(people("people", 0..40)).with_rule("l.name = r.name");
    for (keep, stays) in [(Keep::Nothing, false), (Keep::IfRoom, true), (Keep::Always, true)] {
        let (dataset, rules) = kept(&job, keep);
        assert!(is_kept(&dataset));
        bound(&dataset, &rules);
        assert_eq!(is_kept(&dataset), stays, "{keep:?}");
    }
    // With the codes they are more than half of the memory, and without them less.
    let job = Job::dedupe(people("people", 0..4000)).with_rule("l.name = r.name").with_all_columns();
    let (unbound, rules) = kept(&job, Keep::IfRoom);
    let budget = MemoryBudget::of_relations(2 * unbound.bytes() + 30_000);
    let (dataset, _) = Dataset::open(&job, Keep::IfRoom, &budget, unobserved()).unwrap();
    assert!(is_kept(&dataset) && dataset.table_bytes() > 0);
    bound(&dataset, &rules);
    assert!(!is_kept(&dataset) && dataset.table_bytes() == 0);
    // What is read again for want of them is not kept either, and a part of it is.
    let part = dataset.subset(&[3, 17]).unwrap();
    let (own, of_all) = (bound(&part, &rules), bound(&dataset, &rules));
    assert_eq!(verdicts_on(&own, &[(0, 1)]), verdicts_on(&of_all, &[(3, 17)]));
    assert!(!is_kept(&dataset) && is_kept(&part));
}

#[test]
fn tables_that_grow_stay_where_there_is_room() {
    let job = Job::dedupe(people("people", 0..4000)).with_rule("l.name = r.name");
    let (narrow, rules) = kept(&job, Keep::IfRoom);
    bound(&narrow, &rules);
    // There is room for what rules read, and none for all columns.
    let budget = MemoryBudget::of_relations(2 * narrow.bytes() + 200_000);
    for (budget, stays) in [(budget, false), (MemoryBudget::unlimited(), true)] {
        let (dataset, _) = Dataset::open(&job, Keep::IfRoom, &budget, unobserved()).unwrap();
        bound(&dataset, &rules);
        assert!(is_kept(&dataset));
        let tables = dataset.shown_tables(&rules, true, unobserved(), Cancel::NEVER).unwrap();
        let names: Vec<&str> = tables[0].schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!((tables[0].rows(), names), (4000, vec!["id", "name", "other", "city", "year", "age"]));
        assert_eq!(is_kept(&dataset), stays);
    }
}

#[test]
fn columns_that_were_not_read_are_read_when_rules_want_them() {
    for keep in [Keep::Nothing, Keep::IfRoom, Keep::Always] {
        let (dataset, rules) = kept(&Job::dedupe(people("people", 0..40)).with_rule("l.name = r.name"), keep);
        bound(&dataset, &rules);
        let job = Job::dedupe(people("people", 0..40)).with_rule("l.city = r.city and l.name <> r.name");
        let program = bound(&dataset, &compiled(&dataset, &job));
        let pairs = all_pairs(dataset.layout().rows());
        assert_eq!(verdicts_on(&program, &pairs), verdicts_on(&alone(&job), &pairs), "{keep:?}");
        let columns = dataset.tables().kept().map(|tables| tables[0].schema.fields().len());
        let expected = [(Keep::Nothing, None), (Keep::IfRoom, Some(3)), (Keep::Always, Some(6))];
        assert!(expected.contains(&(keep, columns)), "{keep:?}: {columns:?}");
    }
}

#[test]
fn records_without_ids_are_left_out_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    write(&file, &["1,ann,rome", ",bo,oslo", "3,ann,oslo", "4,cy,oslo", ",ann,rome"]);
    let job = |when: &str| Job::dedupe(Input::files([&file])).with_null_ids_skipped().with_rule(when);
    let (dataset, rules) = opened(&job("l.name = r.name"));
    bound(&dataset, &rules);
    let program = bound(&dataset, &compiled(&dataset, &job("l.city = r.city")));
    assert_eq!(verdicts_on(&program, &[(0, 1), (1, 2)]), [[Truth::False, Truth::True]]);
}

#[test]
fn records_that_have_changed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    let rows = ["1,ann,rome", "2,bo,oslo", "3,ann,oslo"];
    let job = |when: &str| Job::dedupe(Input::files([&file])).with_rule(when);
    // The column that is read again, one that is read beside it, the number of records, and all of them.
    let cases: [(&str, &[&str]); 4] = [
        ("upper(l.name) = r.city", &["1,ann,rome", "2,bob,oslo", "3,ann,oslo"]),
        ("l.city = r.city", &["1,ann,rome", "2,bo,oslo", "4,ann,oslo"]),
        ("upper(l.name) = r.city", &["1,ann,rome", "2,bo,oslo"]),
        ("l.city = r.city", &[]),
    ];
    for (when, other) in cases {
        write(&file, &rows);
        let (dataset, rules) = opened(&job("l.name = r.name"));
        bound(&dataset, &rules);
        write(&file, other);
        let ended = dataset.bind(&compiled(&dataset, &job(when)), unobserved(), Cancel::NEVER);
        let error = ended.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{error}");
        assert!(error.message().contains("are not those that were read before"), "{error}");
        // What is known is there whatever has become of the file.
        bound(&dataset, &rules);
    }
}
