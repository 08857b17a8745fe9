//! Ids become numbers in the order of the ids: numbers by value, texts by bytes, dates by time.
//!
//! Text files know no types: there, ids are numbers if all of them are whole numbers, written in the usual way.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Int64Array, LargeStringArray, RecordBatch, StringArray, UInt64Array};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::DataType;
use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::numbering::{Numbered, SortedTexts, number_integers, number_texts};
use crate::records::Table;

/// Turns the order of signed numbers into that of unsigned ones.
const SIGN: u64 = 1 << 63;

/// Texts of more bytes need longer places.
const SHORT_TEXTS: usize = i32::MAX as usize;

/// A column of ids.
pub struct IdColumn {
    /// The type of all chunks.
    pub data_type: DataType,
    /// The ids as they were read; none is missing.
    pub chunks: Vec<ArrayRef>,
}

/// Ids, and their numbers.
pub struct NumberedIds {
    /// The numbers of the ids of each column.
    pub columns: Vec<Vec<u32>>,
    /// Each id once, ascending.
    pub ids: ArrayRef,
    /// Whether the ids were texts that are whole numbers.
    pub are_written_integers: bool,
}

/// What ids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdType {
    /// Whole numbers.
    Integer,
    /// Dates.
    Date,
    /// Texts.
    Text,
}

impl IdType {
    /// What ids of this type are, unless none can be.
    pub fn from_data_type(data_type: &DataType) -> Option<Self> {
        match data_type {
            DataType::Utf8 => Some(Self::Text),
            DataType::Date32 => Some(Self::Date),
            other if other.is_integer() => Some(Self::Integer),
            _ => None,
        }
    }

    /// What messages call them.
    pub fn text(self) -> &'static str {
        match self {
            Self::Integer => "whole numbers",
            Self::Date => "dates",
            Self::Text => "texts",
        }
    }
}

impl IdColumn {
    /// A column of a table, in which no id may be missing.
    pub fn of_table(table: &Table, column: usize) -> Result<Self> {
        let field = table.schema.field(column);
        let mut first = 0;
        for batch in &table.batches {
            check_ids(table, batch, column, first)?;
            first += batch.num_rows();
        }
        let chunks = table.batches.iter().map(|batch| Arc::clone(batch.column(column))).collect();
        Ok(Self { data_type: field.data_type().clone(), chunks })
    }

    /// How many ids there are.
    pub fn rows(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Whether its ids are whole numbers, in texts too.
    fn holds_integers(&self) -> bool {
        match IdType::from_data_type(&self.data_type) {
            Some(IdType::Integer) => true,
            Some(IdType::Text) => texts_of(&self.chunks).par_iter().all(|text| integer(text).is_some()),
            _ => false,
        }
    }

    fn to_type(&self, to: &DataType) -> Result<Self> {
        let exact = CastOptions { safe: false, ..CastOptions::default() };
        let chunks = self.chunks.iter().map(|chunk| cast_with_options(chunk, to, &exact));
        let chunks = chunks.collect::<std::result::Result<_, _>>().map_err(|error| broken(&error))?;
        Ok(Self { data_type: to.clone(), chunks })
    }
}

/// The columns with ids of one kind: those of several kinds are whole numbers if all of them are, in texts too, and
/// otherwise texts. A column without ids is of any kind.
pub fn of_one_kind(mut columns: Vec<IdColumn>) -> Result<Vec<IdColumn>> {
    let Some(first) = columns.iter().find(|column| column.rows() > 0) else { return Ok(columns) };
    let any = first.data_type.clone();
    for empty in columns.iter_mut().filter(|column| column.rows() == 0) {
        *empty = IdColumn { data_type: any.clone(), chunks: Vec::new() };
    }
    let kinds: Vec<_> = columns.iter().map(|column| IdType::from_data_type(&column.data_type)).collect();
    if kinds.windows(2).all(|two| two[0] == two[1]) {
        return Ok(columns);
    }
    let to = if columns.iter().all(IdColumn::holds_integers) { DataType::Int64 } else { DataType::Utf8 };
    let is_whole = |column: &IdColumn| to == DataType::Int64 && column.data_type.is_integer();
    columns.into_iter().map(|column| if is_whole(&column) { Ok(column) } else { column.to_type(&to) }).collect()
}

/// What the ids in a column of a table are.
pub fn id_type(table: &Table, column: usize) -> Result<IdType> {
    let field = table.schema.field(column);
    IdType::from_data_type(field.data_type()).ok_or_else(|| {
        let held = field.data_type().to_string().to_lowercase();
        Error::data(format!("`{}`: column `{}` holds {held}", table.name, field.name()))
            .with_help("ids are whole numbers, texts or dates")
    })
}

/// Refuses a missing id in a batch that begins with this row of a table.
pub fn check_ids(table: &Table, batch: &RecordBatch, column: usize, first: usize) -> Result<()> {
    let ids = batch.column(column);
    let missing = (ids.null_count() > 0).then(|| (0..ids.len()).find(|row| ids.is_null(*row))).flatten();
    missing.map_or(Ok(()), |row| {
        let (place, name) = (table.place(first + row), table.schema.field(column).name());
        Err(Error::data(format!("{place}: the id in column `{name}` is missing"))
            .with_help("write the id, or leave the row out"))
    })
}

/// Whole numbers or dates as keys, which have their order.
pub fn keys_of_ids(ids: &ArrayRef) -> Result<Vec<u64>> {
    integer_keys(std::slice::from_ref(ids), &wide_type(ids.data_type()), Cancel::NEVER)
}

/// The whole numbers or dates of a type that have these keys.
pub fn ids_of_keys(keys: &[u64], data_type: &DataType) -> Result<ArrayRef> {
    cast(&integers(keys, &wide_type(data_type)), data_type).map_err(|error| broken(&error))
}

/// The widest type of whole numbers of this kind.
fn wide_type(data_type: &DataType) -> DataType {
    if *data_type == DataType::UInt64 { DataType::UInt64 } else { DataType::Int64 }
}

/// Numbers the ids of some columns, all of which are whole numbers, dates or texts.
pub fn number_ids(columns: &[IdColumn], cancel: Cancel<'_>) -> Result<NumberedIds> {
    let types: Vec<&DataType> = columns.iter().map(|column| &column.data_type).collect();
    if types.is_empty() || *types[0] == DataType::Utf8 {
        return number_written(columns, cancel);
    }
    let is_unsigned = types.iter().all(|of| **of == DataType::UInt64);
    let wide = if is_unsigned { DataType::UInt64 } else { DataType::Int64 };
    let keys = columns.iter().map(|column| integer_keys(&column.chunks, &wide, cancel)).collect::<Result<Vec<_>>>();
    let keys = keys.map_err(|_| beyond())?;
    let slices: Vec<&[u64]> = keys.iter().map(Vec::as_slice).collect();
    let numbered = number_integers(&slices, cancel)?;
    let ids = integers(&numbered.ids, &wide);
    // Ids keep their type where there is one.
    let is_one_type = types.iter().all(|of| *of == types[0]);
    let ids = if is_one_type { cast(&ids, types[0]).map_err(|error| broken(&error))? } else { ids };
    Ok(NumberedIds { columns: numbered.columns, ids, are_written_integers: false })
}

fn beyond() -> Error {
    Error::data("the ids of one column are beyond 64 bits with a sign, those of another have one")
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
fn number_written(columns: &[IdColumn], cancel: Cancel<'_>) -> Result<NumberedIds> {
    let texts: Vec<Vec<&[u8]>> = columns.iter().map(|column| texts_of(&column.chunks)).collect();
    let _held = cancel.hold(24 * texts.iter().map(Vec::len).sum::<usize>());
    let written = |column: &Vec<&[u8]>| column.par_iter().map(|text| integer(text)).collect::<Option<Vec<u64>>>();
    if let Some(keys) = texts.iter().map(written).collect::<Option<Vec<_>>>() {
        let slices: Vec<&[u64]> = keys.iter().map(Vec::as_slice).collect();
        let Numbered { ids, columns } = number_integers(&slices, cancel)?;
        return Ok(NumberedIds { columns, ids: integers(&ids, &DataType::Int64), are_written_integers: true });
    }
    if let [column] = &texts[..] {
        // The ids of one column come once, or a few times.
        let SortedTexts { distinct, numbers } = SortedTexts::new(column, cancel)?;
        let ids = as_texts(distinct.iter().map(|place| column[*place as usize]));
        return Ok(NumberedIds { columns: vec![numbers], ids, are_written_integers: false });
    }
    let slices: Vec<&[&[u8]]> = texts.iter().map(Vec::as_slice).collect();
    let Numbered { ids, columns } = number_texts(&slices, cancel)?;
    Ok(NumberedIds { columns, ids: as_texts(ids.iter().copied()), are_written_integers: false })
}

fn as_texts<'t>(ids: impl Iterator<Item = &'t [u8]> + Clone) -> ArrayRef {
    let bytes: usize = ids.clone().map(<[u8]>::len).sum();
    let texts = ids.map(|id| str::from_utf8(id).unwrap_or_default());
    match bytes <= SHORT_TEXTS {
        true => Arc::new(StringArray::from_iter_values(texts)),
        false => Arc::new(LargeStringArray::from_iter_values(texts)),
    }
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

fn broken(error: &arrow_schema::ArrowError) -> Error {
    Error::internal(format!("ids cannot be converted: {error}"))
}

#[cfg(test)]
mod tests {
    use arrow_array::Date32Array;

    use super::*;

    fn column(chunk: ArrayRef) -> IdColumn {
        IdColumn { data_type: chunk.data_type().clone(), chunks: vec![chunk] }
    }

    fn numbered(columns: Vec<IdColumn>) -> (Vec<Vec<u32>>, DataType) {
        let numbered = number_ids(&of_one_kind(columns).unwrap(), Cancel::NEVER).unwrap();
        (numbered.columns, numbered.ids.data_type().clone())
    }

    #[test]
    fn ids_of_two_kinds_are_the_same_as_they_are_written() {
        let numbers = || column(Arc::new(Int64Array::from(vec![10, 9])));
        let texts = |texts: [&str; 2]| column(Arc::new(StringArray::from(texts.to_vec())));
        assert_eq!(numbered(vec![numbers(), texts(["9", "11"])]), (vec![vec![1, 0], vec![0, 2]], DataType::Int64));
        assert_eq!(numbered(vec![numbers(), texts(["9", "x"])]), (vec![vec![0, 1], vec![1, 2]], DataType::Utf8));
        assert_eq!(numbered(vec![texts(["9", "x"]), texts(["10", "9"])]).0, [[1, 2], [0, 1]]);
    }

    #[test]
    fn one_column_is_numbered_as_two_are() {
        let ids = ["x10", "b", "x9", "b", ""];
        let texts = || column(Arc::new(StringArray::from(ids.to_vec())));
        let (of_one, of_two) = (numbered(vec![texts()]), numbered(vec![texts(), texts()]));
        assert_eq!((&of_one.0[0], of_one.1), (&of_two.0[1], of_two.1));
        assert_eq!(of_one.0, [[2, 1, 3, 1, 0]]);
    }

    #[test]
    fn keys_have_the_order_of_ids_and_give_them_back() {
        let ids: [ArrayRef; 3] = [
            Arc::new(Int64Array::from(vec![i64::MIN, -1, 0, i64::MAX])),
            Arc::new(UInt64Array::from(vec![0, 1, u64::MAX])),
            Arc::new(Date32Array::from(vec![-700, 0, 20_000])),
        ];
        for ids in ids {
            let keys = keys_of_ids(&ids).unwrap();
            assert!(keys.is_sorted());
            assert_eq!(&ids_of_keys(&keys, ids.data_type()).unwrap(), &ids);
        }
    }

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
