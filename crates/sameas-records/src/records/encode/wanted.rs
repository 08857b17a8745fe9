//! What predicates want encoded: operands, which of them share a domain, and token sets. It is of rules alone: the records
//! of any frames with these columns can be encoded for it.

use std::collections::{BTreeSet, HashMap};

use super::bytes::Numbers;
use super::key::{Definitions, OperandKey, operand_key, written};
use super::tokens::Tokenizer;
use crate::disjoint_sets::DisjointSets;
use crate::expr::Expr;

/// An operand that is wanted.
#[derive(Debug)]
pub(super) struct Operand {
    pub(super) frame: usize,
    pub(super) expr: Expr,
    pub(super) numbers: Numbers,
    pub(super) wants_text: bool,
    pub(super) wants_integers: bool,
}

/// What predicates want encoded, numbered as they ask for it.
#[derive(Debug, Default)]
pub struct WantedOperands {
    pub(super) operands: Vec<Operand>,
    known: HashMap<String, usize>,
    /// Operands whose values are compared.
    pub(super) domains: DisjointSets,
    pub(super) tokens: Vec<(usize, Tokenizer)>,
    known_tokens: HashMap<(usize, Tokenizer), usize>,
    /// Token sets that are compared.
    pub(super) token_orders: DisjointSets,
    /// Token sets whose elements are compared with each other.
    with_elements: BTreeSet<usize>,
}

impl WantedOperands {
    /// The operand that holds `expr` for the records of a frame.
    pub fn operand(&mut self, frame: usize, expr: &Expr, numbers: Numbers) -> usize {
        let (operands, domains) = (&mut self.operands, &mut self.domains);
        *self.known.entry(written(frame, expr, numbers)).or_insert_with(|| {
            operands.push(Operand { frame, expr: expr.clone(), numbers, wants_text: false, wants_integers: false });
            domains.add()
        })
    }

    /// Two operands whose values are compared.
    pub fn compare(&mut self, a: usize, b: usize) {
        self.domains.join(a, b);
    }

    /// Has the texts of an operand recoded.
    pub fn texts(&mut self, operand: usize) {
        self.operands[operand].wants_text = true;
    }

    /// Has the numbers of an operand at hand as integers, where all are whole.
    pub fn integers(&mut self, operand: usize) {
        self.operands[operand].wants_integers = true;
    }

    /// The token sets of an operand's values.
    pub fn tokens(&mut self, operand: usize, tokenizer: Tokenizer) -> usize {
        let (wanted, tokens, orders) = ((operand, tokenizer), &mut self.tokens, &mut self.token_orders);
        *self.known_tokens.entry(wanted).or_insert_with(|| {
            tokens.push(wanted);
            orders.add()
        })
    }

    /// Token sets that are compared.
    pub fn compare_tokens(&mut self, a: usize, b: usize) {
        self.token_orders.join(a, b);
    }

    /// Has the texts of the elements of token sets at hand.
    pub fn elements(&mut self, tokens: usize) {
        self.with_elements.insert(tokens);
    }

    /// Whether the elements of some token sets are wanted.
    pub fn want_elements(&self, members: &[usize]) -> bool {
        members.iter().any(|member| self.with_elements.contains(member))
    }

    /// The operands of each domain.
    pub fn domain_members(&self) -> Vec<Vec<usize>> {
        self.domains.members()
    }

    /// The token sets that are compared with each other.
    pub fn token_groups(&self) -> Vec<Vec<usize>> {
        self.token_orders.members()
    }

    /// The operand that a token set is of, and how it is made.
    pub fn token_source(&self, tokens: usize) -> (usize, Tokenizer) {
        self.tokens[tokens]
    }

    /// The records and the expression of an operand.
    pub fn expression(&self, operand: usize) -> (usize, &Expr) {
        let Operand { frame, expr, .. } = &self.operands[operand];
        (*frame, expr)
    }

    /// What each operand is, by its number.
    pub fn keys(&self, definitions: &Definitions) -> Vec<OperandKey> {
        let key = |operand: &Operand| operand_key(operand.frame, &operand.expr, operand.numbers, definitions);
        self.operands.iter().map(key).collect()
    }
}
