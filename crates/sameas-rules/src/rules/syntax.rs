//! The tree of an expression as it is written: names are not looked up, and nothing is converted.

use crate::expr::{Function, Span};

/// A part of a text that is an expression.
#[derive(Debug)]
pub struct Syntax {
    pub kind: SyntaxKind,
    /// Where it is, without parentheses around it.
    pub span: Span,
    /// Where it is, with them.
    pub outer: Span,
    /// Levels of expressions in it, itself included.
    pub depth: usize,
}

/// What an expression is written as.
#[derive(Debug)]
pub enum SyntaxKind {
    Null,
    Bool(bool),
    Text(String),
    Number(String),
    /// A column, with the record before it.
    Column(Vec<NamePart>),
    Not(Box<Syntax>),
    /// `-x`, or `+x` where the flag is false.
    Sign(bool, Box<Syntax>),
    /// `a and b and c`, and what else can be a long chain of one operator: `or`, `||`, `+`, `*`.
    Chain(Function, Vec<Syntax>),
    /// Any other operator of two parts.
    Binary(Function, Box<[Syntax; 2]>),
    /// `is [not] null`, `is [not] true`, `is [not] false`.
    Is {
        test: Function,
        negated: bool,
        of: Box<Syntax>,
    },
    /// The value, the least and the greatest.
    Between {
        negated: bool,
        parts: Box<[Syntax; 3]>,
    },
    /// The value, and what it may be.
    In {
        negated: bool,
        parts: Vec<Syntax>,
    },
    /// The text, the pattern and perhaps the escape.
    Like {
        function: Function,
        negated: bool,
        parts: Vec<Syntax>,
    },
    Case {
        operand: Option<Box<Syntax>>,
        whens: Vec<[Syntax; 2]>,
        otherwise: Option<Box<Syntax>>,
    },
    Cast(Box<Syntax>, TypeName),
    /// `date '2024-05-31'`.
    Date(Box<Syntax>),
    Call {
        name: String,
        args: Vec<Syntax>,
    },
    /// What is no part of the language, and what to do about it.
    Refused {
        message: String,
        help: String,
    },
}

/// One of the names of `l.name`.
#[derive(Clone, Debug)]
pub struct NamePart {
    pub value: String,
    /// Written in double quotes, so that its case counts.
    pub quoted: bool,
}

/// A type as it is written in a cast.
#[derive(Debug)]
pub struct TypeName {
    /// Its words in lower case, without a size in parentheses.
    pub name: String,
    pub span: Span,
}

/// From the start of one place to the end of another.
pub fn join(from: Span, to: Span) -> Span {
    Span { start: from.start.min(to.start), end: from.end.max(to.end) }
}
