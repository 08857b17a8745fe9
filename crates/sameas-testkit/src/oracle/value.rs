//! Values and their conversions.

use super::date;
use super::exact::Exact;
use crate::case::{Cell, Literal, Type};

/// A value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Unknown.
    Null,
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
    /// An integer.
    Int(i64),
    /// A finite float.
    Float(f64),
    /// A decimal, or an integer that does not fit 64 bits.
    Exact(Exact),
    /// A day, counted from 1970-01-01.
    Date(i64),
    /// A list of texts, without nulls and empty texts.
    Texts(Vec<String>),
    /// A vector.
    Numbers(Vec<f64>),
}

impl Value {
    /// The value of an input's cell, where an empty text is null.
    pub fn of_cell(cell: Option<&Cell>) -> Self {
        match cell {
            None => Value::Null,
            Some(Cell::Text(text)) => Value::Text(text.clone()).or_null_if_empty(),
            Some(Cell::TextList(list)) => {
                Value::Texts(list.iter().flatten().filter(|text| !text.is_empty()).cloned().collect())
            }
            Some(Cell::NumberList(list)) => Value::Numbers(list.clone()),
            Some(Cell::Int(value)) => Value::Int(*value),
            Some(Cell::Float(value)) => Value::float(*value),
            Some(Cell::Unsigned(value)) => {
                i64::try_from(*value).map_or_else(|_| Value::exact(&value.to_string()), Value::Int)
            }
            Some(Cell::Decimal(text)) => Value::exact(text),
            Some(Cell::Integers(list)) => Value::Texts(list.iter().map(u64::to_string).collect()),
        }
    }

    /// The decimal that a text is.
    pub(super) fn exact(text: &str) -> Self {
        Exact::read(text).map_or(Value::Null, Value::Exact)
    }

    /// A constant as it is beside decimals: its digits, not its nearest float.
    #[must_use]
    pub fn beside_decimals(&self) -> Self {
        match self {
            Value::Float(value) => Value::exact(&format!("{value:?}")),
            other => other.clone(),
        }
    }

    /// The value of a constant.
    pub fn of_literal(literal: &Literal) -> Self {
        match literal {
            Literal::Null => Value::Null,
            Literal::Bool(value) => Value::Bool(*value),
            Literal::Text(text) => Value::Text(text.clone()),
            Literal::Int(value) => Value::Int(*value),
            Literal::Float(value) => Value::float(*value),
        }
    }

    /// The float, or null if it is NaN or infinite.
    pub fn float(value: f64) -> Self {
        if value.is_finite() { Value::Float(value) } else { Value::Null }
    }

    /// A truth value or, for `None`, null.
    pub fn truth(value: Option<bool>) -> Self {
        value.map_or(Value::Null, Value::Bool)
    }

    /// Null instead of an empty text.
    #[must_use]
    pub fn or_null_if_empty(self) -> Self {
        if self == Value::Text(String::new()) { Value::Null } else { self }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        *self == Value::Null
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Read as the type a use needs; what cannot be read is null.
    #[must_use]
    pub fn read_as(&self, wanted: Type) -> Self {
        match wanted {
            Type::Number | Type::Decimal => self.to_number(),
            Type::Date => self.to_date().map_or(Value::Null, Value::Date),
            Type::Text => self.to_text().map_or(Value::Null, Value::Text),
            _ => self.clone(),
        }
    }

    /// As a number: an integer if the text is one, else a float.
    #[must_use]
    pub fn to_number(&self) -> Self {
        match self {
            Value::Int(_) | Value::Float(_) | Value::Exact(_) => self.clone(),
            Value::Bool(value) => Value::Int(i64::from(*value)),
            Value::Text(text) => match (text.trim().parse::<i64>(), text.trim().parse::<f64>()) {
                (Ok(value), _) => Value::Int(value),
                (_, Ok(value)) => long_integer(text.trim()).unwrap_or_else(|| Value::float(value)),
                _ => Value::Null,
            },
            _ => Value::Null,
        }
    }

    /// As the nearest float.
    pub fn to_float(&self) -> Option<f64> {
        match self.to_number() {
            Value::Int(value) => Some(value as f64),
            Value::Float(value) => Some(value),
            Value::Exact(value) => Some(value.to_float()),
            _ => None,
        }
    }

    /// As an integer, rounded half away from zero; `None` out of range.
    pub fn to_integer(&self) -> Option<i64> {
        match self.to_number() {
            Value::Int(value) => Some(value),
            Value::Float(value) => integer_of(value.round()),
            Value::Exact(value) => value.to_int(),
            _ => None,
        }
    }

    /// As a day, from ISO 8601 text.
    pub fn to_date(&self) -> Option<i64> {
        match self {
            Value::Date(day) => Some(*day),
            Value::Text(text) => date::parse(text),
            _ => None,
        }
    }

    /// As text.
    pub fn to_text(&self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text.clone()),
            Value::Int(value) => Some(value.to_string()),
            Value::Float(value) => Some(format!("{value:?}")),
            Value::Exact(value) => Some(value.text()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Date(day) => Some(date::text(*day)),
            _ => None,
        }
    }
}

/// An integer that does not fit 64 bits, of up to 76 digits.
fn long_integer(text: &str) -> Option<Value> {
    let is_whole = text.trim_start_matches(['-', '+']).chars().all(|c| c.is_ascii_digit());
    let number = Exact::read(text).filter(|number| is_whole && number.len() <= 76);
    number.map(Value::Exact)
}

/// The integer equal to a whole float, if it is in range.
pub fn integer_of(whole: f64) -> Option<i64> {
    let limit = 2_f64.powi(63);
    (whole >= -limit && whole < limit).then_some(whole as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_as_numbers() {
        let number = |text: &str| Value::Text(text.into()).to_number();
        assert_eq!(number(" 007 "), Value::Int(7));
        assert_eq!(number("1e3"), Value::Float(1000.0));
        assert_eq!(number("9223372036854775808").to_text().unwrap(), "9223372036854775808");
        assert_eq!(number("9223372036854775808.0"), Value::Float(9_223_372_036_854_775_808.0));
        assert!(number("x7").is_null() && number("nan").is_null() && number("1e999").is_null() && number("").is_null());
    }

    #[test]
    fn integers_round_away_from_zero() {
        assert_eq!(Value::Float(-2.5).to_integer(), Some(-3));
        assert_eq!(Value::Float(1e19).to_integer(), None);
        assert_eq!(Value::Float(3.0).to_text().unwrap(), "3.0");
    }

    #[test]
    fn an_empty_cell_is_null() {
        assert!(Value::of_cell(Some(&Cell::Text(String::new()))).is_null());
        let list = Cell::TextList(vec![None, Some(String::new()), Some("a".into())]);
        assert_eq!(Value::of_cell(Some(&list)), Value::Texts(vec!["a".into()]));
    }
}
