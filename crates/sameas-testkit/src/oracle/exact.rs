//! Exact decimals on paper: a sign, digits, and how many of them are behind the point.

use std::cmp::Ordering;

/// Digits that a result keeps.
const KEPT: usize = 76;

/// A decimal number.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    negative: bool,
    /// The digits from the first to the last, without zeros before them; none for zero.
    digits: Vec<u8>,
    scale: i64,
}

impl Exact {
    /// An integer.
    pub fn of_int(value: i64) -> Self {
        Exact { negative: value < 0, digits: digits_of(value.unsigned_abs()), scale: 0 }
    }

    /// All digits of a finite float, which is a whole number times a power of two.
    pub fn of_float(value: f64) -> Self {
        let bits = value.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
        let (whole, power) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let mut digits = digits_of(whole);
        // A half is five tenths.
        for _ in 0..power.abs() {
            let factor = if power < 0 { 5 } else { 2 };
            digits = carried(digits.iter().rev().map(|digit| factor * i32::from(*digit)));
        }
        Exact { negative: value < 0.0, digits, scale: (-power).max(0) }
    }

    /// A text such as `-1.50` or `1e-7`.
    pub fn read(text: &str) -> Option<Self> {
        let (number, power) = text.split_once('e').unwrap_or((text, "0"));
        let unsigned = number.trim_start_matches(['-', '+']);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all: Vec<char> = whole.chars().chain(fraction.chars()).collect();
        if all.is_empty() || number.len() > unsigned.len() + 1 || !all.iter().all(char::is_ascii_digit) {
            return None;
        }
        let digits = all.into_iter().map(|digit| digit as u8 - b'0').skip_while(|digit| *digit == 0).collect();
        Some(Exact {
            negative: number.starts_with('-'),
            digits,
            scale: fraction.len() as i64 - power.parse::<i64>().ok()?,
        })
    }

    /// Its digits, as many behind the point as it has.
    pub fn text(&self) -> String {
        let mut text: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        if self.scale > 0 {
            text = format!("{text:0>width$}", width = self.scale as usize + 1);
            text.insert(text.len() - self.scale as usize, '.');
        } else if text.is_empty() {
            text.push('0');
        } else {
            text.push_str(&"0".repeat(-self.scale as usize));
        }
        let sign = if self.negative && !self.digits.is_empty() { "-" } else { "" };
        format!("{sign}{text}")
    }

    /// The nearest float.
    pub fn to_float(&self) -> f64 {
        self.text().parse().unwrap_or(f64::NAN)
    }

    /// Number of digits.
    pub fn len(&self) -> usize {
        self.digits.len()
    }

    /// The order of two values.
    pub fn order(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        let sign = |of: &Self| if of.digits.is_empty() { 0 } else { 1 - 2 * i32::from(of.negative) };
        let sizes = size(&self.at(scale), &other.at(scale));
        sign(self).cmp(&sign(other)).then(if self.negative { sizes.reverse() } else { sizes })
    }

    /// The digits at a scale that is not smaller.
    fn at(&self, scale: i64) -> Vec<u8> {
        let zeros = if self.digits.is_empty() { 0 } else { (scale - self.scale) as usize };
        [self.digits.clone(), vec![0; zeros]].concat()
    }

    /// The same with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Exact { negative: !self.negative, ..self.clone() }
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(&self) -> Self {
        Exact { negative: false, ..self.clone() }
    }

    /// `self + other`
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let (a, b) = (self.at(scale), other.at(scale));
        let (negative, digits) = match (self.negative == other.negative, size(&a, &b)) {
            (true, _) => (self.negative, sum(&a, &b)),
            (false, Ordering::Less) => (other.negative, rest(&b, &a)),
            (false, _) => (self.negative, rest(&a, &b)),
        };
        Exact { negative, digits, scale }.kept()
    }

    /// `self * other`
    pub fn times(&self, other: &Self) -> Option<Self> {
        let digits = product(&self.digits, &other.digits);
        Exact { negative: self.negative != other.negative, digits, scale: self.scale + other.scale }.kept()
    }

    /// What a division leaves, with the sign of the dividend.
    pub fn modulo(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let (mut left, divisor) = (self.at(scale), other.at(scale));
        if divisor.is_empty() {
            return None;
        }
        for zeros in (0..=left.len().saturating_sub(divisor.len())).rev() {
            let shifted = [divisor.clone(), vec![0; zeros]].concat();
            while size(&left, &shifted) != Ordering::Less {
                left = rest(&left, &shifted);
            }
        }
        Exact { negative: self.negative, digits: left, scale }.kept()
    }

    /// The whole part and whether anything is behind the point.
    fn cut(&self, places: i64) -> (Vec<u8>, Vec<u8>) {
        let behind = (self.scale - places).max(0) as usize;
        let split = self.digits.len().saturating_sub(behind);
        let dropped = [vec![0; behind.saturating_sub(self.digits.len())], self.digits[split..].to_vec()].concat();
        (self.digits[..split].to_vec(), dropped)
    }

    /// Largest whole number not above, or, where `up`, smallest not below.
    #[must_use]
    pub fn whole(&self, up: bool) -> Self {
        if self.scale <= 0 {
            return self.clone();
        }
        let (mut digits, dropped) = self.cut(0);
        if self.negative != up && dropped.iter().any(|digit| *digit > 0) {
            digits = sum(&digits, &[1]);
        }
        Exact { negative: self.negative, digits, scale: 0 }
    }

    /// Rounded to that many places behind the point, half away from zero.
    #[must_use]
    pub fn round(&self, places: i64) -> Self {
        if self.scale <= places {
            return self.clone();
        }
        let (mut digits, dropped) = self.cut(places);
        if dropped[0] >= 5 {
            digits = sum(&digits, &[1]);
        }
        Exact { negative: self.negative, digits, scale: places }
    }

    /// The 64-bit integer that it is.
    pub fn to_int(&self) -> Option<i64> {
        self.round(0).text().parse().ok()
    }

    /// A result: 76 digits of it, rounded; beyond 300 digits before or 400 behind the point there is none.
    fn kept(mut self) -> Option<Self> {
        let long = self.digits.len() > KEPT;
        if long {
            let dropped = self.digits.len() - KEPT;
            self = self.round(self.scale - dropped as i64);
        }
        let mut short = self.clone();
        while short.digits.last() == Some(&0) {
            short.digits.pop();
            short.scale -= 1;
        }
        let fits = short.digits.is_empty() || short.digits.len() as i64 - short.scale <= 300 && short.scale <= 400;
        fits.then_some(if long { short } else { self })
    }
}

fn digits_of(value: u64) -> Vec<u8> {
    if value == 0 { Vec::new() } else { value.to_string().bytes().map(|digit| digit - b'0').collect() }
}

/// The order of two whole numbers.
fn size(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Columns of digits, the last one first, to a number: what exceeds nine is carried on.
fn carried(columns: impl Iterator<Item = i32>) -> Vec<u8> {
    let mut digits = Vec::new();
    let mut carry = 0;
    for column in columns {
        let value = column + carry;
        digits.push(value.rem_euclid(10) as u8);
        carry = value.div_euclid(10);
    }
    while carry > 0 {
        digits.push((carry % 10) as u8);
        carry /= 10;
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    digits.reverse();
    digits
}

fn column(digits: &[u8], at: usize) -> i32 {
    digits.len().checked_sub(at + 1).map_or(0, |place| i32::from(digits[place]))
}

fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    carried((0..a.len().max(b.len())).map(|at| column(a, at) + column(b, at)))
}

/// `a - b`, where `a` is not smaller.
fn rest(a: &[u8], b: &[u8]) -> Vec<u8> {
    carried((0..a.len()).map(|at| column(a, at) - column(b, at)))
}

fn product(a: &[u8], b: &[u8]) -> Vec<u8> {
    let places = a.len() + b.len();
    let sum_at = |at: usize| (0..=at).map(|i| column(a, i) * column(b, at - i)).sum();
    carried((0..places).map(sum_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Exact {
        Exact::read(text).unwrap()
    }

    #[test]
    fn texts_and_order() {
        for text in ["0", "1.50", "-0.05", "18446744073709551615", "0.00"] {
            assert_eq!(read(text).text(), text);
        }
        assert_eq!(read("15e-1").order(&read("1.50")), Ordering::Equal);
        assert_eq!(read("-2").order(&read("-1.99")), Ordering::Less);
        assert_eq!(read("0.0").order(&read("-0")), Ordering::Equal);
        assert_eq!(Exact::of_float(0.1).order(&read("0.1")), Ordering::Greater);
        assert_eq!(Exact::of_float(-2.5).order(&read("-2.5")), Ordering::Equal);
        assert_eq!(Exact::of_float(1e22).text(), "10000000000000000000000");
        assert!(Exact::read("x").is_none() && Exact::read("").is_none() && Exact::read("--1").is_none());
    }

    #[test]
    fn arithmetic() {
        assert_eq!(read("0.10").plus(&read("0.2")).unwrap().text(), "0.30");
        assert_eq!(read("1").plus(&read("-0.01")).unwrap().text(), "0.99");
        assert_eq!(read("-1.5").times(&read("2.0")).unwrap().text(), "-3.00");
        assert_eq!(read("-7.5").modulo(&read("2")).unwrap().text(), "-1.5");
        assert_eq!(read("7").modulo(&read("0.0")), None);
        let nines = read(&"9".repeat(76));
        assert_eq!(nines.plus(&read("1")).unwrap().text(), format!("1{}", "0".repeat(76)));
        assert_eq!(nines.plus(&read("-0.4")).unwrap(), nines);
        assert_eq!(nines.modulo(&read("0.7")).unwrap().text(), "0.2");
    }

    #[test]
    fn rounding() {
        for (text, floor, ceil, whole, one) in [
            ("2.50", "2", "3", "3", "2.5"),
            ("-2.50", "-3", "-2", "-3", "-2.5"),
            ("0.05", "0", "1", "0", "0.1"),
            ("7", "7", "7", "7", "7"),
        ] {
            let number = read(text);
            assert_eq!([number.whole(false), number.whole(true)].map(|n| n.text()), [floor, ceil]);
            assert_eq!([number.round(0), number.round(1)].map(|n| n.text()), [whole, one]);
        }
        assert_eq!((read("2.5").to_int(), read("18446744073709551615").to_int()), (Some(3), None));
    }
}
