//! The score of a pair: the prior, the weights of its outcomes and their adjustments by term frequency, added up.

use crate::records::encode::{Encoded, NULL};
use crate::records::stats::Frequencies;
use crate::rules::{ComparisonRules, ScoringRules};
use crate::threshold::{Check, Sides};
use crate::verify::Program;

use super::model::{ComparisonModel, Model};
use super::pattern::Patterns;
use super::weight::MatchWeight;

/// Makes scores of patterns and rows.
#[derive(Debug)]
pub struct Scorer {
    prior: MatchWeight,
    /// The weight of each outcome of each comparison; null weighs nothing.
    weights: Vec<Vec<MatchWeight>>,
    /// The adjustments of each comparison that has some.
    frequencies: Vec<Option<TermFrequencies>>,
}

/// What rare values of a comparison are worth.
#[derive(Debug)]
pub struct TermFrequencies {
    operands: Sides<usize>,
    /// What is added for each value, by its code.
    adjustments: Vec<MatchWeight>,
    /// The rows with each value.
    pub counts: Vec<u64>,
    /// Whether each level holds for equal values only.
    levels: Vec<bool>,
}

/// The parts of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreParts {
    /// The weight of the prior.
    pub prior: MatchWeight,
    /// For each comparison its outcome, its weight, and its adjustment by term frequency.
    pub comparisons: Vec<(usize, MatchWeight, MatchWeight)>,
}

impl ScoreParts {
    /// The score.
    pub fn total(&self) -> MatchWeight {
        self.prior + self.comparisons.iter().map(|(_, weight, adjustment)| *weight + *adjustment).sum()
    }
}

impl Scorer {
    /// By a model that fits the rules.
    pub fn new(model: &Model, rules: &ScoringRules, program: &Program) -> Self {
        let of_level = |comparison: &ComparisonModel| -> Vec<MatchWeight> {
            comparison.outcomes().map(|level| MatchWeight::of_ratio(level.m, level.u)).chain([MatchWeight(0)]).collect()
        };
        let both = rules.comparisons.iter().zip(&model.comparisons);
        Self {
            prior: MatchWeight::of_probability(model.prior),
            weights: model.comparisons.iter().map(of_level).collect(),
            frequencies: both.map(|(rules, model)| TermFrequencies::new(rules, model, program)).collect(),
        }
    }

    /// The score of the pair of two rows that has a pattern.
    pub fn score(&self, shape: &Patterns, pattern: u64, (l, r): (u32, u32), encoded: &Encoded) -> MatchWeight {
        let part = |comparison: usize| {
            let outcome = shape.outcome(pattern, comparison);
            self.weights[comparison][outcome] + self.adjustment(comparison, outcome, (l, r), encoded)
        };
        self.prior + (0..self.weights.len()).map(part).sum()
    }

    /// The same in parts.
    pub fn parts(&self, shape: &Patterns, pattern: u64, rows: (u32, u32), encoded: &Encoded) -> ScoreParts {
        let part = |comparison: usize| {
            let outcome = shape.outcome(pattern, comparison);
            (outcome, self.weights[comparison][outcome], self.adjustment(comparison, outcome, rows, encoded))
        };
        ScoreParts { prior: self.prior, comparisons: (0..self.weights.len()).map(part).collect() }
    }

    /// The weight of the prior.
    pub fn prior(&self) -> MatchWeight {
        self.prior
    }

    /// The weights of the outcomes of a comparison: its levels, *else* and *null*.
    pub fn weights(&self, comparison: usize) -> &[MatchWeight] {
        &self.weights[comparison]
    }

    /// What rare values of a comparison are worth.
    pub fn frequencies(&self, comparison: usize) -> Option<&TermFrequencies> {
        self.frequencies[comparison].as_ref()
    }

    fn adjustment(&self, comparison: usize, outcome: usize, (l, r): (u32, u32), encoded: &Encoded) -> MatchWeight {
        match &self.frequencies[comparison] {
            Some(frequencies) if frequencies.levels.get(outcome) == Some(&true) => frequencies.of((l, r), encoded),
            _ => MatchWeight(0),
        }
    }
}

impl TermFrequencies {
    /// Of a comparison that asks for them.
    fn new(rules: &ComparisonRules, model: &ComparisonModel, program: &Program) -> Option<Self> {
        let Check::Equal { operands, .. } = program.checks[rules.term_frequency?] else { return None };
        let counts = value_counts(&program.encoded, operands);
        let exact = rules.levels.iter().zip(&model.levels).find(|(level, _)| level.has_term_frequency);
        let u = exact.map_or(1.0, |(_, level)| level.u);
        let (strength, minimum) =
            (model.term_frequency_weight.unwrap_or(1.0), model.term_frequency_minimum.unwrap_or(0.0));
        let all: u64 = counts.iter().sum();
        let adjustment = |count: &u64| match count {
            0 => MatchWeight(0),
            count => {
                let frequency = (*count as f64 / all as f64).max(minimum);
                MatchWeight::of_bits(strength * (u.log2() - frequency.log2()))
            }
        };
        let adjustments = counts.iter().map(adjustment).collect();
        let levels = rules.levels.iter().map(|level| level.has_term_frequency).collect();
        Some(Self { operands, adjustments, counts, levels })
    }

    /// The adjustment of a pair with one value.
    fn of(&self, (l, _): (u32, u32), encoded: &Encoded) -> MatchWeight {
        match encoded.columns[self.operands.left].codes[l as usize] {
            NULL => MatchWeight(0),
            code => self.adjustments[code as usize],
        }
    }

    /// Whether a level holds for equal values only.
    pub fn adjusts(&self, level: usize) -> bool {
        self.levels[level]
    }

    /// The adjustment of each value, by its code.
    pub fn adjustments(&self) -> &[MatchWeight] {
        &self.adjustments
    }

    /// Where its values are encoded.
    pub fn operands(&self) -> Sides<usize> {
        self.operands
    }
}

/// The rows with each value, of both sides where these are different.
fn value_counts(encoded: &Encoded, operands: Sides<usize>) -> Vec<u64> {
    let values = encoded.domain(operands.left).dictionary.len();
    let count = |operand: usize| Frequencies::of(&encoded.columns[operand].codes, values).counts;
    let mut counts: Vec<u64> = count(operands.left).into_iter().map(u64::from).collect();
    if operands.right != operands.left {
        counts.iter_mut().zip(count(operands.right)).for_each(|(both, right)| *both += u64::from(right));
    }
    counts
}
