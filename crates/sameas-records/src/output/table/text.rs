//! Encodes chunks as CSV (RFC 4180, but lines end with a line feed alone) and as JSON lines.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_json::{EncoderOptions, writer::make_encoder};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use serde::Serialize;

use crate::error::{Error, Result};

/// A column, in the few shapes that text formats distinguish.
enum Cells {
    Int(Int64Array),
    /// Written as they are: other numbers and truth values.
    Bare(StringArray),
    Text(StringArray),
    /// Lists, objects and maps: JSON.
    Nested(NestedCells),
}

/// The JSON text of each row, one after the other; nothing of a row that is null.
struct NestedCells {
    texts: Vec<u8>,
    ends: Vec<usize>,
}

impl NestedCells {
    fn new(column: &ArrayRef) -> Result<Self> {
        let field: FieldRef = Arc::new(Field::new("", column.data_type().clone(), true));
        let options = EncoderOptions::default().with_explicit_nulls(true);
        let mut encoder = make_encoder(&field, column, &options).map_err(|error| not_text(&error))?;
        let (mut texts, mut ends) = (Vec::new(), Vec::with_capacity(column.len()));
        for row in 0..column.len() {
            if column.is_valid(row) {
                encoder.encode(row, &mut texts);
            }
            ends.push(texts.len());
        }
        Ok(Self { texts, ends })
    }

    /// The text of a row, if it has one.
    fn get(&self, row: usize) -> Option<&str> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        let text = &self.texts[start..self.ends[row]];
        std::str::from_utf8(text).ok().filter(|text| !text.is_empty())
    }
}

/// A column in which times with a zone are in UTC, which needs no knowledge of zones. An instant is one text then.
fn in_utc(column: &ArrayRef) -> Result<ArrayRef> {
    let utc = type_in_utc(column.data_type());
    if utc == *column.data_type() {
        return Ok(column.clone());
    }
    cast(column, &utc).map_err(|error| not_text(&error))
}

fn type_in_utc(data_type: &DataType) -> DataType {
    let part = |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(type_in_utc(field.data_type())));
    match data_type {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
        DataType::List(item) => DataType::List(part(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(part).collect()),
        DataType::Map(entries, sorted) => DataType::Map(part(entries), *sorted),
        other => other.clone(),
    }
}

/// Bytes in hexadecimal digits.
fn hexadecimal(column: &ArrayRef) -> Result<StringArray> {
    let bytes = cast(column, &DataType::LargeBinary).map_err(|error| not_text(&error))?;
    let mut texts = StringBuilder::with_capacity(bytes.len(), 0);
    for bytes in bytes.as_binary::<i64>() {
        for byte in bytes.unwrap_or_default() {
            write!(texts, "{byte:02x}").map_err(|_| Error::internal("bytes cannot be written"))?;
        }
        match bytes {
            // Writing into the builder begins a value, which the empty text ends.
            Some(_) => texts.append_value(""),
            None => texts.append_null(),
        }
    }
    Ok(texts.finish())
}

impl Cells {
    fn new(column: &ArrayRef) -> Result<Self> {
        let column = &in_utc(column)?;
        match column.data_type() {
            nested if nested.is_nested() => return NestedCells::new(column).map(Self::Nested),
            DataType::Binary | DataType::LargeBinary | DataType::FixedSizeBinary(_) => {
                return hexadecimal(column).map(Self::Text);
            }
            _ => {}
        }
        let integer = column.data_type().is_integer() && column.data_type() != &DataType::UInt64;
        let bare = column.data_type().is_numeric() || column.data_type() == &DataType::Boolean;
        let to = if integer { DataType::Int64 } else { DataType::Utf8 };
        let cells = cast(column, &to).map_err(|error| not_text(&error))?;
        Ok(match (integer, bare) {
            (true, _) => Self::Int(cells.as_primitive::<Int64Type>().clone()),
            (_, true) => Self::Bare(cells.as_string::<i32>().clone()),
            _ => Self::Text(cells.as_string::<i32>().clone()),
        })
    }

    /// An empty cell is null; empty text is quoted.
    fn write_csv(&self, row: usize, write_text: WriteText, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Int(cells) if cells.is_valid(row) => write_json(&cells.value(row), out)?,
            Self::Bare(cells) if cells.is_valid(row) => out.extend_from_slice(cells.value(row).as_bytes()),
            Self::Text(cells) if cells.is_valid(row) => write_text(cells.value(row), out),
            Self::Nested(cells) => cells.get(row).into_iter().for_each(|text| write_text(text, out)),
            _ => {}
        }
        Ok(())
    }

    fn write_json(&self, row: usize, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Int(cells) if cells.is_valid(row) => write_json(&cells.value(row), out),
            Self::Text(cells) if cells.is_valid(row) => write_json(cells.value(row), out),
            Self::Bare(cells) if cells.is_valid(row) && is_json(cells.value(row)) => {
                out.extend_from_slice(cells.value(row).as_bytes());
                Ok(())
            }
            Self::Nested(cells) if cells.get(row).is_some() => {
                out.extend_from_slice(cells.get(row).unwrap_or_default().as_bytes());
                Ok(())
            }
            _ => write_json(&(), out),
        }
    }
}

/// Writes a text as a cell.
type WriteText = fn(&str, &mut Vec<u8>);

/// The line of column names.
pub fn csv_header(schema: &Schema) -> Vec<u8> {
    header(schema, write_csv_text)
}

/// The same where no text is a formula.
pub fn escaped_csv_header(schema: &Schema) -> Vec<u8> {
    header(schema, write_escaped_text)
}

fn header(schema: &Schema, write_text: WriteText) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, field) in schema.fields().iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write_text(field.name(), &mut out);
    }
    out.push(b'\n');
    out
}

/// The lines of a chunk, and their number.
pub fn csv(batch: &RecordBatch) -> Result<(Vec<u8>, usize)> {
    lines(batch, write_csv_text)
}

/// The same where no text is a formula.
pub fn escaped_csv(batch: &RecordBatch) -> Result<(Vec<u8>, usize)> {
    lines(batch, write_escaped_text)
}

fn lines(batch: &RecordBatch, write_text: WriteText) -> Result<(Vec<u8>, usize)> {
    let columns = batch.columns().iter().map(Cells::new).collect::<Result<Vec<_>>>()?;
    let mut out = Vec::new();
    for row in 0..batch.num_rows() {
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            column.write_csv(row, write_text, &mut out)?;
        }
        out.push(b'\n');
    }
    Ok((out, batch.num_rows()))
}

/// The objects of a chunk, one per line, and their number.
pub fn json(batch: &RecordBatch) -> Result<(Vec<u8>, usize)> {
    let columns = batch.columns().iter().map(Cells::new).collect::<Result<Vec<_>>>()?;
    let names = json_names(batch.schema_ref())?;
    let mut out = Vec::new();
    for row in 0..batch.num_rows() {
        for (name, column) in names.iter().zip(&columns) {
            out.extend_from_slice(name);
            column.write_json(row, &mut out)?;
        }
        out.extend_from_slice(b"}\n");
    }
    Ok((out, batch.num_rows()))
}

/// What is written before each value: a brace or a comma, the name and a colon.
fn json_names(schema: &Schema) -> Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for (i, field) in schema.fields().iter().enumerate() {
        let mut name = vec![if i == 0 { b'{' } else { b',' }];
        write_json(field.name(), &mut name)?;
        name.push(b':');
        names.push(name);
    }
    Ok(names)
}

fn write_csv_text(text: &str, out: &mut Vec<u8>) {
    if !text.is_empty() && !text.bytes().any(|byte| matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
        return out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// A text that is a formula has an apostrophe before it, which spreadsheets take for the sign of a text.
fn write_escaped_text(text: &str, out: &mut Vec<u8>) {
    if is_formula(text) { write_csv_text(&format!("'{text}"), out) } else { write_csv_text(text, out) }
}

/// Signs that formulas begin with, and those that spreadsheets leave out before them.
const FORMULAS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Whether a spreadsheet would compute a text: it begins as formulas do, and is more than a number.
fn is_formula(text: &str) -> bool {
    text.starts_with(FORMULAS) && text.parse::<f64>().is_err()
}

fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(out.by_ref(), value).map_err(|error| Error::internal(error.to_string()))
}

/// JSON cannot express NaN and infinities.
fn is_json(bare: &str) -> bool {
    !matches!(bare, "NaN" | "inf" | "-inf")
}

fn not_text(error: &ArrowError) -> Error {
    Error::internal(format!("cannot write a column as text: {error}"))
}
