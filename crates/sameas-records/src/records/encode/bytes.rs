//! Values as bytes, so that one dictionary serves every type: equal values have equal bytes.

use std::ops::Deref;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, StringArray};
use arrow_buffer::i256;

use crate::expr::{Decimal, Num, NumberItems, Type, Vector};

/// The first byte of an integer, of a float and of a decimal.
const INT: u8 = 0;
const FLOAT: u8 = 1;
const WIDE: u8 = 2;

/// Bytes of an integer or a float, and of a decimal.
const NARROW_BYTES: usize = 9;
const WIDE_BYTES: usize = 35;

/// How numbers become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// `3` and `3.0` are one value: for equality.
    ByValue,
    /// Integers stay integers: for computing with them.
    AsWritten,
}

/// The bytes of one value: borrowed for texts, in place for scalars.
pub enum ValueBytes<'a> {
    /// A text.
    Text(&'a str),
    /// A scalar: that many bytes of the array.
    Scalar([u8; NARROW_BYTES], usize),
    /// A decimal.
    Wide([u8; WIDE_BYTES]),
    /// A list.
    List(Vec<u8>),
}

impl ValueBytes<'_> {
    fn scalar(bytes: &[u8]) -> Self {
        let mut array = [0; NARROW_BYTES];
        array[..bytes.len()].copy_from_slice(bytes);
        Self::Scalar(array, bytes.len())
    }
}

impl Deref for ValueBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Scalar(bytes, length) => &bytes[..*length],
            Self::Wide(bytes) => bytes,
            Self::List(bytes) => bytes,
        }
    }
}

/// The bytes of the value in a row, `None` for null.
pub fn bytes_at(vector: &Vector, row: usize, numbers: Numbers) -> Option<ValueBytes<'_>> {
    match vector {
        Vector::Null(_) => None,
        Vector::Text(values) => (!values.is_null(row)).then(|| ValueBytes::Text(values.value(row))),
        Vector::Bool(values) => values[row].map(|b| ValueBytes::scalar(&[u8::from(b)])),
        Vector::Date(values) => values[row].map(|d| ValueBytes::scalar(&d.to_le_bytes())),
        Vector::Number(values) => values.get(row).map(|number| number_bytes(number, numbers)),
        Vector::TextList(values) => values[row].as_ref().map(|list| ValueBytes::List(list_bytes(list))),
        Vector::NumberList(values) => values[row].as_ref().map(|list| ValueBytes::List(item_bytes(list))),
    }
}

/// The bytes of a whole number, by value and as written.
pub fn integer_bytes(value: i64) -> [u8; NARROW_BYTES] {
    let mut bytes = [INT; NARROW_BYTES];
    bytes[1..].copy_from_slice(&value.to_le_bytes());
    bytes
}

fn number_bytes(number: Num, numbers: Numbers) -> ValueBytes<'static> {
    let number = if numbers == Numbers::ByValue { number.canonical() } else { number };
    let narrow = |tag: u8, bits: [u8; 8]| {
        let mut bytes = [tag; NARROW_BYTES];
        bytes[1..].copy_from_slice(&bits);
        ValueBytes::Scalar(bytes, NARROW_BYTES)
    };
    match number {
        Num::Int(value) => narrow(INT, value.to_le_bytes()),
        Num::Float(value) => narrow(FLOAT, value.to_le_bytes()),
        Num::Wide(value) => ValueBytes::Wide(decimal_bytes(value)),
    }
}

fn decimal_bytes(value: Decimal) -> [u8; WIDE_BYTES] {
    let mut bytes = [WIDE; WIDE_BYTES];
    bytes[1..33].copy_from_slice(&value.mantissa().to_le_bytes());
    bytes[33..].copy_from_slice(&value.scale().to_le_bytes());
    bytes
}

/// The kind of a list of numbers, and their bytes.
fn item_bytes(list: &NumberItems) -> Vec<u8> {
    match list {
        NumberItems::Floats(list) => tagged(FLOAT, list.iter().flat_map(|value| value.to_le_bytes())),
        NumberItems::Ints(list) => tagged(INT, list.iter().flat_map(|value| value.to_le_bytes())),
        NumberItems::Wides(list) => tagged(
            WIDE,
            list.iter().flat_map(|value| {
                let bytes = number_bytes(*value, Numbers::AsWritten);
                (bytes.len() as u64).to_le_bytes().into_iter().chain(bytes.to_vec())
            }),
        ),
    }
}

fn tagged(tag: u8, bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    std::iter::once(tag).chain(bytes).collect()
}

fn list_bytes(list: &[Box<str>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in list {
        bytes.extend_from_slice(&(element.len() as u64).to_le_bytes());
        bytes.extend_from_slice(element.as_bytes());
    }
    bytes
}

/// The elements of a list of texts.
pub fn list_elements(bytes: &[u8]) -> impl Iterator<Item = &str> {
    elements(bytes).map(text)
}

/// The bytes of elements that are stored after their lengths.
fn elements(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (element, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
        bytes = rest;
        Some(element)
    })
}

/// Text values came from Rust strings, so they are UTF-8.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The number that `bytes` stand for.
#[inline]
pub fn number(bytes: &[u8]) -> Option<Num> {
    let (tag, rest) = bytes.split_first()?;
    let Ok(bits) = <[u8; 8]>::try_from(rest) else { return decimal(rest).map(Num::Wide) };
    Some(if *tag == INT { Num::Int(i64::from_le_bytes(bits)) } else { Num::Float(f64::from_le_bytes(bits)) })
}

#[cold]
fn decimal(bytes: &[u8]) -> Option<Decimal> {
    let (digits, scale) = bytes.split_first_chunk::<32>()?;
    Some(Decimal::new(i256::from_le_bytes(*digits), i16::from_le_bytes(scale.try_into().ok()?)))
}

/// The day that `bytes` stand for.
#[inline]
pub fn date(bytes: &[u8]) -> Option<i32> {
    Some(i32::from_le_bytes(bytes.try_into().ok()?))
}

/// Whether bytes that somebody has stored are those of a value of this type.
pub fn is_value(ty: Type, bytes: &[u8]) -> bool {
    let is_number = |bytes: &[u8]| [NARROW_BYTES, WIDE_BYTES].contains(&bytes.len());
    match ty {
        Type::Null => false,
        Type::Text => std::str::from_utf8(bytes).is_ok(),
        Type::Bool => bytes.len() == 1,
        Type::Date => bytes.len() == size_of::<i32>(),
        Type::Number | Type::Decimal => is_number(bytes),
        Type::TextList => are_elements(bytes, &|element| std::str::from_utf8(element).is_ok()),
        Type::NumberList => match bytes.split_first() {
            None => true,
            Some((&(INT | FLOAT), rest)) => rest.len().is_multiple_of(8),
            Some((_, rest)) => are_elements(rest, &is_number),
        },
    }
}

/// Whether bytes are elements that are stored after their lengths, and each of them is one.
fn are_elements(mut bytes: &[u8], is_element: &dyn Fn(&[u8]) -> bool) -> bool {
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((element, after)) = rest.split_at_checked(length) else { return false };
        if !is_element(element) {
            return false;
        }
        bytes = after;
    }
    bytes.is_empty()
}

/// A column of type `ty` from the bytes of its values.
pub fn vector_from<'a>(ty: Type, values: impl Iterator<Item = Option<&'a [u8]>>) -> Vector {
    match ty {
        Type::Null => Vector::Null(values.count()),
        Type::Text => Vector::Text(texts(values)),
        Type::Bool => Vector::Bool(values.map(|v| v.map(|b| b[0] != 0)).collect()),
        Type::Date => Vector::Date(values.map(|v| v.and_then(date)).collect()),
        Type::Number | Type::Decimal => Vector::Number(values.map(|v| v.and_then(number)).collect()),
        Type::TextList => {
            Vector::TextList(values.map(|v| v.map(|b| list_elements(b).map(Box::from).collect())).collect())
        }
        Type::NumberList => Vector::NumberList(values.map(|v| v.map(items)).collect()),
    }
}

fn texts<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> StringArray {
    let mut builder = StringBuilder::new();
    values.for_each(|v| builder.append_option(v.map(text)));
    builder.finish()
}

fn items(bytes: &[u8]) -> NumberItems {
    let Some((tag, rest)) = bytes.split_first() else { return NumberItems::Floats([].into()) };
    let words = || rest.chunks_exact(8).map(|c| [c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
    match *tag {
        FLOAT => NumberItems::Floats(words().map(f64::from_le_bytes).collect()),
        INT => NumberItems::Ints(words().map(i64::from_le_bytes).collect()),
        _ => NumberItems::Wides(elements(rest).filter_map(number).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::NumberVector;

    fn wide(text: &str) -> Num {
        Num::Wide(Decimal::parse(text).unwrap())
    }

    #[test]
    fn numbers_come_back_and_equal_ones_have_equal_bytes() {
        let values =
            [Num::Int(-3), Num::Float(0.1), wide("0.10"), wide("18446744073709551615"), wide("3.0"), wide("1.50")];
        let column = Vector::Number(values.iter().copied().map(Some).collect());
        for (row, value) in values.iter().enumerate() {
            let bytes = bytes_at(&column, row, Numbers::AsWritten).unwrap();
            assert_eq!(number(&bytes).unwrap().to_text(), value.to_text());
        }
        let by_value = |value: Num| {
            let column = Vector::Number(NumberVector::repeated(Some(value), 1));
            bytes_at(&column, 0, Numbers::ByValue).unwrap().to_vec()
        };
        assert_eq!(by_value(wide("3.0")), by_value(Num::Int(3)));
        assert_eq!(by_value(wide("1.50")), by_value(Num::Float(1.5)));
        assert_eq!(by_value(wide("0.10")), by_value(wide("0.1")));
        assert_ne!(by_value(wide("0.1")), by_value(Num::Float(0.1)));
        assert_ne!(by_value(wide("18446744073709551615")), by_value(wide("18446744073709551614")));
    }

    #[test]
    fn stored_bytes_are_values_of_their_type_or_refused() {
        let texts = Vector::TextList(vec![Some(std::sync::Arc::from([Box::<str>::from("a"), Box::<str>::from("ö")]))]);
        let numbers = Vector::NumberList(vec![Some(NumberItems::Wides([wide("0.10"), Num::Int(4)].into()))]);
        for (ty, column) in [(Type::TextList, texts), (Type::NumberList, numbers)] {
            let bytes = bytes_at(&column, 0, Numbers::AsWritten).unwrap().to_vec();
            assert!(is_value(ty, &bytes), "{ty:?}");
            assert!((1..bytes.len()).any(|length| !is_value(ty, &bytes[..length])), "{ty:?}");
        }
        assert!(is_value(Type::Number, &integer_bytes(3)) && !is_value(Type::Number, &[INT, 1]));
        assert!(is_value(Type::Text, "ö".as_bytes()) && !is_value(Type::Text, &[0xff]));
        assert!(is_value(Type::Bool, &[1]) && !is_value(Type::Bool, &[]));
        assert!(is_value(Type::NumberList, &[]) && !is_value(Type::NumberList, &[INT, 1]));
        assert!(!is_value(Type::TextList, &u64::MAX.to_le_bytes()));
    }

    #[test]
    fn lists_of_all_kinds_come_back() {
        let lists = [
            NumberItems::from(&[0.5, -1.0][..]),
            NumberItems::Ints([i64::MAX, 7].into()),
            NumberItems::Wides([wide("0.10"), Num::Int(4), Num::Float(0.5)].into()),
            NumberItems::from(&[][..]),
            NumberItems::Ints([].into()),
        ];
        let column = Vector::NumberList(lists.iter().cloned().map(Some).collect());
        for (row, list) in lists.iter().enumerate() {
            assert_eq!(items(&bytes_at(&column, row, Numbers::AsWritten).unwrap()), *list);
        }
    }
}
