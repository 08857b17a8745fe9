//! Hashes of values: equal values have equal ones, and a missing value has one, too.

use std::hash::BuildHasher;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use foldhash::fast::FixedState;

/// The hash of the value of a row.
pub type ValueHash = Box<dyn Fn(u32) -> u64 + Send + Sync>;

/// The hashes of the combinations of some columns, if their values have any: those of lists and objects have none.
pub fn hashes(columns: &[ArrayRef]) -> Option<ValueHash> {
    let mut of_columns = columns.iter().map(of_column).collect::<Option<Vec<ValueHash>>>()?;
    if of_columns.len() == 1 {
        return of_columns.pop();
    }
    let hasher = FixedState::default();
    Some(Box::new(move |row| hasher.hash_one(of_columns.iter().map(|hash| hash(row)).collect::<Vec<u64>>())))
}

fn of_column(column: &ArrayRef) -> Option<ValueHash> {
    let hasher = FixedState::default();
    let nulls = column.logical_nulls();
    let is_missing = move |row: usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
    if *column.data_type() == DataType::Utf8 {
        let texts = column.as_string::<i32>().clone();
        return Some(Box::new(move |row| match is_missing(row as usize) {
            true => 0,
            false => hasher.hash_one(texts.value(row as usize).as_bytes()),
        }));
    }
    // Values of one width are equal where their bytes are.
    let width = column.data_type().primitive_width()?;
    let data = column.to_data();
    let (bytes, first) = (data.buffers().first()?.clone(), data.offset());
    Some(Box::new(move |row| match is_missing(row as usize) {
        true => 0,
        false => {
            let from = (first + row as usize) * width;
            hasher.hash_one(&bytes[from..from + width])
        }
    }))
}
