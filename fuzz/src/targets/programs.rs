//! Texts of Datalog programs: parsed, checked, explained, and run over a few tuples for a moment.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use sameas::datalog::{RelateJob, RelateProgram, ValueKind};
use sameas::{ErrorCode, Input, Observer};

use crate::world;

/// Small programs can have large results: a run that takes longer is cancelled, which must work too.
const LONGEST_RUN: Duration = Duration::from_millis(150);

struct Until(Instant);

impl Observer for Until {
    fn is_cancelled(&self) -> bool {
        self.0.elapsed() > LONGEST_RUN
    }
}

/// A Datalog program.
pub fn program(input: &[u8]) {
    match RelateProgram::parse("program.dl", &String::from_utf8_lossy(input)) {
        Err(error) => drop(error.to_string()),
        Ok(program) => try_out(&program),
    }
}

fn try_out(program: &RelateProgram) {
    let mut job = RelateJob::new(program.clone());
    for (name, columns) in program.relations() {
        if program.inputs().any(|input| input == name) {
            job = job.with_input(name, tuples(&columns)).expect("a relation of the program");
        }
    }
    let until = Until(Instant::now());
    if let Ok(explanation) = world::session().explain_relate(&job, &until) {
        drop(format!("{explanation:?}"));
    }
    match world::session().relate(&job, &until) {
        Ok(found) => {
            for name in program.outputs() {
                let mut rows = 0;
                let counted = found.read(name, &mut |batch| {
                    rows += batch.num_rows() as u64;
                    Ok(())
                });
                assert!(counted.is_ok() && found.count(name).ok() == Some(rows), "{name}: {counted:?}");
            }
        }
        Err(error) => {
            let is_expected = matches!(error.code(), ErrorCode::Cancelled | ErrorCode::MemoryLimit);
            assert!(is_expected, "a program without mistakes: {error}");
        }
    }
}

/// A few tuples, one of them twice.
fn tuples(columns: &[(&str, ValueKind)]) -> Input {
    let column = |(at, (_, kind)): (usize, &(&str, ValueKind))| -> (String, ArrayRef) {
        let rows = [1, 2, 3, 1, -4, 1].map(|row: i64| (row * (at as i64 + 1)) % 5);
        let array: ArrayRef = match kind {
            ValueKind::Number => Arc::new(Int64Array::from(rows.to_vec())),
            ValueKind::Symbol => Arc::new(StringArray::from_iter_values(rows.map(|row| format!("t{row}")))),
        };
        (format!("c{at}"), array)
    };
    let batch = RecordBatch::try_from_iter(columns.iter().enumerate().map(column)).expect("columns of one length");
    Input::batches("tuples", batch.schema(), vec![batch]).expect("batches of one schema")
}
