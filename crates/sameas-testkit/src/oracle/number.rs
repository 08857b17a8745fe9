//! Arithmetic and the order of numbers.

use super::exact::Exact;
use super::value::{Value, integer_of};
use crate::case::Op;
use std::cmp::Ordering;

/// `a op b` of two numbers: integers stay integers and decimals decimals except for `/`; with a float all are floats;
/// what is not a finite number is null.
pub fn arithmetic(op: Op, a: &Value, b: &Value) -> Value {
    let (a, b) = (a.to_number(), b.to_number());
    if let (Value::Int(a), Value::Int(b), false) = (&a, &b, op == Op::Divide) {
        let result = match op {
            Op::Add => a.checked_add(*b),
            Op::Subtract => a.checked_sub(*b),
            Op::Multiply => a.checked_mul(*b),
            _ => a.checked_rem(*b),
        };
        return result.map_or(Value::Null, Value::Int);
    }
    if let (Some(a), Some(b), false) = (exact(&a), exact(&b), op == Op::Divide) {
        let result = match op {
            Op::Add => a.plus(&b),
            Op::Subtract => a.plus(&b.negated()),
            Op::Multiply => a.times(&b),
            _ => a.modulo(&b),
        };
        return result.map_or(Value::Null, Value::Exact);
    }
    match (a.to_float(), b.to_float()) {
        (Some(a), Some(b)) => Value::float(float_arithmetic(op, a, b)),
        _ => Value::Null,
    }
}

/// An integer or a decimal.
fn exact(value: &Value) -> Option<Exact> {
    match value {
        Value::Int(value) => Some(Exact::of_int(*value)),
        Value::Exact(value) => Some(value.clone()),
        _ => None,
    }
}

fn float_arithmetic(op: Op, a: f64, b: f64) -> f64 {
    match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        _ => a % b,
    }
}

/// `-a`
pub fn negate(a: &Value) -> Value {
    match a.to_number() {
        Value::Int(value) => value.checked_neg().map_or(Value::Null, Value::Int),
        Value::Float(value) => Value::float(-value),
        Value::Exact(value) => Value::Exact(value.negated()),
        _ => Value::Null,
    }
}

/// `abs(a)`
pub fn abs(a: &Value) -> Value {
    match a.to_number() {
        Value::Int(value) => value.checked_abs().map_or(Value::Null, Value::Int),
        Value::Float(value) => Value::float(value.abs()),
        Value::Exact(value) => Value::Exact(value.abs()),
        _ => Value::Null,
    }
}

/// `round`, `floor` or `ceil` to a whole number: an integer if it fits.
pub fn whole(op: Op, a: &Value) -> Value {
    match a.to_number() {
        Value::Float(value) => {
            let whole = match op {
                Op::Floor => value.floor(),
                Op::Ceil => value.ceil(),
                _ => value.round(),
            };
            integer_of(whole).map_or(Value::Float(whole), Value::Int)
        }
        Value::Exact(value) if op == Op::Round => Value::Exact(value.round(0)),
        Value::Exact(value) => Value::Exact(value.whole(op == Op::Ceil)),
        other => other,
    }
}

/// `round(a, digits)`: integers stay, floats are rounded at that decimal.
pub fn round_at(a: &Value, digits: &Value) -> Value {
    match (a.to_number(), digits.to_integer()) {
        (_, None) => Value::Null,
        (Value::Exact(value), Some(digits)) => Value::Exact(value.round(digits)),
        (Value::Float(value), Some(digits)) if digits > 0 => {
            let power = 10_f64.powi(digits.min(400) as i32);
            Value::float((value * power).round() / power)
        }
        (number, _) => whole(Op::Round, &number),
    }
}

/// The mathematical order of two numbers, an integer against a float included.
pub fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) => Some(int_with_float(*a, *b)),
        (Value::Float(a), Value::Int(b)) => Some(int_with_float(*b, *a).reverse()),
        (Value::Exact(a), Value::Float(b)) => Some(a.order(&Exact::of_float(*b))),
        (Value::Float(a), Value::Exact(b)) => Some(Exact::of_float(*a).order(b)),
        (Value::Exact(_), _) | (_, Value::Exact(_)) => Some(exact(a)?.order(&exact(b)?)),
        _ => None,
    }
}

/// An integer against a float: their whole parts decide, then the fraction of the float.
fn int_with_float(int: i64, float: f64) -> Ordering {
    let limit = 2_f64.powi(63);
    if float >= limit {
        return Ordering::Less;
    }
    if float < -limit {
        return Ordering::Greater;
    }
    let fraction = float - float.floor();
    let whole = float.floor() as i64;
    int.cmp(&whole).then(if fraction > 0.0 { Ordering::Less } else { Ordering::Equal })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats() {
        let int = Value::Int;
        assert_eq!(arithmetic(Op::Add, &int(i64::MAX), &int(1)), Value::Null);
        assert_eq!(arithmetic(Op::Divide, &int(1), &int(2)), Value::Float(0.5));
        assert_eq!(arithmetic(Op::Divide, &int(1), &int(0)), Value::Null);
        assert_eq!(arithmetic(Op::Modulo, &int(-7), &int(3)), int(-1));
        assert_eq!(arithmetic(Op::Modulo, &Value::Float(7.5), &int(0)), Value::Null);
        assert_eq!(arithmetic(Op::Multiply, &Value::Text("3".into()), &int(2)), int(6));
        assert_eq!(abs(&int(i64::MIN)), Value::Null);
    }

    #[test]
    fn rounding() {
        assert_eq!(whole(Op::Round, &Value::Float(-0.5)), Value::Int(-1));
        assert_eq!(whole(Op::Ceil, &Value::Float(1e300)), Value::Float(1e300));
        assert_eq!(round_at(&Value::Float(2.345), &Value::Int(1)), Value::Float(2.3));
        assert_eq!(round_at(&Value::Int(12), &Value::Int(1)), Value::Int(12));
    }

    #[test]
    fn the_order_is_exact() {
        let big = 9_007_199_254_740_993_i64;
        assert_eq!(order(&Value::Int(big), &Value::Float(big as f64)), Some(Ordering::Greater));
        assert_eq!(order(&Value::Int(3), &Value::Float(3.0)), Some(Ordering::Equal));
        assert_eq!(order(&Value::Float(-2.5), &Value::Int(-2)), Some(Ordering::Less));
        assert_eq!(order(&Value::Int(i64::MAX), &Value::Float(2_f64.powi(63))), Some(Ordering::Less));
    }
}
