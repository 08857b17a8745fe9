//! The score of one pair, part by part.

use serde::{Deserialize, Serialize};

use super::model_scores::{Scoring, levels_of};
use crate::cancel::Cancel;
use crate::candidates::Batch;
use crate::error::Result;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::model::MatchWeight;
use crate::records::encode::NULL;
use crate::rules::RuleSet;
use crate::score::{OutcomeReader, TermFrequencies};
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
    /// The standard error of the weight, where the model has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_error: Option<f64>,
    /// The matches with the level that the model was learned from, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned_from: Option<f64>,
    /// What the frequency of the value adds, where it does.
    pub term_frequency: Option<f64>,
    /// That frequency, as a share of records; nothing where the table that gives frequencies lacks the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// The table that gives frequencies, by its path or its name; nothing where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequencies_given: Option<String>,
}

/// The score of a pair of rows of a job, where it has comparisons and a model.
pub fn explain_score(
    job: &Job,
    rules: &RuleSet,
    program: &Program,
    (l, r): (u32, u32),
    budget: &MemoryBudget,
    cancel: Cancel<'_>,
) -> Result<Option<ScoreExplanation>> {
    let scoring = Scoring::read(job, rules, program, budget, cancel)?;
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
    let comparison = |(at, (outcome, weight, adjustment)): (usize, &(usize, MatchWeight, MatchWeight))| {
        let of = &rules.scoring.comparisons[at];
        let level = of.levels.get(*outcome);
        let is_null = *outcome == scoring.shape.null(at);
        let values = scoring.scorer.frequencies(at).filter(|values| values.adjusts(*outcome));
        // *Null* is in no model: it weighs nothing.
        let known = scoring.model.comparisons[at].outcomes().nth(*outcome);
        ComparisonScore {
            name: of.name.clone(),
            level: level.map_or(if is_null { "null" } else { "else" }.to_owned(), |level| level.text.clone()),
            number: level.map(|_| outcome + 1),
            weight: weight.bits(),
            weight_error: known.and_then(|known| known.weight_error),
            learned_from: known.and_then(|known| known.m_pairs),
            term_frequency: level.filter(|level| level.has_term_frequency).map(|_| adjustment.bits()),
            frequency: values.and_then(|values| frequency_of(values, program, l)),
            frequencies_given: values.and_then(|values| values.values.source()).map(|source| source.name.clone()),
        }
    };
    let total = parts.total();
    ScoreExplanation {
        prior: parts.prior.bits(),
        comparisons: parts.comparisons.iter().enumerate().map(comparison).collect(),
        match_weight: total.bits(),
        match_probability: total.probability(),
        threshold_weight: scoring.kept_from.bits(),
        is_reached: total >= scoring.kept_from,
    }
}

/// The frequency of the value that a left record has, as a share of records.
fn frequency_of(values: &TermFrequencies, program: &Program, l: u32) -> Option<f64> {
    match program.encoded.columns[values.operands().left].codes[l as usize] {
        NULL => None,
        code => values.values.share(code),
    }
}
