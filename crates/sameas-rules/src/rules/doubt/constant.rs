//! Constants of a rule that can be put in order.

use std::cmp::Ordering;

use crate::expr::{Expr, ExprKind, Function, Num, Value};

/// A constant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Constant<'a> {
    Number(Num),
    Text(&'a str),
    /// A date as it is written: years of four digits, then months and days of two.
    Date(&'a str),
}

impl<'a> Constant<'a> {
    /// The constant that an expression is.
    pub(super) fn from_expr(expr: &'a Expr) -> Option<Self> {
        match &expr.kind {
            ExprKind::Literal(Value::Number(number)) => Some(Self::Number(*number)),
            ExprKind::Literal(Value::Text(text)) => Some(Self::Text(text)),
            ExprKind::Call(Function::ToDate, args) => match &args[..] {
                [Expr { kind: ExprKind::Literal(Value::Text(text)), .. }] if is_iso(text) => Some(Self::Date(text)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The order of two of one kind. That of texts is the engine's: by code point.
    pub(super) fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(a.cmp(&b)),
            (Self::Text(a), Self::Text(b)) | (Self::Date(a), Self::Date(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

fn is_iso(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// A number that is written in a rule.
pub(super) fn number(expr: &Expr) -> Option<Num> {
    match Constant::from_expr(expr)? {
        Constant::Number(number) => Some(number),
        _ => None,
    }
}

/// A text that is written in a rule.
pub(super) fn text(expr: &Expr) -> Option<&str> {
    match Constant::from_expr(expr)? {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}
