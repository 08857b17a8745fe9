//! What a dataset knows of its inputs.

use super::*;
use crate::dataset::InputRecord;

/// Records with a column for ids that some of them lack.
fn with_missing_ids() -> Input {
    let ids: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), None, Some("y"), None, Some("z")]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["cy", "cy", "ann lee", "bo lee", "cy"]));
    let batch = RecordBatch::try_from_iter([("key", ids), ("name", names)]).unwrap();
    Input::batches("some", batch.schema(), vec![batch]).unwrap()
}

fn records_of(dataset: &Dataset, rules: &RuleSet) -> Vec<InputRecord> {
    dataset.input_records(rules, unobserved(), Cancel::NEVER).unwrap()
}

#[test]
fn inputs_are_what_a_run_records_of_them() {
    let text =
        "[derive]\nshort = \"substr(name, 1, 3)\"\n[[rule]]\nwhen = \"l.short = r.short and l.name <> r.name\"\n";
    let jobs = [
        Job::dedupe(people("people", 0..50)),
        Job::link(people("left", 0..30), people("right", 20..61)),
        Job::link(people("left", 0..30), with_missing_ids()).with_id_of("right", "key").with_null_ids_skipped(),
        Job::link_all([people("a", 0..10), people("a", 5..9), people("c", 0..20)]),
        Job::link_and_dedupe(people("left", 0..30), people("right", 20..40)),
    ];
    for job in jobs.map(|job| job.with_rules(rules(text))) {
        let (dataset, rules) = opened(&job);
        let (own, of_run) = (records_of(&dataset, &rules), run(&job));
        assert_eq!(own, of_run.inputs);
        assert!(own.iter().all(|input| input.xxh128.len() == 32));
        let rows: Vec<u64> = dataset.layout().inputs().iter().map(|rows| u64::from(*rows)).collect();
        assert_eq!(rows, own.iter().map(|input| input.rows).collect::<Vec<_>>());
        assert_eq!(dataset.layout().records(), rows.iter().sum::<u64>());
        for (input, record) in dataset.inputs().iter().zip(&own) {
            assert_eq!((&input.name, input.ids.len() as u64), (&record.name, record.rows));
            assert_eq!(input.skipped.len() as u64, record.skipped_records);
            assert_eq!(input.id_column.as_deref(), Some(record.id.as_str()));
        }
    }
}

#[test]
fn ids_are_in_the_order_of_the_records() {
    let job = Job::link(people("left", 0..30), with_missing_ids()).with_id_of("right", "key").with_null_ids_skipped();
    let (dataset, _) = opened(&job.with_rule("l.name = r.name"));
    let ids = |input: usize| -> Vec<String> {
        let ids = &dataset.inputs()[input].ids;
        (0..ids.len()).map(|row| ids.text(row)).collect()
    };
    assert_eq!(ids(1), ["x", "y", "z"]);
    assert_eq!(ids(0)[8..11], ["p8", "p9", "p10"]);
    assert_eq!(dataset.inputs()[0].ids.find("p29"), Some(29));
    let columns: Vec<&str> = dataset.inputs()[0].schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(columns, ["id", "name", "other", "city", "year", "age"], "whether rules read them or not");
}
