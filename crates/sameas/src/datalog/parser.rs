//! Makes statements of lexemes. A mistake ends its statement, and the next one is read.

use super::lexer::{DIRECTIVES, LexemeKind, ProgramLexeme, lexemes};
use super::syntax::{
    AtomText, BodyPart, ClauseText, ColumnText, OperandText, OrderSign, RelationText, TermKind, TermText, ValueKind,
    WrittenName, WrittenProgram,
};
use crate::expr::Span;
use crate::rules::{Diagnostic, nearest};

/// The statements of a text, and the mistakes in it.
pub(super) fn parse(text: &str) -> (WrittenProgram, Vec<Diagnostic>) {
    let (lexemes, mistakes) = lexemes(text);
    let mut parser = ProgramParser { lexemes, at: 0, mistakes, program: WrittenProgram::default() };
    while parser.peek() != &LexemeKind::End {
        let begun = parser.at;
        if let Err(mistake) = parser.statement() {
            parser.mistakes.extend(mistake);
            parser.skip_statement(begun);
        }
    }
    parser.mistakes.sort_by_key(|mistake| mistake.span.start);
    (parser.program, parser.mistakes)
}

/// What was read, or a mistake; nothing where it is reported already.
type Read<T> = Result<T, Option<Diagnostic>>;

struct ProgramParser {
    lexemes: Vec<ProgramLexeme>,
    at: usize,
    mistakes: Vec<Diagnostic>,
    program: WrittenProgram,
}

impl ProgramParser {
    fn peek(&self) -> &LexemeKind {
        &self.lexemes[self.at].kind
    }

    fn span(&self) -> Span {
        self.lexemes[self.at].span
    }

    /// From the start of `start` to the end of what was taken last.
    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.lexemes[self.at.saturating_sub(1)].span.end.max(start.end) }
    }

    fn take(&mut self) -> LexemeKind {
        let kind = self.peek().clone();
        // The end is never passed.
        self.at = (self.at + 1).min(self.lexemes.len() - 1);
        kind
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), LexemeKind::Sign(next) if *next == sign);
        if is_next {
            self.take();
        }
        is_next
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
    fn skip_statement(&mut self, begun: usize) {
        if self.at == begun {
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

    fn statement(&mut self) -> Read<()> {
        match self.peek().clone() {
            LexemeKind::Directive(name) => self.directive(&name),
            LexemeKind::Word(_) => self.clause(),
            _ => Err(self.unexpected("a rule, a fact, `.decl`, `.input` or `.output`")),
        }
    }

    fn directive(&mut self, name: &str) -> Read<()> {
        let span = self.span();
        self.take();
        match name {
            "decl" => self.declaration(),
            "input" | "output" => {
                let names = self.names()?;
                let list = if name == "input" { &mut self.program.inputs } else { &mut self.program.outputs };
                list.extend(names);
                Ok(())
            }
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
        while self.takes(",") {
            names.push(self.name("the name of a relation")?);
        }
        if matches!(self.peek(), LexemeKind::Sign("(")) {
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

    fn declaration(&mut self) -> Read<()> {
        let name = self.name("the name of a relation")?;
        self.expect("(", "after the name of the relation")?;
        let mut columns = Vec::new();
        if !self.takes(")") {
            columns.push(self.column()?);
            while self.takes(",") {
                columns.push(self.column()?);
            }
            self.expect(")", "or `,` after a column")?;
        }
        self.program.declarations.push(RelationText { name, columns });
        Ok(())
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

    fn clause(&mut self) -> Read<()> {
        let start = self.span();
        let head = self.atom()?;
        let body = if self.takes(":-") { self.body()? } else { Vec::new() };
        let after = if body.is_empty() { "or `:-` after the head" } else { "or `,` after a condition" };
        self.expect(".", after)?;
        let span = self.since(start);
        self.program.clauses.push(ClauseText { head, body, span });
        Ok(())
    }

    fn body(&mut self) -> Read<Vec<BodyPart>> {
        let mut parts = vec![self.part()?];
        while self.takes(",") {
            parts.push(self.part()?);
        }
        Ok(parts)
    }

    fn part(&mut self) -> Read<BodyPart> {
        if self.takes("!") {
            return Ok(BodyPart::Absent(self.atom()?));
        }
        let is_atom = matches!(self.peek(), LexemeKind::Word(_))
            && matches!(self.lexemes.get(self.at + 1).map(|next| &next.kind), Some(LexemeKind::Sign("(")));
        if is_atom { Ok(BodyPart::Holds(self.atom()?)) } else { self.comparison() }
    }

    fn comparison(&mut self) -> Read<BodyPart> {
        let left = self.operand("a condition")?;
        let sign = match self.peek() {
            LexemeKind::Sign(sign) => OrderSign::of(sign),
            _ => None,
        };
        let Some(sign) = sign else { return Err(self.unexpected("a comparison (=, !=, <, <=, > or >=)")) };
        self.take();
        let right = self.operand("a variable or a constant")?;
        Ok(BodyPart::Compared { left, sign, right })
    }

    fn operand(&mut self, what: &str) -> Read<OperandText> {
        let is_count = matches!(self.peek(), LexemeKind::Word(word) if word == "count")
            && matches!(self.lexemes.get(self.at + 1).map(|next| &next.kind), Some(LexemeKind::Sign(":")));
        if is_count { self.count() } else { Ok(OperandText::Term(self.term(what)?)) }
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
            let is_count = |at: usize| {
                let kind = |at: usize| self.lexemes.get(at).map(|lexeme| &lexeme.kind);
                matches!(kind(at), Some(LexemeKind::Word(word)) if word == "count")
                    && matches!(kind(at + 1), Some(LexemeKind::Sign(":")))
            };
            if let Some(inner) = [self.at, self.at + 2].into_iter().find(|at| is_count(*at)) {
                let mistake = Diagnostic::new(self.lexemes[inner].span, "a count within a count");
                return Err(Some(mistake.with_help("count into a relation of its own, and use that")));
            }
            parts.push(self.part()?);
            if !self.takes(",") {
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
            while self.takes(",") {
                terms.push(self.term("a variable or a constant")?);
            }
            self.expect(")", "or `,` after a term")?;
        }
        let span = self.since(name.span);
        Ok(AtomText { name, terms, span })
    }

    fn term(&mut self, what: &str) -> Read<TermText> {
        let span = self.span();
        let kind = match self.peek().clone() {
            LexemeKind::Word(word) if word == "_" => TermKind::Any,
            LexemeKind::Word(word) => TermKind::Variable(word),
            LexemeKind::Number(number) => TermKind::Number(number),
            LexemeKind::Text(text) => TermKind::Text(text),
            _ => return Err(self.unexpected(what)),
        };
        self.take();
        Ok(TermText { kind, span })
    }
}
