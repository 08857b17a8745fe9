//! SQL text to sqlparser's tree, with places in bytes of the text.

use sqlparser::ast::Expr as Sql;
use sqlparser::dialect::DuckDbDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, Tokenizer};

use super::diagnostic::Diagnostic;
use crate::expr::Span;

/// Deep enough for anything a person writes, shallow enough for the stack.
const RECURSION_LIMIT: usize = 200;

/// Parses one expression, to its end.
pub fn parse(text: &str) -> Result<Sql, Diagnostic> {
    let dialect = DuckDbDialect {};
    let tokens = Tokenizer::new(&dialect, text)
        .tokenize_with_location()
        .map_err(|e| Diagnostic::new(point(text, e.location), e.message))?;
    let mut parser = Parser::new(&dialect).with_recursion_limit(RECURSION_LIMIT).with_tokens_with_locations(tokens);
    let expr = parser.parse_expr().map_err(|e| describe(text, &parser, &e))?;
    let next = parser.peek_token();
    if next.token != Token::EOF {
        let span = bytes(text, next.span);
        return Err(Diagnostic::new(span, format!("unexpected `{}`", next.token))
            .with_help("a rule is one condition; join several with `and` or `or`"));
    }
    Ok(expr)
}

/// sqlparser says the place in words; ours is underlined instead.
fn describe(text: &str, parser: &Parser<'_>, error: &ParserError) -> Diagnostic {
    let text_of_error = match error {
        ParserError::ParserError(text) | ParserError::TokenizerError(text) => text.as_str(),
        ParserError::RecursionLimitExceeded => "this expression is nested too deeply",
    };
    let (message, place) = text_of_error.split_once(" at Line: ").unwrap_or((text_of_error, ""));
    let message = message.strip_prefix("Expected: ").map_or(message.to_owned(), |rest| format!("expected {rest}"));
    let span = location_of(place).map_or_else(|| bytes(text, parser.peek_token().span), |at| point(text, at));
    let diagnostic = Diagnostic::new(span, message.replace(", found: EOF", " at the end"));
    match signs_around(text, span.start) {
        "=<" => diagnostic.with_help("at most is written `<=`"),
        "=>" => diagnostic.with_help("at least is written `>=`"),
        _ => diagnostic,
    }
}

/// `1, Column: 28` as a place.
fn location_of(place: &str) -> Option<Location> {
    let (line, column) = place.split_once(", Column: ")?;
    Some(Location { line: line.parse().ok()?, column: column.parse().ok()? })
}

/// The comparison signs next to each other at a place.
fn signs_around(text: &str, at: usize) -> &str {
    let is_sign = |c: char| matches!(c, '=' | '<' | '>');
    let start = text[..at].trim_end_matches(is_sign).len();
    let after = &text[at..];
    let end = at + after.len() - after.trim_start_matches(is_sign).len();
    &text[start..end]
}

/// Turns sqlparser's lines and columns (from 1, in characters) into bytes.
pub fn bytes(text: &str, span: sqlparser::tokenizer::Span) -> Span {
    let start = offset(text, span.start);
    let end = offset(text, span.end).max(start);
    Span { start, end }
}

fn point(text: &str, location: Location) -> Span {
    let start = offset(text, location);
    Span { start, end: start }
}

fn offset(text: &str, location: Location) -> usize {
    if location.line == 0 {
        return 0;
    }
    let mut line_start = 0;
    for _ in 1..location.line {
        line_start += text[line_start..].find('\n').map_or(text.len() - line_start, |at| at + 1);
    }
    let line = &text[line_start..];
    let column = usize::try_from(location.column.saturating_sub(1)).unwrap_or(usize::MAX);
    line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}
