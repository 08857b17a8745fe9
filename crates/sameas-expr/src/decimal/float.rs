//! Decimals and floats: the nearest, the equal one, and the exact order.

use std::cmp::Ordering;

use arrow_buffer::i256;

use super::Decimal;

/// Whole numbers up to this are floats.
const WHOLE_FLOATS: u128 = 1 << 53;

/// Digits behind the point of a float, at most.
const FRACTION: usize = 1074;

impl Decimal {
    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        let mantissa = self.mantissa();
        match (mantissa.to_i128(), self.scale) {
            (Some(whole), 0) => whole as f64,
            // Both are floats, so that only the division rounds.
            (Some(digits), 1..=22) if digits.unsigned_abs() <= WHOLE_FLOATS => {
                digits as f64 / 10_f64.powi(self.scale.into())
            }
            _ => format!("{mantissa}e{}", -i32::from(self.scale)).parse().unwrap_or(f64::NAN),
        }
    }

    /// The float equal to it, if there is one; of a stripped decimal that is not zero.
    ///
    /// A float is an odd number of at most 53 bits times a power of two. So fives of the divisor must be in the digits.
    pub(super) fn equal_float(self) -> Option<f64> {
        let mantissa = self.mantissa();
        let (digits, fives) = match u32::try_from(self.scale) {
            Ok(0) => (mantissa, 0),
            // 5^110 exceeds 256 bits, with a sign.
            Ok(scale @ 1..110) => {
                let five = i256::from(5_i64);
                if mantissa.checked_rem(five)? != i256::ZERO {
                    return None;
                }
                let fives = five.checked_pow(scale)?;
                (mantissa.checked_rem(fives)? == i256::ZERO).then(|| mantissa.checked_div(fives))?.map(|m| (m, 0))?
            }
            Ok(_) => return None,
            Err(_) => (mantissa, u32::from(self.scale.unsigned_abs())),
        };
        let odd = odd_part(digits)?.checked_mul(5_u128.checked_pow(fives)?)?;
        (odd < WHOLE_FLOATS).then(|| self.to_f64())
    }

    /// The exact order of a decimal and a finite float. Rounding never turns an order round: where the nearest float is
    /// another one, it decides.
    pub fn cmp_float(self, float: f64) -> Ordering {
        match self.to_f64().partial_cmp(&float) {
            Some(order @ (Ordering::Less | Ordering::Greater)) => order,
            _ => self.cmp_expansion(float),
        }
    }

    /// The order by all decimal digits of the float, which has the sign of the decimal.
    fn cmp_expansion(self, float: f64) -> Ordering {
        let (own, other) = (self.abs().to_text(), format!("{:.FRACTION$}", float.abs()));
        let order = cmp_digits(&own, &other);
        if self.is_negative() { order.reverse() } else { order }
    }
}

/// The odd number that is left after dividing by two as often as possible, if it has 128 bits.
fn odd_part(number: i256) -> Option<u128> {
    let (low, high) = number.wrapping_abs().to_parts();
    match (low, high) {
        (0, 0) => Some(0),
        (0, _) => Some(high.unsigned_abs() >> high.trailing_zeros()),
        (_, 0) => Some(low >> low.trailing_zeros()),
        _ => {
            let (twos, high) = (low.trailing_zeros(), high.unsigned_abs());
            (high >> twos == 0).then(|| low >> twos | if twos == 0 { 0 } else { high << (128 - twos) })
        }
    }
}

/// The order of two numbers that are not negative, in digits without zeros before them.
fn cmp_digits(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        (whole.trim_start_matches('0').to_owned(), fraction.trim_end_matches('0').to_owned())
    };
    let ((a, a_fraction), (b, b_fraction)) = (parts(a), parts(b));
    a.len().cmp(&b.len()).then_with(|| a.cmp(&b)).then_with(|| a_fraction.cmp(&b_fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dec(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn floats_are_compared_by_their_exact_value() {
        assert_eq!(dec("0.1").cmp_float(0.1), Ordering::Less);
        assert_eq!(dec("-0.1").cmp_float(-0.1), Ordering::Greater);
        assert_eq!(dec("0.3").cmp_float(0.3), Ordering::Greater);
        assert_eq!(dec("0.50").cmp_float(0.5), Ordering::Equal);
        assert_eq!(dec("18446744073709551615").cmp_float(18_446_744_073_709_551_616.0), Ordering::Less);
        assert_eq!(dec("0").cmp_float(-0.0), Ordering::Equal);
        assert_eq!(dec("1").cmp_float(1e308), Ordering::Less);
        assert_eq!(dec("0.1000000000000000055511151231257827021181583404541015625").cmp_float(0.1), Ordering::Equal);
    }

    #[test]
    fn the_equal_float_is_found_where_there_is_one() {
        let equal = |text: &str| dec(text).stripped().equal_float();
        assert_eq!(equal("0.5"), Some(0.5));
        assert_eq!(equal("-2.75"), Some(-2.75));
        assert_eq!(equal("9007199254740993"), None);
        assert_eq!(equal("18014398509481988"), Some(18_014_398_509_481_988.0));
        assert_eq!(equal("1e22"), Some(1e22));
        assert_eq!(equal("1e23"), None);
        assert_eq!(equal("0.1000000000000000055511151231257827021181583404541015625"), Some(0.1));
        assert_eq!(equal("0.1"), None);
        let power: Decimal = Decimal::new(i256::from_i128(1 << 100).checked_mul(i256::from_i128(1 << 100)).unwrap(), 0);
        assert_eq!(power.equal_float(), Some(2_f64.powi(200)));
    }

    #[test]
    fn the_nearest_float_is_that_of_the_text() {
        for text in ["0.1", "123456789.123456789", "18446744073709551615", "0.30000000000000004", "9007199254740993"] {
            assert_eq!(dec(text).to_f64(), text.parse::<f64>().unwrap());
        }
        assert_eq!(Decimal::new(i256::from(9_i64), -128).to_f64(), 9e128);
    }
}
