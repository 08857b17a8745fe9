//! A program as it is written, with the place of everything that a mistake can be about.

use crate::expr::Span;

/// A statement of a program.
#[derive(Debug)]
pub(super) enum WrittenStatement {
    /// `.decl`
    Declaration(RelationText),
    /// `.input`
    Inputs(Vec<WrittenName>),
    /// `.output`
    Outputs(Vec<WrittenName>),
    /// A rule or a fact.
    Clause(ClauseText),
}

/// All statements of a program but its clauses, by kind and in their order.
#[derive(Debug, Default)]
pub(super) struct WrittenProgram {
    pub declarations: Vec<RelationText>,
    pub inputs: Vec<WrittenName>,
    pub outputs: Vec<WrittenName>,
}

impl WrittenProgram {
    /// Adds a statement; clauses are read by themselves, because there may be millions.
    pub fn add(&mut self, statement: WrittenStatement) {
        match statement {
            WrittenStatement::Declaration(relation) => self.declarations.push(relation),
            WrittenStatement::Inputs(names) => self.inputs.extend(names),
            WrittenStatement::Outputs(names) => self.outputs.extend(names),
            WrittenStatement::Clause(_) => {}
        }
    }
}

/// A name and its place.
#[derive(Clone, Debug)]
pub(super) struct WrittenName {
    pub text: String,
    pub span: Span,
}

/// `.decl edge(x: number, y: number)`.
#[derive(Debug)]
pub(super) struct RelationText {
    pub name: WrittenName,
    pub columns: Vec<ColumnText>,
}

/// `x: number`.
#[derive(Debug)]
pub(super) struct ColumnText {
    pub name: WrittenName,
    pub kind: ValueKind,
}

/// The values that a column of a relation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// 64-bit integers.
    Number,
    /// Texts, in the order of their bytes.
    Symbol,
}

impl ValueKind {
    /// As programs write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Symbol => "symbol",
        }
    }
}

/// A rule, or a fact where the body is empty.
#[derive(Debug)]
pub(super) struct ClauseText {
    pub head: AtomText,
    pub body: Vec<BodyPart>,
    pub span: Span,
}

/// `edge(x, 7)`.
#[derive(Clone, Debug)]
pub(super) struct AtomText {
    pub name: WrittenName,
    pub terms: Vec<TermText>,
    pub span: Span,
}

/// A term and its place.
#[derive(Clone, Debug)]
pub(super) struct TermText {
    pub kind: TermKind,
    pub span: Span,
}

/// What stands at a place of an atom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermKind {
    Variable(String),
    Number(i64),
    Text(String),
    /// `_`
    Any,
}

/// One condition of a body.
#[derive(Debug)]
pub(super) enum BodyPart {
    Holds(AtomText),
    Absent(AtomText),
    Compared { left: OperandText, sign: OrderSign, right: OperandText },
}

/// A side of a comparison.
#[derive(Debug)]
pub(super) enum OperandText {
    Term(TermText),
    /// `count : { ... }`
    Count {
        body: Vec<BodyPart>,
        span: Span,
    },
}

impl OperandText {
    pub fn span(&self) -> Span {
        match self {
            Self::Term(term) => term.span,
            Self::Count { span, .. } => *span,
        }
    }
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderSign {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl OrderSign {
    /// The comparison that is written in this way.
    pub fn parse(sign: &str) -> Option<Self> {
        Some(match sign {
            "=" => Self::Equal,
            "!=" => Self::Different,
            "<" => Self::Less,
            "<=" => Self::AtMost,
            ">" => Self::Greater,
            ">=" => Self::AtLeast,
            _ => return None,
        })
    }
}
