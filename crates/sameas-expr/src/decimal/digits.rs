//! Operations whose digits do not fit 256 bits on the way, digit by digit; the result is rounded to 76 of them.
//!
//! A whole number is its decimal digits, the last one first, without zeros before the first.

use std::cmp::Ordering;

use arrow_buffer::i256;

use super::{BEFORE, BEHIND, DIGITS, Decimal};

pub(super) fn plus(a: Decimal, b: Decimal) -> Option<Decimal> {
    let scale = a.scale().max(b.scale());
    let (x, y) = (aligned(a, scale), aligned(b, scale));
    let (negative, sum) = if a.is_negative() == b.is_negative() {
        (a.is_negative(), sum(&x, &y))
    } else if order(&x, &y) == Ordering::Less {
        (b.is_negative(), difference(&y, &x))
    } else {
        (a.is_negative(), difference(&x, &y))
    };
    rounded(negative, sum, scale.into())
}

pub(super) fn times(a: Decimal, b: Decimal) -> Option<Decimal> {
    let (x, y) = (aligned(a, a.scale()), aligned(b, b.scale()));
    let mut product = vec![0_u32; x.len() + y.len()];
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate() {
            product[i + j] += u32::from(*x) * u32::from(*y);
        }
    }
    let mut carry = 0;
    let digit = |column: u32| {
        carry += column;
        let digit = (carry % 10) as u8;
        carry /= 10;
        digit
    };
    let digits = product.into_iter().map(digit).collect();
    rounded(a.is_negative() != b.is_negative(), digits, i32::from(a.scale()) + i32::from(b.scale()))
}

/// As on paper: the digits of the dividend are brought down one after the other.
pub(super) fn modulo(a: Decimal, b: Decimal) -> Option<Decimal> {
    let scale = a.scale().max(b.scale());
    let (dividend, divisor) = (aligned(a, scale), aligned(b, scale));
    if divisor.is_empty() {
        return None;
    }
    let mut rest: Vec<u8> = Vec::new();
    for digit in dividend.into_iter().rev() {
        rest.insert(0, digit);
        trim(&mut rest);
        while order(&rest, &divisor) != Ordering::Less {
            rest = difference(&rest, &divisor);
        }
    }
    rounded(a.is_negative(), rest, scale.into())
}

/// The digits of the absolute value at a scale that is not less than its own.
fn aligned(number: Decimal, scale: i16) -> Vec<u8> {
    let zeros = usize::try_from(i32::from(scale) - i32::from(number.scale())).unwrap_or(0);
    let text = number.abs().mantissa().to_string();
    let own = text.bytes().rev().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
    let mut digits: Vec<u8> = std::iter::repeat_n(0, zeros).chain(own).collect();
    trim(&mut digits);
    digits
}

fn trim(digits: &mut Vec<u8>) {
    while digits.last() == Some(&0) {
        digits.pop();
    }
}

fn order(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let digit = |at: usize| {
        let column = a.get(at).unwrap_or(&0) + b.get(at).unwrap_or(&0) + carry;
        carry = column / 10;
        column % 10
    };
    (0..=a.len().max(b.len())).map(digit).collect()
}

/// `a - b`, where `a` is not less.
fn difference(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut borrowed = 0;
    let digit = |at: usize| {
        let (upper, lower) = (a[at], b.get(at).unwrap_or(&0) + borrowed);
        borrowed = u8::from(upper < lower);
        upper + 10 * borrowed - lower
    };
    let mut digits: Vec<u8> = (0..a.len()).map(digit).collect();
    trim(&mut digits);
    digits
}

/// The decimal of these digits: the first 76 of them, rounded half away from zero, without zeros at the end.
fn rounded(negative: bool, mut digits: Vec<u8>, mut scale: i32) -> Option<Decimal> {
    trim(&mut digits);
    let dropped = digits.len().saturating_sub(DIGITS as usize);
    if dropped > 0 {
        let up = digits[dropped - 1] >= 5;
        digits = sum(&digits[dropped..], &[u8::from(up)]);
        scale -= dropped as i32;
    }
    trim(&mut digits);
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    digits.drain(..zeros);
    scale -= zeros as i32;
    if digits.is_empty() {
        return Some(Decimal::from(0));
    }
    let sign = if negative { "-" } else { "" };
    let text: String = digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect();
    let mantissa = i256::from_string(&format!("{sign}{text}"))?;
    let in_range = digits.len() as i32 - scale <= BEFORE && scale <= BEHIND;
    in_range.then(|| Decimal::new(mantissa, scale as i16))
}
