//! The least and the greatest that a number can be, from how it is made.
//!
//! Rounding keeps the order of numbers, so sums and products of floats stay within what the same operations make of the
//! ends of their parts.

use crate::expr::{Expr, ExprKind, Function, Num, SOURCE_DATASET, Type};
use crate::rules::imply::{ROUNDING, is_never_empty, values_of_measure};

use super::constant::number;

/// From the least to the greatest, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
}

const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };

/// Half of the earth's circumference in kilometres, and some metres for rounding.
const FARTHEST_KM: f64 = 20_015.2;

/// Up to this, every integer is a float.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Range {
    pub(super) fn is_known(self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }

    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// What an operation makes of the ends, which is monotone in each argument.
    fn corners(self, other: Self, apply: impl Fn(f64, f64) -> f64) -> Self {
        let ends = [
            apply(self.low, other.low),
            apply(self.low, other.high),
            apply(self.high, other.low),
            apply(self.high, other.high),
        ];
        if ends.iter().any(|end| end.is_nan()) {
            return ANY;
        }
        Self {
            low: ends.into_iter().fold(f64::INFINITY, f64::min),
            high: ends.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// The range of an expression's values that are not null.
pub(super) fn range_of(expr: &Expr) -> Range {
    use Function as F;
    if let Some(number) = number(expr) {
        return point(number);
    }
    let ExprKind::Call(function, args) = &expr.kind else { return ANY };
    if let Some(facts) = function.measure() {
        let (low, high) = values_of_measure(facts);
        return Range { low, high };
    }
    match (function, &args[..]) {
        (F::CosineSimilarity, _) => Range { low: -1.0 - ROUNDING, high: 1.0 + ROUNDING },
        (F::HaversineKm, _) => Range { low: 0.0, high: FARTHEST_KM },
        (F::Length, [of]) => Range { low: if has_characters(of) { 1.0 } else { 0.0 }, high: f64::INFINITY },
        (F::Month, _) => Range { low: 1.0, high: 12.0 },
        (F::Day, _) => Range { low: 1.0, high: 31.0 },
        (F::Abs, [of]) => magnitude(range_of(of)),
        (F::Negate, [of]) => {
            let Range { low, high } = range_of(of);
            Range { low: -high, high: -low }
        }
        (F::Add, [first, rest @ ..]) => chain(first, rest, |a, b| a + b),
        (F::Multiply, [first, rest @ ..]) => chain(first, rest, |a, b| a * b),
        (F::Subtract, [a, b]) => range_of(a).corners(range_of(b), |a, b| a - b),
        (F::Divide, [a, b]) if number(b).is_some_and(|by| by.to_f64() > 0.0) => {
            range_of(a).corners(range_of(b), |a, b| a / b)
        }
        (F::Coalesce | F::Least | F::Greatest, [first, rest @ ..]) => {
            rest.iter().fold(range_of(first), |range, arg| range.join(range_of(arg)))
        }
        (F::NullIf, [of, _]) => range_of(of),
        (F::Case, _) => of_case(args),
        _ => ANY,
    }
}

/// Whether a number is obviously no similarity: it counts something, or has a known range that ends above 1.
pub(in crate::rules) fn exceeds_one(expr: &Expr) -> bool {
    let range = range_of(expr);
    let counts = match &expr.kind {
        ExprKind::Call(Function::Abs, args) => range_of(&args[0]).high > 1.0 + ROUNDING,
        ExprKind::Call(function, _) => is_count(*function),
        _ => false,
    };
    counts || range.low > 1.0 + ROUNDING || (range.high.is_finite() && range.high > 1.0 + 2.0 * ROUNDING)
}

fn point(number: Num) -> Range {
    let at = number.to_f64();
    match number {
        // Beyond this, and for decimals, the float is only near the number.
        Num::Int(_) | Num::Float(_) if at.abs() <= EXACT => Range { low: at, high: at },
        _ => ANY,
    }
}

fn chain(first: &Expr, rest: &[Expr], apply: impl Fn(f64, f64) -> f64) -> Range {
    rest.iter().fold(range_of(first), |range, arg| range.corners(range_of(arg), &apply))
}

fn magnitude(of: Range) -> Range {
    let (low, high) = (of.low.abs(), of.high.abs());
    let low_end = if of.low <= 0.0 && of.high >= 0.0 { 0.0 } else { low.min(high) };
    Range { low: low_end, high: low.max(high) }
}

/// The values of a case: what follows each condition, and the last one. A null among them has no value.
fn of_case(args: &[Expr]) -> Range {
    let then = args.chunks(2).map(|part| part.last().unwrap_or(&part[0]));
    let values = then.filter(|value| value.ty != Type::Null && !is_null(value));
    values.map(range_of).reduce(Range::join).unwrap_or(ANY)
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(crate::expr::Value::Null))
}

/// A text that is null where it would be empty. Without inputs the types of columns are not known.
pub(super) fn has_characters(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Column(_, name) => {
            is_never_empty(expr) || (expr.ty == Type::Null && !name.eq_ignore_ascii_case(SOURCE_DATASET))
        }
        ExprKind::Call(Function::Lower | Function::Upper, args) => has_characters(&args[0]),
        _ => false,
    }
}

/// Whether only whole numbers come out.
pub(super) fn is_count(function: Function) -> bool {
    function == Function::Length || function.measure().is_some_and(|facts| facts.kind.is_whole())
}
