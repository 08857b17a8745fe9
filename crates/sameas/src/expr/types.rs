//! Types and values of expressions.

use std::cmp::Ordering;

/// The type of an expression. Text columns stay text; a use that needs another type wraps
/// them in a conversion (see `Function::ToNumber` and the like).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The literal `null`, which fits every type.
    Null,
    /// True, false or null.
    Bool,
    /// Unicode text.
    Text,
    /// A 64-bit integer or a 64-bit float, decided value by value.
    Number,
    /// A day of the proleptic Gregorian calendar.
    Date,
    /// A list or set of texts: list columns, `words(...)`, `qgrams(...)`.
    TextList,
    /// A list of numbers: vector columns.
    NumberList,
}

impl Type {
    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a condition (true or false)",
            Self::Text => "text",
            Self::Number => "a number",
            Self::Date => "a date",
            Self::TextList => "a list of texts",
            Self::NumberList => "a list of numbers",
        }
    }
}

/// A number as SQL users know it: an integer as long as it is one, else a finite float.
#[derive(Clone, Copy, Debug)]
pub enum Num {
    /// A 64-bit integer.
    Int(i64),
    /// A finite 64-bit float (NaN and infinities are null and never get here).
    Float(f64),
}

impl Num {
    /// The float, or `None` (null) for NaN and infinities.
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self::Float(value))
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// One representative per mathematical value: floats that are whole and fit become integers,
    /// so that equal numbers have equal bytes and a join key never misses `3 = 3.0`.
    #[must_use]
    pub fn canonical(self) -> Self {
        match self {
            Self::Float(value) => whole(value).map_or(self, Self::Int),
            Self::Int(_) => self,
        }
    }

    /// Reads text as an integer if it parses, else as a finite float; blanks around it are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.parse::<i64>() {
            Ok(value) => Some(Self::Int(value)),
            Err(_) => text.parse::<f64>().ok().and_then(Self::from_f64),
        }
    }

    /// The number as text: integers in decimal, floats in the shortest form that reads back equal.
    pub fn to_text(self) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Float(value) => format!("{value:?}"),
        }
    }
}

/// The integer equal to `value`, if there is one in range.
fn whole(value: f64) -> Option<i64> {
    // -2^63 is a float exactly; 2^63 is the first float out of range.
    let in_range = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    (in_range && value.trunc() == value).then_some(value as i64)
}

impl PartialEq for Num {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Num {}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    /// Mathematical order. Comparing an integer with a float through `f64` would make equality
    /// intransitive above 2^53, and a hash join over it wrong; so the comparison is exact.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.canonical(), other.canonical()) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (Self::Int(a), Self::Float(b)) => int_with_fraction(a, b),
            (Self::Float(a), Self::Int(b)) => int_with_fraction(b, a).reverse(),
        }
    }
}

/// Orders an integer against a float that is not an integer in range: the float's floor decides.
fn int_with_fraction(int: i64, float: f64) -> Ordering {
    match whole(float.floor()) {
        Some(floor) if int <= floor => Ordering::Less,
        Some(_) => Ordering::Greater,
        None if float > 0.0 => Ordering::Less,
        None => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_exactly_across_integer_and_float() {
        let big = 9_007_199_254_740_993_i64; // 2^53 + 1 has no float
        assert_ne!(Num::Int(big), Num::Float(big as f64));
        assert_eq!(Num::Int(3), Num::Float(3.0));
        assert_eq!(Num::Int(0), Num::Float(-0.0));
        assert!(Num::Int(3) < Num::Float(3.5) && Num::Float(2.5) < Num::Int(3));
        assert!(Num::Int(i64::MAX) < Num::Float(1e300) && Num::Int(i64::MIN) > Num::Float(-1e300));
    }

    #[test]
    fn text_reads_as_integer_then_float_then_not_at_all() {
        assert!(matches!(Num::parse(" 42 "), Some(Num::Int(42))));
        assert!(matches!(Num::parse("4.5"), Some(Num::Float(_))));
        assert!(matches!(Num::parse("99999999999999999999"), Some(Num::Float(_))));
        assert!(Num::parse("nan").is_none() && Num::parse("inf").is_none() && Num::parse("12a").is_none());
    }
}
