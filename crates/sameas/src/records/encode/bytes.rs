//! Values as bytes, so that one dictionary serves every type: equal values have equal bytes.

use std::ops::Deref;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, StringArray};

use crate::expr::{Num, Type, Vector};

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
    Scalar([u8; 9], usize),
    /// A list.
    List(Vec<u8>),
}

impl ValueBytes<'_> {
    fn scalar(bytes: &[u8]) -> Self {
        let mut array = [0; 9];
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
        Vector::Number(values) => values[row].map(|n| ValueBytes::scalar(&number_bytes(n, numbers))),
        Vector::TextList(values) => values[row].as_ref().map(|list| ValueBytes::List(list_bytes(list))),
        Vector::NumberList(values) => {
            values[row].as_ref().map(|list| ValueBytes::List(list.iter().flat_map(|v| v.to_le_bytes()).collect()))
        }
    }
}

fn number_bytes(number: Num, numbers: Numbers) -> [u8; 9] {
    let number = if numbers == Numbers::ByValue { number.canonical() } else { number };
    let (tag, bits) = match number {
        Num::Int(value) => (0, value.to_le_bytes()),
        Num::Float(value) => (1, value.to_le_bytes()),
    };
    let mut bytes = [tag; 9];
    bytes[1..].copy_from_slice(&bits);
    bytes
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
pub fn list_elements(mut bytes: &[u8]) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (element, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
        bytes = rest;
        Some(text(element))
    })
}

/// Text values came from Rust strings, so they are UTF-8.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The number that `bytes` stand for.
pub fn number(bytes: &[u8]) -> Option<Num> {
    let (tag, bits) = bytes.split_first()?;
    let bits: [u8; 8] = bits.try_into().ok()?;
    Some(if *tag == 0 { Num::Int(i64::from_le_bytes(bits)) } else { Num::Float(f64::from_le_bytes(bits)) })
}

/// The day that `bytes` stand for.
pub fn date(bytes: &[u8]) -> Option<i32> {
    Some(i32::from_le_bytes(bytes.try_into().ok()?))
}

/// A column of type `ty` from the bytes of its values.
pub fn vector_from<'a>(ty: Type, values: impl Iterator<Item = Option<&'a [u8]>>) -> Vector {
    match ty {
        Type::Null => Vector::Null(values.count()),
        Type::Text => Vector::Text(texts(values)),
        Type::Bool => Vector::Bool(values.map(|v| v.map(|b| b[0] != 0)).collect()),
        Type::Date => Vector::Date(values.map(|v| v.and_then(date)).collect()),
        Type::Number => Vector::Number(values.map(|v| v.and_then(number)).collect()),
        Type::TextList => {
            Vector::TextList(values.map(|v| v.map(|b| list_elements(b).map(Box::from).collect())).collect())
        }
        Type::NumberList => Vector::NumberList(values.map(|v| v.map(floats)).collect()),
    }
}

fn texts<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> StringArray {
    let mut builder = StringBuilder::new();
    values.for_each(|v| builder.append_option(v.map(text)));
    builder.finish()
}

fn floats(bytes: &[u8]) -> Arc<[f64]> {
    bytes.chunks_exact(8).map(|c| f64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]])).collect()
}
