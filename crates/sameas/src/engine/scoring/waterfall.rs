//! The score of one pair, part by part.

use serde::{Deserialize, Serialize};

use super::super::job::Job;
use super::{Scoring, levels_of};
use crate::candidates::Batch;
use crate::error::Result;
use crate::rules::RuleSet;
use crate::score::OutcomeReader;
use crate::verify::Program;

/// How the score of a pair comes about: weights in bits, which add up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoreExplanation {
    /// The weight of the prior.
    pub prior: f64,
    /// The comparisons, in order.
    pub comparisons: Vec<ComparisonScore>,
    /// The sum.
    pub match_weight: f64,
    /// The probability that belongs to it.
    pub match_probability: f64,
    /// The least match weight of a pair that is kept.
    pub threshold_weight: f64,
    /// Whether it is reached.
    pub is_reached: bool,
}

/// What a comparison adds to a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ComparisonScore {
    /// Its name.
    pub name: String,
    /// The condition of the level, `else` or `null`.
    pub level: String,
    /// The number of the level, from 1; nothing for `else` and `null`.
    pub number: Option<usize>,
    /// Its weight.
    pub weight: f64,
    /// What the frequency of the value adds, where it does.
    pub term_frequency: Option<f64>,
}

/// The score of a pair of rows of a job, where it has comparisons and a model.
pub(in super::super) fn explain_score(
    job: &Job,
    rules: &RuleSet,
    program: &Program,
    (l, r): (u32, u32),
) -> Result<Option<ScoreExplanation>> {
    let scoring = Scoring::of(job, rules, program)?;
    Ok(scoring.map(|scoring| scoring.explanation(rules, program, (l, r))))
}

impl Scoring {
    /// The score of a pair of rows.
    pub fn explanation(&self, rules: &RuleSet, program: &Program, rows: (u32, u32)) -> ScoreExplanation {
        explained(self, rules, program, rows)
    }
}

fn explained(scoring: &Scoring, rules: &RuleSet, program: &Program, (l, r): (u32, u32)) -> ScoreExplanation {
    let (mut batch, mut patterns) = (Batch::default(), Vec::new());
    batch.set([(l, r)].into_iter());
    OutcomeReader::new(program).patterns(&batch, &scoring.shape, &levels_of(rules), &mut patterns);
    let parts = scoring.scorer.parts(&scoring.shape, patterns[0], (l, r), &program.encoded);
    let comparison = |(at, (outcome, weight, adjustment)): (usize, &(usize, _, _))| {
        let of = &rules.scoring.comparisons[at];
        let level = of.levels.get(*outcome);
        let is_null = *outcome == scoring.shape.null(at);
        let (weight, adjustment): (crate::score::MatchWeight, crate::score::MatchWeight) = (*weight, *adjustment);
        ComparisonScore {
            name: of.name.clone(),
            level: level.map_or(if is_null { "null" } else { "else" }.to_owned(), |level| level.text.clone()),
            number: level.map(|_| outcome + 1),
            weight: weight.bits(),
            term_frequency: level.filter(|level| level.has_term_frequency).map(|_| adjustment.bits()),
        }
    };
    let total = parts.total();
    ScoreExplanation {
        prior: parts.prior.bits(),
        comparisons: parts.comparisons.iter().enumerate().map(comparison).collect(),
        match_weight: total.bits(),
        match_probability: total.probability(),
        threshold_weight: scoring.threshold.bits(),
        is_reached: total >= scoring.threshold,
    }
}
