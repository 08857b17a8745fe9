//! The scores of a job: made by a model, averaged, or given by others.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::expected::ScoreExpectation;
use super::frequencies::{KeptFrequencies, TermFrequencyRecord};
use super::model_scores::{Scoring, threshold_of};
use super::outside::OutsideScores;
use super::weighted::{Weighted, weighted_key};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::model::{MatchWeight, TrainingWarning};
use crate::records::{ContentId, NamedRecords};
use crate::rules::RuleSet;
use crate::score::ScoreBin;
use crate::verify::Program;

/// How the pairs of a job get their scores.
#[derive(Debug)]
pub enum Scores {
    /// They have none.
    None,
    /// Match weights, by a model.
    Model(Box<Scoring>),
    /// Weighted averages of similarities.
    Weighted(Weighted),
    /// Others have given them.
    Given(OutsideScores),
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
    /// The precision that the model was to expect of the pairs that are kept, where the threshold was found by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// What the model itself expects of the pairs that are kept: its own opinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<ScoreExpectation>,
    /// The pairs of the result by score, where they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<ScoreBin>,
    /// What should be known about how the model was learned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model_warnings: Vec<TrainingWarning>,
}

impl ScoreRecord {
    /// The same with what became of the pairs: the threshold, where it was found from them, and what the model expects.
    #[must_use]
    pub(crate) fn with_kept(
        self,
        scores: &Scores,
        threshold: Option<MatchWeight>,
        expected: Option<ScoreExpectation>,
    ) -> Self {
        let Some(threshold) = threshold else { return Self { expected, ..self } };
        let precision = scores.model().and_then(|scoring| scoring.precision);
        let (threshold_weight, threshold) = (Some(threshold.bits()), threshold.probability());
        Self { threshold_weight, threshold, precision, expected, ..self }
    }

    /// A job with the threshold that this run of it has found from its pairs, so that questions about the run are answered by
    /// it; the same job where it has not.
    #[must_use]
    pub fn resolved(&self, mut job: Job) -> Job {
        if self.precision.is_some() && job.rules.score.open_precision().is_some() {
            job.rules.score.threshold_weight = self.threshold_weight;
        }
        job
    }
}

impl Scores {
    /// What a job says of scores. Term frequencies and scores that are given are read, and may take this much memory.
    pub fn read(
        job: &Job,
        rules: &RuleSet,
        program: &Program,
        records: NamedRecords<'_>,
        memory: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        match Self::of_comparisons(job, rules, program, &MemoryBudget::new(memory), cancel)? {
            // Rules that compare records, and scores that are given, are refused together.
            Self::None => Ok(OutsideScores::read(job, records, memory, cancel)?.map_or(Self::None, Self::Given)),
            made => Ok(made),
        }
    }

    /// The same without scores that are given.
    pub fn of_comparisons(
        job: &Job,
        rules: &RuleSet,
        program: &Program,
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        match Scoring::read(job, rules, program, budget, cancel)? {
            Some(scoring) => Ok(Self::Model(Box::new(scoring))),
            None => Ok(Weighted::from_job(job, rules)?.map_or(Self::None, Self::Weighted)),
        }
    }

    /// The tables of term frequencies that were read: nobody needs them for scores any more.
    pub fn take_kept_frequencies(&mut self) -> KeptFrequencies {
        if let Self::Model(scoring) = self { scoring.take_kept_frequencies() } else { KeptFrequencies::default() }
    }

    /// Whether pairs have no scores.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// What scores pairs by a model.
    pub fn model(&self) -> Option<&Scoring> {
        if let Self::Model(scoring) = self { Some(&**scoring) } else { None }
    }

    /// The same with the threshold of a model that was found from pairs.
    pub(crate) fn keep_from(&mut self, threshold: MatchWeight) {
        if let Self::Model(scoring) = self {
            scoring.kept_from = threshold;
        }
    }

    /// What averages the similarities of pairs.
    pub fn weighted(&self) -> Option<&Weighted> {
        if let Self::Weighted(weighted) = self { Some(weighted) } else { None }
    }

    /// Memory that what was given takes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::None | Self::Weighted(_) => 0,
            Self::Model(scoring) => scoring.given_bytes(),
            Self::Given(outside) => outside.bytes(),
        }
    }

    /// Where term frequencies are from, where they count.
    pub fn term_frequencies(&self) -> &[TermFrequencyRecord] {
        self.model().map(|scoring| &scoring.term_frequencies[..]).unwrap_or_default()
    }

    /// What identifies the table of scores that came with the job, if one did.
    pub fn given_content(&self) -> Option<&ContentId> {
        match self {
            Self::Given(outside) if outside.file.is_none() => Some(&outside.content),
            _ => None,
        }
    }

    /// The files that the rules name and that were read for them, by what they are called.
    pub fn named_files(&self) -> Vec<(String, ContentId)> {
        match self {
            Self::Model(scoring) => scoring.named_files.clone(),
            Self::Given(outside) => outside.file.iter().map(|file| (file.clone(), outside.content.clone())).collect(),
            Self::None | Self::Weighted(_) => Vec::new(),
        }
    }

    /// What the scores of a job depend on besides its records and rules.
    pub fn key(&self, job: &Job) -> Option<String> {
        match self {
            Self::Given(outside) => Some(outside.key()),
            _ => score_key(job),
        }
    }

    /// What the rule that finds its pairs depends on, where it is made of the scores and no rule of the job finds them.
    pub fn rule_key(&self, job: &Job, rules: &RuleSet) -> Option<String> {
        let key = match self {
            Self::None => return None,
            Self::Given(outside) => format!("outside {:?}", outside.threshold),
            Self::Model(_) | Self::Weighted(_) if rules.rules.is_empty() => score_key(job)?,
            Self::Model(_) | Self::Weighted(_) => return None,
        };
        Some(format!("{:032x}", xxh3_128(key.as_bytes())))
    }

    /// What identifies the term frequencies that are given: columns and hashes of tables.
    pub fn frequency_key(&self) -> Vec<(String, String)> {
        let given = self.term_frequencies().iter().filter(|of| of.given.is_some());
        given.map(|of| (of.column.clone(), of.xxh128.clone())).collect()
    }
}

/// What scores that are made depend on besides records and rules.
fn score_key(job: &Job) -> Option<String> {
    if job.rules.has_weights() {
        return weighted_key(job);
    }
    let model = job.model.as_ref()?;
    let levels = job.rules.compares.iter().flat_map(|of| of.levels.iter().chain(&of.term_frequency));
    let texts: Vec<&str> = levels.map(|origin| origin.text.as_str()).collect();
    let certain: Vec<bool> = job.rules.rules.iter().map(|rule| rule.is_certain).collect();
    Some(format!("{} {texts:?} {certain:?} {}", threshold_of(&job.rules.score).0, model.to_text()))
}

#[cfg(test)]
mod tests;
