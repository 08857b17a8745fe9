//! One value of one record, as data for reports.

use serde::{Deserialize, Serialize};

use super::types::Num;
use super::vector::Vector;

/// A value that a rule has read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum FieldValue {
    /// Missing, or not readable as the type that the rule needs.
    Null,
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
    /// A number, in decimal digits: all of them, more than a float may hold.
    Number(String),
    /// A date as ISO 8601 writes it.
    Date(String),
    /// A list or set of texts.
    TextList(Vec<String>),
    /// A list of numbers, each in decimal digits.
    NumberList(Vec<String>),
}

impl FieldValue {
    /// The value in a row of a column.
    #[doc(hidden)]
    pub fn from_row(vector: &Vector, row: usize) -> Self {
        let value = match vector {
            Vector::Null(_) => None,
            Vector::Bool(values) => values[row].map(Self::Bool),
            Vector::Number(values) => values.get(row).map(Num::to_text).map(Self::Number),
            Vector::Date(values) => values[row].map(super::date_text).map(Self::Date),
            Vector::TextList(values) => {
                values[row].as_ref().map(|list| Self::TextList(list.iter().map(ToString::to_string).collect()))
            }
            Vector::NumberList(values) => values[row].as_ref().map(|list| Self::NumberList(list.to_texts())),
            Vector::Text(_) => vector.shown(row).map(Self::Text),
        };
        value.unwrap_or(Self::Null)
    }
}
