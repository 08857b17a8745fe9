//! The candidates of a job without rules: conditions on its comparisons that no pair above the threshold fails.
//!
//! A level of a comparison is over-approximated by its own condition: where it counts, it holds. Levels whose weight depends
//! on the frequency of the value are cut into *bands* of values, each with the weight of the one that adds most; a band is
//! the level and a condition on the left record, that its value is as rare as the band says. Both records have one value
//! there, so one of them suffices.

use serde::{Deserialize, Serialize};

use super::covered_records::CoveredRecords;
use super::model_scores::Scoring;
use super::outcome_conditions::{ComparisonOutcomes, all_outcomes, follows};
use crate::error::{Error, ErrorCode, Result};
use crate::model::MatchWeight;
use crate::plan::Planner;
use crate::rules::{Implications, Literal, RuleSet};
use crate::score::{
    Cover, CoverCondition, CoverOutcome, CoverPart, Covering, RareCondition, RareLimit, ScoreRule, Uncovered,
    without_implied,
};

/// Bits above a threshold at which it is said what that would save.
const HIGHER: [f64; 3] = [2.0, 4.0, 8.0];

/// How a job without rules finds every pair above its threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CoverRecord {
    /// Conditions, one of which every such pair satisfies.
    pub conditions: u64,
    /// Candidates that these are expected to give.
    pub candidates: f64,
    /// The same at higher thresholds.
    pub higher: Vec<HigherThreshold>,
}

/// What a higher threshold would take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HigherThreshold {
    /// The least probability of a pair.
    pub threshold: f64,
    /// The least match weight of a pair.
    pub threshold_weight: f64,
    /// Candidates that would be expected.
    pub candidates: f64,
}

/// The rule that finds every pair whose match weight reaches the threshold.
pub(super) fn score_rule(records: &CoveredRecords<'_>, planner: &Planner<'_>, scoring: &Scoring) -> Result<ScoreRule> {
    let comparisons = all_outcomes(records, planner, scoring);
    let outcomes: Vec<Vec<CoverOutcome>> = comparisons.iter().map(|of| of.outcomes.clone()).collect();
    let text = format!("match_weight >= {}", scoring.threshold.bits());
    match cover_of(records, scoring, &outcomes).covering() {
        Ok(covering) => {
            let mut maker = ConjunctionMaker::new(records.rules);
            let ways = maker.conjunctions_of(&covering.conditions, &comparisons);
            Ok(ScoreRule { text, ways, rare: maker.rare })
        }
        Err(_) if records.may_take_all => Ok(ScoreRule::new(text, vec![Vec::new()])),
        Err(uncovered) => Err(too_low(&uncovered, &comparisons, records, scoring.threshold)),
    }
}

impl CoverRecord {
    /// How every pair above the threshold is found, and what higher thresholds would save.
    pub(crate) fn compute(records: &CoveredRecords<'_>, planner: &Planner<'_>, scoring: &Scoring) -> Option<Self> {
        let outcomes: Vec<Vec<CoverOutcome>> =
            all_outcomes(records, planner, scoring).into_iter().map(|of| of.outcomes).collect();
        let cover = cover_of(records, scoring, &outcomes);
        let Covering { conditions, candidates } = cover.covering().ok()?;
        let higher = HIGHER.iter().filter_map(|more| higher_threshold(&cover, *more)).collect();
        Some(Self { conditions: conditions.len() as u64, candidates, higher })
    }
}

fn cover_of<'a>(records: &CoveredRecords<'_>, scoring: &Scoring, outcomes: &'a [Vec<CoverOutcome>]) -> Cover<'a> {
    let (prior, threshold, pairs) = (scoring.scorer.prior(), scoring.threshold, records.pairs as f64);
    Cover { comparisons: outcomes, prior, threshold, pairs }
}

/// Makes conjunctions of conditions, and collects what these ask of single records.
struct ConjunctionMaker<'a> {
    rules: &'a RuleSet,
    implied: Implications,
    rare: Vec<RareCondition>,
}

impl<'a> ConjunctionMaker<'a> {
    fn new(rules: &'a RuleSet) -> Self {
        Self { rules, implied: rules.level_implications(), rare: Vec::new() }
    }

    /// The conjunctions of conditions.
    fn conjunctions_of(&mut self, conditions: &[CoverCondition], of: &[ComparisonOutcomes]) -> Vec<Vec<Literal>> {
        let mut all = Vec::new();
        for condition in conditions {
            let mut product: Vec<Vec<Literal>> = vec![Vec::new()];
            for part in condition {
                let ways = self.ways_of(part, &of[part.comparison]);
                let longer = |literals: &Vec<Literal>| -> Vec<Vec<Literal>> {
                    ways.iter().map(|way| [&literals[..], way].concat()).collect()
                };
                product = product.iter().flat_map(longer).collect();
            }
            all.extend(product);
        }
        without_implied(&all, |a, b| follows(a, b, &self.implied))
    }

    /// The ways to have one of some outcomes, without those that follow from others.
    fn ways_of(&mut self, part: &CoverPart, of: &ComparisonOutcomes) -> Vec<Vec<Literal>> {
        let mut levels: Vec<(usize, Option<RareLimit>)> = Vec::new();
        for condition in part.outcomes.iter().filter_map(|at| of.conditions[*at].as_ref()) {
            match levels.iter_mut().find(|(level, _)| *level == condition.level) {
                Some((_, limit)) => *limit = limit.zip(condition.limit).map(|(a, b)| a.max(b)),
                None => levels.push((condition.level, condition.limit)),
            }
        }
        let mut ways: Vec<Vec<Literal>> = Vec::new();
        for (level, limit) in levels {
            let rare = limit.map(|limit| self.rare_literal(RareCondition { comparison: part.comparison, limit }));
            let own = &self.rules.scoring.comparisons[part.comparison].levels[level].ways;
            ways.extend(own.iter().map(|literals| literals.iter().copied().chain(rare).collect()));
        }
        without_implied(&ways, |a, b| follows(a, b, &self.implied))
    }

    /// The literal of a condition on values. Two that say the same are one.
    fn rare_literal(&mut self, condition: RareCondition) -> Literal {
        let text = condition.text(self.rules);
        let known = self.rare.iter().position(|known| known.text(self.rules) == text);
        let place = known.unwrap_or_else(|| {
            self.rare.push(condition);
            self.rare.len() - 1
        });
        Literal { predicate: self.rules.predicates.len() + place, want: true }
    }
}

fn too_low(
    uncovered: &Uncovered,
    of: &[ComparisonOutcomes],
    records: &CoveredRecords<'_>,
    threshold: MatchWeight,
) -> Error {
    let rules = &records.rules.scoring.comparisons;
    let name = |(at, place): (usize, &usize)| match (&of[at].conditions[*place], of[at].conditions.len() - place) {
        (Some(condition), _) => format!("{} at level {}", rules[at].name, condition.level + 1),
        (None, 1) => format!("{} null", rules[at].name),
        (None, _) => format!("{} else", rules[at].name),
    };
    let outcomes: Vec<String> = uncovered.outcomes.iter().enumerate().map(name).collect();
    let score = uncovered.score;
    Error::rules(format!(
        "pairs that reach the threshold can only be found by looking at all {} pairs: with {} the match weight is {:.3}, \
         and the threshold is {:.3}",
        records.pairs,
        outcomes.join(", "),
        score.bits(),
        threshold.bits()
    ))
    .with_help(format!(
        "raise the threshold above {:.6} (match weight {:.3}), or add rules that give the candidates",
        score.probability(),
        score.bits()
    ))
    .with_code(ErrorCode::ThresholdTooLow)
}

/// What a threshold that is some bits higher would take.
fn higher_threshold(cover: &Cover<'_>, more: f64) -> Option<HigherThreshold> {
    let threshold = cover.threshold + MatchWeight::of_bits(more);
    let candidates = Cover { threshold, ..*cover }.covering().ok()?.candidates;
    Some(HigherThreshold { threshold: threshold.probability(), threshold_weight: threshold.bits(), candidates })
}
