//! From the interval of a computed number to the intervals of the numbers it is computed from.
//!
//! Numbers are computed in one of three ways: exactly (integers and decimals), in floats, of the floats nearest to the
//! numbers, with one rounding, or in decimals of 76 digits, with one rounding.
//!
//! *Upwards.* Let `x >= a` and `y >= b` for floats `a` and `b`. Then `x + y >= a + b`, and the same holds for the floats
//! nearest to `x` and `y`, because rounding keeps the order and `a` and `b` are floats. So the sum, rounded to a float or
//! not at all, is not below the greatest float up to `a + b` ([`sum_down`]). A decimal of 76 digits may be, by far less than
//! a float: where there are decimals, and beyond 2^53, where there may be some for large integers, ends are moved outwards
//! by one float. Products are the same with the least of the four products of ends, and quotients, which are always floats.
//!
//! *Downwards.* Let `z` be the result for `x` and `y`, with `z <= c`, and let `a` be the greatest float up to `x`. By the
//! above, `z` is at least the lower end that is computed of `a` and the interval of `y`; so that end is at most `c`. It
//! does not fall as `a` grows: for products where no value of `y` is negative, and for quotients where all are positive;
//! other signs are brought to these. So bisection finds the greatest float with such an end, and `a` is at most that.
//! [`end_above`] makes an end for `x` of it. Lower ends are upper ends of the negated numbers: every rounding is the same
//! for both signs.

use super::interval::{Interval, end_above, end_below, last_of, product_down, quotient_down, sum_down};
use super::{Conclusion, FoundBounds, SumWalk};
use crate::expr::{Expr, ExprKind, Function, Value};

/// An operation on two numbers; a difference is a sum with the negated number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    Add,
    Multiply,
    Divide,
}

impl Operation {
    /// What it can give.
    pub(super) fn apply(self, a: Interval, b: Interval, plain: bool) -> Interval {
        if a.is_empty() || b.is_empty() {
            return Interval::EMPTY;
        }
        match self {
            // What is divided by numbers around 0 may be anything.
            Self::Divide if b.low <= 0.0 && b.high >= 0.0 => Interval::ALL,
            Self::Divide if b.high < 0.0 => self.apply(a.negated(), b.negated(), plain),
            _ => {
                let low = self.least(a, b);
                let high = match self {
                    Self::Add => -self.least(a.negated(), b.negated()),
                    Self::Multiply | Self::Divide => -self.least(a.negated(), b),
                };
                Interval { low: end_below(low, plain), high: end_above(high, plain) }
            }
        }
    }

    /// The lower end of what it can give, for divisors above 0.
    fn least(self, a: Interval, b: Interval) -> f64 {
        let corners = |of: fn(f64, f64) -> f64| {
            [of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)]
                .into_iter()
                .fold(f64::INFINITY, f64::min)
        };
        match self {
            Self::Add => sum_down(a.low, b.low),
            Self::Multiply => corners(product_down),
            Self::Divide => corners(quotient_down),
        }
    }

    /// The values of `x`, all of them in `range`, for which the operation with some `y` gives something in `result`;
    /// nothing, if there are none.
    pub(super) fn solved(self, range: Interval, y: Interval, result: Interval, plain: bool) -> Option<Interval> {
        if range.is_empty() || y.is_empty() || result.is_empty() {
            return None;
        }
        match self {
            Self::Multiply | Self::Divide if y.high <= 0.0 && y.low < 0.0 => {
                Some(self.solved(range.negated(), y.negated(), result, plain)?.negated())
            }
            Self::Multiply if y.low < 0.0 => Some(range),
            Self::Divide if y.low <= 0.0 => Some(range),
            _ => {
                let other = if self == Self::Add { y.negated() } else { y };
                let high = self.highest(range, y, result.high, plain)?;
                let low = -self.highest(range.negated(), other, -result.low, plain)?;
                Some(range.and(Interval { low, high }))
            }
        }
    }

    /// The upper end of the values for which the result is at most `most`.
    fn highest(self, range: Interval, y: Interval, most: f64, plain: bool) -> Option<f64> {
        if most == f64::INFINITY {
            return Some(range.high);
        }
        let least = |x: f64| end_below(self.least(Interval { low: x, high: x }, y), plain);
        let last = last_of(range.low, range.high, |x| least(x) <= most)?;
        // What has no end, and may be as large as any number, has none now.
        Some(if last == f64::MAX { range.high } else { end_above(last, plain) })
    }
}

impl SumWalk {
    /// What follows from a number that is not null and in an interval.
    pub(super) fn within(&mut self, expr: &Expr, interval: Interval) -> FoundBounds {
        use Function as F;
        let interval = interval.and(self.range(expr));
        if interval.is_empty() {
            return None;
        }
        let ExprKind::Call(function, args) = &expr.kind else { return Some(Vec::new()) };
        if let Some(found) = self.measure(expr, *function, args, interval) {
            return found;
        }
        match (function, &args[..]) {
            (F::Add, _) => self.chain(Operation::Add, args, interval),
            (F::Multiply, _) => self.chain(Operation::Multiply, args, interval),
            (F::Subtract, [a, b]) => self.difference(a, b, interval),
            (F::Divide, [a, b]) => {
                let of_a = Operation::Divide.solved(self.range(a), self.range(b), interval, self.plain)?;
                self.within(a, of_a)
            }
            (F::Negate, [of]) => self.within(of, interval.negated()),
            (F::Abs, [of]) => self.within(of, Interval { low: -interval.high, high: interval.high }),
            (F::NullIf, [of, _]) => self.within(of, interval),
            (F::Coalesce | F::Least | F::Greatest, _) => self.any(args, |walk, arg| walk.value_within(arg, interval)),
            (F::Case, _) => self.case(args, |walk, value| walk.value_within(value, interval)),
            _ => Some(Vec::new()),
        }
    }

    /// The same for a part that may be no number at all.
    fn value_within(&mut self, expr: &Expr, interval: Interval) -> FoundBounds {
        match &expr.kind {
            ExprKind::Literal(Value::Null) => None,
            _ => self.within(expr, interval),
        }
    }

    /// A long sum or product is computed from left to right: each part is added to all before it.
    fn chain(&mut self, operation: Operation, args: &[Expr], interval: Interval) -> FoundBounds {
        let ranges: Vec<Interval> = args.iter().map(|arg| self.range(arg)).collect();
        let mut before = vec![ranges[0]];
        for range in &ranges[1..] {
            before.push(operation.apply(before[before.len() - 1], *range, self.plain));
        }
        let (mut result, mut parts) = (interval, vec![Interval::ALL; args.len()]);
        for at in (1..args.len()).rev() {
            parts[at] = operation.solved(ranges[at], before[at - 1], result, self.plain)?;
            result = operation.solved(before[at - 1], ranges[at], result, self.plain)?;
        }
        parts[0] = result;
        let found: Option<Vec<Vec<Conclusion>>> =
            args.iter().zip(parts).map(|(arg, part)| self.within(arg, part)).collect();
        found.map(|found| found.into_iter().flatten().collect())
    }

    fn difference(&mut self, a: &Expr, b: &Expr, interval: Interval) -> FoundBounds {
        let (of_a, of_b) = (self.range(a), self.range(b).negated());
        let solved_a = Operation::Add.solved(of_a, of_b, interval, self.plain)?;
        let solved_b = Operation::Add.solved(of_b, of_a, interval, self.plain)?;
        let mut found = self.within(a, solved_a)?;
        found.extend(self.within(b, solved_b.negated())?);
        Some(found)
    }
}
