//! Goes through a condition with the truth that each part of it is asked for.

use std::collections::HashSet;

use super::{DoubtKind, FoundDoubt, Severity};
use crate::expr::{Expr, ExprKind, Function, Span, Type};

/// The parts of one text that have been looked at.
pub(super) struct DoubtWalk<'a> {
    text: &'a str,
    /// Whether there are two records.
    pub is_pair: bool,
    pub found: Vec<FoundDoubt>,
    /// What was found, so that a condition that is repeated is reported once.
    seen: HashSet<(DoubtKind, &'a str)>,
}

impl<'a> DoubtWalk<'a> {
    pub(super) fn new(text: &'a str, is_pair: bool) -> Self {
        Self { text, is_pair, found: Vec::new(), seen: HashSet::new() }
    }

    pub(super) fn into_found(mut self) -> Vec<FoundDoubt> {
        self.found.sort_by_key(|doubt| doubt.span.start);
        self.found
    }

    /// The text of a part, in one line and not too long.
    pub(super) fn shown(&self, span: Span) -> String {
        let words: Vec<&str> = self.slice(span).split_whitespace().collect();
        let whole = words.join(" ");
        match whole.char_indices().nth(60) {
            Some((at, _)) => format!("{}...", &whole[..at]),
            None => whole,
        }
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    pub(super) fn add(&mut self, kind: DoubtKind, severity: Severity, span: Span, message: String, help: String) {
        if self.seen.insert((kind, self.slice(span))) {
            self.found.push(FoundDoubt { kind, severity, span, message, help });
        }
    }

    /// A condition that can never hold.
    pub(super) fn never(&mut self, kind: DoubtKind, span: Span, why: &str, help: String) {
        self.add(kind, Severity::Mistake, span, format!("this can never hold: {why}"), help);
    }

    /// A condition that holds wherever its values are not null.
    pub(super) fn always(&mut self, kind: DoubtKind, span: Span, why: &str, help: String) {
        self.add(kind, Severity::Warning, span, format!("this holds for every value: {why}"), help);
    }

    /// One that never holds, or always, as it is asked for.
    pub(super) fn decided(&mut self, kind: DoubtKind, holds: bool, span: Span, why: &str, help: String) {
        if holds { self.always(kind, span, why, help) } else { self.never(kind, span, why, help) }
    }

    pub(super) fn warn(&mut self, kind: DoubtKind, span: Span, message: String, help: String) {
        self.add(kind, Severity::Warning, span, message, help);
    }

    /// A condition that must be `want`.
    pub(super) fn condition(&mut self, expr: &Expr, want: bool) {
        let ExprKind::Call(function, args) = &expr.kind else { return };
        match (function, &args[..]) {
            (Function::Not, [of]) => self.condition(of, !want),
            (Function::And | Function::Or, _) => self.junction(*function, args, want),
            (Function::IsTrue, [of]) if want => self.condition(of, true),
            (Function::IsFalse, [of]) if want => self.condition(of, false),
            (Function::In, [of, items @ ..]) => self.list(of, items, want, expr.span),
            (Function::Like | Function::ILike | Function::StartsWith | Function::Contains, [of, pattern, ..]) => {
                self.pattern(*function, of, pattern, want, expr.span);
                self.value(of);
            }
            (_, [a, b]) if is_comparison(*function) => {
                self.comparison(*function, [a, b], want, expr.span);
                self.value(a);
                self.value(b);
            }
            _ => self.value(expr),
        }
    }

    fn junction(&mut self, function: Function, args: &[Expr], want: bool) {
        args.iter().for_each(|arg| self.condition(arg, want));
        match (function == Function::And) == want {
            true => self.all_of(args, want),
            false => self.any_of(args, want),
        }
    }

    /// The conditions and measures inside a value.
    pub(super) fn value(&mut self, expr: &Expr) {
        let ExprKind::Call(function, args) = &expr.kind else { return };
        self.measure(*function, args, expr.span);
        self.null_test(*function, args, expr.span);
        for arg in args {
            if arg.ty == Type::Bool && matches!(arg.kind, ExprKind::Call(..)) {
                self.condition(arg, true);
            } else {
                self.value(arg);
            }
        }
    }

    fn comparison(&mut self, function: Function, sides: [&Expr; 2], want: bool, span: Span) {
        if self.same_value(function, sides, want, span) {
            return;
        }
        for (of, with, function) in [(sides[0], sides[1], function), (sides[1], sides[0], mirrored(function))] {
            self.with_number(function, of, with, want, span);
            self.with_text(function, of, with, want, span);
        }
        self.other_cases(function, sides, span);
    }
}

pub(super) fn is_comparison(function: Function) -> bool {
    use Function as F;
    matches!(function, F::Equal | F::NotEqual | F::Less | F::LessEqual | F::Greater | F::GreaterEqual)
        || matches!(function, F::Distinct | F::NotDistinct)
}

/// The comparison with its sides exchanged.
pub(super) fn mirrored(function: Function) -> Function {
    use Function as F;
    match function {
        F::Less => F::Greater,
        F::LessEqual => F::GreaterEqual,
        F::Greater => F::Less,
        F::GreaterEqual => F::LessEqual,
        same => same,
    }
}

/// The comparison that is true where this one is false.
pub(super) fn negated(function: Function) -> Function {
    use Function as F;
    match function {
        F::Equal => F::NotEqual,
        F::NotEqual => F::Equal,
        F::Less => F::GreaterEqual,
        F::LessEqual => F::Greater,
        F::Greater => F::LessEqual,
        F::GreaterEqual => F::Less,
        F::Distinct => F::NotDistinct,
        F::NotDistinct => F::Distinct,
        other => other,
    }
}

/// The comparison that must be true where this one must be `want`.
pub(super) fn wanted(function: Function, want: bool) -> Function {
    if want { function } else { negated(function) }
}
