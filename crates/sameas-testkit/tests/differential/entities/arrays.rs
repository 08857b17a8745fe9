//! Values as Arrow arrays, and arrays as values.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, FixedSizeBinaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Float16Array, Float32Array, Float64Array, ListArray, MapArray,
    PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, FieldRef, Fields, TimeUnit};
use sameas_testkit::entities::{Item, Whole, kept_type};

/// An array of a physical type.
pub(super) fn array(physical: &DataType, items: &[Item]) -> ArrayRef {
    let kept = kept_type(physical);
    let plain = plain_array(&kept, items);
    if *physical == kept { plain } else { cast(&plain, physical).unwrap() }
}

/// The values of an array.
pub(super) fn items(array: &ArrayRef) -> Vec<Item> {
    let kept = kept_type(array.data_type());
    let plain = if *array.data_type() == kept { array.clone() } else { cast(array, &kept).unwrap() };
    (0..plain.len()).map(|row| if plain.is_null(row) { Item::Null } else { item(&plain, row) }).collect()
}

/// Calls a function with the type of Arrow that stores a type of integers, decimals, dates or times.
macro_rules! with_primitive {
    ($data_type:expr, $function:ident($($argument:expr),*)) => {
        match $data_type {
            DataType::Int8 => $function::<Int8Type>($($argument),*),
            DataType::Int16 => $function::<Int16Type>($($argument),*),
            DataType::Int32 => $function::<Int32Type>($($argument),*),
            DataType::Int64 => $function::<Int64Type>($($argument),*),
            DataType::UInt8 => $function::<UInt8Type>($($argument),*),
            DataType::UInt16 => $function::<UInt16Type>($($argument),*),
            DataType::UInt32 => $function::<UInt32Type>($($argument),*),
            DataType::UInt64 => $function::<UInt64Type>($($argument),*),
            DataType::Decimal32(..) => $function::<Decimal32Type>($($argument),*),
            DataType::Decimal64(..) => $function::<Decimal64Type>($($argument),*),
            DataType::Decimal128(..) => $function::<Decimal128Type>($($argument),*),
            DataType::Date32 => $function::<Date32Type>($($argument),*),
            DataType::Date64 => $function::<Date64Type>($($argument),*),
            DataType::Time32(TimeUnit::Second) => $function::<Time32SecondType>($($argument),*),
            DataType::Time32(_) => $function::<Time32MillisecondType>($($argument),*),
            DataType::Time64(TimeUnit::Microsecond) => $function::<Time64MicrosecondType>($($argument),*),
            DataType::Time64(_) => $function::<Time64NanosecondType>($($argument),*),
            DataType::Timestamp(TimeUnit::Second, _) => $function::<TimestampSecondType>($($argument),*),
            DataType::Timestamp(TimeUnit::Millisecond, _) => $function::<TimestampMillisecondType>($($argument),*),
            DataType::Timestamp(TimeUnit::Microsecond, _) => $function::<TimestampMicrosecondType>($($argument),*),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => $function::<TimestampNanosecondType>($($argument),*),
            DataType::Duration(TimeUnit::Second) => $function::<DurationSecondType>($($argument),*),
            DataType::Duration(TimeUnit::Millisecond) => $function::<DurationMillisecondType>($($argument),*),
            DataType::Duration(TimeUnit::Microsecond) => $function::<DurationMicrosecondType>($($argument),*),
            DataType::Duration(TimeUnit::Nanosecond) => $function::<DurationNanosecondType>($($argument),*),
            other => panic!("no values of {other} are compared"),
        }
    };
}

fn plain_array(kept: &DataType, items: &[Item]) -> ArrayRef {
    match kept {
        DataType::Boolean => Arc::new(items.iter().map(truth).collect::<BooleanArray>()),
        DataType::Utf8 => Arc::new(items.iter().map(text).collect::<StringArray>()),
        DataType::Float16 => Arc::new(items.iter().map(|item| Some(half(float(item)?))).collect::<Float16Array>()),
        DataType::Float32 => Arc::new(items.iter().map(|item| Some(float(item)? as f32)).collect::<Float32Array>()),
        DataType::Float64 => Arc::new(items.iter().map(float).collect::<Float64Array>()),
        DataType::Binary => {
            let mut bytes_of = BinaryBuilder::new();
            items.iter().for_each(|item| bytes_of.append_option(bytes(item)));
            Arc::new(bytes_of.finish())
        }
        DataType::FixedSizeBinary(size) => {
            let mut bytes_of = FixedSizeBinaryBuilder::new(*size);
            for item in items {
                match bytes(item) {
                    Some(bytes) => bytes_of.append_value(bytes).unwrap(),
                    None => bytes_of.append_null(),
                }
            }
            Arc::new(bytes_of.finish())
        }
        DataType::List(field) => Arc::new(lists(field, items)),
        DataType::Struct(fields) => Arc::new(structs(fields, items)),
        DataType::Map(entries, sorted) => Arc::new(maps(entries, *sorted, items)),
        DataType::Decimal256(..) => {
            let wide = items.iter().map(|item| whole(item).copied()).collect::<PrimitiveArray<Decimal256Type>>();
            Arc::new(wide.with_data_type(kept.clone()))
        }
        other => with_primitive!(other, wholes(other, items)),
    }
}

fn half(value: f64) -> <Float16Type as ArrowPrimitiveType>::Native {
    <Float16Type as ArrowPrimitiveType>::Native::from_f64(value)
}

fn wholes<T: ArrowPrimitiveType<Native: TryFrom<i128>>>(of: &DataType, items: &[Item]) -> ArrayRef {
    let native = |item: &Item| T::Native::try_from(whole(item)?.to_i128().expect("drawn for this type")).ok();
    let array: PrimitiveArray<T> = items.iter().map(native).collect();
    assert_eq!(array.null_count(), items.iter().filter(|item| item.is_null()).count(), "a value of {of} does not fit");
    Arc::new(array.with_data_type(of.clone()))
}

fn truth(item: &Item) -> Option<bool> {
    match item {
        Item::Bool(value) => Some(*value),
        _ => None,
    }
}

fn text(item: &Item) -> Option<&str> {
    match item {
        Item::Text(text) => Some(text),
        _ => None,
    }
}

fn float(item: &Item) -> Option<f64> {
    match item {
        Item::Float(value) => Some(*value),
        _ => None,
    }
}

fn bytes(item: &Item) -> Option<&[u8]> {
    match item {
        Item::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn whole(item: &Item) -> Option<&Whole> {
    match item {
        Item::Whole(value) => Some(value),
        _ => None,
    }
}

fn elements(item: &Item) -> &[Item] {
    match item {
        Item::List(items) | Item::Fields(items) => items,
        _ => &[],
    }
}

fn valid(items: &[Item]) -> Option<NullBuffer> {
    Some(items.iter().map(|item| !item.is_null()).collect())
}

fn offsets(items: &[Item]) -> (OffsetBuffer<i32>, Vec<Item>) {
    let lengths = items.iter().map(|item| elements(item).len());
    (OffsetBuffer::from_lengths(lengths), items.iter().flat_map(elements).cloned().collect())
}

fn lists(field: &FieldRef, items: &[Item]) -> ListArray {
    let (offsets, values) = offsets(items);
    ListArray::new(field.clone(), offsets, plain_array(field.data_type(), &values), valid(items))
}

fn structs(fields: &Fields, items: &[Item]) -> StructArray {
    let column = |(at, field): (usize, &FieldRef)| {
        let empty = [Item::whole(0), Item::text("")];
        // What is below a null that must not be null.
        let missing = if field.is_nullable() {
            Item::Null
        } else {
            empty[usize::from(*field.data_type() == DataType::Utf8)].clone()
        };
        let values: Vec<Item> = items.iter().map(|item| elements(item).get(at).unwrap_or(&missing).clone()).collect();
        plain_array(field.data_type(), &values)
    };
    let columns = fields.iter().enumerate().map(column).collect();
    StructArray::try_new_with_length(fields.clone(), columns, valid(items), items.len()).unwrap()
}

fn maps(entries: &FieldRef, sorted: bool, items: &[Item]) -> MapArray {
    let DataType::Struct(fields) = entries.data_type() else { panic!("a map has entries: {entries}") };
    let (offsets, values) = offsets(items);
    let values = StructArray::try_new_with_length(
        fields.clone(),
        structs(fields, &values).columns().to_vec(),
        None,
        values.len(),
    );
    MapArray::new(entries.clone(), offsets, values.unwrap(), valid(items), sorted)
}

fn item(array: &ArrayRef, row: usize) -> Item {
    match array.data_type() {
        DataType::Boolean => Item::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => Item::text(array.as_string::<i32>().value(row)),
        DataType::Float16 => Item::Float(array.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => Item::Float(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => Item::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Binary => Item::Bytes(array.as_binary::<i32>().value(row).to_vec()),
        DataType::FixedSizeBinary(_) => Item::Bytes(array.as_fixed_size_binary().value(row).to_vec()),
        DataType::List(_) => Item::List(items(&array.as_list::<i32>().value(row))),
        DataType::Map(..) => {
            let entries: ArrayRef = Arc::new(array.as_map().value(row));
            Item::List(items(&entries))
        }
        DataType::Struct(_) => {
            let field = |column: &ArrayRef| items(&column.slice(row, 1)).remove(0);
            Item::Fields(array.as_struct().columns().iter().map(field).collect())
        }
        DataType::Decimal256(..) => Item::Whole(array.as_primitive::<Decimal256Type>().value(row)),
        other => with_primitive!(other, whole_at(array, row)),
    }
}

fn whole_at<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &ArrayRef, row: usize) -> Item {
    Item::whole(array.as_primitive::<T>().value(row).into())
}

/// A field of a schema that may be null.
pub(super) fn field(name: &str, physical: &DataType) -> Field {
    Field::new(name, physical.clone(), true)
}

#[test]
fn values_come_back() {
    use sameas_testkit::random::entities::entity_case;
    let mut types = std::collections::BTreeSet::new();
    for seed in 0..400 {
        for column in entity_case(seed).inputs.iter().flat_map(|input| &input.columns) {
            let made = array(&column.physical, &column.items);
            assert_eq!(made.data_type(), &column.physical, "seed {seed}");
            assert_eq!(items(&made), column.items, "seed {seed}: {} {}", column.name, column.physical);
            types.insert(format!("{:?}", column.physical));
        }
    }
    assert!(types.len() > 60, "{types:?}");
}
