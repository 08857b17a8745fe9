//! Ids of one type become vertices in the order of the ids: numbers by value, texts by bytes, dates by time.
//!
//! Text files know no types: there, ids are numbers if all of them are whole numbers, written in the usual way.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Int64Array, LargeStringArray, StringArray, UInt64Array};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::DataType;
use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::numbering::{Numbered, number_integers, number_texts};
use crate::records::{RowIds, Table};

/// Turns the order of signed numbers into that of unsigned ones.
const SIGN: u64 = 1 << 63;

/// Texts of more bytes need longer places.
const SHORT_TEXTS: usize = i32::MAX as usize;

/// Pairs of vertices, and their ids.
pub(super) struct NumberedEdges {
    pub pairs: Vec<[u32; 2]>,
    pub ids: RowIds,
    /// Whether the ids were texts that are whole numbers.
    pub are_written_integers: bool,
}

/// What ids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdType {
    Integer,
    Date,
    Text,
}

impl IdType {
    fn from_data_type(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 => Some(Self::Text),
            DataType::Date32 => Some(Self::Date),
            other if other.is_integer() => Some(Self::Integer),
            _ => None,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Integer => "whole numbers",
            Self::Date => "dates",
            Self::Text => "texts",
        }
    }
}

/// Numbers the ids of a table of two columns.
pub(super) fn number(table: &Table, cancel: Cancel<'_>) -> Result<NumberedEdges> {
    let id_type = id_type(table)?;
    check_present(table)?;
    let columns =
        [0, 1].map(|at| -> Vec<ArrayRef> { table.batches.iter().map(|b| Arc::clone(b.column(at))).collect() });
    if id_type == IdType::Text {
        return number_written(&columns, cancel);
    }
    let types = [0, 1].map(|at| table.schema.field(at).data_type());
    let wide = if types == [&DataType::UInt64; 2] { DataType::UInt64 } else { DataType::Int64 };
    let keys = columns.iter().map(|chunks| integer_keys(chunks, &wide, cancel)).collect::<Result<Vec<_>>>();
    let keys = keys.map_err(|_| beyond(table))?;
    let numbered = number_integers(&[&keys[0], &keys[1]], cancel)?;
    let ids = integers(&numbered.ids, &wide);
    // Ids keep their type where there is one.
    let ids = if types[0] == types[1] { cast(&ids, types[0]).map_err(|error| broken(&error))? } else { ids };
    edges(&numbered.columns, ids, false)
}

/// The one type of both columns.
fn id_type(table: &Table) -> Result<IdType> {
    let of_column = |at: usize| {
        let field = table.schema.field(at);
        IdType::from_data_type(field.data_type()).ok_or_else(|| {
            let message = format!(
                "`{}`: column `{}` holds {}",
                table.name,
                field.name(),
                field.data_type().to_string().to_lowercase()
            );
            Error::data(message).with_help("ids are whole numbers, texts or dates")
        })
    };
    let [a, b] = [of_column(0)?, of_column(1)?];
    if a == b {
        return Ok(a);
    }
    let [first, second] = [0, 1].map(|at| table.schema.field(at).name());
    let message = format!(
        "`{}`: the ids are of two types: {} in column `{first}`, {} in column `{second}`",
        table.name,
        a.text(),
        b.text()
    );
    Err(Error::data(message).with_help("make both columns of one type, so that equal ids are the same"))
}

fn check_present(table: &Table) -> Result<()> {
    let mut first = 0;
    for batch in &table.batches {
        for (column, field) in batch.columns().iter().zip(table.schema.fields()) {
            if let Some(row) =
                (column.null_count() > 0).then(|| (0..column.len()).find(|row| column.is_null(*row))).flatten()
            {
                let place = table.place(first + row);
                return Err(Error::data(format!("{place}: the id in column `{}` is missing", field.name())));
            }
        }
        first += batch.num_rows();
    }
    Ok(())
}

fn beyond(table: &Table) -> Error {
    Error::data(format!(
        "`{}`: the ids of one column are beyond 64 bits with a sign, those of the other have one",
        table.name
    ))
}

/// Whole numbers and dates as numbers in the same order.
fn integer_keys(chunks: &[ArrayRef], wide: &DataType, cancel: Cancel<'_>) -> Result<Vec<u64>> {
    let mut keys = Vec::with_capacity(chunks.iter().map(|chunk| chunk.len()).sum());
    for chunk in chunks {
        cancel.check();
        let exact = CastOptions { safe: false, ..CastOptions::default() };
        // Dates are days.
        let days =
            if *chunk.data_type() == DataType::Date32 { cast(chunk, &DataType::Int32) } else { Ok(Arc::clone(chunk)) };
        let chunk = days.and_then(|chunk| cast_with_options(&chunk, wide, &exact)).map_err(|error| broken(&error))?;
        match wide {
            DataType::UInt64 => keys.extend_from_slice(chunk.as_primitive::<UInt64Type>().values()),
            _ => keys.extend(chunk.as_primitive::<Int64Type>().values().iter().map(|value| *value as u64 ^ SIGN)),
        }
    }
    Ok(keys)
}

fn integers(keys: &[u64], wide: &DataType) -> ArrayRef {
    match wide {
        DataType::UInt64 => Arc::new(UInt64Array::from_iter_values(keys.iter().copied())),
        _ => Arc::new(Int64Array::from_iter_values(keys.iter().map(|key| (key ^ SIGN) as i64))),
    }
}

/// Texts, which may be whole numbers.
fn number_written(columns: &[Vec<ArrayRef>; 2], cancel: Cancel<'_>) -> Result<NumberedEdges> {
    let texts: Vec<Vec<&[u8]>> = columns.iter().map(|chunks| texts_of(chunks)).collect();
    let _held = cancel.hold(24 * texts.iter().map(Vec::len).sum::<usize>());
    let written = |column: &Vec<&[u8]>| column.par_iter().map(|text| integer(text)).collect::<Option<Vec<u64>>>();
    if let (Some(a), Some(b)) = (written(&texts[0]), written(&texts[1])) {
        let Numbered { ids, columns } = number_integers(&[&a, &b], cancel)?;
        return edges(&columns, integers(&ids, &DataType::Int64), true);
    }
    let Numbered { ids, columns } = number_texts(&[&texts[0], &texts[1]], cancel)?;
    let text = |id: &&[u8]| str::from_utf8(id).unwrap_or_default().to_owned();
    let bytes: usize = ids.iter().map(|id| id.len()).sum();
    let ids: ArrayRef = match bytes <= SHORT_TEXTS {
        true => Arc::new(StringArray::from_iter_values(ids.iter().map(text))),
        false => Arc::new(LargeStringArray::from_iter_values(ids.iter().map(text))),
    };
    edges(&columns, ids, false)
}

fn texts_of(chunks: &[ArrayRef]) -> Vec<&[u8]> {
    let mut all = Vec::with_capacity(chunks.iter().map(|chunk| chunk.len()).sum());
    for texts in chunks.iter().map(|chunk| chunk.as_string::<i32>()) {
        all.extend(texts.value_offsets().windows(2).map(|two| &texts.values()[two[0] as usize..two[1] as usize]));
    }
    all
}

/// A whole number in the usual way: no sign but minus, no zeros before it, and within 64 bits.
fn integer(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_usual = match digits {
        [b'0'] => digits.len() == text.len(),
        [b'1'..=b'9', ..] => true,
        _ => false,
    };
    let value: i64 = str::from_utf8(text).ok().filter(|_| is_usual)?.parse().ok()?;
    Some(value as u64 ^ SIGN)
}

fn edges(columns: &[Vec<u32>], ids: ArrayRef, are_written_integers: bool) -> Result<NumberedEdges> {
    let pairs = columns[0].iter().zip(&columns[1]).map(|(a, b)| [*a, *b]).collect();
    Ok(NumberedEdges { pairs, ids: RowIds::new(&[ids])?, are_written_integers })
}

fn broken(error: &arrow_schema::ArrowError) -> Error {
    Error::internal(format!("ids cannot be converted: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_is_written_in_the_usual_way() {
        let value = |text: &str| integer(text.as_bytes()).map(|key| (key ^ SIGN) as i64);
        for (text, expected) in [("0", 0), ("-1", -1), ("17", 17), ("9223372036854775807", i64::MAX)] {
            assert_eq!(value(text), Some(expected));
        }
        for text in ["", "-", "-0", "007", "+1", "1.0", " 1", "9223372036854775808", "a"] {
            assert_eq!(value(text), None, "{text}");
        }
        assert!(integer(b"-5") < integer(b"3") && integer(b"9") < integer(b"10"));
    }
}
