//! How pairs are scored, by host and device alike: outcome trees with weights, and a bound that becomes the score.
//!
//! The *bound* of a pair is the most that its score can be. It begins with the prior and the largest weight of each
//! comparison; each verdict takes off what is out of reach then, and where an outcome depends on the frequency of a value,
//! the largest adjustment is replaced by that of the value. So the bound never rises, is never below the score, and is the
//! score when all outcomes are known: a pair whose bound is below the threshold needs no more looking at.
//!
//! Weights are whole numbers, so sums do not depend on their order.

use std::sync::OnceLock;

use super::code_states::CodeStates;
use super::known_outcomes::KnownOutcomes;
use super::outcome_tree::{EvaluationEffort, OutcomeNode, OutcomeStep, OutcomeTree};
use super::program::Program;
use crate::records::encode::NULL;
use crate::threshold::Sides;

/// Comparisons of a program at most: a kernel keeps a node of each.
pub const MOST_TREES: usize = 32;

/// How pairs are scored.
#[derive(Debug)]
pub struct ScoreProgram<'a> {
    /// The comparisons, those first that rule out most with least effort.
    pub comparisons: Vec<ScoredComparison<'a>>,
    /// What codes say about them, for the host.
    pub code_states: Vec<CodeStates>,
    /// The bound of a pair of which nothing is known.
    pub first: i64,
    /// The least score of a pair that is kept.
    pub threshold: i64,
    /// By rule, whether its pairs are kept whatever their score.
    pub is_certain: Vec<bool>,
    /// Where pairs are counted by pattern and not kept: the number of patterns, below 2^63.
    pub patterns: Option<u64>,
}

/// A comparison of a program.
#[derive(Debug)]
pub struct ScoredComparison<'a> {
    /// How its outcome is found.
    pub tree: OutcomeTree,
    /// What each outcome adds to a pattern.
    pub parts: Vec<u64>,
    /// What the frequency of a value adds.
    pub adjustment: Option<ValueAdjustment<'a>>,
    /// Outcomes of frequent values, for the host; made when they are first asked for, where they are of use.
    known: OnceLock<Option<KnownOutcomes>>,
}

/// What the frequency of a value adds to some outcomes of a comparison.
#[derive(Clone, Debug)]
pub struct ValueAdjustment<'a> {
    /// The operand of the left record that has the value.
    pub operand: usize,
    /// What is added for each value, by its code.
    pub by_code: &'a [i64],
    /// The largest of these, or 0.
    pub most: i64,
    /// By outcome, whether it is adjusted.
    pub outcomes: Vec<bool>,
}

impl<'a> ScoredComparison<'a> {
    /// Of a tree whose outcomes add these parts to a pattern.
    pub fn new(tree: OutcomeTree, parts: Vec<u64>, adjustment: Option<ValueAdjustment<'a>>) -> Self {
        Self { tree, parts, adjustment, known: OnceLock::new() }
    }

    /// The outcomes of frequent values, where it measures two values and they repeat.
    pub fn known(&self, program: &Program) -> Option<&KnownOutcomes> {
        let make = || KnownOutcomes::new(program, self.measured(program)?, self.parts.len());
        self.known.get_or_init(make).as_ref()
    }

    /// The two values that it measures; nothing where its outcome depends on more, or on codes alone.
    fn measured(&self, program: &Program) -> Option<Sides<usize>> {
        let is_measure =
            |node: &OutcomeNode| matches!(node.step, OutcomeStep::Ask { effort: EvaluationEffort::Measure, .. });
        let mut operands = self.tree.predicates().into_iter().map(|predicate| program.checks[predicate].operands());
        let first = operands.next().flatten().filter(|_| self.tree.nodes.iter().any(is_measure))?;
        operands.all(|of| of.is_some_and(|of| (of.left, of.right) == (first.left, first.right))).then_some(first)
    }

    /// The weights of the outcomes that it can have, with the largest adjustments.
    pub fn outcome_weights(&self) -> Vec<i64> {
        let mut weights = vec![0; self.parts.len()];
        for node in &self.tree.nodes {
            if let OutcomeStep::Reached(outcome) = node.step {
                weights[outcome as usize] = node.most;
            }
        }
        weights
    }

    /// Whether an outcome is adjusted by the frequency of a value.
    pub fn is_adjusted(&self, outcome: u32) -> bool {
        self.adjustment.as_ref().is_some_and(|of| of.outcomes[outcome as usize])
    }

    /// What an outcome of a pair adds to the bound: the adjustment in place of the largest one.
    pub fn correction(&self, outcome: u32, code: impl FnOnce(usize) -> u32) -> i64 {
        match &self.adjustment {
            Some(of) if of.outcomes[outcome as usize] => of.at(code(of.operand)) - of.most,
            _ => 0,
        }
    }

    /// What looking at codes alone can take off the bound.
    fn loss_by_codes(&self) -> i64 {
        let root = &self.tree.nodes[0];
        match root.step {
            OutcomeStep::Ask { effort: EvaluationEffort::Codes, next, .. } => {
                root.most - self.tree.nodes[next[0] as usize].most
            }
            _ => -1,
        }
    }
}

impl<'a> ValueAdjustment<'a> {
    /// Of some outcomes.
    pub fn new(operand: usize, by_code: &'a [i64], outcomes: Vec<bool>) -> Self {
        Self { operand, by_code, most: by_code.iter().copied().max().unwrap_or(0).max(0), outcomes }
    }

    /// What is added for a value.
    fn at(&self, code: u32) -> i64 {
        if code == NULL { 0 } else { self.by_code[code as usize] }
    }
}

impl<'a> ScoreProgram<'a> {
    /// Pairs are kept from a score on; nothing where there are too many comparisons.
    pub fn keeping(
        comparisons: Vec<ScoredComparison<'a>>,
        prior: i64,
        threshold: i64,
        is_certain: Vec<bool>,
    ) -> Option<Self> {
        let first = prior + comparisons.iter().map(|of| of.tree.nodes[0].most).sum::<i64>();
        Self { comparisons, code_states: Vec::new(), first, threshold, is_certain, patterns: None }.in_order()
    }

    /// Pairs are counted by pattern; nothing where there are too many comparisons.
    pub fn counting(comparisons: Vec<ScoredComparison<'a>>, patterns: u64) -> Option<Self> {
        let (code_states, is_certain) = (Vec::new(), Vec::new());
        Self { comparisons, code_states, first: 0, threshold: i64::MIN, is_certain, patterns: Some(patterns) }
            .in_order()
    }

    fn in_order(mut self) -> Option<Self> {
        self.comparisons.sort_by_key(|of| std::cmp::Reverse(of.loss_by_codes()));
        self.code_states = CodeStates::tables(&self.comparisons);
        (self.comparisons.len() <= MOST_TREES).then_some(self)
    }

    /// The predicates that it asks, each once.
    pub fn predicates(&self) -> Vec<usize> {
        let mut asked: Vec<usize> = self.comparisons.iter().flat_map(|of| of.tree.predicates()).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }
}
