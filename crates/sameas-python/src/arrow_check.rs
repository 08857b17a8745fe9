//! What other libraries hand over by Arrow's C interface, before it is used: that types are not too deep, and that arrays hold
//! together. The importer trusts both.
//!
//! It takes a pass over offsets and keys. Whether texts are UTF-8 is left to the reader of a table, which looks at them where it
//! cuts columns into parts; only texts that it does not look at are looked at here. Nothing is copied. Of a slice nothing but
//! the slice is looked at, because a table may come in many of them.

use std::ops::Range;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_buffer::ArrowNativeType;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use sameas::{Error, Result};

/// Types inside each other, at most: they are taken apart by recursion, here and in other libraries.
const MOST_LEVELS: usize = 100;

/// Refuses types that are too deep.
pub fn check_type(schema: &FFI_ArrowSchema) -> Result<()> {
    // The columns of a table have names; a column alone may have one.
    let own = (schema.format() != "+s").then(|| schema.name().unwrap_or_default());
    let mut open = vec![(schema, 0, own)];
    while let Some((schema, level, column)) = open.pop() {
        if level > MOST_LEVELS {
            return Err(too_deep(column.unwrap_or_default()));
        }
        let inside = schema.children().chain(schema.dictionary());
        open.extend(inside.map(|child| (child, level + 1, column.or_else(|| child.name()))));
    }
    Ok(())
}

fn too_deep(column: &str) -> Error {
    let what = format!("the Arrow type of {} is more than {MOST_LEVELS} levels deep", called(column));
    Error::data(what).with_help("leave the column out, or take the values out of the inner lists")
}

/// Refuses an array that does not hold together: of a table, or one column called `name`.
pub fn check_array(data: &ArrayData, name: &str) -> Result<()> {
    let DataType::Struct(fields) = data.data_type() else {
        return check(data, ArrayPlace::Cut).map_err(|why| broken(name, &why));
    };
    let rows = data.offset().saturating_add(data.len());
    for (field, column) in fields.iter().zip(data.child_data()) {
        let checked = match column.len() < rows {
            true => Err(format!("it has {} rows of {rows}", column.len())),
            false => check(&column.slice(data.offset(), data.len()), ArrayPlace::Column),
        };
        checked.map_err(|why| broken(field.name(), &why))?;
    }
    Ok(())
}

fn called(column: &str) -> String {
    if column.is_empty() { "a column".to_owned() } else { format!("column `{column}`") }
}

fn broken(column: &str, why: &str) -> Error {
    Error::data(format!("the Arrow array of {} is not valid: {why}", called(column)))
        .with_help("the library that gave it has made a mistake: convert the column there, or give a file")
}

/// Where an array is, which says who looks at its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArrayPlace {
    /// A column of a table: the reader of the table does.
    Column,
    /// A column alone, or what is in lists: the reader does, but not at views.
    Cut,
    /// What is in anything else: nobody does.
    Inside,
}

/// What is wrong with an array. With an empty one nothing is: its offsets may be those of an array that it was cut from.
fn check(data: &ArrayData, place: ArrayPlace) -> std::result::Result<(), String> {
    use ArrayPlace::{Column, Cut};
    if data.is_empty() {
        return Ok(());
    }
    match (data.data_type(), place) {
        (DataType::Utf8, Column | Cut) => offsets::<i32>(data).map(drop),
        (DataType::LargeUtf8, Column | Cut) => offsets::<i64>(data).map(drop),
        (DataType::Utf8View, Column) => Ok(()),
        (DataType::List(_), _) => lists::<i32>(data, place),
        (DataType::LargeList(_), _) => lists::<i64>(data, place),
        (DataType::ListView(_), _) => list_views::<i32>(data),
        (DataType::LargeListView(_), _) => list_views::<i64>(data),
        (DataType::FixedSizeList(_, length), _) => fixed_lists(data, *length),
        (DataType::Dictionary(key, _), _) => dictionary(data, key, place),
        (DataType::RunEndEncoded(..), _) => runs(data),
        // Rules cannot read them.
        (DataType::Struct(_) | DataType::Map(..) | DataType::Union(..), _) => Ok(()),
        _ => values(data),
    }
}

/// The values of an array that has no others inside: whether texts are UTF-8, and keys have a value.
fn values(data: &ArrayData) -> std::result::Result<(), String> {
    data.validate_values().map_err(|error| error.to_string())
}

/// Where the values of all rows lie, if each row begins where the one before it ends.
fn offsets<T: ArrowNativeType>(data: &ArrayData) -> std::result::Result<Range<usize>, String> {
    let offsets = &data.buffer::<T>(0)[..=data.len()];
    if !offsets.is_sorted() {
        let row = offsets.windows(2).position(|ends| ends[0] > ends[1]).unwrap_or_default();
        return Err(format!("row {} ends before it begins", row + 1));
    }
    let ends = offsets[0].to_usize().zip(offsets[data.len()].to_usize());
    ends.map(|(first, last)| first..last).ok_or_else(|| "row 1 begins before its values".to_owned())
}

fn lists<T: ArrowNativeType>(data: &ArrayData, place: ArrayPlace) -> std::result::Result<(), String> {
    let (range, items) = (offsets::<T>(data)?, &data.child_data()[0]);
    if range.end > items.len() {
        return Err(format!("row {} ends behind its values", data.len()));
    }
    let inside = if place == ArrayPlace::Inside { ArrayPlace::Inside } else { ArrayPlace::Cut };
    check(&items.slice(range.start, range.len()), inside)
}

fn list_views<T: ArrowNativeType>(data: &ArrayData) -> std::result::Result<(), String> {
    let items = &data.child_data()[0];
    let [starts, lengths] = [0, 1].map(|buffer| &data.buffer::<T>(buffer)[..data.len()]);
    let fits = |row: usize| {
        let row = starts[row].to_usize().zip(lengths[row].to_usize());
        let end = row.and_then(|(start, length)| start.checked_add(length));
        end.is_some_and(|end| end <= items.len())
    };
    match (0..data.len()).find(|row| !fits(*row)) {
        Some(row) => Err(format!("row {} lies outside its values", row + 1)),
        None => check(items, ArrayPlace::Inside),
    }
}

fn fixed_lists(data: &ArrayData, length: i32) -> std::result::Result<(), String> {
    let items = &data.child_data()[0];
    let count = |rows: usize| usize::try_from(length).ok()?.checked_mul(rows);
    let range = count(data.offset()).zip(count(data.len()));
    let fits = |(start, count): &(usize, usize)| start.checked_add(*count).is_some_and(|end| end <= items.len());
    match range.filter(fits) {
        Some((start, count)) => check(&items.slice(start, count), ArrayPlace::Inside),
        None => Err(format!("it has {} values for {} rows of {length}", items.len(), data.len())),
    }
}

fn dictionary(data: &ArrayData, key: &DataType, place: ArrayPlace) -> std::result::Result<(), String> {
    if !key.is_dictionary_key_type() {
        return Err(format!("its keys are of type {key}"));
    }
    values(data)?;
    let inside = if place == ArrayPlace::Column { ArrayPlace::Column } else { ArrayPlace::Inside };
    check(&data.child_data()[0], inside)
}

fn runs(data: &ArrayData) -> std::result::Result<(), String> {
    let [ends, items] = data.child_data() else { return Err("it has no runs".to_owned()) };
    if ends.len() != items.len() || !ends.data_type().is_run_ends_type() {
        return Err(format!("it has {} runs of type {} and {} values", ends.len(), ends.data_type(), items.len()));
    }
    values(data)?;
    check(items, ArrayPlace::Inside)
}
