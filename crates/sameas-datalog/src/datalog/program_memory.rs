//! What a program takes: while it is read, and in all forms in which an evaluation and its report have it. Relations and rules
//! may be many, so what is made of each is counted when it is read, and not when it is made.

use super::core::CoreRule;
use super::syntax::WrittenStatement;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Bytes of a relation, in all its forms.
pub(super) const RELATION_BYTES: usize = 2 << 10;

/// Bytes of a column, with its name.
const DECLARED_COLUMN_BYTES: usize = 256;

/// Bytes of a name in a list of relations, and of the mistake that it may be.
const NAME_BYTES: usize = 512;

/// Bytes of a rule in all its forms, beside its atoms and its text.
const RULE_BYTES: usize = 2 << 10;

/// Bytes of an atom, in the rule and in each of the ways to join it.
const ATOM_BYTES: usize = 512;

/// How often the text of a rule is there: its constants, in plans, in reports.
const TEXT_COPIES: usize = 4;

/// The memory of a program while it is read.
pub(super) struct ProgramMemory {
    held: Held,
    /// Of all but the facts.
    pub bytes: usize,
    /// Of the facts.
    pub facts: usize,
}

impl ProgramMemory {
    /// This much to begin with, or an error if it does not fit.
    pub fn new(bytes: usize, budget: &MemoryBudget) -> Result<Self> {
        Ok(Self { held: budget.hold(bytes)?, bytes, facts: 0 })
    }

    /// Says so if what was added does not fit.
    pub fn check(&mut self) -> Result<()> {
        self.held.grow(self.bytes + self.facts)
    }

    /// Adds what is not a clause: clauses are counted by the rules and facts that they become.
    pub fn add(&mut self, statement: &WrittenStatement) -> Result<()> {
        self.bytes += match statement {
            WrittenStatement::Declaration(relation) => RELATION_BYTES + relation.columns.len() * DECLARED_COLUMN_BYTES,
            WrittenStatement::Inputs(names) | WrittenStatement::Outputs(names) => names.len() * NAME_BYTES,
            WrittenStatement::Clause(_) => 0,
        };
        self.check()
    }
}

impl CoreRule {
    /// Bytes that it takes, with what an evaluation makes of it in the first round.
    pub fn bytes(&self) -> usize {
        let atoms = self.atoms.len() + self.absent.len();
        RULE_BYTES + 2 * atoms * ATOM_BYTES + TEXT_COPIES * (self.span.end - self.span.start)
    }

    /// Bytes of more ways to join its atoms: one for each atom that later rounds read what is new of.
    pub fn bytes_of_joins(&self, joins: usize) -> usize {
        joins * (self.atoms.len() + self.absent.len() + 1) * ATOM_BYTES
    }
}
