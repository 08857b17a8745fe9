//! Scores in a job: a stage that keeps the pairs whose score reaches the threshold, the columns they are written with, and
//! the training of a model.
//!
//! The rules of a scored job give its candidates; `stage` scores them. Scores are not kept: `columns` makes them again of
//! the pairs that are written, which are few. `train` learns a model; `other_rules` runs the records of a job by the rules
//! that this needs, `counted_levels` and `sampled_levels` find the shares of levels among all pairs, of which `null_pairs`
//! leaves out those with missing values. Comparisons with a similarity and a weight need no model: `weighted` averages them,
//! `weighted_stage` keeps pairs by that, and `weighted_rule` makes the conditions that no such pair fails. `outside` reads
//! scores that others have given, and `outside_run` makes results of them.

mod columns;
mod complete;
mod counted_levels;
mod counted_scores;
mod null_pairs;
mod other_rules;
mod outcome_conditions;
mod outside;
mod outside_run;
mod representatives;
mod sampled_levels;
mod stage;
mod train;
mod waterfall;
mod weighted;
mod weighted_rule;
mod weighted_stage;
mod weighted_why;

use serde::{Deserialize, Serialize};

use super::job::Job;
use crate::error::{Error, ErrorCode, Result};
use crate::rules::{RuleSet, ScoreText};
use crate::score::{LevelConjunctions, MatchWeight, Patterns, ScoreBin, Scorer};
use crate::verify::Program;

pub use complete::{CoverRecord, HigherThreshold};
pub(super) use counted_scores::CountedScores;
pub(super) use outside::{NamedRecords, OutsideScores};
pub(super) use stage::ScoreStage;
pub use train::{Trained, train};
pub(super) use waterfall::explain_score;
pub use waterfall::{ComparisonScore, ScoreExplanation};
pub(super) use weighted::{Weighted, weighted_key};
pub(super) use weighted_stage::WeightedStage;
pub(super) use weighted_why::explain_weighted;
pub use weighted_why::{WeightedExplanation, WeightedScore};

/// The threshold where none is given: as likely a match as not.
const DEFAULT_THRESHOLD: f64 = 0.5;

/// The `match_key` of pairs that are found by their score alone.
pub const SCORE_RULE: &str = "score";

/// What a job needs to score its pairs.
#[derive(Debug)]
pub(super) struct Scoring {
    pub shape: Patterns,
    pub scorer: Scorer,
    pub threshold: MatchWeight,
    /// Whether the level of each comparison is written.
    pub with_levels: bool,
}

/// What was scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoreRecord {
    /// The least match weight of a pair that is kept, where comparisons have levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold_weight: Option<f64>,
    /// The probability that belongs to it, or the least weighted average.
    pub threshold: f64,
    /// The probability that two random records match, where comparisons have levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// Whether others have given the scores. The numbers of rules and `never` rules are of the result then, and otherwise
    /// of pairs before their scores are known.
    #[serde(default)]
    pub given: bool,
    /// Pairs that were scored.
    pub scored: u64,
    /// Those of them that the host has scored, and not a device.
    #[serde(default)]
    pub scored_by_host: u64,
    /// Pairs that reached the threshold, or belong to a certain rule.
    pub kept: u64,
    /// The pairs of the result by score, where they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<ScoreBin>,
}

impl Scoring {
    /// What a job says of scores; nothing where it compares nothing.
    pub fn of(job: &Job, rules: &RuleSet, program: &Program) -> Result<Option<Self>> {
        if rules.scoring.comparisons.is_empty() {
            return Ok(None);
        }
        if job.near.is_some() {
            return Err(Error::usage("near pairs of rules that compare records are not looked for")
                .with_help("lower the threshold of the score instead"));
        }
        let Some(model) = &job.model else {
            return Err(Error::rules("the rules compare records, and there is no model to score them by")
                .with_help("train a model, and give it")
                .with_code(ErrorCode::NoModel));
        };
        model.check(&rules.scoring)?;
        Ok(Some(Self {
            shape: Patterns::new(&rules.scoring.comparisons)?,
            scorer: Scorer::new(model, &rules.scoring, program),
            threshold: threshold_of(&job.rules.score),
            with_levels: job.rules.score.levels.unwrap_or_default(),
        }))
    }
}

/// The least score of a pair that is kept.
pub(super) fn threshold_of(score: &ScoreText) -> MatchWeight {
    match (score.threshold_weight, score.threshold) {
        (Some(bits), _) => MatchWeight::of_bits(bits),
        (None, probability) => MatchWeight::of_probability(probability.unwrap_or(DEFAULT_THRESHOLD)),
    }
}

/// What the score of a job depends on besides its records and rules.
pub(super) fn score_key(job: &Job) -> Option<String> {
    if job.rules.has_weights() {
        return weighted_key(job);
    }
    let model = job.model.as_ref()?;
    let levels = job.rules.compares.iter().flat_map(|of| of.levels.iter().chain(&of.term_frequency));
    let texts: Vec<&str> = levels.map(|origin| origin.text.as_str()).collect();
    let certain: Vec<bool> = job.rules.rules.iter().map(|rule| rule.is_certain).collect();
    Some(format!("{} {texts:?} {certain:?} {}", threshold_of(&job.rules.score).0, model.to_text()))
}

/// The conditions of the levels of all comparisons.
pub(super) fn levels_of(rules: &RuleSet) -> Vec<LevelConjunctions<'_>> {
    let comparisons = rules.scoring.comparisons.iter();
    comparisons.map(|of| of.levels.iter().map(|level| &level.conjunctions[..]).collect()).collect()
}
