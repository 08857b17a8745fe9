//! Few types instead of many: text is `Utf8`, lists are `List`, times are ISO text, empty text is null, and so are texts
//! that the user has named as null.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, StringArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType, Field, FieldRef, Schema};

use super::slices::part;
use crate::records::null_texts::NullTexts;

/// Decimals of this many digits fit 64-bit integers.
const MAX_INTEGER_DIGITS: u8 = 18;

/// The type in which the engine sees a column of type `physical`.
///
/// Types that rules cannot use (nested objects, binary data) stay, and [`unusable`] reports them.
pub(super) fn type_of(physical: &DataType) -> DataType {
    use DataType::*;
    match physical {
        Dictionary(_, value) => type_of(value),
        RunEndEncoded(_, value) => type_of(value.data_type()),
        Utf8 | LargeUtf8 | Utf8View | Timestamp(..) | Time32(_) | Time64(_) => Utf8,
        Date64 => Date32,
        Float16 => Float32,
        Decimal32(digits, scale) | Decimal64(digits, scale) | Decimal128(digits, scale) | Decimal256(digits, scale) => {
            decimal(*digits, *scale)
        }
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) | FixedSizeList(item, _) => {
            list_of(type_of(item.data_type()))
        }
        other => other.clone(),
    }
}

/// The type of decimals of a number of digits, of which `scale` are behind the point. A negative scale, which files and
/// tables do not have, becomes zeros before the point as long as these fit.
pub(super) fn decimal(digits: u8, scale: i8) -> DataType {
    match (scale, digits.saturating_add(scale.min(0).unsigned_abs())) {
        (0, ..=MAX_INTEGER_DIGITS) => DataType::Int64,
        // More digits than integers have: this type is its own normal type.
        (..0, ..=MAX_INTEGER_DIGITS) => DataType::Decimal128(MAX_INTEGER_DIGITS + 1, 0),
        (_, all @ ..=DECIMAL128_MAX_PRECISION) => DataType::Decimal128(all, scale.max(0)),
        (_, all @ ..=DECIMAL256_MAX_PRECISION) => DataType::Decimal256(all, scale.max(0)),
        _ => DataType::Decimal256(digits, scale),
    }
}

/// A nullable list of nullable elements, which is the only kind of list there is.
pub(super) fn list_of(element: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(element, true)))
}

/// What a column of this (normal) type holds, if rules cannot use it.
pub(super) fn unusable(normal: &DataType) -> Option<String> {
    use DataType::*;
    match normal {
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => Some("binary data".to_owned()),
        Struct(_) | Map(..) | Union(..) => Some("nested objects".to_owned()),
        Duration(_) | Interval(_) => Some(format!("values of type {normal}")),
        List(item) => unusable(item.data_type()).map(|what| format!("lists of {what}")),
        _ => None,
    }
}

/// `column` as `target`, which is its normal type or one that several files agreed on, with empty text as null, and `nulls` too.
pub(super) fn column(column: ArrayRef, target: &DataType, nulls: &NullTexts) -> Result<ArrayRef, ArrowError> {
    let normal = type_of(column.data_type());
    let column = if *column.data_type() == normal { column } else { converted(&column, &normal)? };
    let column = if normal == *target { column } else { exact(&column, target)? };
    Ok(without_missing_texts(column, nulls))
}

/// The column with empty text as null, and `nulls` too.
pub(super) fn without_missing_texts(column: ArrayRef, nulls: &NullTexts) -> ArrayRef {
    let column = without_empty_text(column);
    if nulls.is_empty() { column } else { without_null_texts(column, nulls) }
}

/// Columns of the caller as the engine sees them.
pub(in crate::records) struct EngineTypes;

impl EngineTypes {
    /// The same columns with the types that the engine sees.
    pub(in crate::records) fn schema(schema: &Schema) -> Schema {
        let normal = |field: &FieldRef| Field::new(field.name(), type_of(field.data_type()), true);
        Schema::new(schema.fields().iter().map(normal).collect::<Vec<_>>())
    }

    /// Whether rules can use a column of this type.
    pub(in crate::records) fn can_use(data_type: &DataType) -> bool {
        unusable(&type_of(data_type)).is_none()
    }

    /// A column of this many rows in such a type.
    pub(in crate::records) fn column(array: &ArrayRef, rows: usize) -> Result<ArrayRef, ArrowError> {
        column(part(array, 0, rows)?, &type_of(array.data_type()), &NullTexts::default())
    }
}

/// A cast that fails rather than making a value null.
pub(super) fn exact(column: &ArrayRef, target: &DataType) -> Result<ArrayRef, ArrowError> {
    cast_with_options(column, target, &CastOptions { safe: false, ..CastOptions::default() })
}

fn converted(column: &ArrayRef, normal: &DataType) -> Result<ArrayRef, ArrowError> {
    match in_utc(column.data_type()) {
        Some(utc) => exact(&cast(column, &utc)?, normal),
        None => exact(column, normal),
    }
}

/// Times with a zone are written in UTC, so that one instant is one text; this is also right for zones known by name
/// only.
fn in_utc(physical: &DataType) -> Option<DataType> {
    use DataType::*;
    match physical {
        Timestamp(unit, Some(_)) => Some(Timestamp(*unit, Some("+00:00".into()))),
        Dictionary(_, value) => in_utc(value),
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) | FixedSizeList(item, _) => {
            in_utc(item.data_type()).map(list_of)
        }
        _ => None,
    }
}

fn without_empty_text(column: ArrayRef) -> ArrayRef {
    match column.data_type() {
        DataType::Utf8 => match text_nulls(column.as_string()) {
            Some(nulls) => {
                let text = column.as_string::<i32>();
                Arc::new(StringArray::new(text.offsets().clone(), text.values().clone(), Some(nulls)))
            }
            None => column,
        },
        DataType::List(item) if matches!(item.data_type(), DataType::Utf8 | DataType::List(_)) => {
            let (field, offsets, values, nulls) = column.as_list::<i32>().clone().into_parts();
            Arc::new(ListArray::new(field, offsets, without_empty_text(values), nulls))
        }
        _ => column,
    }
}

fn without_null_texts(column: ArrayRef, nulls: &NullTexts) -> ArrayRef {
    match column.data_type() {
        DataType::Utf8 => match nulls.removed_from(column.as_string()) {
            Some(texts) => Arc::new(texts),
            None => column,
        },
        DataType::List(item) if matches!(item.data_type(), DataType::Utf8 | DataType::List(_)) => {
            let (field, offsets, values, valid) = column.as_list::<i32>().clone().into_parts();
            Arc::new(ListArray::new(field, offsets, without_null_texts(values, nulls), valid))
        }
        _ => column,
    }
}

/// The nulls of `text` when empty values become null; nothing if there is no empty value.
fn text_nulls(text: &StringArray) -> Option<NullBuffer> {
    let offsets = text.offsets();
    let full = |row: usize| offsets[row] < offsets[row + 1];
    if (0..text.len()).all(|row| full(row) || text.is_null(row)) {
        return None;
    }
    let full = NullBuffer::new(BooleanBuffer::collect_bool(text.len(), full));
    NullBuffer::union(Some(&full), text.nulls())
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;
    use arrow_array::*;
    use arrow_buffer::i256;

    use super::*;

    fn normal(array: impl Array + 'static) -> ArrayRef {
        let target = type_of(array.data_type());
        column(Arc::new(array), &target, &NullTexts::default()).unwrap()
    }

    fn texts(array: &ArrayRef) -> Vec<Option<&str>> {
        array.as_string::<i32>().iter().collect()
    }

    #[test]
    fn text_of_every_kind_is_utf8_and_never_empty() {
        let values = [Some("a"), Some(""), None, Some("é")];
        let expected = [Some("a"), None, None, Some("é")];
        assert_eq!(texts(&normal(StringArray::from_iter(values))), expected);
        assert_eq!(texts(&normal(LargeStringArray::from_iter(values))), expected);
        assert_eq!(texts(&normal(StringViewArray::from_iter(values))), expected);
        assert_eq!(texts(&normal(DictionaryArray::<Int32Type>::from_iter(values))), expected);
        assert_eq!(texts(&normal(StringArray::from_iter(values).slice(1, 3))), expected[1..]);
    }

    #[test]
    fn times_are_iso_text_and_zones_are_utc() {
        let second = 1_717_156_800;
        let plain = TimestampSecondArray::from(vec![Some(second), None]);
        assert_eq!(texts(&normal(plain.clone())), [Some("2024-05-31T12:00:00"), None]);
        for zone in ["UTC", "America/New_York", "+02:00"] {
            assert_eq!(texts(&normal(plain.clone().with_timezone(zone))), [Some("2024-05-31T12:00:00Z"), None]);
        }
        let micros = TimestampMicrosecondArray::from(vec![second * 1_000_000 + 250_000]);
        assert_eq!(texts(&normal(micros)), [Some("2024-05-31T12:00:00.250")]);
        assert_eq!(texts(&normal(Time32SecondArray::from(vec![3_661]))), [Some("01:01:01")]);
    }

    #[test]
    fn numbers_and_dates() {
        let days = normal(Date64Array::from(vec![86_400_000 * 3]));
        assert_eq!(days.as_primitive::<types::Date32Type>().value(0), 3);
        let halves = normal(Float16Array::from(vec![half()]));
        assert_eq!(halves.as_primitive::<types::Float32Type>().value(0), 0.0);
        let whole = Decimal128Array::from(vec![12]).with_precision_and_scale(18, 0).unwrap();
        assert_eq!(normal(whole).as_primitive::<types::Int64Type>().value(0), 12);
        let money = Decimal128Array::from(vec![1250]).with_precision_and_scale(10, 2).unwrap();
        assert_eq!(normal(money).as_primitive::<types::Decimal128Type>().value_as_string(0), "12.50");
        let wide = Decimal256Array::from(vec![i256::from(7)]).with_precision_and_scale(40, 0).unwrap();
        assert_eq!(normal(wide).as_primitive::<types::Decimal256Type>().value_as_string(0), "7");
        let hundreds = Decimal32Array::from(vec![7]).with_precision_and_scale(5, -2).unwrap();
        assert_eq!(normal(hundreds).as_primitive::<types::Decimal128Type>().value_as_string(0), "700");
        let thousands = Decimal256Array::from(vec![i256::from(7)]).with_precision_and_scale(30, -3).unwrap();
        assert_eq!(normal(thousands).as_primitive::<types::Decimal128Type>().value_as_string(0), "7000");
        assert_eq!(normal(UInt64Array::from(vec![u64::MAX])).data_type(), &DataType::UInt64);
        assert_eq!(normal(Int8Array::from(vec![1])).data_type(), &DataType::Int8);
        assert_eq!(type_of(&DataType::Decimal32(9, -9)), DataType::Decimal128(19, 0));
        assert_eq!(type_of(&DataType::Decimal64(9, 2)), DataType::Decimal128(9, 2));
        assert_eq!(type_of(&DataType::Decimal256(76, -100)), DataType::Decimal256(76, -100));
    }

    fn half() -> <types::Float16Type as ArrowPrimitiveType>::Native {
        Default::default()
    }

    #[test]
    fn lists_of_every_kind_are_lists_without_empty_text() {
        let item = Arc::new(Field::new("element", DataType::LargeUtf8, false));
        let offsets = arrow_buffer::OffsetBuffer::new(vec![0i64, 2, 2, 3].into());
        let values: ArrayRef = Arc::new(LargeStringArray::from(vec!["a", "", "b"]));
        let large = LargeListArray::new(item, offsets, values, None);
        let list = normal(large.clone());
        assert_eq!(list.data_type(), &list_of(DataType::Utf8));
        assert_eq!(texts(&list.as_list::<i32>().value(0)), [Some("a"), None]);
        assert_eq!(list.as_list::<i32>().value_length(1), 0);
        let view = LargeListViewArray::from(large);
        assert_eq!(&normal(view), &list);
        let pairs = FixedSizeListArray::from_iter_primitive::<types::Float32Type, _, _>([Some([Some(1.0), None])], 2);
        assert_eq!(normal(pairs).data_type(), &list_of(DataType::Float32));
    }

    #[test]
    fn null_texts_are_null_in_lists_too() {
        let nulls = NullTexts::new(&["N/A".into()], true);
        let values: ArrayRef = Arc::new(LargeStringArray::from(vec!["a", "N/A", " ", "n/a"]));
        let cleaned = column(values.clone(), &DataType::Utf8, &nulls).unwrap();
        assert_eq!(texts(&cleaned), [Some("a"), None, None, Some("n/a")]);
        let item = Arc::new(Field::new("item", DataType::LargeUtf8, true));
        let lists = LargeListArray::new(item, arrow_buffer::OffsetBuffer::new(vec![0i64, 2, 4].into()), values, None);
        let cleaned = column(Arc::new(lists), &list_of(DataType::Utf8), &nulls).unwrap();
        assert_eq!(texts(&cleaned.as_list::<i32>().value(0)), [Some("a"), None]);
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
        assert_eq!(&column(numbers.clone(), &DataType::Int64, &nulls).unwrap(), &numbers);
    }

    #[test]
    fn what_rules_cannot_use_is_named() {
        assert_eq!(unusable(&type_of(&DataType::BinaryView)).unwrap(), "binary data");
        assert_eq!(unusable(&list_of(DataType::Struct(Default::default()))).unwrap(), "lists of nested objects");
        assert_eq!(unusable(&DataType::Boolean), None);
    }
}
