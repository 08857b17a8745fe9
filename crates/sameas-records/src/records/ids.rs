//! The user's ids: unique within an input, and never null.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array};

use super::block_column::BlockColumn;
use super::encode::{Dictionary, NULL, Numbers};
use super::row_ids::RowIds;
use super::table::Table;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::vector_of;

/// Whether a table may have records without an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingIds {
    /// It is an error.
    Refuse,
    /// They are left out of the table.
    Skip,
}

/// The ids of a table: a column of it, or its row numbers, counted from 1.
pub fn row_ids(table: &mut Table, column: Option<usize>, missing: MissingIds, cancel: Cancel<'_>) -> Result<RowIds> {
    let Some(column) = column else {
        let last = table.rows() as i64;
        return RowIds::new(&[Arc::new(Int64Array::from_iter_values(1..=last)) as ArrayRef]);
    };
    check(table, column, missing, cancel)?;
    RowIds::new(&chunks_of(table, column))
}

fn chunks_of(table: &Table, column: usize) -> Vec<ArrayRef> {
    table.plain_texts(column).collect()
}

fn check(table: &mut Table, column: usize, missing: MissingIds, cancel: Cancel<'_>) -> Result<()> {
    let values: Vec<BlockColumn> = chunks_of(table, column).iter().map(|ids| vector_of(ids).into()).collect();
    let (dictionary, codes) = Dictionary::encode(&[values], Numbers::ByValue, cancel);
    let mut codes = codes.into_iter().next().unwrap_or_default();
    let is_missing = |code: &u32| *code == NULL;
    if let Some(first) = codes.iter().position(is_missing) {
        let count = codes.iter().filter(|code| is_missing(code)).count();
        if missing == MissingIds::Refuse {
            return Err(missing_id(table, column, first, count));
        }
        let _held = cancel.hold(count * size_of::<u32>());
        let rows = codes.iter().zip(0..).filter(|(code, _)| is_missing(code)).map(|(_, row)| row);
        table.skip(rows.collect())?;
        codes.retain(|code| !is_missing(code));
    }
    if dictionary.len() < codes.len() {
        return Err(repeated_id(table, column, first_repeat(&codes, dictionary.len())));
    }
    Ok(())
}

fn missing_id(table: &Table, column: usize, first: usize, count: usize) -> Error {
    let others = match count {
        1 => String::new(),
        2 => ", and that of 1 more record".to_owned(),
        _ => format!(", and those of {} more records", count - 1),
    };
    let name = table.schema.field(column).name();
    Error::data(format!("{}: the id in column `{name}` is missing{others}", table.place(first)))
        .with_code(ErrorCode::MissingId)
        .with_help("every record needs an id; row numbers can be used instead, or records without an id left out")
}

fn repeated_id(table: &Table, column: usize, (first, second): (usize, usize)) -> Error {
    let (id, name) = (id_text(&chunks_of(table, column), second), table.schema.field(column).name());
    Error::data(format!(
        "{}: the id `{id}` in column `{name}` was used before, at {}",
        table.place(second),
        table.place(first)
    ))
    .with_code(ErrorCode::BadId)
    .with_help("ids must be unique within an input; row numbers can be used instead")
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
