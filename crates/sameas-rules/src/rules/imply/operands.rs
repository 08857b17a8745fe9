//! What can be said about the values that a predicate reads, from the shape of their expressions.

use std::collections::HashMap;

use crate::expr::{Expr, ExprKind, Function, Num, SOURCE_DATASET, Type, Value, shown_name};

/// Numbers for expressions; equal numbers mean equal values for every record.
#[derive(Default)]
pub(in crate::rules) struct ExprNumbers {
    known: HashMap<String, u32>,
}

impl ExprNumbers {
    /// The number of an expression.
    pub(super) fn number(&mut self, expr: &Expr) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(expr.canonical()).or_insert(next)
    }
}

/// The values of the left and the right record that two expressions are made of by one and the same function, which is
/// total and gives equal results for equal texts: first the expressions themselves, then what lies below.
pub(super) fn made_of(left: &Expr, right: &Expr, numbers: &mut ExprNumbers) -> Vec<(u32, u32)> {
    let mut found = vec![(numbers.number(left), numbers.number(right))];
    let (mut left, mut right) = (left, right);
    while let Some((below_left, below_right)) = under_same_function(left, right, numbers) {
        found.push((numbers.number(below_left), numbers.number(below_right)));
        (left, right) = (below_left, below_right);
    }
    found
}

/// The texts that one total function with the same constants is applied to on both sides.
fn under_same_function<'a>(left: &'a Expr, right: &'a Expr, numbers: &mut ExprNumbers) -> Option<(&'a Expr, &'a Expr)> {
    let (ExprKind::Call(f, of_left), ExprKind::Call(g, of_right)) = (&left.kind, &right.kind) else { return None };
    let (below_left, constants) = of_left.split_first()?;
    let (below_right, others) = of_right.split_first()?;
    let of_text = below_left.ty == Type::Text && below_right.ty == Type::Text;
    let same_constants = constants.len() == others.len()
        && constants.iter().zip(others).all(|(a, b)| numbers.number(a) == numbers.number(b));
    (f == g && of_text && same_constants && is_total(*f, constants)).then_some((below_left, below_right))
}

/// Whether the function has a value, not null, for every text, with these arguments after the text.
fn is_total(function: Function, constants: &[Expr]) -> bool {
    use Function as F;
    match (function, constants) {
        (F::Lower | F::Upper | F::StripAccents | F::StripPunctuation | F::CollapseSpaces, []) => true,
        (F::Digits | F::Length | F::Trim | F::TrimStart | F::TrimEnd, []) => true,
        (F::Trim | F::TrimStart | F::TrimEnd, [set]) => is_text(set),
        (F::Left | F::Right | F::Substr, [place]) => integer(place).is_some(),
        (F::Substr, [start, count]) => integer(start).is_some() && integer(count).is_some_and(|count| count >= 0),
        (F::Replace, [from, to]) => is_text(from) && is_text(to),
        (F::SplitPart, [separator, part]) => is_text(separator) && integer(part).is_some(),
        _ => false,
    }
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Value::Text(_)))
}

fn integer(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Literal(Value::Number(number)) => match number.canonical() {
            Num::Int(value) => Some(value),
            Num::Float(_) | Num::Wide(_) => None,
        },
        _ => None,
    }
}

/// A text that is null rather than empty: a column of an input or a derived one. The name of an input is neither.
pub(in crate::rules) fn is_never_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Column(_, name) => expr.ty == Type::Text && shown_name(name) != SOURCE_DATASET,
        _ => false,
    }
}

/// Everything that is not null where `expr` is not: itself, and the arguments of functions that are null of null.
pub(super) fn needed_by(expr: &Expr, numbers: &mut ExprNumbers, found: &mut Vec<u32>) {
    found.push(numbers.number(expr));
    if let ExprKind::Call(function, args) = &expr.kind
        && is_null_of_null(*function)
    {
        args.iter()
            .filter(|arg| !matches!(arg.kind, ExprKind::Literal(_)))
            .for_each(|arg| needed_by(arg, numbers, found));
    }
}

fn is_null_of_null(function: Function) -> bool {
    use Function as F;
    matches!(function, F::Lower | F::Upper | F::StripAccents | F::StripPunctuation | F::CollapseSpaces | F::Digits)
        || matches!(function, F::Trim | F::TrimStart | F::TrimEnd | F::Left | F::Right | F::Substr | F::Replace)
        || matches!(function, F::Length | F::SplitPart | F::Concat | F::Soundex | F::SortKey | F::Words | F::Qgrams)
        || matches!(function, F::Metaphone | F::MetaphoneAlternate | F::ListGroups | F::ArrayLength)
        || matches!(function, F::Strptime | F::ParseNumber)
        || matches!(function, F::ToNumber | F::ToDate | F::ToText | F::ToInteger | F::ToFloat | F::ToTextList)
        || matches!(function, F::Add | F::Subtract | F::Multiply | F::Divide | F::Year | F::Month | F::Day)
}
