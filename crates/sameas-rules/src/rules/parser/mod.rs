//! Tokens to the tree of one expression, by the precedence of operators.
//!
//! The tree is never deeper than [`MAX_DEPTH`], so that everything after this may walk it, and what is made of it, by
//! recursion. A chain of one operator (`and`, `or`, `||`, `+`, `*`) is one level, however long it is.

mod infix;
mod prefix;
mod type_name;

use sqlparser::tokenizer::Token;

pub use type_name::unknown_type;

use super::diagnostic::Diagnostic;
use super::lexer::{Lexeme, lexemes};
use super::syntax::{Syntax, SyntaxKind};
use crate::expr::Span;

/// The most levels of an expression: far more than anybody writes, and few enough for the stacks that we give.
pub const MAX_DEPTH: usize = 1_000;

type Parsed<T = Syntax> = Result<T, Diagnostic>;

/// Parses one expression, to its end.
pub fn parse(text: &str) -> Parsed {
    let lexemes = lexemes(text)?;
    let mut parser = SqlParser { text, lexemes: &lexemes, at: 0, level: 0 };
    let tree = parser.expression(0)?;
    match parser.peek() {
        None => Ok(tree),
        Some(next) => Err(Diagnostic::new(next.span, format!("unexpected `{}`", shown(&next.token)))
            .with_help("a rule is one condition; join several with `and` or `or`")),
    }
}

/// Reads the tokens of one text, from the first to the last.
struct SqlParser<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    at: usize,
    /// Expressions that have been begun and not ended.
    level: usize,
}

impl<'a> SqlParser<'a> {
    /// An expression of operators that bind more tightly than `above`.
    fn expression(&mut self, above: u8) -> Parsed {
        self.level += 1;
        if self.level > MAX_DEPTH {
            return Err(too_deep(self.here()));
        }
        let mut left = self.prefix()?;
        while let Some(operator) = self.operator()?.filter(|operator| operator.precedence() > above) {
            left = self.infix(operator, left)?;
        }
        self.level -= 1;
        Ok(left)
    }

    fn peek(&self) -> Option<&'a Lexeme> {
        self.lexemes.get(self.at)
    }

    fn peek_after(&self, count: usize) -> Option<&'a Lexeme> {
        self.lexemes.get(self.at + count)
    }

    fn next(&mut self) -> Option<&'a Lexeme> {
        let next = self.lexemes.get(self.at);
        self.at += usize::from(next.is_some());
        next
    }

    /// The place of the next token, or the end of the text.
    fn here(&self) -> Span {
        let end = self.text.len();
        self.peek().map_or(Span { start: end, end }, |next| next.span)
    }

    /// The place of the token before.
    fn last(&self) -> Span {
        self.at.checked_sub(1).map_or(self.here(), |at| self.lexemes[at].span)
    }

    fn is_next(&self, token: &Token) -> bool {
        self.peek().is_some_and(|next| next.token == *token)
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.is_next(token);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|next| next.is_word(word));
        self.at += usize::from(found);
        found
    }

    fn take_words(&mut self, words: &[&str]) -> bool {
        let found = (0..words.len()).all(|i| self.peek_after(i).is_some_and(|next| next.is_word(words[i])));
        self.at += if found { words.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &Token) -> Parsed<()> {
        if self.take(token) { Ok(()) } else { Err(self.expected(&format!("`{token}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = self.peek().map_or(" at the end".to_owned(), |next| format!(", found: {}", shown(&next.token)));
        let diagnostic = Diagnostic::new(self.here(), format!("expected {what}{found}"));
        self.with_advice(diagnostic)
    }

    /// Signs that others write for `<=` and `>=`.
    fn with_advice(&self, diagnostic: Diagnostic) -> Diagnostic {
        match signs_around(self.text, diagnostic.span.start) {
            "=<" => diagnostic.with_help("at most is written `<=`"),
            "=>" => diagnostic.with_help("at least is written `>=`"),
            _ => diagnostic,
        }
    }

    /// A node of the tree, whose parts have at most `below` levels.
    fn node(&self, kind: SyntaxKind, span: Span, below: usize) -> Parsed {
        if below >= MAX_DEPTH {
            return Err(too_deep(self.last()));
        }
        Ok(Syntax { kind, span, outer: span, depth: below + 1 })
    }

    /// What is between parentheses that are open now, unread; then the next token is what follows them.
    fn skip_parentheses(&mut self) {
        let mut open = 1;
        while open > 0 {
            let Some(next) = self.next() else { break };
            open += usize::from(matches!(next.token, Token::LParen | Token::LBracket | Token::LBrace));
            open -= usize::from(matches!(next.token, Token::RParen | Token::RBracket | Token::RBrace));
        }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("this expression is nested more than {MAX_DEPTH} levels deep"))
        .with_help("compute a part of it in a derived column")
}

fn deepest<'a>(parts: impl IntoIterator<Item = &'a Syntax>) -> usize {
    parts.into_iter().map(|part| part.depth).max().unwrap_or(0)
}

/// A token for a message: a long text is cut.
fn shown(token: &Token) -> String {
    let whole = token.to_string();
    match whole.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &whole[..at]),
        None => whole,
    }
}

/// The comparison signs next to each other at a place.
fn signs_around(text: &str, at: usize) -> &str {
    let is_sign = |c: char| matches!(c, '=' | '<' | '>');
    let start = text[..at].trim_end_matches(is_sign).len();
    let after = &text[at..];
    let end = at + after.len() - after.trim_start_matches(is_sign).len();
    &text[start..end]
}

#[cfg(test)]
mod tests;
