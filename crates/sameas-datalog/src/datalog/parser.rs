//! Makes statements of lexemes, one after the other, so that a long program takes no more memory than its longest statement.
//! A mistake ends its statement, and the next one is read.

use std::collections::VecDeque;

use super::lexer::{DIRECTIVES, LexemeKind, Lexer, MOST_MISTAKES, ProgramLexeme};
use super::syntax::{
    AtomText, BodyPart, ClauseText, ColumnText, OperandText, OrderSign, RelationText, TermKind, TermText, ValueKind,
    WrittenName, WrittenStatement,
};
use crate::error;
use crate::expr::Span;
use crate::rules::{Diagnostic, nearest};

/// Words and signs of a statement at most: it is in memory as a whole.
const LONGEST_STATEMENT: usize = 1 << 16;

/// Lexemes that are looked at before they are taken.
const LOOKED_AHEAD: usize = 4;

/// Hands the statements of a text on; gives the mistakes in it.
pub(super) fn parse(
    text: &str,
    sink: &mut dyn FnMut(WrittenStatement) -> error::Result<()>,
) -> error::Result<Vec<Diagnostic>> {
    let mut parser = ProgramParser::new(text);
    while parser.peek() != &LexemeKind::End && parser.mistakes.len() < MOST_MISTAKES {
        parser.begun = parser.taken;
        match parser.statement() {
            Ok(statement) => sink(statement)?,
            Err(mistake) => {
                parser.mistakes.extend(mistake);
                parser.skip_statement();
            }
        }
    }
    let mut mistakes = parser.lexer.mistakes;
    mistakes.append(&mut parser.mistakes);
    mistakes.sort_by_key(|mistake| mistake.span.start);
    Ok(mistakes)
}

/// What was read, or a mistake; nothing where it is reported already.
type Read<T> = Result<T, Option<Diagnostic>>;

struct ProgramParser<'a> {
    lexer: Lexer<'a>,
    /// The next lexemes, always as many; behind the end there are more ends.
    ahead: VecDeque<ProgramLexeme>,
    /// How many were taken, and how many before this statement.
    taken: usize,
    begun: usize,
    /// Where the last that was taken ends.
    end: usize,
    mistakes: Vec<Diagnostic>,
}

impl<'a> ProgramParser<'a> {
    fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let ahead = (0..LOOKED_AHEAD).map(|_| lexer.take()).collect();
        Self { lexer, ahead, taken: 0, begun: 0, end: 0, mistakes: Vec::new() }
    }

    fn peek(&self) -> &LexemeKind {
        &self.ahead[0].kind
    }

    /// Whether a lexeme that follows is a sign.
    fn is_sign(&self, at: usize, sign: &str) -> bool {
        matches!(&self.ahead[at].kind, LexemeKind::Sign(next) if *next == sign)
    }

    fn span(&self) -> Span {
        self.ahead[0].span
    }

    /// From the start of `start` to the end of what was taken last.
    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.end.max(start.end) }
    }

    fn take(&mut self) -> LexemeKind {
        let next = self.lexer.take();
        self.ahead.push_back(next);
        let Some(lexeme) = self.ahead.pop_front() else { return LexemeKind::End };
        // The end is never passed.
        if lexeme.kind != LexemeKind::End {
            self.end = lexeme.span.end;
            self.taken += 1;
        }
        lexeme.kind
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.is_sign(0, sign);
        if is_next {
            self.take();
        }
        is_next
    }

    /// Whether a comma follows, which is taken, and so one more of what is listed.
    fn takes_comma(&mut self) -> Read<bool> {
        if self.taken - self.begun > LONGEST_STATEMENT {
            let message = format!("the statement has more than {LONGEST_STATEMENT} words and signs");
            return Err(Some(Diagnostic::new(self.span(), message).with_help("divide it into several statements")));
        }
        Ok(self.takes(","))
    }

    fn expect(&mut self, sign: &'static str, after: &str) -> Read<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}` {after}"))) }
    }

    /// The mistake that something else is expected here.
    fn unexpected(&self, expected: &str) -> Option<Diagnostic> {
        let found = match self.peek() {
            LexemeKind::Wrong => return None,
            LexemeKind::End => "the end of the program".to_owned(),
            LexemeKind::Word(word) => format!("`{word}`"),
            LexemeKind::Number(number) => format!("`{number}`"),
            LexemeKind::Text(_) => "a text".to_owned(),
            LexemeKind::Directive(name) => format!("`.{name}`"),
            LexemeKind::Sign(sign) => format!("`{sign}`"),
        };
        let mistake = Diagnostic::new(self.span(), format!("expected {expected}, found {found}"));
        let help = match self.peek() {
            LexemeKind::Sign(";") => "write a rule for each alternative",
            LexemeKind::Sign("+" | "-" | "*" | "/") => "there is no arithmetic: terms are variables and constants",
            LexemeKind::Sign("[" | "]" | "|") => "terms are variables, numbers, texts and `_`",
            LexemeKind::Directive(_) | LexemeKind::End => "a rule or fact ends with `.`",
            _ => return Some(mistake),
        };
        Some(mistake.with_help(help))
    }

    /// Passes over the rest of a statement that has a mistake.
    fn skip_statement(&mut self) {
        if self.taken == self.begun {
            self.take();
        }
        loop {
            match self.peek() {
                LexemeKind::End | LexemeKind::Directive(_) => return,
                LexemeKind::Sign(".") => {
                    self.take();
                    return;
                }
                _ => self.take(),
            };
        }
    }

    fn statement(&mut self) -> Read<WrittenStatement> {
        match self.peek().clone() {
            LexemeKind::Directive(name) => self.directive(&name),
            LexemeKind::Word(_) => self.clause(),
            _ => Err(self.unexpected("a rule, a fact, `.decl`, `.input` or `.output`")),
        }
    }

    fn directive(&mut self, name: &str) -> Read<WrittenStatement> {
        let span = self.span();
        self.take();
        match name {
            "decl" => self.declaration(),
            "input" => self.names().map(WrittenStatement::Inputs),
            "output" => self.names().map(WrittenStatement::Outputs),
            _ => {
                let near = nearest(name, DIRECTIVES.into_iter());
                let near = near.map_or(String::new(), |near| format!("did you mean `.{near}`? "));
                let mistake = Diagnostic::new(span, format!("unknown directive `.{name}`"));
                Err(Some(mistake.with_help(format!("{near}there are `.decl`, `.input` and `.output`"))))
            }
        }
    }

    /// The relations of `.input` or `.output`.
    fn names(&mut self) -> Read<Vec<WrittenName>> {
        let mut names = vec![self.name("the name of a relation")?];
        while self.takes_comma()? {
            names.push(self.name("the name of a relation")?);
        }
        if self.is_sign(0, "(") {
            let message = "options are not known here";
            let help = "files and formats are given where the program is run";
            return Err(Some(Diagnostic::new(self.span(), message).with_help(help)));
        }
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Read<WrittenName> {
        let span = self.span();
        match self.peek().clone() {
            LexemeKind::Word(text) if text != "_" => {
                self.take();
                Ok(WrittenName { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn declaration(&mut self) -> Read<WrittenStatement> {
        let name = self.name("the name of a relation")?;
        self.expect("(", "after the name of the relation")?;
        let mut columns = Vec::new();
        if !self.takes(")") {
            columns.push(self.column()?);
            while self.takes_comma()? {
                columns.push(self.column()?);
            }
            self.expect(")", "or `,` after a column")?;
        }
        Ok(WrittenStatement::Declaration(RelationText { name, columns }))
    }

    fn column(&mut self) -> Read<ColumnText> {
        let name = self.name("the name of a column")?;
        self.expect(":", "and a type after the name of the column")?;
        let kind = self.name("a type, `number` or `symbol`")?;
        let found = [ValueKind::Number, ValueKind::Symbol].into_iter().find(|known| known.name() == kind.text);
        if found.is_none() {
            let mistake = Diagnostic::new(kind.span, format!("unknown type `{}`", kind.text));
            self.mistakes.push(mistake.with_help("there are `number`, for 64-bit integers, and `symbol`, for texts"));
        }
        Ok(ColumnText { name, kind: found.unwrap_or(ValueKind::Number) })
    }

    fn clause(&mut self) -> Read<WrittenStatement> {
        let start = self.span();
        let head = self.atom()?;
        let body = if self.takes(":-") { self.body()? } else { Vec::new() };
        let after = if body.is_empty() { "or `:-` after the head" } else { "or `,` after a condition" };
        self.expect(".", after)?;
        let span = self.since(start);
        Ok(WrittenStatement::Clause(ClauseText { head, body, span }))
    }

    fn body(&mut self) -> Read<Vec<BodyPart>> {
        let mut parts = vec![self.part()?];
        while self.takes_comma()? {
            parts.push(self.part()?);
        }
        Ok(parts)
    }

    fn part(&mut self) -> Read<BodyPart> {
        if self.takes("!") {
            return Ok(BodyPart::Absent(self.atom()?));
        }
        let is_atom = matches!(self.peek(), LexemeKind::Word(_)) && self.is_sign(1, "(");
        if is_atom { Ok(BodyPart::Holds(self.atom()?)) } else { self.comparison() }
    }

    fn comparison(&mut self) -> Read<BodyPart> {
        let left = self.operand("a condition")?;
        let sign = match self.peek() {
            LexemeKind::Sign(sign) => OrderSign::parse(sign),
            _ => None,
        };
        let Some(sign) = sign else { return Err(self.unexpected("a comparison (=, !=, <, <=, > or >=)")) };
        self.take();
        let right = self.operand("a variable or a constant")?;
        Ok(BodyPart::Compared { left, sign, right })
    }

    fn operand(&mut self, what: &str) -> Read<OperandText> {
        if self.is_count(0) { self.count() } else { Ok(OperandText::Term(self.term(what)?)) }
    }

    /// Whether a count begins with a lexeme that follows.
    fn is_count(&self, at: usize) -> bool {
        matches!(&self.ahead[at].kind, LexemeKind::Word(word) if word == "count") && self.is_sign(at + 1, ":")
    }

    fn count(&mut self) -> Read<OperandText> {
        let start = self.span();
        self.take();
        self.take();
        self.expect("{", "after `count :`")?;
        let body = self.count_body()?;
        self.expect("}", "or `,` after a condition of the count")?;
        Ok(OperandText::Count { body, span: self.since(start) })
    }

    /// A count within a count is a mistake, which also keeps the parser from going deep.
    fn count_body(&mut self) -> Read<Vec<BodyPart>> {
        let mut parts = Vec::new();
        loop {
            if let Some(inner) = [0, 2].into_iter().find(|at| self.is_count(*at)) {
                let mistake = Diagnostic::new(self.ahead[inner].span, "a count within a count");
                return Err(Some(mistake.with_help("count into a relation of its own, and use that")));
            }
            parts.push(self.part()?);
            if !self.takes_comma()? {
                return Ok(parts);
            }
        }
    }

    fn atom(&mut self) -> Read<AtomText> {
        let name = self.name("the name of a relation")?;
        self.expect("(", "after the name of the relation")?;
        let mut terms = Vec::new();
        if !self.takes(")") {
            terms.push(self.term("a variable or a constant")?);
            while self.takes_comma()? {
                terms.push(self.term("a variable or a constant")?);
            }
            self.expect(")", "or `,` after a term")?;
        }
        let span = self.since(name.span);
        Ok(AtomText { name, terms, span })
    }

    fn term(&mut self, what: &str) -> Read<TermText> {
        let span = self.span();
        if !matches!(self.peek(), LexemeKind::Word(_) | LexemeKind::Number(_) | LexemeKind::Text(_)) {
            return Err(self.unexpected(what));
        }
        let kind = match self.take() {
            LexemeKind::Word(word) if word != "_" => TermKind::Variable(word),
            LexemeKind::Number(number) => TermKind::Number(number),
            LexemeKind::Text(text) => TermKind::Text(text),
            _ => TermKind::Any,
        };
        Ok(TermText { kind, span })
    }
}
