//! A rule program over the encoded columns of records: what is evaluated.

use std::sync::{Arc, OnceLock};

use crate::candidates::{Batch, JoinSource};
use crate::records::InputRows;
use crate::records::encode::{Encoded, Texts};
use crate::rules::{Conjunction, RuleSet};
use crate::threshold::{Check, Truth};

use super::pair_value::PairValue;
use super::verdict_table::VerdictTable;

/// Checks and conjunctions of a rule set over the encoded columns of records, made by [`RuleProgram::bind`]. A clone shares
/// columns, verdicts and tables.
///
/// [`RuleProgram::bind`]: super::RuleProgram::bind
#[derive(Clone, Debug)]
pub struct Program {
    /// One check for each predicate of the rule set.
    pub checks: Vec<Check>,
    /// The conjunctions of all rules, in order of ownership.
    pub conjunctions: Vec<Conjunction>,
    /// The conjunctions of all `never` rules.
    pub nevers: Vec<Conjunction>,
    /// Conjunctions of `never` rules that are only needed to say which is the first to forbid a pair.
    pub shadowed_nevers: Vec<Conjunction>,
    /// Number of rules.
    pub rules: usize,
    /// Number of `never` rules.
    pub never_rules: usize,
    /// What the checks read.
    pub encoded: Encoded,
    /// The inputs of which the two records of a pair must be different ones, where they lie in one frame.
    pub across: Option<InputRows>,
    /// Verdicts known for all pairs of distinct values, by predicate; made when a run begins. Shared: a table is the same
    /// whatever rules ask for it.
    pub tables: Vec<Arc<OnceLock<VerdictTable>>>,
    /// The values of pairs that are asked for.
    pub values: Vec<PairValue>,
}

impl Program {
    /// The program of other rules over the same predicates: it shares columns, verdicts and tables with this one.
    pub fn with_rules(&self, rules: &RuleSet) -> Self {
        assert_eq!(rules.predicates.len(), self.checks.len(), "every predicate has a check");
        Self {
            conjunctions: rules.conjunctions.clone(),
            nevers: rules.never_conjunctions.clone(),
            shadowed_nevers: rules.shadowed_nevers.clone(),
            rules: rules.rules.len(),
            never_rules: rules.nevers.len(),
            ..self.clone()
        }
    }

    /// The same with tables of its own, of which none is made.
    pub fn with_new_tables(&self) -> Self {
        Self { tables: self.tables.iter().map(|_| Arc::default()).collect(), ..self.clone() }
    }

    /// Adds the check of one more predicate, and gives its number.
    pub fn add_check(&mut self, check: Check) -> usize {
        self.checks.push(check);
        self.tables.push(Arc::default());
        self.checks.len() - 1
    }

    /// Writes the verdicts on a predicate for the selected candidates that have none yet into `truths`.
    pub fn evaluate(&self, predicate: usize, batch: &Batch, selection: &[u32], truths: &mut [Truth]) {
        match (self.tables[predicate].get(), self.checks[predicate].operands()) {
            (Some(table), Some(operands)) => table.evaluate(&self.encoded, operands, batch, selection, truths),
            _ => self.checks[predicate].evaluate(&self.encoded, batch, selection, truths),
        }
    }

    /// What its joins read.
    pub fn source(&self) -> JoinSource<'_> {
        JoinSource { checks: &self.checks, encoded: &self.encoded }
    }

    /// Memory that its tables take.
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().filter_map(|table| table.get()).map(VerdictTable::size).sum()
    }

    /// Memory it takes, without tables.
    pub fn bytes(&self) -> usize {
        let verdicts = |check: &Check| match check {
            Check::OneSided { verdicts, .. } => verdicts.len(),
            _ => 0,
        };
        self.encoded.bytes() + self.checks.iter().map(verdicts).sum::<usize>()
    }

    /// The most bytes in which a thread compares two texts by their edits.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn scratch_bytes(&self) -> usize {
        let longest = |operand: usize| self.encoded.domain(operand).texts.as_ref().map_or(0, Texts::longest);
        let of_check = |check: &Check| match check {
            Check::Text { operands, test, .. } => {
                test.scratch_bytes(longest(operands.left).max(longest(operands.right)))
            }
            Check::Elements { tokens, test, .. } => {
                let elements = self.encoded.tokens[tokens.left].elements();
                test.scratch_bytes(elements.map_or(0, |elements| elements.texts().longest()))
            }
            Check::Equal { .. } | Check::OneSided { .. } | Check::Set { .. } | Check::ListHasAny { .. } => 0,
            Check::Difference { .. } | Check::SameSource { .. } | Check::Residual { .. } => 0,
        };
        self.checks.iter().map(of_check).max().unwrap_or(0)
    }
}
