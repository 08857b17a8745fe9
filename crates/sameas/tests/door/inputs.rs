//! Batches in memory and streams of batches give what files give.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use sameas::sources::{OpenSource, Opening, SourceDescription};
use sameas::{Input, Job, Run, Session, Source};

const RULE: &str = "l.city = r.city and levenshtein(l.name, r.name) <= 1";

/// Five hundred people, in batches of several sizes, one of them empty and one a slice of a larger one.
pub fn people() -> Vec<RecordBatch> {
    let batch = |rows: std::ops::Range<i64>| {
        let names: StringArray = rows.clone().map(|row| (row % 17 != 0).then(|| format!("name{}", row % 90))).collect();
        let cities: StringArray = rows.clone().map(|row| Some(["Leeds", "York", ""][(row % 3) as usize])).collect();
        let ids = Int64Array::from_iter_values(rows);
        let columns = [("id", Arc::new(ids) as ArrayRef), ("name", Arc::new(names)), ("city", Arc::new(cities))];
        RecordBatch::try_from_iter(columns).unwrap()
    };
    vec![batch(0..200), batch(200..200), batch(150..320).slice(50, 100), batch(300..500)]
}

fn csv(batches: &[RecordBatch]) -> String {
    let mut text = String::from("id,name,city\n");
    for batch in batches {
        let ids = batch.column(0).as_primitive::<arrow_array::types::Int64Type>();
        let [names, cities] = [1, 2].map(|column| batch.column(column).as_string::<i32>());
        for row in 0..batch.num_rows() {
            let name = if names.is_null(row) { "" } else { names.value(row) };
            text += &format!("{},{name},{}\n", ids.value(row), cities.value(row));
        }
    }
    text
}

/// The pairs of a job as text.
fn pairs(input: Input) -> Vec<String> {
    let session = Session::builder().threads(2).build().unwrap();
    rows(&session.run(&Job::dedupe(input).with_rule(RULE), &()).unwrap())
}

/// The pairs of a run as text.
pub fn rows(run: &Run) -> Vec<String> {
    let mut rows = Vec::new();
    for batch in run.pairs() {
        let batch = batch.unwrap();
        let columns = batch.columns().iter().map(|column| {
            let text = arrow_cast::cast(column, &arrow_schema::DataType::Utf8).unwrap();
            text.as_string::<i32>().iter().map(|value| value.unwrap().to_owned()).collect::<Vec<_>>()
        });
        let columns: Vec<Vec<String>> = columns.collect();
        rows.extend(
            (0..batch.num_rows()).map(|row| columns.iter().map(|c| c[row].clone()).collect::<Vec<_>>().join(",")),
        );
    }
    rows
}

/// Records in memory that know how often they were opened.
#[derive(Debug)]
struct OpenCounter {
    name: &'static str,
    batch: RecordBatch,
    opened: Arc<AtomicUsize>,
}

impl Source for OpenCounter {
    fn open(&self, _: &Opening<'_>) -> sameas::Result<OpenSource> {
        self.opened.fetch_add(1, Relaxed);
        OpenSource::of_batches(self.name, self.batch.schema(), vec![self.batch.clone()])
    }

    fn description(&self) -> SourceDescription {
        SourceDescription::Records { name: self.name.into() }
    }
}

/// An input of this name, and how often it was opened.
pub fn counted(name: &'static str, batch: &RecordBatch) -> (Input, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let source = OpenCounter { name, batch: batch.clone(), opened: Arc::clone(&opened) };
    (Input::source(Arc::new(source)), opened)
}

#[test]
fn batches_streams_and_files_give_the_same_pairs() {
    let (folder, batches) = (tempfile::tempdir().unwrap(), people());
    let path = folder.path().join("people.csv");
    std::fs::write(&path, csv(&batches)).unwrap();
    let schema = batches[0].schema();
    let expected = pairs(Input::files([path]));
    assert!(expected.len() > 100, "{} pairs", expected.len());
    assert_eq!(pairs(Input::batches("people", schema.clone(), batches.clone()).unwrap()), expected);
    let stream = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    assert_eq!(pairs(Input::reader("people", stream)), expected);
}

#[test]
fn batches_must_fit_their_schema() {
    let batches = people();
    let schema = batches[0].schema();
    let other = RecordBatch::try_from_iter([("id", Arc::new(StringArray::from(vec!["x"])) as ArrayRef)]).unwrap();
    let error = Input::batches("people", schema, vec![batches[0].clone(), other]).unwrap_err();
    assert!(error.message().contains("a batch has the columns id (Utf8)"), "{error}");
}

#[test]
fn results_can_be_written_into_several_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    std::fs::write(&path, "id,name\n1,ann\n2,ann\n3,bob\n").unwrap();
    let job = sameas::Job::dedupe(sameas::Input::files([&path])).with_rule("l.name = r.name");
    let mut run = sameas::Session::builder().build().unwrap().run(&job, &()).unwrap();
    for name in ["first", "second"] {
        let out = folder.path().join(name);
        run.write(sameas::OutputFolder::create(&out, false).unwrap(), sameas::Format::Csv, &()).unwrap();
        let record = sameas::RunRecord::read(&out.join("run.json")).unwrap();
        let files: Vec<&str> = record.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(files, ["pairs.csv", "clusters.csv"], "{name}");
    }
}
