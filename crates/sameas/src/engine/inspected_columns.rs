//! What the columns of inputs hold, counted: missing values, and where it is quick the different ones.

use std::collections::HashMap;

use arrow_array::{Array, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use foldhash::fast::FixedState;
use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::records::Table;

/// Records up to which the different values of all columns are counted; of more, only the columns that rules read were
/// counted, by the run.
const MOST_RECORDS: usize = 100_000;

/// Frequent values that are listed.
const FREQUENT: usize = 8;

/// What a column of an input holds.
#[derive(Clone, Debug)]
pub struct InputColumnCounts {
    /// The number of the input.
    pub input: usize,
    /// The column.
    pub name: String,
    /// Records of the input.
    pub records: u64,
    /// Records without a value.
    pub nulls: u64,
    /// Different values, where they were counted.
    pub distinct: Option<u64>,
    /// The values that most records have, if more than one has them.
    pub frequent: Vec<(String, u64)>,
    /// The first value there is.
    pub example: Option<String>,
}

/// Counts the columns of all tables.
pub fn count_columns(tables: &[Table], cancel: Cancel<'_>) -> Vec<InputColumnCounts> {
    let columns = tables
        .iter()
        .enumerate()
        .flat_map(|(input, table)| (0..table.schema.fields().len()).map(move |column| (input, table, column)));
    let columns: Vec<(usize, &Table, usize)> = columns.collect();
    let count = |(input, table, column): &(usize, &Table, usize)| {
        cancel.check();
        count_column(*input, table, *column, cancel)
    };
    columns.par_iter().map(count).collect()
}

fn count_column(input: usize, table: &Table, column: usize, cancel: Cancel<'_>) -> InputColumnCounts {
    let records = table.rows();
    let nulls = table.batches.iter().map(|batch| batch.column(column).logical_null_count() as u64).sum();
    let (distinct, frequent) = match records <= MOST_RECORDS {
        true => different_values(&table.batches, column, cancel),
        false => (None, Vec::new()),
    };
    InputColumnCounts {
        input,
        name: table.schema.field(column).name().clone(),
        records: records as u64,
        nulls,
        distinct,
        frequent,
        example: first_value(&table.batches, column),
    }
}

fn different_values(batches: &[RecordBatch], column: usize, cancel: Cancel<'_>) -> (Option<u64>, Vec<(String, u64)>) {
    let mut counts: HashMap<String, u64, FixedState> = HashMap::default();
    for batch in batches {
        cancel.check();
        let array = batch.column(column);
        let Ok(shown) = ArrayFormatter::try_new(array.as_ref(), &FormatOptions::default()) else {
            return (None, Vec::new());
        };
        let nulls = array.logical_nulls();
        for row in (0..array.len()).filter(|row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*row))) {
            *counts.entry(shown.value(row).to_string()).or_default() += 1;
        }
    }
    let distinct = counts.len() as u64;
    let mut frequent: Vec<(String, u64)> = counts.into_iter().filter(|(_, records)| *records > 1).collect();
    frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    frequent.truncate(FREQUENT);
    (Some(distinct), frequent)
}

fn first_value(batches: &[RecordBatch], column: usize) -> Option<String> {
    batches.iter().find_map(|batch| {
        let array = batch.column(column);
        let nulls = array.logical_nulls();
        let row = (0..array.len()).find(|row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*row)))?;
        let shown = ArrayFormatter::try_new(array.as_ref(), &FormatOptions::default()).ok()?;
        Some(shown.value(row).to_string())
    })
}
