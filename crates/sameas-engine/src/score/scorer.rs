//! The score of a pair: the prior, the weights of its outcomes and their adjustments by term frequency, added up.

use crate::model::{ComparisonModel, MatchWeight, Model};
use crate::records::encode::Encoded;
use crate::rules::{ComparisonRules, ScoringRules};

use super::pattern::Patterns;
use super::term_frequencies::TermFrequencies;
use super::value_frequencies::ValueFrequencies;

/// Makes scores of patterns and rows.
#[derive(Debug)]
pub struct Scorer {
    prior: MatchWeight,
    /// The weight of each outcome of each comparison; null weighs nothing.
    weights: Vec<Vec<MatchWeight>>,
    /// The adjustments of each comparison that has some.
    frequencies: Vec<Option<TermFrequencies>>,
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
    /// By a model that fits the rules, with the frequencies of the values of each comparison that asks for them.
    pub fn new(model: &Model, rules: &ScoringRules, frequencies: Vec<Option<ValueFrequencies>>) -> Self {
        let of_level = |comparison: &ComparisonModel| -> Vec<MatchWeight> {
            comparison.outcomes().map(|level| MatchWeight::of_ratio(level.m, level.u)).chain([MatchWeight(0)]).collect()
        };
        let both = rules.comparisons.iter().zip(&model.comparisons);
        let of_values = |(values, (rules, model)): (Option<ValueFrequencies>, (&ComparisonRules, &ComparisonModel))| {
            values.map(|values| TermFrequencies::new(rules, model, values))
        };
        Self {
            prior: MatchWeight::of_probability(model.prior),
            weights: model.comparisons.iter().map(of_level).collect(),
            frequencies: frequencies.into_iter().zip(both).map(of_values).collect(),
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
            Some(frequencies) if frequencies.adjusts(outcome) => frequencies.adjustment_of((l, r), encoded),
            _ => MatchWeight(0),
        }
    }
}
