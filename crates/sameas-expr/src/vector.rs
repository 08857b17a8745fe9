//! Columns of values, as expressions take and return them.

use std::sync::Arc;

use arrow_array::{Array, StringArray};

use super::number_list::NumberItems;
use super::number_vector::NumberVector;
use super::types::{Num, Type};

/// Bytes that a text of a list takes beside its characters, about.
pub const BESIDE_A_TEXT: usize = 40;

/// A column of values of one type; a missing value is null.
#[derive(Clone, Debug)]
pub enum Vector {
    /// Nothing but nulls (the literal `null`); the number is the number of rows.
    Null(usize),
    /// True, false or null.
    Bool(Vec<Option<bool>>),
    /// Text.
    Text(StringArray),
    /// Numbers.
    Number(NumberVector),
    /// Days since 1970-01-01.
    Date(Vec<Option<i32>>),
    /// Lists or sets of texts.
    TextList(Vec<Option<Arc<[Box<str>]>>>),
    /// Lists of numbers.
    NumberList(Vec<Option<NumberItems>>),
}

impl Vector {
    /// The value of a row for readers, `None` for null.
    pub fn shown(&self, row: usize) -> Option<String> {
        match self {
            Self::Null(_) => None,
            Self::Text(values) => (!values.is_null(row)).then(|| values.value(row).to_owned()),
            Self::Bool(values) => values[row].map(|truth| truth.to_string()),
            Self::Number(values) => values.get(row).map(Num::to_text),
            Self::Date(values) => values[row].map(super::date_text),
            Self::TextList(values) => values[row].as_ref().map(|list| format!("[{}]", list.join(", "))),
            Self::NumberList(values) => values[row].as_ref().map(|list| format!("[{}]", list.to_texts().join(", "))),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        use arrow_array::Array;
        match self {
            Self::Null(rows) => *rows,
            Self::Bool(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Date(values) => values.len(),
            Self::TextList(values) => values.len(),
            Self::NumberList(values) => values.len(),
        }
    }

    /// Memory it takes, about.
    pub fn bytes(&self) -> usize {
        // A text of a list has its place in the list and an allocation of its own.
        let texts = |list: &Arc<[Box<str>]>| list.iter().map(|text| BESIDE_A_TEXT + text.len()).sum::<usize>();
        match self {
            Self::Null(_) => 0,
            Self::Bool(values) => size_of_val(&values[..]),
            Self::Text(values) => values.value_data().len() + size_of_val(values.value_offsets()),
            Self::Number(values) => values.bytes(),
            Self::Date(values) => size_of_val(&values[..]),
            Self::TextList(values) => size_of_val(&values[..]) + values.iter().flatten().map(texts).sum::<usize>(),
            Self::NumberList(values) => {
                size_of_val(&values[..]) + values.iter().flatten().map(NumberItems::bytes).sum::<usize>()
            }
        }
    }

    /// One row of it.
    #[must_use]
    pub fn slice(&self, row: usize) -> Self {
        match self {
            Self::Null(_) => Self::Null(1),
            Self::Bool(values) => Self::Bool(vec![values[row]]),
            Self::Text(values) => Self::Text(values.slice(row, 1)),
            Self::Number(values) => Self::Number(NumberVector::repeated(values.get(row), 1)),
            Self::Date(values) => Self::Date(vec![values[row]]),
            Self::TextList(values) => Self::TextList(vec![values[row].clone()]),
            Self::NumberList(values) => Self::NumberList(vec![values[row].clone()]),
        }
    }

    /// True where there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the values.
    pub fn ty(&self) -> Type {
        match self {
            Self::Null(_) => Type::Null,
            Self::Bool(_) => Type::Bool,
            Self::Text(_) => Type::Text,
            Self::Number(_) => Type::Number,
            Self::Date(_) => Type::Date,
            Self::TextList(_) => Type::TextList,
            Self::NumberList(_) => Type::NumberList,
        }
    }
}
