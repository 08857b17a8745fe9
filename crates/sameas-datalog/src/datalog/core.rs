//! A program that means something: relations by number, rules without equalities and counts, and the order in which they
//! are evaluated.

use std::collections::HashMap;

use super::facts::FactColumn;
use super::syntax::ValueKind;
use crate::expr::Span;

/// A constant of a program, or a value of an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ProgramValue {
    Number(i64),
    Text(String),
}

/// A relation that a program declares, or one that is made for a count.
#[derive(Clone, Debug)]
pub(super) struct CoreRelation {
    pub name: String,
    pub columns: Vec<CoreColumn>,
    pub role: CoreRole,
    /// The values of its facts, by columns.
    pub facts: Vec<FactColumn>,
}

impl CoreRelation {
    /// A relation without facts.
    pub fn new(name: String, columns: Vec<CoreColumn>, role: CoreRole) -> Self {
        let facts = columns.iter().map(|column| FactColumn::new(column.kind)).collect();
        Self { name, columns, role, facts }
    }

    /// Whether it has facts.
    pub fn has_facts(&self) -> bool {
        self.facts.iter().any(|column| column.len() > 0)
    }
}

/// A column of a relation.
#[derive(Clone, Debug)]
pub(super) struct CoreColumn {
    pub name: String,
    pub kind: ValueKind,
}

/// What a relation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoreRole {
    Declared,
    /// What a count counts.
    Counted,
    /// Groups and their counts.
    Count,
    /// One tuple, for rules whose body has no atom to begin with.
    One,
}

/// A term of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CoreTerm {
    Variable(u32),
    Constant(ProgramValue),
    Any,
}

/// An atom of a rule.
#[derive(Clone, Debug)]
pub(super) struct CoreAtom {
    pub relation: usize,
    pub terms: Vec<CoreTerm>,
    /// Where it is written.
    pub span: Span,
}

/// The comparisons that are left: the others exchange the sides, or are decided before anything runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoreSign {
    Different,
    Less,
    AtMost,
}

/// A comparison of a rule; at least one side is a variable.
#[derive(Clone, Debug)]
pub(super) struct CoreFilter {
    pub left: CoreTerm,
    pub sign: CoreSign,
    pub right: CoreTerm,
}

/// A rule. Every variable of its head, filters and negated atoms is one of its atoms.
#[derive(Clone, Debug)]
pub(super) struct CoreRule {
    pub head: CoreAtom,
    pub atoms: Vec<CoreAtom>,
    pub absent: Vec<CoreAtom>,
    pub filters: Vec<CoreFilter>,
    /// The names of its variables.
    pub variables: Vec<String>,
    /// Where it is written.
    pub span: Span,
}

/// A count: groups of the columns `group` of `from`, with their sizes, are `into`.
#[derive(Clone, Debug)]
pub(super) struct CoreCount {
    pub from: usize,
    pub group: Vec<usize>,
    pub into: usize,
    /// Where it is written.
    pub span: Span,
}

/// All of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct CoreProgram {
    /// Those that the program declares, in their order, then others.
    pub relations: Vec<CoreRelation>,
    pub rules: Vec<CoreRule>,
    pub counts: Vec<CoreCount>,
    /// Relations that files fill.
    pub inputs: Vec<usize>,
    /// Relations that are written.
    pub outputs: Vec<usize>,
    /// The declared relations by name.
    pub places: HashMap<String, usize>,
}

impl CoreProgram {
    /// The declared relation of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Names of the declared relations.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let declared = self.relations.iter().filter(|relation| relation.role == CoreRole::Declared);
        declared.map(|relation| relation.name.as_str())
    }
}
