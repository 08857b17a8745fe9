//! Programs of rules over relations as plain data: what a test asks the engine and the oracle.
//!
//! - here: relations with their facts, rules, and whether a rule is safe;
//! - `text`: the program as `sameas relate` reads it;
//! - `shrink`: smaller versions of a failing program.

mod shrink;
mod text;

use std::sync::Arc;

pub use shrink::minimise;

/// A value. Numbers are ordered by value, texts by their bytes; a column has one of the two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Number(u64),
    /// A text.
    Text(Arc<str>),
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Numbers.
    Number,
    /// Texts.
    Text,
}

/// The values of one row.
pub type Tuple = Vec<Value>;

/// A relation and the tuples it is given, which may repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// The types of its columns, one to four.
    pub columns: Vec<ColumnType>,
    /// The tuples it is given; `None` where it has those of its rules only.
    pub facts: Option<Vec<Tuple>>,
}

/// A place of an atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable, by its number in its rule.
    Variable(usize),
    /// A constant.
    Constant(Value),
    /// Any value: `_`.
    Any,
}

/// A relation with terms for its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The place of the relation in the program.
    pub relation: usize,
    /// A term for each column.
    pub terms: Vec<Term>,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Every comparison.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::Different,
        Comparison::Less,
        Comparison::AtMost,
        Comparison::Greater,
        Comparison::AtLeast,
    ];
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The relation has such a tuple.
    Holds(Atom),
    /// The relation has no such tuple.
    Absent(Atom),
    /// Two values compare so.
    Compared(Term, Comparison, Term),
    /// The variable is the number of such tuples. A variable of the atom that no `Holds` of the rule has is local.
    Counted(usize, Atom),
}

/// The head holds wherever all of the body does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its relations.
    pub relations: Vec<Relation>,
    /// Its rules.
    pub rules: Vec<Rule>,
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl Value {
    /// Its type.
    pub fn column_type(&self) -> ColumnType {
        match self {
            Value::Number(_) => ColumnType::Number,
            Value::Text(_) => ColumnType::Text,
        }
    }
}

impl Term {
    /// The variable, if it is one.
    pub fn variable(&self) -> Option<usize> {
        match self {
            Term::Variable(variable) => Some(*variable),
            Term::Constant(_) | Term::Any => None,
        }
    }
}

impl Atom {
    /// The variables, with repetition.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.terms.iter().filter_map(Term::variable)
    }
}

impl Literal {
    /// The atom, where it has one.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Holds(atom) | Literal::Absent(atom) | Literal::Counted(_, atom) => Some(atom),
            Literal::Compared(..) => None,
        }
    }
}

impl Rule {
    /// The atoms that must hold, in their order.
    pub fn positive(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Holds(atom) => Some(atom),
            _ => None,
        })
    }

    /// The variables that have a value wherever the positive atoms and the counts have one.
    pub fn bound(&self) -> Vec<usize> {
        let counts = self.body.iter().filter_map(|literal| match literal {
            Literal::Counted(variable, _) => Some(*variable),
            _ => None,
        });
        self.positive().flat_map(Atom::variables).chain(counts).collect()
    }

    /// Whether every variable of the head, of a comparison and of an absent atom has a value, and the head has no `_`.
    pub fn is_safe(&self) -> bool {
        let bound = self.bound();
        let is_bound = |term: &Term| term.variable().is_none_or(|variable| bound.contains(&variable));
        let is_literal_bound = |literal: &Literal| match literal {
            Literal::Absent(atom) => atom.terms.iter().all(is_bound),
            Literal::Compared(left, _, right) => [left, right].iter().all(|t| is_bound(t) && **t != Term::Any),
            Literal::Holds(_) | Literal::Counted(..) => true,
        };
        let head = self.head.terms.iter().all(|term| is_bound(term) && *term != Term::Any);
        head && self.positive().next().is_some() && self.body.iter().all(is_literal_bound)
    }
}

impl Program {
    /// Whether every rule is safe.
    pub fn is_safe(&self) -> bool {
        self.rules.iter().all(Rule::is_safe)
    }

    /// Whether some rule gives the relation tuples.
    pub fn is_derived(&self, relation: usize) -> bool {
        self.rules.iter().any(|rule| rule.head.relation == relation)
    }
}
