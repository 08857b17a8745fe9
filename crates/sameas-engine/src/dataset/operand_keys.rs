//! What the operands, conditions and ranks of a program are, whatever job asks for them.

use crate::expr::Expr;
use crate::records::encode::{Definitions, Numbers, OperandKey, operand_key};
use crate::rules::RuleSet;
use crate::verify::RuleProgram;

/// The keys of what a program reads of records: over the same records, equal keys mean equal values.
pub struct OperandKeys {
    /// Of operands, by their numbers.
    pub operands: Vec<OperandKey>,
    /// Of conditions on one record, in their order.
    pub conditions: Vec<OperandKey>,
    definitions: Definitions,
}

impl OperandKeys {
    /// The keys of a program of these rules, over records in this many frames.
    pub fn new(program: &RuleProgram, rules: &RuleSet, frames: usize) -> Self {
        let definitions = Definitions::new(&rules.derived, &rules.rankings, frames);
        let operands = program.wanted.keys(&definitions);
        let mut keys = Self { operands, conditions: Vec::new(), definitions };
        keys.conditions = program.conditions.iter().map(|of| keys.of_expression(of.frame, &of.condition)).collect();
        keys
    }

    /// The key of an expression of the records of a frame.
    pub fn of_expression(&self, frame: usize, expr: &Expr) -> OperandKey {
        operand_key(frame, &expr.own(), Numbers::AsWritten, &self.definitions)
    }

    /// What a rank is, by its name.
    pub fn of_rank(&self, name: &str) -> Option<u128> {
        self.definitions.rank(name)
    }

    /// The keys of some operands.
    pub fn of_members(&self, members: &[usize]) -> Vec<OperandKey> {
        members.iter().map(|member| self.operands[*member].clone()).collect()
    }
}
