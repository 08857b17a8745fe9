//! Makes columns of results.

use arrow_array::StringArray;
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};

use super::argument::Args;
use super::cell::{self, Cell};
use crate::cancel::{Cancel, end, or_end};
use crate::error::{Error, ErrorCode};
use crate::expr::{Num, NumberVector, Type, Vector};

/// A condition for each row.
pub(crate) fn bools(rows: usize, value: impl FnMut(usize) -> Option<bool>) -> Vector {
    Vector::Bool((0..rows).map(value).collect())
}

/// A number for each row.
pub(crate) fn numbers(rows: usize, value: impl FnMut(usize) -> Option<Num>) -> Vector {
    Vector::Number((0..rows).map(value).collect())
}

/// A text for each row: `write` appends it to the text it is given, and what it appended before it
/// returned `None` (null) is dropped. `bytes` is the expected size of all texts together.
pub(crate) fn texts(args: &Args<'_>, bytes: usize, write: impl FnMut(usize, &mut String) -> Option<()>) -> Vector {
    write_texts(args.rows(), args.cancel(), bytes, write)
}

/// The same without arguments.
pub(super) fn write_texts(
    rows: usize,
    cancel: Cancel<'_>,
    bytes: usize,
    mut write: impl FnMut(usize, &mut String) -> Option<()>,
) -> Vector {
    // An estimate that no array can hold is ignored.
    let bytes = if i32::try_from(bytes).is_ok() { bytes } else { 0 };
    let mut held = cancel.hold(bytes);
    let mut data = String::with_capacity(bytes);
    let mut offsets = Vec::with_capacity(rows + 1);
    let mut valid = NullBufferBuilder::new(rows);
    offsets.push(0);
    for row in 0..rows {
        let start = data.len();
        let written = write(row, &mut data).is_some();
        if !written {
            data.truncate(start);
        }
        valid.append(written);
        or_end(held.grow(data.len()));
        offsets.push(i32::try_from(data.len()).unwrap_or_else(|_| end(too_long(rows))));
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Vector::Text(StringArray::new(offsets, Buffer::from(data.into_bytes()), valid.finish()))
}

/// The error for texts that no array holds.
pub(super) fn too_long(rows: usize) -> Error {
    Error::resource(format!("the texts that an expression makes of {rows} records take 2 GiB or more"))
        .with_help("make the texts shorter: `replace`, `regexp_replace` or `||` blow them up")
        .with_code(ErrorCode::MemoryLimit)
}

/// The first value of a vector, `rows` times.
pub(super) fn repeat(values: &Vector, rows: usize, cancel: Cancel<'_>) -> Vector {
    match values {
        Vector::Null(_) => Vector::Null(rows),
        Vector::Bool(values) => Vector::Bool(vec![values[0]; rows]),
        Vector::Number(values) => Vector::Number(NumberVector::repeated(values.get(0), rows)),
        Vector::Date(values) => Vector::Date(vec![values[0]; rows]),
        Vector::TextList(values) => Vector::TextList(vec![values[0].clone(); rows]),
        Vector::NumberList(values) => Vector::NumberList(vec![values[0].clone(); rows]),
        Vector::Text(_) => match cell::at(values, 0) {
            Some(Cell::Text(text)) => write_texts(rows, cancel, text.len().saturating_mul(rows), |_, out| {
                out.push_str(text);
                Some(())
            }),
            _ => Vector::Text(StringArray::new_null(rows)),
        },
    }
}

/// Gives the nulls of the literal `null` the type of the expression.
pub(super) fn typed(values: Vector, ty: Type) -> Vector {
    match (values, ty) {
        (Vector::Null(rows), Type::Bool) => Vector::Bool(vec![None; rows]),
        (Vector::Null(rows), Type::Text) => Vector::Text(StringArray::new_null(rows)),
        (Vector::Null(rows), Type::Number | Type::Decimal) => Vector::Number(NumberVector::repeated(None, rows)),
        (Vector::Null(rows), Type::Date) => Vector::Date(vec![None; rows]),
        (Vector::Null(rows), Type::TextList) => Vector::TextList(vec![None; rows]),
        (Vector::Null(rows), Type::NumberList) => Vector::NumberList(vec![None; rows]),
        (values, _) => values,
    }
}
