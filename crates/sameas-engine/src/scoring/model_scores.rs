//! Scores by a model: what a job needs for them, and what is asked of its levels.

use super::frequencies::{KeptFrequencies, ReadFrequencies, TermFrequencyRecord};
use super::frequencies::{check_frequencies, value_frequencies};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::model::{MatchWeight, Model};
use crate::records::ContentId;
use crate::rules::{ComparisonRules, RuleSet, ScoreText};
use crate::score::{LevelConjunctions, Patterns, Scorer};
use crate::verify::Program;

/// The threshold where none is given: as likely a match as not.
const DEFAULT_THRESHOLD: f64 = 0.5;

/// What a job needs to score its pairs.
#[derive(Debug)]
pub struct Scoring {
    pub model: Model,
    pub shape: Patterns,
    pub scorer: Scorer,
    /// The least score of a pair that the stages of the job keep.
    pub threshold: MatchWeight,
    /// The precision that the model is to expect of the pairs that are kept in the end, where the job asks for one whose
    /// threshold is not known yet.
    pub precision: Option<f64>,
    /// The least score of a pair that is kept in the end, as far as that is known.
    pub kept_from: MatchWeight,
    /// Whether the level of each comparison is written.
    pub with_levels: bool,
    /// Where term frequencies are from.
    pub term_frequencies: Vec<TermFrequencyRecord>,
    /// The files of these that the rules name, by what they are called.
    pub named_files: Vec<(String, ContentId)>,
    /// Those that were read, until somebody takes them.
    kept: KeptFrequencies,
}

impl Scoring {
    /// What a job says of scores; nothing where it compares nothing. Term frequencies that are given are read within the
    /// budget.
    pub fn read(
        job: &Job,
        rules: &RuleSet,
        program: &Program,
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Option<Self>> {
        if rules.scoring.comparisons.is_empty() {
            // Term frequencies that are given have nothing to adjust.
            return check_frequencies(job, cancel).map(|()| None);
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
        let mut values = value_frequencies(job, rules, program, budget, cancel)?;
        let comparisons = &rules.scoring.comparisons;
        let record = |(comparison, of): (&ComparisonRules, &Option<ReadFrequencies>)| {
            of.as_ref().map(|of| TermFrequencyRecord::new(comparison, &of.column, &of.values))
        };
        let term_frequencies = comparisons.iter().zip(&values).filter_map(record).collect();
        let named_files = values.iter().flatten().filter_map(|of| of.file.clone()).collect();
        let kept = KeptFrequencies::taken(&mut values);
        let values = values.into_iter().map(|of| of.map(|of| of.values)).collect();
        Ok(Some(Self {
            model: model.clone(),
            shape: Patterns::new(comparisons)?,
            scorer: Scorer::new(model, &rules.scoring, values),
            threshold: threshold_of(&job.rules.score),
            precision: job.rules.score.open_precision(),
            kept_from: threshold_of(&job.rules.score),
            with_levels: job.rules.score.levels.unwrap_or_default(),
            term_frequencies,
            named_files,
            kept,
        }))
    }

    /// Memory that given term frequencies take.
    pub fn given_bytes(&self) -> usize {
        let all = (0..self.shape.comparisons()).filter_map(|at| self.scorer.frequencies(at));
        all.map(|of| of.values.given_bytes()).sum::<usize>() + self.kept.bytes()
    }

    /// The tables of term frequencies that were read: nobody needs them for scores any more.
    pub fn take_kept_frequencies(&mut self) -> KeptFrequencies {
        std::mem::take(&mut self.kept)
    }
}

/// The least score of a pair that is kept. Where a precision is asked for, it is not known before the pairs are: those from
/// even odds on are kept until then. Less likely pairs are not results, whatever the precision of all.
pub fn threshold_of(score: &ScoreText) -> MatchWeight {
    match (score.threshold_weight, score.threshold) {
        (Some(bits), _) => MatchWeight::of_bits(bits),
        (None, _) if score.precision.is_some() => MatchWeight(0),
        (None, probability) => MatchWeight::of_probability(probability.unwrap_or(DEFAULT_THRESHOLD)),
    }
}

/// The conditions of the levels of all comparisons.
pub fn levels_of(rules: &RuleSet) -> Vec<LevelConjunctions<'_>> {
    let comparisons = rules.scoring.comparisons.iter();
    comparisons.map(|of| of.levels.iter().map(|level| &level.conjunctions[..]).collect()).collect()
}
