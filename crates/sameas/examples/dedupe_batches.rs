//! Finds duplicates in two record batches in memory and reads the pairs and clusters as record batches.

use std::error::Error;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sameas::{Input, Job, Session};

fn people(rows: &[[&str; 3]]) -> Result<RecordBatch, Box<dyn Error>> {
    let column = |at: usize| Arc::new(rows.iter().map(|row| Some(row[at])).collect::<StringArray>()) as ArrayRef;
    Ok(RecordBatch::try_from_iter([("id", column(0)), ("name", column(1)), ("phone", column(2))])?)
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let first = people(&[["a", "Ann Smith", "555-0100"], ["b", "Bob Jones", "555-0101"]])?;
    let second = people(&[["c", "Anne Smith", "555-0100"], ["d", "Robert Jones", "555-0109"]])?;

    let job = Job::dedupe(Input::batches("people", first.schema(), vec![first, second])?)
        .with_rule("l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.9");
    let run = Session::new()?.run(&job, &())?;

    for batch in run.pairs() {
        let batch = batch?;
        let [left, right] = [0, 1].map(|column| batch.column(column).as_string::<i32>());
        assert_eq!((left.value(0), right.value(0), batch.num_rows()), ("a", "c", 1));
    }
    let records: usize = run.clusters().map(|batch| batch.map(|batch| batch.num_rows())).sum::<Result<_, _>>()?;
    assert_eq!((records, run.record().clusters), (4, 3));
    Ok(())
}
