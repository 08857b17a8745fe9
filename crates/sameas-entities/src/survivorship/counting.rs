//! Which values are there: not missing, and no NaN.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, PrimitiveArray, UInt32Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;

/// A column in which NaN is missing.
pub fn without_nan(column: &ArrayRef) -> ArrayRef {
    macro_rules! without {
        ($type:ty) => {{
            let values = column.as_primitive::<$type>();
            if !values.values().iter().any(|value| value.is_nan()) {
                return column.clone();
            }
            let numbers = BooleanBuffer::collect_bool(values.len(), |row| !values.value(row).is_nan());
            let nulls = NullBuffer::union(values.nulls(), Some(&NullBuffer::new(numbers)));
            Arc::new(PrimitiveArray::<$type>::new(values.values().clone(), nulls))
        }};
    }
    match column.data_type() {
        DataType::Float16 => without!(Float16Type),
        DataType::Float32 => without!(Float32Type),
        DataType::Float64 => without!(Float64Type),
        _ => column.clone(),
    }
}

/// How many of some columns have a value in each row; NaN is none.
pub fn filled_columns(columns: &[ArrayRef], rows: usize) -> UInt32Array {
    let mut filled = vec![0_u32; rows];
    for column in columns {
        match without_nan(column).logical_nulls() {
            None => filled.iter_mut().for_each(|filled| *filled += 1),
            Some(nulls) => filled.iter_mut().zip(nulls.iter()).for_each(|(filled, is)| *filled += u32::from(is)),
        }
    }
    UInt32Array::from(filled)
}

/// The rows that have a value in one of some columns at least, and for which a condition holds, if there is one.
pub fn counting_rows(columns: &[ArrayRef], condition: Option<&ArrayRef>, rows: usize) -> BooleanBuffer {
    let mut some = BooleanBuffer::new_unset(rows);
    for column in columns {
        some = match column.logical_nulls() {
            None => BooleanBuffer::new_set(rows),
            Some(nulls) => &some | nulls.inner(),
        };
    }
    match condition.map(|condition| condition.as_boolean()) {
        None => some,
        Some(holds) => {
            let holds = match holds.nulls() {
                None => holds.values().clone(),
                Some(nulls) => holds.values() & nulls.inner(),
            };
            &some & &holds
        }
    }
}
