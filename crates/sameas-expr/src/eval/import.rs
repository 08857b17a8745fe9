//! Input columns as expressions see them: empty texts, NaN and infinities are null.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, Float64Type, Int64Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, StringArray};
use arrow_buffer::i256;
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::nullif::nullif;

use crate::expr::{Decimal, Num, NumberItems, NumberVector, Type, Vector};

/// The type that values of an Arrow type have in expressions; `None` if expressions cannot use them.
pub fn type_of(data_type: &DataType) -> Option<Type> {
    match data_type {
        DataType::Null => Some(Type::Null),
        DataType::Utf8 => Some(Type::Text),
        DataType::Boolean => Some(Type::Bool),
        DataType::Date32 => Some(Type::Date),
        DataType::List(field) if field.data_type() == &DataType::Utf8 => Some(Type::TextList),
        DataType::List(field) if is_number(field.data_type()) => Some(Type::NumberList),
        other if other.is_decimal() => Some(Type::Decimal),
        other => is_number(other).then_some(Type::Number),
    }
}

fn is_number(data_type: &DataType) -> bool {
    data_type.is_integer() || data_type.is_floating() || data_type.is_decimal()
}

/// The values of an input column; all null where [`type_of`] knows no type.
pub fn vector_of(array: &ArrayRef) -> Vector {
    match type_of(array.data_type()) {
        None | Some(Type::Null) => Vector::Null(array.len()),
        Some(Type::Text) => Vector::Text(without_empty(array)),
        Some(Type::Bool) => Vector::Bool(array.as_boolean().iter().collect()),
        Some(Type::Date) => Vector::Date(array.as_primitive::<Date32Type>().iter().collect()),
        Some(Type::Number | Type::Decimal) => Vector::Number(numbers_of(array)),
        Some(Type::TextList) => Vector::TextList(lists(array, text_list)),
        Some(Type::NumberList) => Vector::NumberList(lists(array, number_list)),
    }
}

fn without_empty(array: &ArrayRef) -> StringArray {
    let texts = array.as_string::<i32>();
    if texts.offsets().lengths().all(|length| length > 0) {
        return texts.clone();
    }
    let empty: BooleanArray = texts.offsets().lengths().map(|length| Some(length == 0)).collect();
    // Only arrays of different lengths make this fail.
    nullif(texts, &empty).map_or_else(|_| texts.clone(), |array| array.as_string::<i32>().clone())
}

fn numbers_of(array: &ArrayRef) -> NumberVector {
    match array.data_type() {
        DataType::UInt64 => array.as_primitive::<UInt64Type>().iter().map(|value| value.map(unsigned)).collect(),
        data_type if data_type.is_integer() => integers(array).iter().map(|value| value.map(Num::Int)).collect(),
        data_type if data_type.is_decimal() => decimals(array).into_iter().collect(),
        _ => floats(array).into_iter().map(|value| value.map(Num::Float)).collect(),
    }
}

/// An integer that fits a signed 64-bit one is like all those.
fn unsigned(value: u64) -> Num {
    i64::try_from(value).map_or_else(|_| Num::Wide(Decimal::new(i256::from_i128(value.into()), 0)), Num::Int)
}

fn decimals(array: &ArrayRef) -> Vec<Option<Num>> {
    macro_rules! of {
        ($type:ty, $scale:expr) => {
            array.as_primitive::<$type>().iter().map(|digits| digits.map(|d| decimal(d.into(), *$scale))).collect()
        };
    }
    match array.data_type() {
        DataType::Decimal32(_, scale) => of!(Decimal32Type, scale),
        DataType::Decimal64(_, scale) => of!(Decimal64Type, scale),
        DataType::Decimal128(_, scale) => of!(Decimal128Type, scale),
        DataType::Decimal256(_, scale) => of!(Decimal256Type, scale),
        _ => vec![None; array.len()],
    }
}

fn decimal(digits: i256, scale: i8) -> Num {
    Num::Wide(Decimal::new(digits, scale.into()))
}

fn integers(array: &ArrayRef) -> Int64Array {
    match cast(array, &DataType::Int64) {
        Ok(wide) => wide.as_primitive::<Int64Type>().clone(),
        Err(_) => Int64Array::new_null(array.len()),
    }
}

/// Any numbers as finite floats.
fn floats(array: &ArrayRef) -> Vec<Option<f64>> {
    match cast(array, &DataType::Float64) {
        Ok(wide) => wide.as_primitive::<Float64Type>().iter().map(|value| value.filter(|v| v.is_finite())).collect(),
        Err(_) => vec![None; array.len()],
    }
}

fn lists<T>(array: &ArrayRef, list: impl Fn(&ArrayRef) -> Option<T>) -> Vec<Option<T>> {
    array.as_list::<i32>().iter().map(|values| values.as_ref().and_then(&list)).collect()
}

/// The elements as they are, without null and empty ones.
fn text_list(values: &ArrayRef) -> Option<Arc<[Box<str>]>> {
    let texts = values.as_string::<i32>().iter().flatten();
    Some(texts.filter(|text| !text.is_empty()).map(Box::from).collect())
}

/// A vector with an unknown coordinate is unknown.
fn number_list(values: &ArrayRef) -> Option<NumberItems> {
    if values.data_type().is_floating() {
        return floats(values).into_iter().collect::<Option<_>>().map(NumberItems::Floats);
    }
    numbers_of(values).iter().collect()
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Float64Type as F64;
    use arrow_array::{Float32Array, Int8Array, ListArray, UInt64Array};

    use super::*;
    use crate::expr::eval::testing::show;

    fn shown(array: impl Array + 'static) -> Vec<String> {
        show(&vector_of(&(Arc::new(array) as ArrayRef)))
    }

    #[test]
    fn empty_texts_are_null_also_in_a_slice() {
        let array = StringArray::from(vec![Some("x"), Some(""), None, Some("é")]);
        assert_eq!(shown(array.slice(1, 3)), ["null", "null", "'é'"]);
        assert_eq!(shown(array.slice(3, 1)), ["'é'"]);
    }

    #[test]
    fn numbers_keep_their_value() {
        assert_eq!(shown(Int8Array::from(vec![Some(-128), None])), ["-128", "null"]);
        assert_eq!(shown(UInt64Array::from(vec![7, u64::MAX])), ["7", "18446744073709551615"]);
        assert_eq!(shown(Float32Array::from(vec![0.5, f32::NAN, f32::INFINITY])), ["0.5", "null", "null"]);
    }

    #[test]
    fn decimals_of_every_width_and_scale_are_exact() {
        use arrow_array::{Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array};
        let d32 = Decimal32Array::from(vec![Some(150), None]).with_precision_and_scale(5, 2).unwrap();
        assert_eq!(shown(d32), ["1.50", "null"]);
        let d64 = Decimal64Array::from(vec![-5]).with_precision_and_scale(18, 3).unwrap();
        assert_eq!(shown(d64), ["-0.005"]);
        let d128 = Decimal128Array::from(vec![101, i128::MAX / 10]).with_precision_and_scale(38, 0).unwrap();
        assert_eq!(shown(d128), ["101", "17014118346046923173168730371588410572"]);
        let d256 = Decimal256Array::from(vec![i256::from(7_i64)]).with_precision_and_scale(40, -3).unwrap();
        assert_eq!(shown(d256), ["7000"]);
    }

    #[test]
    fn lists_of_integers_are_not_lists_of_floats() {
        use arrow_array::types::{Decimal128Type as D128, Int64Type as I64, UInt64Type as U64};
        let ints = [Some(vec![Some(9_007_199_254_740_993), Some(-1)]), Some(vec![None]), None];
        let list = ListArray::from_iter_primitive::<I64, _, _>(ints);
        assert_eq!(shown(list), ["[9007199254740993, -1]", "null", "null"]);
        let list = ListArray::from_iter_primitive::<U64, _, _>([Some(vec![Some(u64::MAX), Some(1)])]);
        assert_eq!(shown(list), ["[18446744073709551615, 1]"]);
        let list = ListArray::from_iter_primitive::<D128, _, _>([Some(vec![Some(15_i128)])]);
        assert_eq!(shown(list), ["[0.0000000015]"]);
    }

    #[test]
    fn lists_lose_empty_texts_but_no_coordinates() {
        let mut builder = arrow_array::builder::ListBuilder::new(arrow_array::builder::StringBuilder::new());
        builder.append_value([Some("b"), None, Some(""), Some("a"), Some("b")]);
        builder.append_null();
        assert_eq!(shown(builder.finish()), ["[b, a, b]", "null"]);
        let vectors = [Some(vec![Some(1.0), Some(2.0)]), Some(vec![Some(1.0), None]), Some(vec![]), None];
        assert_eq!(shown(ListArray::from_iter_primitive::<F64, _, _>(vectors)), ["[1.0, 2.0]", "null", "[]", "null"]);
    }

    #[test]
    fn other_types_have_no_type_and_no_values() {
        assert_eq!(type_of(&DataType::Binary), None);
        assert_eq!(shown(arrow_array::BinaryArray::from(vec![b"x".as_slice()])), ["null"]);
    }
}
