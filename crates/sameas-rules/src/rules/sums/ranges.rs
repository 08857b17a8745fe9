//! What values an expression can have, from how it is made: an interval that holds all that are not null.

use super::SumWalk;
use super::arithmetic::Operation;
use super::interval::{Interval, end_above, end_below};
use crate::expr::{Expr, ExprKind, Function, Num, Value};
use crate::rules::imply::values_of_measure;

impl SumWalk {
    /// The values that are not null.
    pub(super) fn range(&self, expr: &Expr) -> Interval {
        match &expr.kind {
            ExprKind::Literal(Value::Number(number)) => around(*number),
            ExprKind::Literal(Value::Null) => Interval::EMPTY,
            ExprKind::Call(function, args) => self.range_of_call(*function, args),
            _ => Interval::ALL,
        }
    }

    fn range_of_call(&self, function: Function, args: &[Expr]) -> Interval {
        use Function as F;
        if let Some(facts) = function.measure() {
            let (low, high) = values_of_measure(facts);
            return Interval { low, high };
        }
        match (function, args) {
            (F::HaversineKm | F::Length | F::ArrayLength, _) => Interval::from(0.0),
            (F::Abs, [of]) => self.range(of).magnitudes(),
            (F::Negate, [of]) => self.range(of).negated(),
            (F::Add, [first, rest @ ..]) => self.range_of_chain(first, rest, Operation::Add),
            (F::Multiply, [first, rest @ ..]) => self.range_of_chain(first, rest, Operation::Multiply),
            (F::Subtract, [a, b]) => Operation::Add.apply(self.range(a), self.range(b).negated(), self.plain),
            (F::Divide, [a, b]) => Operation::Divide.apply(self.range(a), self.range(b), self.plain),
            (F::Coalesce | F::Least | F::Greatest, _) => self.range_of_any(args.iter()),
            (F::Case, _) => self.range_of_any(args.chunks(2).map(|part| &part[part.len() - 1])),
            (F::NullIf, [of, _]) => self.range(of),
            _ => Interval::ALL,
        }
    }

    fn range_of_chain(&self, first: &Expr, rest: &[Expr], operation: Operation) -> Interval {
        rest.iter().fold(self.range(first), |range, arg| operation.apply(range, self.range(arg), self.plain))
    }

    fn range_of_any<'e>(&self, parts: impl Iterator<Item = &'e Expr>) -> Interval {
        parts.map(|part| self.range(part)).fold(Interval::EMPTY, Interval::or)
    }

    /// The upper end of numbers below `end`.
    pub(super) fn before(&self, end: f64) -> f64 {
        end_above(end.next_down(), self.plain).min(end)
    }

    /// The lower end of numbers above `end`.
    pub(super) fn after(&self, end: f64) -> f64 {
        end_below(end.next_up(), self.plain).max(end)
    }
}

/// A constant: itself, or the floats around it.
fn around(number: Num) -> Interval {
    let near = number.to_f64();
    match number.cmp(&Num::Float(near)) {
        std::cmp::Ordering::Less => Interval { low: near.next_down(), high: near },
        std::cmp::Ordering::Equal => Interval { low: near, high: near },
        std::cmp::Ordering::Greater => Interval { low: near, high: near.next_up() },
    }
}
