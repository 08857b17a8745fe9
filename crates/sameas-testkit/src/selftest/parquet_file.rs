//! A table as a Parquet file whose types do not depend on its values.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::case::{Cell, Kind, Table};
use arrow_array::builder::{Float64Builder, GenericListBuilder, ListBuilder, StringBuilder};
use arrow_array::types::{ArrowPrimitiveType, Decimal128Type, Decimal256Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    ArrayRef, Decimal128Array, Decimal256Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    LargeStringArray, ListArray, OffsetSizeTrait, RecordBatch, StringArray, StringViewArray, UInt64Array,
};
use arrow_schema::DECIMAL128_MAX_PRECISION;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

/// Writes the table; the seed chooses between the types that a value can have and the size of row groups.
pub fn write(table: &Table, path: &Path, seed: u64) -> Result<(), String> {
    batch(table, seed).and_then(|batch| write_batch(&batch, path, seed)).map_err(|error| error.to_string())
}

fn write_batch(batch: &RecordBatch, path: &Path, seed: u64) -> parquet::errors::Result<()> {
    let group = [3, 1000][seed as usize / 8 % 2];
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group)).build();
    let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), Some(properties))?;
    writer.write(batch)?;
    writer.close().map(drop)
}

fn batch(table: &Table, seed: u64) -> parquet::errors::Result<RecordBatch> {
    let numbers: Option<Vec<i64>> = table.rows.iter().map(|row| row.id.parse().ok()).collect();
    let ids: ArrayRef = match numbers {
        Some(numbers) => Arc::new(Int64Array::from(numbers)),
        None => Arc::new(StringArray::from_iter_values(table.rows.iter().map(|row| &row.id))),
    };
    let columns = table.columns.iter().enumerate().map(|(at, column)| {
        let cells: Vec<Option<&Cell>> = table.rows.iter().map(|row| row.cells[at].as_ref()).collect();
        (column.name.as_str(), array(column.kind, &cells, seed), true)
    });
    Ok(RecordBatch::try_from_iter_with_nullable(std::iter::once(("id", ids, false)).chain(columns))?)
}

fn array(kind: Kind, cells: &[Option<&Cell>], seed: u64) -> ArrayRef {
    match kind {
        Kind::Text => texts(cells, seed),
        Kind::Number if cells.iter().any(|cell| matches!(cell, Some(Cell::Float(_)))) => Arc::new(floats(cells)),
        Kind::Number => integers(cells, seed),
        Kind::TextList if (seed / 16).is_multiple_of(2) => text_lists::<i32>(cells),
        Kind::TextList => text_lists::<i64>(cells),
        Kind::NumberList => number_lists(cells),
        Kind::Unsigned => Arc::new(cells.iter().map(unsigned).collect::<UInt64Array>()),
        Kind::Decimal(digits, scale) => decimals(cells, digits, scale),
        Kind::Integers => integer_lists(cells, seed),
    }
}

fn texts(cells: &[Option<&Cell>], seed: u64) -> ArrayRef {
    let texts = cells.iter().map(|cell| match cell {
        Some(Cell::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    match seed / 16 % 4 {
        0 => Arc::new(texts.collect::<DictionaryArray<Int32Type>>()),
        1 => Arc::new(texts.collect::<StringArray>()),
        2 => Arc::new(texts.collect::<LargeStringArray>()),
        _ => Arc::new(texts.collect::<StringViewArray>()),
    }
}

fn floats(cells: &[Option<&Cell>]) -> Float64Array {
    let float = |cell: &Option<&Cell>| match cell {
        Some(Cell::Float(value)) => Some(*value),
        Some(Cell::Int(value)) => Some(*value as f64),
        _ => None,
    };
    cells.iter().map(float).collect()
}

fn integers(cells: &[Option<&Cell>], seed: u64) -> ArrayRef {
    let integer = |cell: &Option<&Cell>| match cell {
        Some(Cell::Int(value)) => Some(*value),
        _ => None,
    };
    let integers: Int64Array = cells.iter().map(integer).collect();
    let small = integers.iter().flatten().all(|value| (0..100).contains(&value));
    match seed / 16 % 3 {
        0 if small => Arc::new(integers.iter().map(|value| value.map(|value| value as i32)).collect::<Int32Array>()),
        1 if small => Arc::new(integers.iter().map(|value| value.map(|value| value as u64)).collect::<UInt64Array>()),
        _ => Arc::new(integers),
    }
}

fn unsigned(cell: &Option<&Cell>) -> Option<u64> {
    match cell {
        Some(Cell::Unsigned(value)) => Some(*value),
        _ => None,
    }
}

/// The digits of a decimal of 256 bits.
type Digits = <Decimal256Type as ArrowPrimitiveType>::Native;

/// Decimals of 128 or 256 bits: the digits of their texts, which have all places of the column.
fn decimals(cells: &[Option<&Cell>], digits: u8, scale: i8) -> ArrayRef {
    let whole = |cell: &Option<&Cell>| match cell {
        Some(Cell::Decimal(text)) => Some(text.replace('.', "")),
        _ => None,
    };
    let texts = cells.iter().map(whole);
    let fits = "the digits of a column fit its type";
    if digits <= DECIMAL128_MAX_PRECISION {
        let array: Decimal128Array = texts.map(|text| text.and_then(|text| text.parse::<i128>().ok())).collect();
        Arc::new(array.with_precision_and_scale(digits, scale).expect(fits))
    } else {
        let array: Decimal256Array = texts.map(|text| text.and_then(|text| text.parse::<Digits>().ok())).collect();
        Arc::new(array.with_precision_and_scale(digits, scale).expect(fits))
    }
}

/// The same integers in one of the types that hold them.
fn integer_lists(cells: &[Option<&Cell>], seed: u64) -> ArrayRef {
    let list = |cell: &Option<&Cell>| match cell {
        Some(Cell::Integers(list)) => Some(list.clone()),
        _ => None,
    };
    let lists: Vec<Option<Vec<u64>>> = cells.iter().map(list).collect();
    let signed = lists.iter().flatten().flatten().all(|value| i64::try_from(*value).is_ok());
    match seed / 32 % 3 {
        0 if signed => {
            let signed = |list: Vec<u64>| list.into_iter().map(|value| Some(value as i64)).collect::<Vec<_>>();
            Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lists.into_iter().map(|list| list.map(signed))))
        }
        1 => {
            // The scale of a list's decimals is 10 unless a type says otherwise.
            let tens = |value: u64| Some(i128::from(value) * 10_000_000_000);
            let decimal = |list: Vec<u64>| list.into_iter().map(tens).collect::<Vec<_>>();
            let lists = lists.into_iter().map(|list| list.map(decimal));
            Arc::new(ListArray::from_iter_primitive::<Decimal128Type, _, _>(lists))
        }
        _ => {
            let plain = |list: Vec<u64>| list.into_iter().map(Some).collect::<Vec<_>>();
            Arc::new(ListArray::from_iter_primitive::<UInt64Type, _, _>(lists.into_iter().map(|list| list.map(plain))))
        }
    }
}

fn text_lists<Offset: OffsetSizeTrait>(cells: &[Option<&Cell>]) -> ArrayRef {
    let mut lists = GenericListBuilder::<Offset, _>::new(StringBuilder::new());
    for cell in cells {
        match cell {
            Some(Cell::TextList(list)) => lists.append_value(list.iter().map(Option::as_deref)),
            _ => lists.append_null(),
        }
    }
    Arc::new(lists.finish())
}

fn number_lists(cells: &[Option<&Cell>]) -> ArrayRef {
    let mut lists = ListBuilder::new(Float64Builder::new());
    for cell in cells {
        match cell {
            Some(Cell::NumberList(list)) => lists.append_value(list.iter().copied().map(Some)),
            _ => lists.append_null(),
        }
    }
    Arc::new(lists.finish())
}
