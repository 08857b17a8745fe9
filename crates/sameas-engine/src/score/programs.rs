//! What scores many pairs, or counts their patterns, as the verifier runs it.

use super::outcome::LevelConjunctions;
use super::pattern::Patterns;
use super::scorer::Scorer;
use super::term_frequencies::TermFrequencies;
use crate::model::MatchWeight;
use crate::rules::{Literal, Predicate};
use crate::verify::{OutcomeTree, Program, ScoreProgram, ScoredComparison, ValueAdjustment};

/// Numbers of patterns with what rules hold are below this.
const MOST_PATTERNS: u64 = 1 << 63;

/// What predicates are, as rules have them and as they are checked.
pub type PredicateSource<'s> = (&'s Program, &'s [Predicate]);

/// Keeps the pairs whose scores reach a threshold, and those of certain rules; nothing where a comparison has too many
/// levels for a tree, or there are too many comparisons.
pub fn keeping_program<'a>(
    scorer: &'a Scorer,
    shape: &Patterns,
    levels: &[LevelConjunctions<'_>],
    threshold: MatchWeight,
    is_certain: Vec<bool>,
    (program, predicates): PredicateSource<'_>,
) -> Option<ScoreProgram<'a>> {
    let comparison = |(at, levels): (usize, &LevelConjunctions<'_>)| {
        let adjustment = scorer.frequencies(at).map(|frequencies| adjustment_by(frequencies, levels.len()));
        let weight = |(outcome, weight): (usize, &MatchWeight)| {
            weight.0 + adjustment.as_ref().filter(|of| of.outcomes[outcome]).map_or(0, |of| of.most)
        };
        let weights: Vec<i64> = scorer.weights(at).iter().enumerate().map(weight).collect();
        let tree = OutcomeTree::new(levels, &weights, program, predicates)?;
        Some(ScoredComparison::new(tree, parts_of(shape, at, levels.len()), adjustment))
    };
    let comparisons = levels.iter().enumerate().map(comparison).collect::<Option<_>>()?;
    ScoreProgram::keeping(comparisons, scorer.prior().0, threshold.0, is_certain)
}

/// Counts pairs by pattern, and by the rules that hold: the place of a pair is its pattern and, times the number of
/// patterns, the mask of these rules. Nothing where one number does not hold that, or a comparison is too large for a tree, or
/// there are too many.
pub fn pattern_program(
    shape: &Patterns,
    levels: &[LevelConjunctions<'_>],
    rules: &[&[Vec<Literal>]],
    (program, predicates): PredicateSource<'_>,
) -> Option<ScoreProgram<'static>> {
    let patterns = shape.combinations();
    let all = patterns.checked_mul(1_u64.checked_shl(rules.len() as u32)?).filter(|all| *all < MOST_PATTERNS)?;
    let tree = |levels: &[&[Vec<Literal>]]| OutcomeTree::new(levels, &vec![0; levels.len() + 2], program, predicates);
    let mut comparisons = Vec::new();
    for (at, levels) in levels.iter().enumerate() {
        let parts = parts_of(shape, at, levels.len());
        comparisons.push(ScoredComparison::new(tree(levels)?, parts, None));
    }
    for (at, rule) in rules.iter().enumerate() {
        let parts = vec![patterns << at, 0, 0];
        comparisons.push(ScoredComparison::new(tree(&[rule])?, parts, None));
    }
    ScoreProgram::counting(comparisons, all)
}

/// What each outcome of a comparison adds to a pattern.
fn parts_of(shape: &Patterns, comparison: usize, levels: usize) -> Vec<u64> {
    (0..levels + 2).map(|outcome| shape.part(comparison, outcome)).collect()
}

fn adjustment_by(frequencies: &TermFrequencies, levels: usize) -> ValueAdjustment<'_> {
    let outcomes = (0..levels + 2).map(|outcome| frequencies.adjusts(outcome)).collect();
    ValueAdjustment::new(frequencies.operands().left, bytemuck::cast_slice(frequencies.adjustments()), outcomes)
}
