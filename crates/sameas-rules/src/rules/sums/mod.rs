//! What a condition on a sum says about its parts: conditions to join on that nobody wrote.
//!
//! `levenshtein(l.a, r.a) + levenshtein(l.b, r.b) <= 2` can only hold where `levenshtein(l.a, r.a) <= 2`, because no
//! distance is below 0. Such a *conclusion* can be joined on, where the sum can only be computed for every pair.
//!
//! Why no pair is lost. Let a condition be true, or false, for a pair, as it is wanted. Then it is not null, so both sides
//! of its comparison have a value. `arithmetic` walks down from there, always with this statement: *this expression is
//! not null, and its value lies in this interval*.
//!
//! 1. Sums, differences, products, quotients, `-` and `abs` are null if an argument is null, so every argument has a value;
//!    `arithmetic` has the proof of its interval, rounding included.
//! 2. The value of `case`, `coalesce`, `least` and `greatest` is that of one of their parts, which then is not null and in
//!    the interval; of a `case` the condition before it is true, or it is the last part. Parts that cannot be in the
//!    interval are excluded. If one is left, what follows from it holds; if several are left, what follows from each of
//!    them does.
//! 3. A measure has a value in the interval: the comparison with the end of the interval is true, and not null.
//! 4. The laws of three-valued logic: a true `and` has only true parts, a true `or` has one, and a false one vice versa.
//!
//! Only what can be joined on is concluded: equal values, common elements, measures that are small distances or large
//! similarities.

mod arithmetic;
mod interval;
mod measures;
mod ranges;

#[cfg(test)]
mod tests;

use super::imply::implies;
use super::predicate::{Comparison, Test, classify};
use super::predicate_text::{predicate_text, whole};
use crate::expr::{Expr, ExprKind, Function, Num, Reads, Type, Value};
use interval::Interval;

/// A condition has at most this many conclusions: each is encoded and weighed, and one is joined on.
const MOST: usize = 16;

/// Larger conditions, and deeper ones, are nobody's sums. They are left alone, so that time and stack have a bound.
const MOST_NODES: usize = 4096;
const MOST_LEVELS: usize = 64;

/// Pairs of conclusions that are compared to find what several parts have in common.
const MOST_COMPARISONS: usize = 1024;

/// A condition that holds wherever another one is as it is wanted.
#[derive(Clone, Debug)]
pub(super) struct Conclusion {
    /// What it tests; this must be true.
    pub test: Test,
    /// The condition as it is written, or what has a bound.
    of: Expr,
    bound: Option<(Comparison, Num)>,
}

impl Conclusion {
    /// The condition in the words of the rule.
    pub(super) fn text(&self, text: &str) -> String {
        match self.bound {
            Some((comparison, at)) => {
                format!("{} {} {}", whole(&self.of, text), comparison.sign(), at.canonical().to_text())
            }
            None => predicate_text(&self.of, text),
        }
    }
}

/// What all holds; nothing, if what is supposed cannot be.
type FoundBounds = Option<Vec<Conclusion>>;

/// What can be joined on where a condition on both records is `want`.
pub(super) fn conclusions(condition: &Expr, want: bool) -> Vec<Conclusion> {
    let mut nodes = 0;
    if !is_small(condition, MOST_LEVELS, &mut nodes) {
        return Vec::new();
    }
    let mut walk = SumWalk { plain: is_plain(condition), comparisons: MOST_COMPARISONS };
    let mut found = walk.condition(condition, want).unwrap_or_default();
    found.truncate(MOST);
    found
}

fn is_small(expr: &Expr, levels: usize, nodes: &mut usize) -> bool {
    *nodes += 1;
    match &expr.kind {
        ExprKind::Call(_, args) => {
            levels > 0 && *nodes <= MOST_NODES && args.iter().all(|arg| is_small(arg, levels - 1, nodes))
        }
        _ => true,
    }
}

/// Whether all numbers are floats or whole: no decimals. A column of numbers may have some, where it was derived from
/// decimals or has another type in another input; numbers that are read from texts, and measures, are none.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        _ if expr.ty == Type::Decimal => false,
        ExprKind::Literal(value) => !matches!(value, Value::Number(Num::Wide(_))),
        ExprKind::Column(..) => expr.ty != Type::Number,
        ExprKind::Operand(..) => false,
        ExprKind::Call(_, args) => args.iter().all(is_plain),
    }
}

struct SumWalk {
    /// Whether all numbers are floats or whole.
    plain: bool,
    /// How many more conclusions may be compared.
    comparisons: usize,
}

impl SumWalk {
    /// What follows from a condition that is `want`.
    fn condition(&mut self, expr: &Expr, want: bool) -> FoundBounds {
        use Function as F;
        match &expr.kind {
            ExprKind::Literal(Value::Bool(value)) => (*value == want).then(Vec::new),
            ExprKind::Literal(Value::Null) => None,
            ExprKind::Call(function, args) if expr.sides() == Reads::Both => match (function, want) {
                (F::Not, _) => self.condition(&args[0], !want),
                (F::And, true) | (F::Or, false) => self.all(args, |walk, arg| walk.condition(arg, want)),
                (F::And, false) | (F::Or, true) => self.any(args, |walk, arg| walk.condition(arg, want)),
                (F::IsTrue, true) => self.condition(&args[0], true),
                (F::IsFalse, true) => self.condition(&args[0], false),
                (F::Coalesce, _) => self.any(args, |walk, arg| walk.condition(arg, want)),
                (F::Case, _) => self.case(args, |walk, value| walk.condition(value, want)),
                _ => self.compared(expr, *function, args, want),
            },
            _ => Some(Vec::new()),
        }
    }

    /// What follows from a comparison of two values.
    fn compared(&mut self, expr: &Expr, function: Function, args: &[Expr], want: bool) -> FoundBounds {
        use Function as F;
        let two_numbers = matches!(args, [a, b] if a.ty.is_number() && b.ty.is_number());
        match (function, want) {
            (F::Equal | F::NotDistinct | F::ListHasAny, true) | (F::NotEqual | F::Distinct, false) => {
                match classify(expr).0 {
                    test @ (Test::Equal { .. } | Test::ListHasAny { .. }) => {
                        Some(vec![Conclusion { test, of: expr.clone(), bound: None }])
                    }
                    _ if two_numbers && matches!(function, F::Equal | F::NotEqual) => {
                        let [a, b] = [&args[0], &args[1]].map(|arg| self.range(arg));
                        self.both(args, [b, a])
                    }
                    _ => Some(Vec::new()),
                }
            }
            (F::Less, true) | (F::GreaterEqual, false) if two_numbers => self.ordered(args, [0, 1], true),
            (F::LessEqual, true) | (F::Greater, false) if two_numbers => self.ordered(args, [0, 1], false),
            (F::Greater, true) | (F::LessEqual, false) if two_numbers => self.ordered(args, [1, 0], true),
            (F::GreaterEqual, true) | (F::Less, false) if two_numbers => self.ordered(args, [1, 0], false),
            _ => Some(Vec::new()),
        }
    }

    /// What follows from the order of two numbers, of which the first is below the other, or may equal it.
    fn ordered(&mut self, args: &[Expr], [low, high]: [usize; 2], strictly: bool) -> FoundBounds {
        let most = self.range(&args[high]).high;
        let least = self.range(&args[low]).low;
        let mut within = [Interval::ALL; 2];
        within[low] = Interval::up_to(if strictly { self.before(most) } else { most });
        within[high] = Interval::from(if strictly { self.after(least) } else { least });
        self.both(args, within)
    }

    fn both(&mut self, args: &[Expr], [a, b]: [Interval; 2]) -> FoundBounds {
        let mut found = self.within(&args[0], a)?;
        found.extend(self.within(&args[1], b)?);
        Some(found)
    }

    /// All of some expressions have a property.
    fn all(&mut self, args: &[Expr], of: impl Fn(&mut Self, &Expr) -> FoundBounds) -> FoundBounds {
        let found: Option<Vec<Vec<Conclusion>>> = args.iter().map(|arg| of(self, arg)).collect();
        found.map(|found| found.into_iter().flatten().collect())
    }

    /// One of some expressions has a property.
    fn any(&mut self, args: &[Expr], of: impl Fn(&mut Self, &Expr) -> FoundBounds) -> FoundBounds {
        let possible = args.iter().filter_map(|arg| of(self, arg)).collect();
        self.common(possible)
    }

    /// The value of a `case` has a property.
    fn case(&mut self, args: &[Expr], of: impl Fn(&mut Self, &Expr) -> FoundBounds) -> FoundBounds {
        let mut possible = Vec::new();
        for part in args.chunks(2) {
            possible.extend(match part {
                [when, then] => of(self, then).and_then(|mut found| {
                    found.extend(self.condition(when, true)?);
                    Some(found)
                }),
                _ => of(self, &part[0]),
            });
        }
        self.common(possible)
    }

    /// What follows from each of several possibilities.
    fn common(&mut self, mut possible: Vec<Vec<Conclusion>>) -> FoundBounds {
        if possible.len() <= 1 {
            return possible.pop();
        }
        let all: usize = possible.iter().map(Vec::len).sum();
        if possible.iter().any(Vec::is_empty) || all * all > self.comparisons {
            return Some(Vec::new());
        }
        self.comparisons -= all * all;
        let follows = |one: &Conclusion| {
            let from = |other: &Conclusion| implies(&other.test, true, &one.test, true);
            possible.iter().all(|found| found.iter().any(from))
        };
        Some(possible.iter().flatten().filter(|one| follows(one)).cloned().collect())
    }
}
