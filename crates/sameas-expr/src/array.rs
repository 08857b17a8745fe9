//! Values of expressions as Arrow arrays, for readers outside.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array, StringArray};
use arrow_schema::{DataType, Field};

use super::{Num, Type, Vector};

/// How values of a type are handed out.
pub fn array_type(ty: Type) -> DataType {
    let list = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
    match ty {
        Type::Bool => DataType::Boolean,
        Type::Date => DataType::Date32,
        Type::Number | Type::Decimal => DataType::Float64,
        Type::TextList => list(DataType::Utf8),
        Type::NumberList => list(DataType::Float64),
        Type::Null | Type::Text => DataType::Utf8,
    }
}

/// The values of parts of a column, one part after the other, all of this type.
pub fn array_of(ty: Type, parts: &[Vector]) -> ArrayRef {
    match ty {
        Type::Bool => Arc::new(parts.iter().flat_map(booleans).collect::<BooleanArray>()),
        Type::Date => Arc::new(parts.iter().flat_map(dates).collect::<Date32Array>()),
        Type::Number | Type::Decimal => Arc::new(parts.iter().flat_map(numbers).collect::<Float64Array>()),
        Type::TextList => text_lists(parts),
        Type::NumberList => number_lists(parts),
        Type::Null | Type::Text => Arc::new(parts.iter().flat_map(texts).collect::<StringArray>()),
    }
}

fn booleans(values: &Vector) -> impl Iterator<Item = Option<bool>> + '_ {
    (0..values.len()).map(move |row| if let Vector::Bool(values) = values { values[row] } else { None })
}

fn dates(values: &Vector) -> impl Iterator<Item = Option<i32>> + '_ {
    (0..values.len()).map(move |row| if let Vector::Date(values) = values { values[row] } else { None })
}

fn numbers(values: &Vector) -> impl Iterator<Item = Option<f64>> + '_ {
    let number = move |row| if let Vector::Number(values) = values { values.get(row).map(Num::to_f64) } else { None };
    (0..values.len()).map(number)
}

fn texts(values: &Vector) -> impl Iterator<Item = Option<String>> + '_ {
    (0..values.len()).map(|row| values.shown(row))
}

fn text_lists(parts: &[Vector]) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for part in parts {
        for row in 0..part.len() {
            let list = if let Vector::TextList(values) = part { values[row].as_ref() } else { None };
            list.into_iter().flat_map(|list| list.iter()).for_each(|text| lists.values().append_value(text));
            lists.append(list.is_some());
        }
    }
    Arc::new(lists.finish())
}

fn number_lists(parts: &[Vector]) -> ArrayRef {
    let mut lists = ListBuilder::new(Float64Builder::new());
    for part in parts {
        for row in 0..part.len() {
            let list = if let Vector::NumberList(values) = part { values[row].as_ref() } else { None };
            list.into_iter().flat_map(|list| list.iter()).for_each(|one| lists.values().append_value(one.to_f64()));
            lists.append(list.is_some());
        }
    }
    Arc::new(lists.finish())
}
