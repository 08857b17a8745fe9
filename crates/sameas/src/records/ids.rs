//! The user's ids: unique within an input, and never null.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array};

use super::encode::{Dictionary, NULL, Numbers};
use super::row_ids::RowIds;
use super::table::Table;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::{Vector, vector_of};

/// The ids of a table: a column of it, or its row numbers, counted from 1.
pub fn row_ids(table: &Table, column: Option<usize>, cancel: Cancel<'_>) -> Result<RowIds> {
    let Some(column) = column else {
        let last = table.rows() as i64;
        return RowIds::new(&[Arc::new(Int64Array::from_iter_values(1..=last)) as ArrayRef]);
    };
    let chunks: Vec<ArrayRef> = table.batches.iter().map(|b| Arc::clone(b.column(column))).collect();
    check(table, column, &chunks, cancel)?;
    RowIds::new(&chunks)
}

fn check(table: &Table, column: usize, chunks: &[ArrayRef], cancel: Cancel<'_>) -> Result<()> {
    let name = table.schema.field(column).name();
    let values: Vec<Vector> = chunks.iter().map(vector_of).collect();
    let (dictionary, codes) = Dictionary::encode(&[values], Numbers::ByValue, cancel);
    let codes = &codes[0];
    if let Some(row) = codes.iter().position(|code| *code == NULL) {
        return Err(Error::data(format!("{}: the id in column `{name}` is missing", table.place(row)))
            .with_code(ErrorCode::BadId)
            .with_help("every record needs an id; row numbers can be used instead"));
    }
    if dictionary.len() < codes.len() {
        let (first, second) = first_repeat(codes, dictionary.len());
        let id = id_text(chunks, second);
        return Err(Error::data(format!(
            "{}: the id `{id}` in column `{name}` was used before, at {}",
            table.place(second),
            table.place(first)
        ))
        .with_code(ErrorCode::BadId)
        .with_help("ids must be unique within an input; row numbers can be used instead"));
    }
    Ok(())
}

fn first_repeat(codes: &[u32], distinct: usize) -> (usize, usize) {
    let mut seen: Vec<Option<usize>> = vec![None; distinct];
    for (row, code) in codes.iter().enumerate() {
        if let Some(first) = seen[*code as usize].replace(row) {
            return (first, row);
        }
    }
    (0, 0)
}

fn id_text(chunks: &[ArrayRef], mut row: usize) -> String {
    for chunk in chunks {
        if row < chunk.len() {
            return arrow_cast::display::array_value_to_string(chunk, row).unwrap_or_default();
        }
        row -= chunk.len();
    }
    String::new()
}
