//! Exact decimal numbers: what neither a 64-bit integer nor a 64-bit float holds.

mod digits;
mod float;
mod text;

use std::cmp::Ordering;

use arrow_buffer::i256;

use super::types::Num;

/// The significant digits of a decimal, as many as 256 bits hold.
const DIGITS: u32 = 76;

/// Digits before the point and behind it that a result has at most. What a file holds lies well within, and so does
/// the range of floats: every decimal has a nearest float that is finite.
const BEFORE: i32 = 300;
const BEHIND: i32 = 400;

/// A whole number divided by a power of ten.
///
/// It keeps the scale it was written with, which its text shows; equality and order are those of the value. The bytes
/// rather than the integer are stored, because they need no alignment: numbers of all kinds are moved about in 40 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    mantissa: [u8; 32],
    scale: i16,
}

impl Decimal {
    /// `mantissa / 10^scale`, as a file holds it.
    pub fn new(mantissa: i256, scale: i16) -> Self {
        Self { mantissa: mantissa.to_le_bytes(), scale }
    }

    /// The digits, as a whole number.
    pub fn mantissa(self) -> i256 {
        i256::from_le_bytes(self.mantissa)
    }

    /// How many of the digits are behind the point; negative where zeros follow them.
    pub fn scale(self) -> i16 {
        self.scale
    }

    /// The result of an operation, if it has few enough digits at the scale of the operation.
    fn result(mantissa: Option<i256>, scale: i32) -> Option<Self> {
        let mantissa = mantissa.filter(|mantissa| has_few_digits(*mantissa))?;
        let made = Self::new(mantissa, i16::try_from(scale).ok()?);
        // Almost all are within the range however many digits they have.
        let inside = DIGITS as i32 - BEFORE..=BEHIND;
        (inside.contains(&scale) || made.is_in_range()).then_some(made)
    }

    fn is_in_range(self) -> bool {
        let stripped = self.stripped();
        let digits = stripped.abs().mantissa().to_string().len() as i32;
        digits - i32::from(stripped.scale) <= BEFORE && i32::from(stripped.scale) <= BEHIND
    }

    /// The same value without zeros at the end of its digits: one representation for each value.
    #[must_use]
    pub fn stripped(self) -> Self {
        let (mut mantissa, mut scale) = (self.mantissa(), self.scale);
        if mantissa == i256::ZERO {
            return Self::new(i256::ZERO, 0);
        }
        let ten = i256::from(10_i64);
        while mantissa.to_i128().is_none() && mantissa.wrapping_rem(ten) == i256::ZERO {
            (mantissa, scale) = (mantissa.wrapping_div(ten), scale - 1);
        }
        if let Some(mut narrow) = mantissa.to_i128() {
            while narrow % 10 == 0 {
                (narrow, scale) = (narrow / 10, scale - 1);
            }
            mantissa = i256::from_i128(narrow);
        }
        Self::new(mantissa, scale)
    }

    /// One representative per mathematical value among all numbers: an integer or a float where one is equal.
    pub(super) fn canonical(self) -> Num {
        let stripped = self.stripped();
        match (stripped.whole(), stripped.equal_float()) {
            (Some(int), _) => Num::Int(int),
            (None, Some(float)) => Num::Float(float),
            (None, None) => Num::Wide(stripped),
        }
    }

    /// The 64-bit integer equal to it, if there is one; of a stripped decimal.
    fn whole(self) -> Option<i64> {
        let zeros = u32::try_from(-i32::from(self.scale)).ok()?;
        let mantissa = i64::try_from(self.mantissa().to_i128()?).ok()?;
        mantissa.checked_mul(10_i64.checked_pow(zeros)?)
    }

    /// `-self`
    #[must_use]
    pub fn negated(self) -> Self {
        Self::new(self.mantissa().wrapping_neg(), self.scale)
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.mantissa().is_negative()
    }

    /// `|self|`
    #[must_use]
    pub fn abs(self) -> Self {
        if self.is_negative() { self.negated() } else { self }
    }

    /// `self + other`
    pub fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let sum = self.at_scale(scale).zip(other.at_scale(scale)).and_then(|(a, b)| a.checked_add(b));
        Self::result(sum, scale.into()).or_else(|| digits::plus(self, other))
    }

    /// `self - other`
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated())
    }

    /// `self * other`
    pub fn times(self, other: Self) -> Option<Self> {
        let scale = i32::from(self.scale) + i32::from(other.scale);
        let product = self.mantissa().checked_mul(other.mantissa());
        Self::result(product, scale).or_else(|| digits::times(self, other))
    }

    /// What is left of `self` after dividing by `other`, with the sign of `self`; nothing for a zero divisor.
    pub fn modulo(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        match self.at_scale(scale).zip(other.at_scale(scale)) {
            Some((a, b)) => Self::result(Some(a.checked_rem(b)?), scale.into()).or_else(|| digits::modulo(self, other)),
            None => digits::modulo(self, other),
        }
    }

    /// Largest whole number not above.
    #[must_use]
    pub fn floor(self) -> Self {
        self.whole_part(|part, is_below| if is_below { part.wrapping_sub(i256::ONE) } else { part }, true)
    }

    /// Smallest whole number not below.
    #[must_use]
    pub fn ceil(self) -> Self {
        self.whole_part(|part, is_above| if is_above { part.wrapping_add(i256::ONE) } else { part }, false)
    }

    /// The digits before the point, corrected where the rest is not zero and on the given side of zero.
    fn whole_part(self, correct: impl Fn(i256, bool) -> i256, below: bool) -> Self {
        if self.scale <= 0 {
            return self;
        }
        let mantissa = self.mantissa();
        let (part, rest) = match power_of_ten(self.scale.into()) {
            Some(unit) => (mantissa.wrapping_div(unit), mantissa.wrapping_rem(unit)),
            None => (i256::ZERO, mantissa),
        };
        Self::new(correct(part, if below { rest.is_negative() } else { rest.is_positive() }), 0)
    }

    /// Rounded to that many digits behind the point, or, where negative, before it; half away from zero.
    #[must_use]
    pub fn rounded(self, places: i64) -> Self {
        let dropped = i64::from(self.scale).saturating_sub(places);
        if dropped <= 0 {
            return self;
        }
        let Some(unit) = u32::try_from(dropped).ok().filter(|dropped| *dropped <= DIGITS).and_then(ten_to) else {
            return Self::new(i256::ZERO, 0);
        };
        let half = unit.wrapping_div(i256::from(2_i64));
        let mantissa = self.mantissa();
        let away = if mantissa.is_negative() { mantissa.wrapping_sub(half) } else { mantissa.wrapping_add(half) };
        // As `dropped` is between 1 and 76, the scale that is left has 16 bits.
        Self::new(away.wrapping_div(unit), (i64::from(self.scale) - dropped) as i16)
    }

    /// The digits at a scale that is not less, if they fit.
    fn at_scale(self, scale: i16) -> Option<i256> {
        match i32::from(scale) - i32::from(self.scale) {
            0 => Some(self.mantissa()),
            more => self.mantissa().checked_mul(power_of_ten(more)?),
        }
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::new(i256::from(value), 0)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match self.scale.cmp(&other.scale) {
            Ordering::Equal => self.mantissa().cmp(&other.mantissa()),
            Ordering::Less => self.cmp_finer(*other),
            Ordering::Greater => other.cmp_finer(*self).reverse(),
        }
    }
}

impl Decimal {
    /// The order of a decimal and one of a larger scale. Digits that do not fit that scale are more than any that do.
    fn cmp_finer(self, other: Self) -> Ordering {
        match self.at_scale(other.scale) {
            Some(mantissa) => mantissa.cmp(&other.mantissa()),
            None if self.mantissa() == i256::ZERO => i256::ZERO.cmp(&other.mantissa()),
            None => self.mantissa().cmp(&i256::ZERO),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

fn has_few_digits(mantissa: i256) -> bool {
    ten_to(DIGITS).is_some_and(|most| mantissa < most && mantissa > most.wrapping_neg())
}

fn power_of_ten(exponent: i32) -> Option<i256> {
    ten_to(u32::try_from(exponent).ok()?)
}

fn ten_to(exponent: u32) -> Option<i256> {
    match exponent {
        0..=38 => Some(i256::from_i128(10_i128.pow(exponent))),
        39..=DIGITS => i256::from_i128(10_i128.pow(38)).checked_mul(i256::from_i128(10_i128.pow(exponent - 38))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn dec(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a decimal"))
    }

    fn shown(value: Option<Decimal>) -> String {
        value.map_or("null".into(), Decimal::to_text)
    }

    #[test]
    fn equal_values_are_equal_at_every_scale() {
        let small = dec("1.50");
        assert_eq!(small, dec("1.5"));
        assert_eq!(Decimal::new(i256::from(3_i64), -2), dec("300.00"));
        assert_eq!(dec("0.000"), Decimal::from(0));
        let (large, tiny) = (Decimal::new(i256::from(9_i64), -128), Decimal::new(i256::from(9_i64), 127));
        assert!(tiny < small && small < large && large.negated() < tiny.negated() && tiny.negated() < tiny);
        assert!(dec("18446744073709551615") > dec("18446744073709551614.99"));
    }

    #[test]
    fn one_representative_per_value() {
        assert!(matches!(dec("300.00").canonical(), Num::Int(300)));
        assert!(matches!(dec("1.50").canonical(), Num::Float(1.5)));
        assert!(matches!(dec("18446744073709551616").canonical(), Num::Float(18_446_744_073_709_551_616.0)));
        assert!(matches!(dec("-9223372036854775808").canonical(), Num::Int(i64::MIN)));
        for text in ["0.1", "18446744073709551615", "9007199254740993.5", "0.0000000000000000000000001"] {
            let Num::Wide(own) = dec(text).canonical() else { panic!("{text} is no integer and no float") };
            assert_eq!(own.to_text(), text);
            let Num::Wide(longer) = dec(text).times(dec("1.00")).unwrap().canonical() else { panic!("{text}") };
            assert_eq!((longer.mantissa, longer.scale), (own.mantissa, own.scale));
        }
    }

    #[test]
    fn arithmetic_is_exact_up_to_76_digits() {
        let nines = "9".repeat(76);
        assert_eq!(shown(dec("18446744073709551615").minus(dec("18446744073709551614"))), "1");
        assert_eq!(shown(dec("0.10").plus(dec("0.2"))), "0.30");
        assert_eq!(shown(dec("0.1").times(dec("-0.30"))), "-0.030");
        assert_eq!(shown(dec(&nines).plus(dec("1"))), format!("1{}", "0".repeat(76)));
        assert_eq!(shown(dec(&nines).minus(dec("0.4"))), nines);
        assert_eq!(shown(dec(&nines).times(dec(&nines))), format!("{}8{}", "9".repeat(75), "0".repeat(76)));
        assert_eq!(shown(dec("-7.5").modulo(dec("2"))), "-1.5");
        assert_eq!(shown(dec(&nines).modulo(dec("0.7"))), "0.2");
        assert_eq!(shown(dec("1").modulo(dec("0.0"))), "null");
    }

    #[test]
    fn digits_that_fit_no_256_bits_are_rounded_or_null() {
        let (large, tiny) = (Decimal::new(i256::from(9_i64), -128), Decimal::new(i256::from(7_i64), 127));
        assert_eq!(large.plus(tiny), Some(large));
        assert_eq!(tiny.minus(large), Some(large.negated()));
        assert_eq!(large.times(large).and_then(|l| l.times(large)), None);
        assert_eq!(large.modulo(tiny), Some(Decimal::new(i256::from(5_i64), 127)));
        assert_eq!(tiny.modulo(large), Some(tiny));
        let huge = tiny.times(tiny).and_then(|t| t.times(tiny)).unwrap();
        assert_eq!(huge.times(tiny), None);
    }

    #[test]
    fn rounding_is_half_away_from_zero() {
        for (text, floor, ceil, whole, one) in [
            ("2.50", "2", "3", "3", "2.5"),
            ("-2.50", "-3", "-2", "-3", "-2.5"),
            ("0.05", "0", "1", "0", "0.1"),
            ("-0.04", "-1", "0", "0", "0.0"),
            ("7", "7", "7", "7", "7"),
        ] {
            let number = dec(text);
            assert_eq!([number.floor(), number.ceil()].map(Decimal::to_text), [floor, ceil]);
            assert_eq!([number.rounded(0), number.rounded(1)].map(Decimal::to_text), [whole, one]);
        }
        assert_eq!(dec("155.5").rounded(-1).to_text(), "160");
        assert_eq!(dec("155.5").rounded(i64::MIN).to_text(), "0");
        assert_eq!(Decimal::new(i256::from(-7_i64), 127).floor().to_text(), "-1");
    }
}
