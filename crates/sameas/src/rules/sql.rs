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

/// sqlparser appends the place in words; ours is underlined instead.
fn describe(text: &str, parser: &Parser<'_>, error: &ParserError) -> Diagnostic {
    let message = match error {
        ParserError::ParserError(m) | ParserError::TokenizerError(m) => {
            m.split(" at Line").next().unwrap_or(m).to_owned()
        }
        ParserError::RecursionLimitExceeded => "this expression is nested too deeply".to_owned(),
    };
    let message = message.strip_prefix("Expected: ").map_or(message.clone(), |rest| format!("expected {rest}"));
    Diagnostic::new(bytes(text, parser.peek_token().span), message.replace(", found: EOF", " at the end"))
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
