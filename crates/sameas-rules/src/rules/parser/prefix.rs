//! What an expression begins with: literals, columns, calls, parentheses and the special forms of SQL.

use sqlparser::tokenizer::Token;

use super::super::diagnostic::Diagnostic;
use super::super::lexer::Lexeme;
use super::super::syntax::{NamePart, Syntax, SyntaxKind, join};
use super::infix::{NOT, SIGN, is_text};
use super::{Parsed, SqlParser, deepest};
use crate::expr::Span;

impl SqlParser<'_> {
    /// An expression up to its first operator.
    pub(super) fn prefix(&mut self) -> Parsed {
        let Some(first) = self.peek() else { return Err(self.expected("an expression")) };
        let span = first.span;
        let leaf = match &first.token {
            Token::Word(_) => return self.word(),
            Token::LParen => return self.parentheses(),
            Token::Minus | Token::Plus => return self.sign(first.token == Token::Minus),
            Token::LBracket | Token::LBrace => return self.refused_brackets(),
            Token::SingleQuotedString(text) => SyntaxKind::Text(text.clone()),
            Token::Number(number, _) => SyntaxKind::Number(number.clone()),
            other if is_text(other) || matches!(other, Token::Placeholder(_)) => SyntaxKind::Refused {
                message: format!("`{}` is not a literal of the rule language", super::shown(other)),
                help: "write texts in 'single quotes'".into(),
            },
            _ => return Err(self.expected("an expression")),
        };
        self.next();
        self.node(leaf, span, 0)
    }

    fn word(&mut self) -> Parsed {
        let Some(first) = self.peek() else { return Err(self.expected("an expression")) };
        let (word, span) = (first.word().unwrap_or_default(), first.span);
        let called = self.peek_after(1).is_some_and(|next| next.token == Token::LParen);
        match word.as_str() {
            "null" => self.leaf(SyntaxKind::Null),
            "true" | "false" => self.leaf(SyntaxKind::Bool(word == "true")),
            "not" if self.begins_operand(1) => {
                self.next();
                let of = self.expression(NOT)?;
                let (span, below) = (join(span, of.outer), of.depth);
                self.node(SyntaxKind::Not(Box::new(of)), span, below)
            }
            "case" if self.begins_operand(1) => self.case(),
            "cast" | "try_cast" | "safe_cast" if called => self.cast(),
            "extract" if called => self.extract(),
            "substring" | "substr" if called => self.substring(),
            "trim" if called => self.trim(),
            "exists" if called => {
                self.at += 2;
                self.subquery(span)
            }
            "interval" if self.begins_operand(1) && !called => Err(self.refused_literal("interval")),
            word if !word.is_empty() && self.peek_after(1).is_some_and(|next| is_text(&next.token)) => {
                self.typed_literal(word)
            }
            _ => self.name(),
        }
    }

    /// Whether the token after some others can begin an expression.
    fn begins_operand(&self, count: usize) -> bool {
        let begins = |token: &Token| {
            matches!(token, Token::Word(_) | Token::Number(..) | Token::LParen | Token::Minus | Token::Plus)
                || is_text(token)
        };
        self.peek_after(count).is_some_and(|next| begins(&next.token))
    }

    fn leaf(&mut self, kind: SyntaxKind) -> Parsed {
        let span = self.here();
        self.next();
        self.node(kind, span, 0)
    }

    fn sign(&mut self, minus: bool) -> Parsed {
        let span = self.here();
        self.next();
        let of = self.expression(SIGN)?;
        let (span, below) = (join(span, of.outer), of.depth);
        self.node(SyntaxKind::Sign(minus, Box::new(of)), span, below)
    }

    fn parentheses(&mut self) -> Parsed {
        let open = self.here();
        self.next();
        if self.is_subquery() {
            return self.subquery(open);
        }
        let mut inner = self.expression(0)?;
        self.expect(&Token::RParen)?;
        inner.outer = join(open, self.last());
        Ok(inner)
    }

    /// A column or a call.
    fn name(&mut self) -> Parsed {
        let start = self.here();
        let mut parts = Vec::new();
        loop {
            let Some(Token::Word(word)) = self.peek().map(|next| &next.token) else {
                return Err(self.expected("a name"));
            };
            parts.push(NamePart { value: word.value.clone(), quoted: word.quote_style.is_some() });
            self.next();
            if !self.take(&Token::Period) {
                break;
            }
        }
        if !self.take(&Token::LParen) {
            let span = join(start, self.last());
            return self.node(SyntaxKind::Column(parts), span, 0);
        }
        let name = parts.iter().map(|part| part.value.to_lowercase()).collect::<Vec<_>>().join(".");
        self.call(name, start)
    }

    /// A call after its opening parenthesis.
    fn call(&mut self, name: String, start: Span) -> Parsed {
        let star = self.is_next(&Token::Mul);
        let distinct = self.peek().is_some_and(|next| next.is_word("distinct")) && self.begins_operand(1);
        if star || distinct {
            self.skip_parentheses();
            return self.refused(start, format!("`{name}` cannot be called like this"), "give plain arguments");
        }
        let args = self.list()?;
        if self.is_windowed() {
            let message = "windows and aggregates have no meaning for a pair of records";
            return self.refused(start, message.into(), "use plain functions");
        }
        let (span, below) = (join(start, self.last()), deepest(&args));
        self.node(SyntaxKind::Call { name, args }, span, below)
    }

    /// Reads `over (...)`, `filter (...)` and `within group (...)`.
    fn is_windowed(&mut self) -> bool {
        let windowed = self.take_word("over") || self.take_word("filter") || self.take_words(&["within", "group"]);
        if windowed && self.take(&Token::LParen) {
            self.skip_parentheses();
        }
        windowed
    }

    /// Expressions up to the closing parenthesis; a comma may come before it.
    pub(super) fn list(&mut self) -> Parsed<Vec<Syntax>> {
        let mut list = Vec::new();
        while !self.take(&Token::RParen) {
            list.push(self.expression(0)?);
            if !self.take(&Token::Comma) && !self.is_next(&Token::RParen) {
                return Err(self.expected("`,` or `)`"));
            }
        }
        Ok(list)
    }

    fn case(&mut self) -> Parsed {
        let start = self.here();
        self.next();
        let operand = match self.peek().is_some_and(|next| next.is_word("when")) {
            true => None,
            false => Some(Box::new(self.expression(0)?)),
        };
        let mut whens = Vec::new();
        while whens.is_empty() || self.peek().is_some_and(|next| next.is_word("when")) {
            self.expect_word("when")?;
            let when = self.expression(0)?;
            self.expect_word("then")?;
            whens.push([when, self.expression(0)?]);
        }
        let otherwise = if self.take_word("else") { Some(Box::new(self.expression(0)?)) } else { None };
        self.expect_word("end")?;
        let parts = whens.iter().flatten().chain(operand.as_deref()).chain(otherwise.as_deref());
        let (span, below) = (join(start, self.last()), deepest(parts));
        self.node(SyntaxKind::Case { operand, whens, otherwise }, span, below)
    }

    fn cast(&mut self) -> Parsed {
        let start = self.here();
        self.at += 2;
        let value = self.expression(0)?;
        self.expect_word("as")?;
        let ty = self.type_name()?;
        self.expect(&Token::RParen)?;
        let (span, below) = (join(start, self.last()), value.depth);
        self.node(SyntaxKind::Cast(Box::new(value), ty), span, below)
    }

    /// `extract(year from x)` is `year(x)`.
    fn extract(&mut self) -> Parsed {
        let start = self.here();
        self.at += 2;
        let Some(field) = self.peek().and_then(Lexeme::word) else { return Err(self.expected("a part of a date")) };
        if !matches!(field.as_str(), "year" | "month" | "day") {
            return Err(Diagnostic::new(self.here(), format!("cannot extract `{field}`"))
                .with_help("year, month and day can be extracted"));
        }
        self.next();
        self.expect_word("from")?;
        let of = self.expression(0)?;
        self.expect(&Token::RParen)?;
        self.finished_call(&field, vec![of], start)
    }

    /// `substring(x from 1 for 2)` is `substr(x, 1, 2)`.
    fn substring(&mut self) -> Parsed {
        let start = self.here();
        self.at += 2;
        let mut args = Vec::new();
        while !self.take(&Token::RParen) {
            args.push(self.expression(0)?);
            let goes_on = self.take(&Token::Comma) || self.take_word("from") || self.take_word("for");
            if !goes_on && !self.is_next(&Token::RParen) {
                return Err(self.expected("`,` or `)`"));
            }
        }
        self.finished_call("substr", args, start)
    }

    /// `trim(both 'x' from y)` is `trim(y, 'x')`.
    fn trim(&mut self) -> Parsed {
        let start = self.here();
        self.at += 2;
        let sided = self.begins_operand(1) || self.peek_after(1).is_some_and(|next| next.is_word("from"));
        let name = match self.peek().and_then(Lexeme::word).unwrap_or_default().as_str() {
            "leading" if sided => "ltrim",
            "trailing" if sided => "rtrim",
            "both" if sided => "trim",
            _ => "",
        };
        self.at += usize::from(!name.is_empty());
        let name = if name.is_empty() { "trim" } else { name };
        let mut args = vec![self.expression(0)?];
        if self.take_word("from") {
            args.insert(0, self.expression(0)?);
            self.expect(&Token::RParen)?;
        } else if self.take(&Token::Comma) {
            args.extend(self.list()?);
        } else {
            self.expect(&Token::RParen)?;
        }
        self.finished_call(name, args, start)
    }

    fn finished_call(&mut self, name: &str, args: Vec<Syntax>, start: Span) -> Parsed {
        let (span, below) = (join(start, self.last()), deepest(&args));
        self.node(SyntaxKind::Call { name: name.to_owned(), args }, span, below)
    }

    fn typed_literal(&mut self, word: &str) -> Parsed {
        let start = self.here();
        let Some(Token::SingleQuotedString(text)) = self.peek_after(1).map(|next| &next.token) else {
            return Err(self.refused_literal(word));
        };
        if word != "date" {
            return Err(self.refused_literal(word));
        }
        self.next();
        let text = self.leaf(SyntaxKind::Text(text.clone()))?;
        let span = join(start, text.outer);
        self.node(SyntaxKind::Date(Box::new(text)), span, 1)
    }

    fn refused_literal(&self, word: &str) -> Diagnostic {
        Diagnostic::new(self.here(), format!("literals of type `{word}` are not known"))
            .with_help("write date '2024-05-31' or a text")
    }

    /// Whether a query follows an opening parenthesis.
    pub(super) fn is_subquery(&self) -> bool {
        let word = self.peek().and_then(Lexeme::word).unwrap_or_default();
        // A column may be called `from`: then an operator follows.
        let operators = ["is", "in", "not", "and", "or", "like", "ilike", "between"];
        let named = |next: &Lexeme| {
            matches!(next.token, Token::Word(_)) && !operators.into_iter().any(|word| next.is_word(word))
        };
        word == "select" || (matches!(word.as_str(), "with" | "from") && self.peek_after(1).is_some_and(named))
    }

    /// What is refused is read to its end, so that other mistakes are found too.
    pub(super) fn subquery(&mut self, start: Span) -> Parsed {
        self.skip_parentheses();
        self.refused(start, "a rule cannot hold a subquery".into(), "a rule sees the columns of `l` and `r` only")
    }

    fn refused_brackets(&mut self) -> Parsed {
        let start = self.here();
        self.next();
        self.skip_parentheses();
        let message = "brackets and braces are not part of the rule language";
        self.refused(start, message.into(), "see the guide, \"The rule language\"")
    }

    fn refused(&mut self, start: Span, message: String, help: &str) -> Parsed {
        let span = join(start, self.last());
        self.node(SyntaxKind::Refused { message, help: help.to_owned() }, span, 0)
    }
}
