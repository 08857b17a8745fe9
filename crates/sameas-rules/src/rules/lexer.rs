//! The text of a rule as tokens, with their places in bytes of the text.

use std::str::Chars;

use sqlparser::dialect::DuckDbDialect;
use sqlparser::tokenizer::{Location, Token, Tokenizer};

use super::diagnostic::Diagnostic;
use crate::expr::Span;

/// A token and its place.
pub struct Lexeme {
    pub token: Token,
    pub span: Span,
}

impl Lexeme {
    /// The word in lower case, unless it is in quotes: what a keyword could be.
    pub fn word(&self) -> Option<String> {
        match &self.token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_ascii_lowercase()),
            _ => None,
        }
    }

    /// Whether it is this word, in lower case.
    pub fn is_word(&self, wanted: &str) -> bool {
        matches!(&self.token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted))
    }
}

/// The tokens of a text, without white space and comments.
pub fn lexemes(text: &str) -> Result<Vec<Lexeme>, Diagnostic> {
    let dialect = DuckDbDialect {};
    let tokens = Tokenizer::new(&dialect, text).tokenize_with_location().map_err(|error| {
        let start = Places::new(text).byte(error.location);
        Diagnostic::new(Span { start, end: start }, error.message)
    })?;
    let mut places = Places::new(text);
    let mut lexemes = Vec::with_capacity(tokens.len());
    for token in tokens {
        let start = places.byte(token.span.start);
        let end = places.byte(token.span.end);
        if !matches!(token.token, Token::Whitespace(_)) {
            lexemes.push(Lexeme { token: token.token, span: Span { start, end } });
        }
    }
    Ok(lexemes)
}

/// Turns lines and columns, which count characters from 1 and come in order, into bytes in one pass over the text.
struct Places<'a> {
    rest: Chars<'a>,
    length: usize,
    at: Location,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars(), length: text.len(), at: Location { line: 1, column: 1 } }
    }

    fn byte(&mut self, wanted: Location) -> usize {
        while (self.at.line, self.at.column) < (wanted.line, wanted.column) {
            match self.rest.next() {
                Some('\n') => self.at = Location { line: self.at.line + 1, column: 1 },
                Some(_) => self.at.column += 1,
                None => break,
            }
        }
        self.length - self.rest.as_str().len()
    }
}
