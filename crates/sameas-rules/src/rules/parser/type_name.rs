//! The type in a cast.

use sqlparser::tokenizer::Token;

use super::super::diagnostic::Diagnostic;
use super::super::lexer::Lexeme;
use super::super::syntax::{TypeName, join};
use super::{Parsed, SqlParser};
use crate::expr::Span;

/// Words that go on with the name of a type.
const MORE_WORDS: &[&str] = &[
    "precision",
    "varying",
    "large",
    "object",
    "unsigned",
    "signed",
    "array",
    "with",
    "without",
    "local",
    "time",
    "zone",
];

impl SqlParser<'_> {
    /// `varchar`, `double precision`, `decimal(10, 2)`.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.here();
        let Some(mut name) = self.peek().and_then(Lexeme::word) else { return Err(self.expected("a type")) };
        self.next();
        while let Some(word) = self.peek().and_then(Lexeme::word).filter(|w| MORE_WORDS.contains(&w.as_str())) {
            name.push(' ');
            name.push_str(&word);
            self.next();
        }
        let nested = self.is_next(&Token::Lt) && matches!(name.as_str(), "array" | "struct" | "map" | "row");
        if nested || self.is_next(&Token::LBracket) {
            return Err(unknown_type(self.text, join(start, self.here())));
        }
        if self.take(&Token::LParen) {
            self.size(start)?;
        }
        Ok(TypeName { name, span: join(start, self.last()) })
    }

    /// `10, 2)`.
    fn size(&mut self, start: Span) -> Parsed<()> {
        let mut numbers = 0;
        while matches!(self.peek().map(|next| &next.token), Some(Token::Number(..))) {
            self.next();
            numbers += 1;
            if !self.take(&Token::Comma) {
                break;
            }
        }
        if self.take(&Token::RParen) && (1..=2).contains(&numbers) {
            return Ok(());
        }
        Err(unknown_type(self.text, join(start, self.here())))
    }
}

/// The mistake of a cast to what is no type here.
pub fn unknown_type(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("cannot cast to `{}`", &text[span.start..span.end]))
        .with_help("cast to varchar, bigint, double, boolean or date")
}
