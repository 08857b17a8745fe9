//! Where an expression is in its text, from its first character to its last.
//!
//! sqlparser knows the places of names and literals; the keywords and parentheses around them (`not`, `cast(... as`,
//! `is null`) have none in its tree and are looked for in the text.

use sqlparser::ast::{CastKind, Expr as Sql, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned};

use super::sql::bytes;
use crate::expr::Span;

/// Where an expression is, its keywords and parentheses included.
pub fn span_of(text: &str, expr: &Sql) -> Span {
    let own = |expr: &Sql| span_of(text, expr);
    let joined = |parts: &[&Sql]| parts.iter().map(|part| own(part)).reduce(union).unwrap_or_default();
    match expr {
        Sql::Nested(inner) => in_parentheses(text, own(inner)),
        Sql::BinaryOp { left, right, .. } => joined(&[left, right]),
        Sql::IsDistinctFrom(a, b) | Sql::IsNotDistinctFrom(a, b) => joined(&[a, b]),
        Sql::Between { expr, low, high, .. } => joined(&[expr, low, high]),
        Sql::InList { expr, list, .. } => {
            let all: Vec<&Sql> = std::iter::once(&**expr).chain(list).collect();
            close_parentheses(text, joined(&all))
        }
        Sql::Like { expr, pattern, escape_char, .. } | Sql::ILike { expr, pattern, escape_char, .. } => {
            let all: Vec<&Sql> =
                [Some(expr), Some(pattern), escape_char.as_ref()].into_iter().flatten().map(|e| &**e).collect();
            joined(&all)
        }
        Sql::IsNull(e) | Sql::IsNotNull(e) => up_to(text, own(e), &["null"]),
        Sql::IsUnknown(e) | Sql::IsNotUnknown(e) => up_to(text, own(e), &["unknown"]),
        Sql::IsTrue(e) | Sql::IsNotTrue(e) => up_to(text, own(e), &["true"]),
        Sql::IsFalse(e) | Sql::IsNotFalse(e) => up_to(text, own(e), &["false"]),
        Sql::UnaryOp { op, expr } => from(text, own(expr), &op.to_string()),
        Sql::Cast { kind: CastKind::DoubleColon, expr, data_type, .. } => {
            up_to(text, own(expr), &["::", &data_type.to_string()])
        }
        Sql::Cast { expr, data_type, .. } => {
            call(text, up_to(text, own(expr), &["as", &data_type.to_string()]), "cast")
        }
        Sql::Extract { expr, .. } => call(text, own(expr), "extract"),
        Sql::Ceil { expr, .. } => call(text, own(expr), "ceil"),
        Sql::Floor { expr, .. } => call(text, own(expr), "floor"),
        Sql::Substring { expr, substring_from, substring_for, .. } => {
            let all: Vec<&Sql> = [Some(expr), substring_from.as_ref(), substring_for.as_ref()]
                .into_iter()
                .flatten()
                .map(|e| &**e)
                .collect();
            call(text, joined(&all), "substr")
        }
        Sql::Trim { .. } => call(text, bytes(text, expr.span()), "trim"),
        Sql::Function(function) => of_function(text, function, bytes(text, expr.span())),
        _ => bytes(text, expr.span()),
    }
}

fn union(a: Span, b: Span) -> Span {
    Span { start: a.start.min(b.start), end: a.end.max(b.end) }
}

/// A call by its name: sqlparser knows where the name begins.
fn of_function(text: &str, function: &Function, known: Span) -> Span {
    let FunctionArguments::List(list) = &function.args else { return close_parentheses(text, known) };
    let spans = list.args.iter().filter_map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(span_of(text, expr)),
        _ => None,
    });
    close_parentheses(text, spans.fold(known, union))
}

/// Extended to the next occurrence of each of these words after it.
fn up_to(text: &str, span: Span, words: &[&str]) -> Span {
    let mut end = span.end;
    for word in words {
        let found = text[end..].to_ascii_lowercase().find(&word.to_ascii_lowercase());
        end = found.map_or(end, |at| end + at + word.len());
    }
    Span { start: span.start, end }
}

/// Extended back to the last such word before it.
fn from(text: &str, span: Span, word: &str) -> Span {
    let found = text[..span.start].to_ascii_lowercase().rfind(&word.to_ascii_lowercase());
    Span { start: found.unwrap_or(span.start), end: span.end }
}

fn call(text: &str, inside: Span, name: &str) -> Span {
    close_parentheses(text, from(text, inside, name))
}

/// Extended by the parentheses directly around it.
fn in_parentheses(text: &str, span: Span) -> Span {
    let before = text[..span.start].trim_end();
    let after = &text[span.end..];
    let blanks = after.len() - after.trim_start().len();
    if before.ends_with('(') && after.trim_start().starts_with(')') {
        Span { start: before.len() - 1, end: span.end + blanks + 1 }
    } else {
        span
    }
}

/// Extended by the parentheses after it that close those opened in it.
fn close_parentheses(text: &str, span: Span) -> Span {
    let mut open = unclosed(&text[span.start..span.end]);
    let mut end = span.end;
    for (at, c) in text[span.end..].char_indices() {
        if open == 0 {
            break;
        }
        match c {
            ')' => (open, end) = (open - 1, span.end + at + 1),
            c if c.is_whitespace() => {}
            _ => break,
        }
    }
    Span { start: span.start, end }
}

/// Parentheses left open, except those inside quotes.
fn unclosed(text: &str) -> usize {
    let (mut depth, mut quoted) = (0_usize, false);
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::sql::parse;

    #[test]
    fn the_whole_expression_is_found() {
        for text in [
            "l.a is not null",
            "not l.a = r.a",
            "(l.a = r.a) is not true",
            "cast((l.a) as integer) = cast(r.a as varchar)",
            "l.a::integer < -r.b",
            "trim(both 'x' from l.a) = lower(trim(r.a))",
            "floor( l.a ) = ceil(r.a)",
            "substring(l.a from 1 for 2) in (r.a, lower(r.b))",
            "extract(year from l.a) between 1 and abs((2 - l.b))",
            "l.a not like r.a escape '!'",
            "case when l.a is null then 1 else 2 end = 1",
            "l.a is distinct from (r.b)",
        ] {
            let padded = format!("  {text} and l.z = r.z");
            let Ok(Sql::BinaryOp { left, .. }) = parse(&padded) else { panic!("{padded}") };
            let span = span_of(&padded, &left);
            assert_eq!(&padded[span.start..span.end], text);
        }
    }
}
