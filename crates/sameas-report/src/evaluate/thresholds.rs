//! The table of thresholds: what each would find, as a file.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema};

use super::scores::{PairCounts, ThresholdScore};
use crate::error::Result;
use crate::output::{Format, WriteOptions, write_table};
use crate::records::broken;

/// Writes what each threshold would find, a row each, the highest first; `name` is what messages call the writer.
pub fn write_thresholds<W: Write + Send>(
    thresholds: &[ThresholdScore],
    out: W,
    format: Format,
    name: &Path,
) -> Result<W> {
    let fields = [
        Field::new("threshold", DataType::Float64, false),
        Field::new("found", DataType::UInt64, false),
        Field::new("found_and_true", DataType::UInt64, false),
        Field::new("precision", DataType::Float64, true),
        Field::new("recall", DataType::Float64, true),
        Field::new("f1", DataType::Float64, true),
    ];
    let schema = Arc::new(Schema::new(fields.to_vec()));
    let rows = format.chunk_rows(thresholds.len() as u64);
    let make_chunk = |chunk: u64| {
        let part = &thresholds[(chunk * rows) as usize..thresholds.len().min(((chunk + 1) * rows) as usize)];
        RecordBatch::try_new(Arc::clone(&schema), columns(part)).map_err(|error| broken(&error))
    };
    let options = WriteOptions { format, path: name, parallel: 2, progress: &|_| {} };
    write_table(out, &schema, &[], (thresholds.len() as u64).div_ceil(rows), &make_chunk, &options)
}

fn columns(part: &[ThresholdScore]) -> Vec<ArrayRef> {
    let number = |of: fn(&PairCounts) -> u64| {
        Arc::new(UInt64Array::from_iter_values(part.iter().map(|row| of(&row.counts)))) as ArrayRef
    };
    let share = |of: fn(&PairCounts) -> Option<f64>| {
        Arc::new(part.iter().map(|row| of(&row.counts)).collect::<Float64Array>()) as ArrayRef
    };
    vec![
        Arc::new(Float64Array::from_iter_values(part.iter().map(|row| row.threshold))),
        number(|counts| counts.found),
        number(|counts| counts.both),
        share(PairCounts::precision),
        share(PairCounts::recall),
        share(PairCounts::f1),
    ]
}
