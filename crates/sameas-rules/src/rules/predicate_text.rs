//! Predicates in the words of the rule they come from, for plans and reports.

use crate::expr::{Expr, ExprKind, Function};

/// A predicate as the user wrote it. What the rule has as a part of something else (`between`, `in`) or negated
/// (`<>`, `not like`) is written out, because the predicate is its positive form.
pub fn predicate_text(expr: &Expr, text: &str) -> String {
    let piece = |expr: &Expr| whole(expr, text);
    match &expr.kind {
        // What the binder put in place of a call, as for `neighbours`, has the span of the call.
        ExprKind::Call(function, args) if args.iter().all(|arg| arg.span != expr.span) => match (function, &args[..]) {
            (Function::IsTrue, [a]) => format!("({}) is true", piece(a)),
            (Function::IsFalse, [a]) => format!("({}) is false", piece(a)),
            (_, [a, b]) => match sign(*function) {
                Some(sign) => format!("{} {sign} {}", piece(a), piece(b)),
                None => piece(expr),
            },
            _ => piece(expr),
        },
        _ => piece(expr),
    }
}

/// An expression as it is written in its text, in one line.
pub fn whole(expr: &Expr, text: &str) -> String {
    let words = text.get(expr.span.start..expr.span.end).unwrap_or(text).split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

/// How a comparison is written.
pub fn sign(function: Function) -> Option<&'static str> {
    match function {
        Function::Equal | Function::NotEqual => Some("="),
        Function::NotDistinct | Function::Distinct => Some("is not distinct from"),
        Function::Less => Some("<"),
        Function::LessEqual => Some("<="),
        Function::Greater => Some(">"),
        Function::GreaterEqual => Some(">="),
        Function::Like => Some("like"),
        Function::ILike => Some("ilike"),
        _ => None,
    }
}

/// The text with `l.` and `r.` exchanged and everything else unchanged.
pub fn exchanged(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut quote = None;
    let mut before = ' ';
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let names_a_side = quote.is_none()
            && matches!(c, 'l' | 'r' | 'L' | 'R')
            && !(before.is_alphanumeric() || matches!(before, '_' | '.' | '"'))
            && rest.as_str().trim_start().starts_with('.');
        result.push(match c {
            'l' if names_a_side => 'r',
            'r' if names_a_side => 'l',
            'L' if names_a_side => 'R',
            'R' if names_a_side => 'L',
            other => other,
        });
        match quote {
            None if matches!(c, '\'' | '"') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        before = c;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_exchanged_outside_quotes() {
        let rule = "L.a = lower(r.\"r.b\") and l . c = 'l.x' || r.l and x.l = 0.1";
        assert_eq!(exchanged(rule), "R.a = lower(l.\"r.b\") and r . c = 'l.x' || l.l and x.l = 0.1");
        assert_eq!(exchanged(&exchanged(rule)), rule);
    }
}
