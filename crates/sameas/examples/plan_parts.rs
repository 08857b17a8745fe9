//! Plans a job whose records lie apart: statistics of two parts are put together, and a plan is made of them.

use std::error::Error;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use sameas::{Input, Job, JobSpec, Session};

fn people(rows: &[[&str; 2]]) -> Result<RecordBatch, Box<dyn Error>> {
    let column = |at: usize| Arc::new(rows.iter().map(|row| Some(row[at])).collect::<StringArray>()) as ArrayRef;
    Ok(RecordBatch::try_from_iter([("id", column(0)), ("name", column(1))])?)
}

fn job(people: RecordBatch) -> Result<Job, Box<dyn Error>> {
    let input = Input::batches("people", people.schema(), vec![people])?;
    Ok(Job::dedupe(input).with_rule("jaro_winkler(l.name, r.name) >= 0.9"))
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let session = Session::new()?;
    // In one place there are the records 0 and 2, in another the record 1.
    let first = job(people(&[["a", "Ann Smith"], ["c", "Anne Smith"]])?)?;
    let second = job(people(&[["b", "Bob Jones"]])?)?;

    let of_first = session.statistics_of_part(&first, &[vec![0, 2]], &())?;
    let of_second = session.statistics_of_part(&second, &[vec![1]], &())?;
    let statistics = of_first.merge(of_second)?;
    let schema = people(&[])?.schema();
    let plan = session.plan_from(&JobSpec::new(&first), &[schema], &statistics, &())?;

    assert_eq!(plan.branches(), 1);
    Ok(())
}
