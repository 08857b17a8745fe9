//! Conditions and expressions in the rule language, as a tree that can be written out.

use crate::expr::Side;
use crate::rules::written_name;

/// An expression of the rule language.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlTerm {
    /// A column of one of the two records.
    Column(Side, String),
    /// A number, a text in quotes, `true`, `false` or `null`, as it is written.
    Literal(String),
    /// A function of some arguments.
    Call(&'static str, Vec<SqlTerm>),
    /// Two operands with a comparison, `||` or an arithmetic operator between them.
    Infix(&'static str, Box<[SqlTerm; 2]>),
    /// `like` and its relatives, with a pattern and perhaps an escape character.
    Like(&'static str, Vec<SqlTerm>),
    /// A value among others.
    In(Box<SqlTerm>, Vec<SqlTerm>),
    /// The opposite of a condition.
    Not(Box<SqlTerm>),
    /// Conditions that all hold.
    And(Vec<SqlTerm>),
    /// Conditions of which one holds.
    Or(Vec<SqlTerm>),
    /// `is null`, `is not true` and others of their kind.
    Test(Box<SqlTerm>, &'static str),
    /// Values after conditions, and otherwise.
    Case(Vec<[SqlTerm; 2]>, Option<Box<SqlTerm>>),
    /// A value as another type.
    Cast(Box<SqlTerm>, &'static str),
    /// Seconds since 1970 of a date: the rule language has days only, so this must go before anything is written.
    Seconds(Box<SqlTerm>),
}

pub const IS_NULL: &str = "is null";
pub const IS_NOT_NULL: &str = "is not null";
pub const IS_NOT_TRUE: &str = "is not true";

/// Comparisons that are null where an operand is.
pub const COMPARISONS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

impl SqlTerm {
    /// A text in quotes.
    pub fn text_literal(text: &str) -> Self {
        Self::Literal(format!("'{}'", text.replace('\'', "''")))
    }

    /// A number.
    pub fn number(number: f64) -> Self {
        Self::Literal(if number.fract() == 0.0 && number.abs() < 1e15 {
            format!("{number:.0}")
        } else {
            format!("{number}")
        })
    }

    /// Two operands with an operator between them.
    pub fn infix(operator: &'static str, left: Self, right: Self) -> Self {
        Self::Infix(operator, Box::new([left, right]))
    }

    /// All of some conditions, without conjunctions in conjunctions.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::And(parts) => flat.extend(parts),
                other if !flat.contains(&other) => flat.push(other),
                _ => {}
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::And(flat) }
    }

    /// One of some conditions.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::Or(parts) => flat.extend(parts),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Or(flat) }
    }

    /// A test such as `is null`.
    #[must_use]
    pub fn test(self, test: &'static str) -> Self {
        Self::Test(Box::new(self), test)
    }

    /// The value of a text literal.
    pub fn literal_text(&self) -> Option<String> {
        let Self::Literal(text) = self else { return None };
        let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
        Some(inside.replace("''", "'"))
    }

    /// The value of an expression of numbers alone.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Self::Literal(text) => text.parse().ok(),
            Self::Call("floor", args) => Some(args.first()?.constant()?.floor()),
            Self::Cast(of, "double") => of.constant(),
            Self::Cast(of, "bigint") => of.constant().filter(|number| number.fract() == 0.0),
            Self::Infix(operator, operands) => {
                let [left, right] = [operands[0].constant()?, operands[1].constant()?];
                match *operator {
                    "+" => Some(left + right),
                    "-" => Some(left - right),
                    "*" => Some(left * right),
                    "/" if right != 0.0 => Some(left / right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The parts of this expression, one level down.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Column(..) | Self::Literal(_) => Vec::new(),
            Self::Call(_, parts) | Self::Like(_, parts) | Self::And(parts) | Self::Or(parts) => parts.iter().collect(),
            Self::Infix(_, operands) => operands.iter().collect(),
            Self::In(of, others) => [&**of].into_iter().chain(others).collect(),
            Self::Not(of) | Self::Test(of, _) | Self::Cast(of, _) | Self::Seconds(of) => vec![of],
            Self::Case(whens, otherwise) => whens.iter().flatten().chain(otherwise.as_deref()).collect(),
        }
    }

    /// Calls `look` with this expression and all in it.
    pub fn walk<'a>(&'a self, look: &mut impl FnMut(&'a Self)) {
        look(self);
        self.parts().into_iter().for_each(|part| part.walk(look));
    }

    /// As it is written in a rule.
    pub fn text(&self) -> String {
        match self {
            Self::Column(Side::Left, name) => format!("l.{}", written_name(name)),
            Self::Column(Side::Right, name) => format!("r.{}", written_name(name)),
            Self::Literal(text) => text.clone(),
            Self::Call(name, args) => format!("{name}({})", listed(args)),
            Self::Infix(operator, operands) => {
                let least = if self.strength() == COMPARED { ARITHMETIC } else { ATOM };
                format!("{} {operator} {}", operands[0].inside(least), operands[1].inside(least))
            }
            Self::Like(operator, parts) => {
                let escape = parts.get(2).map(|escape| format!(" escape {}", escape.text())).unwrap_or_default();
                format!("{} {operator} {}{escape}", parts[0].inside(ATOM), parts[1].inside(ATOM))
            }
            Self::In(of, others) => format!("{} in ({})", of.inside(ATOM), listed(others)),
            Self::Not(of) => format!("not {}", of.inside(ATOM)),
            Self::And(parts) => joined(parts, " and ", NEGATED),
            Self::Or(parts) => joined(parts, " or ", CONJUNCTION),
            Self::Test(of, test) => format!("{} {test}", of.inside(ATOM)),
            Self::Case(whens, otherwise) => {
                let whens = whens.iter().map(|[when, then]| format!(" when {} then {}", when.text(), then.text()));
                let otherwise = otherwise.as_ref().map(|of| format!(" else {}", of.text())).unwrap_or_default();
                format!("case{}{otherwise} end", whens.collect::<String>())
            }
            Self::Cast(of, kind) => format!("cast({} as {kind})", of.text()),
            Self::Seconds(of) => format!("epoch({})", of.text()),
        }
    }

    /// In parentheses where it binds less than `least`.
    fn inside(&self, least: u8) -> String {
        if self.strength() < least { format!("({})", self.text()) } else { self.text() }
    }

    /// How strongly its outermost operator binds.
    fn strength(&self) -> u8 {
        match self {
            Self::Or(_) => 0,
            Self::And(_) => CONJUNCTION,
            Self::Not(_) => NEGATED,
            Self::Infix(operator, _) if ["+", "-", "*", "/", "%", "||"].contains(operator) => ARITHMETIC,
            Self::Infix(..) | Self::Like(..) | Self::In(..) | Self::Test(..) => COMPARED,
            _ => ATOM,
        }
    }
}

const CONJUNCTION: u8 = 1;
const NEGATED: u8 = 2;
const COMPARED: u8 = 3;
const ARITHMETIC: u8 = 4;
const ATOM: u8 = 5;

fn listed(terms: &[SqlTerm]) -> String {
    terms.iter().map(SqlTerm::text).collect::<Vec<_>>().join(", ")
}

fn joined(terms: &[SqlTerm], separator: &str, least: u8) -> String {
    terms.iter().map(|term| term.inside(least)).collect::<Vec<_>>().join(separator)
}
