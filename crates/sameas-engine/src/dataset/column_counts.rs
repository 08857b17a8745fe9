//! What the columns of inputs hold: missing values, different and frequent ones. Of many records the latter two are estimated,
//! so that neither time nor memory depends on the number of different values.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use foldhash::fast::FixedState;
use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::records::Table;
use crate::records::stats::{DistinctSketch, SEED, sample_rows};

/// Records up to which different values are counted; of more they are estimated.
const COUNTED: usize = 100_000;

/// Records in which frequent values are counted, where not in all.
const SAMPLED: usize = 50_000;

/// Records of the sample that must have a value, so that its number is no accident.
const LEAST_OF_SAMPLE: u64 = 5;

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
    /// Different values.
    pub distinct: u64,
    /// The values that most records have, if more than one has them.
    pub frequent: Vec<(String, u64)>,
    /// Whether different and frequent values were counted, and not estimated.
    pub is_exact: bool,
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
    let is_exact = records <= COUNTED;
    let (distinct, frequent) = match is_exact {
        true => counted(&table.batches, column, cancel),
        false => estimated(&table.batches, column, cancel),
    };
    InputColumnCounts {
        input,
        name: table.schema.field(column).name().clone(),
        records: records as u64,
        nulls,
        distinct,
        frequent,
        is_exact,
        example: first_value(&table.batches, column),
    }
}

/// The number of different values, and those that most records have.
type DifferentValues = (u64, Vec<(String, u64)>);

fn counted(batches: &[RecordBatch], column: usize, cancel: Cancel<'_>) -> DifferentValues {
    let mut counts: HashMap<String, u64, FixedState> = HashMap::default();
    for batch in batches {
        cancel.check();
        each_text(batch.column(column), |_, text| match counts.get_mut(text) {
            Some(count) => *count += 1,
            None => {
                counts.insert(text.to_owned(), 1);
            }
        });
    }
    (counts.len() as u64, most_frequent(counts, 2))
}

fn estimated(batches: &[RecordBatch], column: usize, cancel: Cancel<'_>) -> DifferentValues {
    let records: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let sampled = sample_rows(records as u32, SAMPLED, SEED);
    let mut next = sampled.iter().map(|row| *row as usize).peekable();
    let (mut sketch, mut counts) = (DistinctSketch::default(), HashMap::<String, u64, FixedState>::default());
    let mut first = 0;
    for batch in batches {
        cancel.check();
        each_text(batch.column(column), |row, text| {
            sketch.add(text.as_bytes());
            while next.next_if(|sampled| *sampled < first + row).is_some() {}
            if next.peek() == Some(&(first + row)) {
                *counts.entry(text.to_owned()).or_default() += 1;
            }
        });
        first += batch.num_rows();
    }
    let weight = records as f64 / SAMPLED as f64;
    let all = |(text, count): (String, u64)| (text, (count as f64 * weight).round() as u64);
    let frequent = most_frequent(counts, LEAST_OF_SAMPLE).into_iter().map(all).collect();
    (sketch.estimate().round() as u64, frequent)
}

fn most_frequent(counts: HashMap<String, u64, FixedState>, least: u64) -> Vec<(String, u64)> {
    let mut frequent: Vec<(String, u64)> = counts.into_iter().filter(|(_, records)| *records >= least).collect();
    frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    frequent.truncate(FREQUENT);
    frequent
}

/// Gives the row and the text of each value. Texts are read where they are, other values as they are shown.
fn each_text(array: &ArrayRef, mut each: impl FnMut(usize, &str)) {
    if let Some(texts) = array.as_string_opt::<i32>() {
        texts.iter().enumerate().for_each(|(row, text)| text.into_iter().for_each(|text| each(row, text)));
        return;
    }
    let Ok(shown) = ArrayFormatter::try_new(array.as_ref(), &FormatOptions::default()) else { return };
    let (nulls, mut text) = (array.logical_nulls(), String::new());
    for row in (0..array.len()).filter(|row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*row))) {
        text.clear();
        if shown.value(row).write(&mut text).is_ok() {
            each(row, &text);
        }
    }
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
