//! The types of columns: as a table of entities has them, as rules see them, and what two of them have in common.

use std::sync::Arc;

use arrow_schema::DataType::{self, *};
use arrow_schema::{Field, FieldRef};

/// A list of elements that may be null.
pub fn list_of(element: DataType) -> DataType {
    List(Arc::new(Field::new("item", element, true)))
}

/// The type of a column without its encoding.
pub fn kept_type(physical: &DataType) -> DataType {
    match physical {
        Dictionary(_, values) => kept_type(values),
        RunEndEncoded(_, values) => kept_type(values.data_type()),
        LargeUtf8 | Utf8View => Utf8,
        LargeBinary | BinaryView => Binary,
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) | FixedSizeList(item, _) => {
            list_of(kept_type(item.data_type()))
        }
        Struct(fields) => Struct(fields.iter().map(plain_field).collect()),
        Map(entries, sorted) => Map(plain_field(entries), *sorted),
        other => other.clone(),
    }
}

fn plain_field(field: &FieldRef) -> FieldRef {
    Arc::new(Field::new(field.name(), kept_type(field.data_type()), field.is_nullable()))
}

/// The type that rules see: text for times, 64-bit integers for whole decimals that fit.
pub fn rule_type(kept: &DataType) -> DataType {
    match kept {
        Timestamp(..) | Time32(_) | Time64(_) | Null => Utf8,
        Date64 => Date32,
        Float16 => Float32,
        Decimal32(digits, scale) | Decimal64(digits, scale) | Decimal128(digits, scale) | Decimal256(digits, scale) => {
            decimal(*digits, *scale)
        }
        List(item) => list_of(rule_type(item.data_type())),
        other => other.clone(),
    }
}

fn decimal(digits: u8, scale: i8) -> DataType {
    match (digits, scale) {
        (..=18, 0) => Int64,
        (..=38, _) => Decimal128(digits, scale),
        _ => Decimal256(digits, scale),
    }
}

/// The type of a column that has these types in different inputs.
pub fn common_type(kept: &[DataType]) -> DataType {
    let mut common = kept[0].clone();
    for other in &kept[1..] {
        if !same_type(&common, other) {
            common = met(&rule_type(&common), &rule_type(other));
        }
    }
    common
}

/// The least type that holds both: exact ones a decimal, numbers a float, and else text.
fn met(a: &DataType, b: &DataType) -> DataType {
    let both = [a, b];
    match (a, b) {
        _ if same_type(a, b) => a.clone(),
        (List(a), List(b)) => list_of(met(a.data_type(), b.data_type())),
        _ if both.iter().all(|of| of.is_unsigned_integer()) => UInt64,
        _ if both.iter().all(|of| of.is_integer() && **of != UInt64) => Int64,
        _ => match (digits(a), digits(b)) {
            (Some(a), Some(b)) => {
                let (before, behind) = (a.0.max(b.0), a.1.max(b.1));
                decimal((before + behind).min(76) as u8, behind as i8)
            }
            _ if a.is_numeric() && b.is_numeric() => Float64,
            _ => Utf8,
        },
    }
}

/// Digits before and behind the point.
fn digits(of: &DataType) -> Option<(i16, i16)> {
    match of {
        Int8 | UInt8 => Some((3, 0)),
        Int16 | UInt16 => Some((5, 0)),
        Int32 | UInt32 => Some((10, 0)),
        Int64 => Some((19, 0)),
        UInt64 => Some((20, 0)),
        Decimal128(all, scale) | Decimal256(all, scale) => {
            Some((i16::from(*all) - i16::from(*scale), i16::from(*scale)))
        }
        _ => None,
    }
}

/// Whether two types are the same but for the names of elements and what may be null.
pub fn same_type(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (List(a), List(b)) => same_type(a.data_type(), b.data_type()),
        (Map(a, _), Map(b, _)) => same_type(a.data_type(), b.data_type()),
        (Struct(a), Struct(b)) => {
            let same = |(a, b): (&FieldRef, &FieldRef)| same_type(a.data_type(), b.data_type());
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (a, b) => a == b,
    }
}

/// Whether a column holds texts, or lists of them at any depth.
pub fn is_text_list(kept: &DataType) -> bool {
    match kept {
        Utf8 => true,
        List(item) => is_text_list(item.data_type()),
        _ => false,
    }
}
