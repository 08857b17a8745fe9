//! What targets share: a session with limits, a small table, a folder for files.

use std::sync::{Arc, OnceLock};

use arrow_array::builder::{Float64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use sameas::{DeviceChoice, Input, Job, Run, Session};
use tempfile::TempDir;

use crate::limits::MEMORY;

/// The session of all targets.
pub fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        let builder = Session::builder().threads(2).memory(MEMORY).device(DeviceChoice::Cpu);
        builder.build().expect("two threads")
    })
}

/// A folder for the files of one input.
pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Runs a job and reads all it gives. Errors are answers; they are shown, because messages are made of what was given.
pub fn run(job: &Job) {
    match session().run(job, &()) {
        Err(error) => drop(error.to_string()),
        Ok(run) => read(&run),
    }
}

fn read(run: &Run) {
    let pairs: usize = run.pairs().map(|batch| batch.map_or(0, |batch| batch.num_rows())).sum();
    let clusters: usize = run.clusters().map(|batch| batch.map_or(0, |batch| batch.num_rows())).sum();
    assert_eq!(pairs as u64, run.record().pairs, "the record of a run counts its pairs");
    assert!(clusters > 0 || pairs == 0, "records of pairs are in clusters");
}

/// A table of a few records with a column of each type.
pub fn table() -> Input {
    static TABLE: OnceLock<RecordBatch> = OnceLock::new();
    let batch = TABLE.get_or_init(|| RecordBatch::try_from_iter(columns()).expect("columns of one length"));
    Input::batches("table", batch.schema(), vec![batch.clone()]).expect("batches of one schema")
}

fn columns() -> [(&'static str, ArrayRef); 7] {
    let names = [Some("ann"), Some("Anna"), None, Some("smith"), Some("smyth"), Some("Zo\u{eb}"), Some("ann")];
    let dates = [Some("2000-01-01"), Some("20000131"), Some("x"), None, Some("1999-02-29"), Some("7"), Some("7.5")];
    let ages = [Some(7), Some(-1), None, Some(i64::MAX), Some(0), Some(7), Some(i64::MIN)];
    let places = [Some(48.1), Some(f64::NAN), None, Some(-0.0), Some(1e300), Some(7.0), Some(0.1)];
    [
        ("id", Arc::new(StringArray::from_iter_values(["1", "2", "3", "4", "5", "6", "7"]))),
        ("name", Arc::new(StringArray::from_iter(names))),
        ("born", Arc::new(StringArray::from_iter(dates))),
        ("age", Arc::new(Int64Array::from_iter(ages))),
        ("lat", Arc::new(Float64Array::from_iter(places))),
        ("tags", tags()),
        ("vec", vectors()),
    ]
}

fn tags() -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    let values: [&[Option<&str>]; 5] = [&[Some("a"), Some("b")], &[], &[None], &[Some("b")], &[Some("")]];
    values.iter().for_each(|list| lists.append_value(list.iter().copied()));
    lists.append_null();
    lists.append_value([Some("a")]);
    Arc::new(lists.finish())
}

fn vectors() -> ArrayRef {
    let mut lists = ListBuilder::new(Float64Builder::new());
    let values: [&[f64]; 6] = [&[1.0, 0.0], &[1.0, 0.5], &[], &[0.0, 0.0], &[2.0], &[f64::INFINITY, 1.0]];
    values.iter().for_each(|list| lists.append_value(list.iter().copied().map(Some)));
    lists.append_null();
    Arc::new(lists.finish())
}
