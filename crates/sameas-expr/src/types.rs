//! Types and values of expressions.

use std::cmp::Ordering;

use super::decimal::Decimal;
use crate::measure::MeasureValue;

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
    /// An integer, a 64-bit float or a decimal, decided value by value.
    Number,
    /// The same, of a column of decimals or computed with one: numbers that are written beside it are decimals, too.
    Decimal,
    /// A day of the proleptic Gregorian calendar.
    Date,
    /// A list or set of texts: list columns, `words(...)`, `qgrams(...)`.
    TextList,
    /// A list of numbers: vector columns.
    NumberList,
}

impl Type {
    /// Whether the values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Decimal)
    }

    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a condition (true or false)",
            Self::Text => "text",
            Self::Number | Self::Decimal => "a number",
            Self::Date => "a date",
            Self::TextList => "a list of texts",
            Self::NumberList => "a list of numbers",
        }
    }
}

/// A number as SQL users know it: an integer as long as it is one, else a finite float; where the data are exact beyond
/// these two, a decimal.
#[derive(Clone, Copy, Debug)]
pub enum Num {
    /// A 64-bit integer.
    Int(i64),
    /// A finite 64-bit float (NaN and infinities are null and never get here).
    Float(f64),
    /// A decimal, or an integer that needs more than 64 bits.
    Wide(Decimal),
}

impl Num {
    /// The float, or `None` (null) for NaN and infinities.
    #[inline]
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self::Float(value))
    }

    /// The nearest float.
    #[inline]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
            Self::Wide(value) => value.to_f64(),
        }
    }

    /// The exact value, where it is not one of a float.
    fn decimal(self) -> Option<Decimal> {
        match self {
            Self::Int(value) => Some(value.into()),
            Self::Wide(value) => Some(value),
            Self::Float(_) => None,
        }
    }

    /// An operation on two numbers, as all of them are done: on integers if both are, on floats if one is, else on
    /// decimals. What cannot be computed is null.
    #[inline]
    pub(crate) fn combine(
        self,
        other: Self,
        ints: impl Fn(i64, i64) -> Option<i64>,
        floats: impl Fn(f64, f64) -> f64,
        decimals: impl Fn(Decimal, Decimal) -> Option<Decimal>,
    ) -> Option<Self> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => ints(a, b).map(Self::Int),
            (Self::Float(a), Self::Float(b)) => Self::from_f64(floats(a, b)),
            (a, b) => match (a.decimal(), b.decimal()) {
                (Some(a), Some(b)) => decimals(a, b).map(Self::Wide),
                _ => Self::from_f64(floats(a.to_f64(), b.to_f64())),
            },
        }
    }

    /// The absolute difference as the expression `abs(a - b)` computes it.
    #[inline]
    pub fn distance(self, other: Self) -> Option<Self> {
        let ints = |a: i64, b: i64| a.checked_sub(b)?.checked_abs();
        self.combine(other, ints, |a, b| (a - b).abs(), |a, b| a.minus(b).map(Decimal::abs))
    }

    /// One representative per mathematical value: what is whole and fits becomes an integer, a decimal that a float
    /// equals becomes one, so that equal numbers have equal bytes and a join key never misses `3 = 3.0`.
    #[must_use]
    #[inline]
    pub fn canonical(self) -> Self {
        match self {
            Self::Int(_) => self,
            Self::Float(value) => whole(value).map_or(self, Self::Int),
            Self::Wide(value) => value.canonical(),
        }
    }

    /// Reads text as an integer if it parses, else as a finite float; blanks around it are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.parse::<i64>() {
            Ok(value) => Some(Self::Int(value)),
            Err(_) => long_integer(text).or_else(|| text.parse::<f64>().ok().and_then(Self::from_f64)),
        }
    }

    /// The number as text: all digits of integers and decimals, floats in the shortest form that reads back equal.
    pub fn to_text(self) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Float(value) => format!("{value:?}"),
            Self::Wide(value) => value.to_text(),
        }
    }

    /// The number as an element of a list: equal numbers have equal texts, and whole ones are written as integers.
    pub fn to_element(self) -> String {
        match self.canonical() {
            Self::Float(value) if value.trunc() == value && value.abs() < 1e76 => format!("{value:.0}"),
            other => other.to_text(),
        }
    }
}

/// An integer of more than 64 bits.
fn long_integer(text: &str) -> Option<Num> {
    let is_one = text.trim_start_matches(['+', '-']).bytes().all(|digit| digit.is_ascii_digit());
    is_one.then(|| Decimal::parse(text)).flatten().map(Num::Wide)
}

/// The integer equal to `value`, if there is one in range.
fn whole(value: f64) -> Option<i64> {
    // -2^63 is a float exactly; 2^63 is the first float out of range.
    let in_range = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value);
    (in_range && value.trunc() == value).then_some(value as i64)
}

impl From<MeasureValue> for Num {
    #[inline]
    fn from(value: MeasureValue) -> Self {
        match value {
            MeasureValue::Whole(value) => Self::Int(value as i64),
            MeasureValue::Share(value) => Self::Float(value),
        }
    }
}

impl PartialEq for Num {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Num {}

impl PartialOrd for Num {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    /// Mathematical order. Comparing an integer with a float through `f64` would make equality
    /// intransitive above 2^53, and a hash join over it wrong; so the comparison is exact.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (*self, *other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(&b),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (Self::Int(a), Self::Float(b)) => int_with_float(a, b),
            (Self::Float(a), Self::Int(b)) => int_with_float(b, a).reverse(),
            (a, b) => decimal_with(a, b),
        }
    }
}

/// The order of two numbers, at least one of which is a decimal.
#[cold]
fn decimal_with(a: Num, b: Num) -> Ordering {
    match (a, b) {
        (Num::Wide(a), Num::Float(b)) => a.cmp_float(b),
        (Num::Float(a), Num::Wide(b)) => b.cmp_float(a).reverse(),
        (a, b) => a.decimal().cmp(&b.decimal()),
    }
}

/// Orders an integer against a float: the float's floor decides, then whether it is one.
fn int_with_float(int: i64, float: f64) -> Ordering {
    match whole(float.floor()) {
        Some(floor) if int == floor && float.floor() == float => Ordering::Equal,
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
    fn decimals_compare_exactly_with_all_numbers() {
        let wide = |text: &str| Num::Wide(Decimal::parse(text).unwrap());
        assert_ne!(wide("18446744073709551615"), wide("18446744073709551614"));
        assert_ne!(wide("18446744073709551615"), Num::Float(18_446_744_073_709_551_616.0));
        assert_eq!(wide("18446744073709551616"), Num::Float(18_446_744_073_709_551_616.0));
        assert_eq!(wide("3.00"), Num::Int(3));
        assert!(Num::Int(3) < wide("3.01") && wide("2.99") < Num::Int(3));
        assert!(wide("0.1") < Num::Float(0.1) && wide("0.3") > Num::Float(0.3));
        assert_eq!(wide("1.50"), Num::Float(1.5));
    }

    #[test]
    fn equal_numbers_are_equal_elements() {
        let wide = |text: &str| Num::Wide(Decimal::parse(text).unwrap());
        assert_eq!(Num::Float(18_446_744_073_709_551_616.0).to_element(), "18446744073709551616");
        assert_eq!(wide("18446744073709551616.0").to_element(), "18446744073709551616");
        assert_eq!(wide("1.50").to_element(), Num::Float(1.5).to_element());
        assert_eq!(wide("3.00").to_element(), Num::Int(3).to_element());
    }

    #[test]
    fn text_reads_as_integer_then_float_then_not_at_all() {
        assert!(matches!(Num::parse(" 42 "), Some(Num::Int(42))));
        assert!(matches!(Num::parse("4.5"), Some(Num::Float(_))));
        assert!(matches!(Num::parse("99999999999999999999"), Some(Num::Wide(_))));
        assert!(matches!(Num::parse("-99999999999999999999"), Some(Num::Wide(_))));
        assert!(matches!(Num::parse(&"9".repeat(77)), Some(Num::Float(_))));
        assert!(matches!(Num::parse("99999999999999999999.0"), Some(Num::Float(_))));
        assert!(Num::parse("nan").is_none() && Num::parse("inf").is_none() && Num::parse("12a").is_none());
    }
}
