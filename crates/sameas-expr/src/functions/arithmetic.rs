//! Arithmetic on numbers: integers stay integers and decimals decimals except for `/`; with a float, all are floats.
//! Overflow and what is not finite are null.

use crate::expr::eval::{Args, numbers};
use crate::expr::{Decimal, Function, Num, Vector};

pub(super) fn binary(function: Function, args: &Args<'_>) -> Vector {
    let (left, right) = (args.numbers(0), args.numbers(1));
    let operation: fn(Num, Num) -> Option<Num> = match function {
        Function::Add => |a, b| a.combine(b, i64::checked_add, |a, b| a + b, Decimal::plus),
        Function::Subtract => |a, b| a.combine(b, i64::checked_sub, |a, b| a - b, Decimal::minus),
        Function::Multiply => |a, b| a.combine(b, i64::checked_mul, |a, b| a * b, Decimal::times),
        // A zero divisor gives NaN or an infinity in floats, which is null.
        Function::Divide => |a, b| Num::from_f64(a.to_f64() / b.to_f64()),
        Function::Modulo => |a, b| a.combine(b, i64::checked_rem, |a, b| a % b, Decimal::modulo),
        other => unreachable!("{other:?} belongs to another group"),
    };
    numbers(args.rows(), |row| operation(left.get(row)?, right.get(row)?))
}

pub(super) fn unary(function: Function, args: &Args<'_>) -> Vector {
    let values = args.numbers(0);
    let operation: fn(Num) -> Option<Num> = match function {
        Function::Negate => |a| one(a, i64::checked_neg, |a| Num::Float(-a), Decimal::negated),
        Function::Abs => |a| one(a, i64::checked_abs, |a| Num::Float(a.abs()), Decimal::abs),
        Function::Floor => |a| one(a, Some, |a| Num::Float(a.floor()).canonical(), Decimal::floor),
        Function::Ceil => |a| one(a, Some, |a| Num::Float(a.ceil()).canonical(), Decimal::ceil),
        other => unreachable!("{other:?} belongs to another group"),
    };
    numbers(args.rows(), |row| operation(values.get(row)?))
}

fn one(a: Num, int: fn(i64) -> Option<i64>, float: fn(f64) -> Num, decimal: fn(Decimal) -> Decimal) -> Option<Num> {
    match a {
        Num::Int(a) => int(a).map(Num::Int),
        Num::Float(a) => Some(float(a)),
        Num::Wide(a) => Some(Num::Wide(decimal(a))),
    }
}

/// The nearest integer, half away from zero, if it has 64 bits.
#[inline]
pub(super) fn to_integer(value: Num) -> Option<i64> {
    match value {
        Num::Int(value) => Some(value),
        Num::Float(_) | Num::Wide(_) => rounded_to_integer(value),
    }
}

fn rounded_to_integer(value: Num) -> Option<i64> {
    match round_whole(value).canonical() {
        Num::Int(value) => Some(value),
        Num::Float(_) | Num::Wide(_) => None,
    }
}

fn round_whole(value: Num) -> Num {
    match value {
        Num::Int(_) => value,
        Num::Float(value) => Num::Float(value.round()).canonical(),
        Num::Wide(value) => Num::Wide(value.rounded(0)),
    }
}

/// `round(x)` and `round(x, digits)`.
pub(super) fn round(args: &Args<'_>) -> Vector {
    let values = args.numbers(0);
    if args.len() < 2 {
        return numbers(args.rows(), |row| values.get(row).map(round_whole));
    }
    let digits = args.numbers(1);
    numbers(args.rows(), |row| round_to(values.get(row)?, to_integer(digits.get(row)?)?))
}

/// `value` rounded to `digits` after the decimal point, or before it where `digits` is negative.
fn round_to(value: Num, digits: i64) -> Option<Num> {
    match (value, digits) {
        (_, 0) => Some(round_whole(value)),
        (Num::Wide(wide), _) => Some(Num::Wide(wide.rounded(digits))),
        (Num::Int(_), 1..) => Some(value),
        (Num::Int(int), _) => round_int(int, digits.unsigned_abs()),
        (Num::Float(float), 1..) => Some(Num::Float(after_point(float, digits.unsigned_abs()))),
        (Num::Float(float), _) => before_point(float, digits.unsigned_abs()),
    }
}

/// Where scaling overflows, the value has no digit that far after the point, and stays as it is.
fn after_point(value: f64, digits: u64) -> f64 {
    let rounded = (value * power_of_ten(digits)).round() / power_of_ten(digits);
    if rounded.is_finite() { rounded } else { value }
}

fn before_point(value: f64, digits: u64) -> Option<Num> {
    let power = power_of_ten(digits);
    // A unit beyond all floats: every float is nearer to zero.
    let rounded = if power.is_finite() { (value / power).round() * power } else { 0.0 };
    Num::from_f64(rounded).map(Num::canonical)
}

/// Exact, in 128 bits; the result may leave the 64 bits.
fn round_int(value: i64, digits: u64) -> Option<Num> {
    // From 10^20 on, half a unit is more than any value.
    let unit = 10_i128.pow(digits.min(20) as u32);
    let (value, half) = (i128::from(value), unit / 2);
    let rounded = (value + half * value.signum()) / unit * unit;
    i64::try_from(rounded).ok().map(Num::Int)
}

/// The float nearest to a power of ten, infinity beyond the floats.
fn power_of_ten(exponent: u64) -> f64 {
    match exponent {
        // Powers up to 10^22 are floats, and so is every step on the way there.
        0..=22 => 10_f64.powi(exponent as i32),
        // Beyond, products would round differently from machine to machine; reading decimals does not.
        23..=308 => format!("1e{exponent}").parse().unwrap_or(f64::INFINITY),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::Function as F;
    use crate::expr::eval::testing::{check, f, n, null, w};

    #[test]
    fn decimals_are_exact_except_for_division_and_floats() {
        let max = "18446744073709551615";
        for (function, left, right, result) in [
            (F::Add, w("0.10"), w("0.2"), "0.30"),
            (F::Add, w(max), n(1), "18446744073709551616"),
            (F::Add, w("0.5"), f(0.25), "0.75"),
            (F::Subtract, w(max), w("18446744073709551614"), "1"),
            (F::Multiply, w("1.5"), n(-2), "-3.0"),
            (F::Divide, w("1.50"), n(2), "0.75"),
            (F::Divide, w("1.50"), w("0.00"), "null"),
            (F::Modulo, w("-7.5"), n(2), "-1.5"),
            (F::Modulo, w("7.5"), w("0.0"), "null"),
        ] {
            check(function, [left, right], result);
        }
        for (function, value, result) in [
            (F::Negate, w("0.10"), "-0.10"),
            (F::Abs, w("-18446744073709551615"), max),
            (F::Floor, w("-2.5"), "-3"),
            (F::Ceil, w("2.01"), "3"),
            (F::Round, w("2.5"), "3"),
            (F::ToInteger, w("2.5"), "3"),
            (F::ToInteger, w(max), "null"),
            (F::ToFloat, w("0.10"), "0.1"),
            (F::ToNumber, w("0.10"), "0.10"),
            (F::ToText, w("0.10"), "'0.10'"),
            (F::ToBool, w("0.00"), "false"),
        ] {
            check(function, [value], result);
        }
        check(F::Round, [w("2.345"), n(2)], "2.35");
        check(F::Round, [w("155.5"), n(-1)], "160");
    }

    #[test]
    fn integers_stay_integers_until_they_overflow() {
        const MAX: i64 = i64::MAX;
        const MIN: i64 = i64::MIN;
        for (function, left, right, result) in [
            (F::Add, n(2), n(3), "5"),
            (F::Add, n(MAX), n(1), "null"),
            (F::Add, n(1), f(0.5), "1.5"),
            (F::Add, f(1e308), f(1e308), "null"),
            (F::Subtract, n(2), n(3), "-1"),
            (F::Subtract, n(MIN), n(1), "null"),
            (F::Multiply, n(-4), n(3), "-12"),
            (F::Multiply, n(MIN), n(-1), "null"),
            (F::Multiply, f(1e200), f(1e200), "null"),
            (F::Divide, n(6), n(3), "2.0"),
            (F::Divide, n(1), n(0), "null"),
            (F::Divide, n(0), f(-0.0), "null"),
            (F::Modulo, n(-7), n(3), "-1"),
            (F::Modulo, n(7), n(0), "null"),
            (F::Modulo, n(MIN), n(-1), "null"),
            (F::Modulo, f(-7.5), n(2), "-1.5"),
            (F::Modulo, f(7.5), f(0.0), "null"),
        ] {
            check(function, [left.clone(), right.clone()], result);
            check(function, [left, null()], "null");
            check(function, [null(), right], "null");
        }
    }

    #[test]
    fn signs_and_whole_parts() {
        for (value, negated, absolute, floor, ceil) in [
            (n(-3), "3", "3", "-3", "-3"),
            (n(i64::MIN), "null", "null", "-9223372036854775808", "-9223372036854775808"),
            (f(-2.5), "2.5", "2.5", "-3", "-2"),
            (f(-0.5), "0.5", "0.5", "-1", "0"),
            (f(1e300), "-1e300", "1e300", "1e300", "1e300"),
            (null(), "null", "null", "null", "null"),
        ] {
            check(F::Negate, [value.clone()], negated);
            check(F::Abs, [value.clone()], absolute);
            check(F::Floor, [value.clone()], floor);
            check(F::Ceil, [value], ceil);
        }
    }

    #[test]
    fn rounding_is_half_away_from_zero() {
        for (value, result) in
            [(f(2.5), "3"), (f(-2.5), "-3"), (f(-0.4), "0"), (n(7), "7"), (f(1e300), "1e300"), (null(), "null")]
        {
            check(F::Round, [value], result);
        }
        for (value, digits, result) in [
            (f(2.345), n(2), "2.35"),
            (f(2.0), n(1), "2.0"),
            (f(2.5), n(0), "3"),
            (n(7), n(3), "7"),
            (n(-155), n(-1), "-160"),
            (n(154), n(-1), "150"),
            (n(i64::MAX), n(-1), "null"),
            (n(i64::MIN), n(i64::MIN), "0"),
            (f(155.5), n(-1), "160"),
            (f(1e300), n(-400), "0"),
            (f(1.25), n(i64::MAX), "1.25"),
            (f(1e300), n(30), "1e300"),
            (f(1.5), f(1e300), "null"),
            (f(1.5), null(), "null"),
            (null(), n(1), "null"),
        ] {
            check(F::Round, [value, digits], result);
        }
    }
}
