//! The scores of a run, as a report has them.

use super::data_facts::cut;
use super::explained::{ExplainedPair, PairKind};
use super::facts::{
    FrequentTerm, ReportComparison, ReportExpectation, ReportExpectedThreshold, ReportLevel, ReportScores,
    ReportSimilarity, ReportTermFrequency, ScoreKind, TermBin, ValueBin,
};
use super::mask::ColumnMasks;
use crate::engine::{InspectedRecords, RunRecord};
use crate::job::Job;
use crate::model::{ComparisonModel, LearnedFrom, LevelModel, MatchWeight};
use crate::rules::{ComparisonRules, WeightedRules};
use crate::score::TermFrequencies;
use crate::scoring::{ExpectedThreshold, MatchesFrom, ScoreExpectation, ScoreRecord};

/// Bins of what values add.
const TERM_BINS: usize = 40;

/// Frequent values that are listed.
const FREQUENT: usize = 12;

/// Characters of a value that are shown.
const SHOWN: usize = 80;

/// What scores are made of.
pub struct ScoreMaterial<'a> {
    /// The run.
    pub run: &'a RunRecord,
    /// Its job, if that is known.
    pub job: Option<&'a Job>,
    /// Its records, if they could be read.
    pub records: Option<&'a InspectedRecords>,
    /// What is masked.
    pub masks: &'a ColumnMasks,
    /// The explained pairs.
    pub pairs: &'a [ExplainedPair],
}

/// What the model expects of the pairs that are kept.
fn expected(of: &ScoreExpectation) -> ReportExpectation {
    let threshold = |of: &ExpectedThreshold| ReportExpectedThreshold {
        threshold: of.threshold_weight,
        probability: of.threshold,
        pairs: of.pairs,
        true_pairs: of.true_pairs,
        precision: of.precision,
        recall: of.recall,
    };
    ReportExpectation {
        matches: of.matches,
        by_prior: of.matches_from == MatchesFrom::Prior,
        certain: of.certain,
        thresholds: of.thresholds.iter().map(threshold).collect(),
    }
}

impl ScoreMaterial<'_> {
    /// The scores, if the run has some.
    pub fn facts(&self, histogram: Vec<ValueBin>, weakest: Vec<u32>) -> Option<ReportScores> {
        let scores: &ScoreRecord = self.run.scores.as_ref()?;
        let kind = self.kind(scores);
        // That of the model, where it is known: weights are rounded.
        let model = self.job.and_then(|job| job.model.as_ref());
        let prior = scores.prior.map(|prior| model.map_or(prior, |model| model.prior));
        Some(ReportScores {
            kind,
            unit: if kind == ScoreKind::Weight { "match weight (bits)" } else { "score" },
            threshold: scores.threshold_weight.unwrap_or(scores.threshold),
            threshold_probability: scores.threshold_weight.map(|_| scores.threshold),
            precision: scores.precision,
            expected: scores.expected.as_ref().map(expected),
            prior,
            prior_weight: prior.map(|prior| MatchWeight::of_probability(prior).bits()),
            scored: scores.scored,
            kept: scores.kept,
            histogram,
            comparisons: self.comparisons(),
            weakest,
        })
    }

    fn kind(&self, scores: &ScoreRecord) -> ScoreKind {
        let has_weights = self.records.is_some_and(|records| !records.rules().scoring.weighted.is_empty());
        match scores.threshold_weight {
            Some(_) => ScoreKind::Weight,
            None if self.job.is_some_and(|job| job.scores.is_some()) => ScoreKind::Outside,
            None if has_weights => ScoreKind::Average,
            None => ScoreKind::Outside,
        }
    }

    fn comparisons(&self) -> Vec<ReportComparison> {
        let (Some(records), Some(job)) = (self.records, self.job) else { return Vec::new() };
        if job.scores.is_some() {
            return Vec::new();
        }
        let scoring = &records.rules().scoring;
        if let Some(model) = &job.model {
            let both = scoring.comparisons.iter().zip(&model.comparisons).enumerate();
            return both.map(|(at, (rules, model))| self.levelled(records, at, rules, model)).collect();
        }
        let all: f64 = scoring.weighted.iter().map(|of| of.weight).sum();
        scoring.weighted.iter().map(|of| weighted(of, all)).collect()
    }

    fn levelled(
        &self,
        records: &InspectedRecords,
        at: usize,
        rules: &ComparisonRules,
        model: &ComparisonModel,
    ) -> ReportComparison {
        let pairs = self.pairs_by_level(at, rules.levels.len());
        let level = |(text, model, pairs): (String, Option<&LevelModel>, f64)| ReportLevel {
            text,
            m: model.map(|model| model.m),
            u: model.map(|model| model.u),
            m_from: model.and_then(|model| model.m_from).map(from),
            u_from: model.and_then(|model| model.u_from).map(from),
            weight: model.map_or(0.0, |model| MatchWeight::of_ratio(model.m, model.u).bits()),
            weight_error: model.and_then(|model| model.weight_error),
            m_pairs: model.and_then(|model| model.m_pairs),
            pairs,
        };
        let texts = rules.levels.iter().map(|level| level.text.clone()).chain(["else".to_owned(), "null".to_owned()]);
        let models = model.outcomes().map(Some).chain([None]);
        ReportComparison {
            name: rules.name.clone(),
            levels: texts.zip(models).zip(pairs).map(|((text, model), pairs)| level((text, model, pairs))).collect(),
            similarity: None,
            term_frequency: records.term_frequencies(at).map(|of| self.term_frequency(records, rules, of)),
        }
    }

    /// About how many pairs of the result have each level, *else* and *null*.
    fn pairs_by_level(&self, comparison: usize, levels: usize) -> Vec<f64> {
        let mut pairs = vec![0.0; levels + 2];
        for pair in self.pairs.iter().filter(|pair| pair.asked.kind == PairKind::Result) {
            let score = pair.inspected.as_ref().and_then(|inspected| inspected.score.as_ref());
            if let Some(of) = score.and_then(|score| score.comparisons.get(comparison)) {
                pairs[level_place(of.number, &of.level, levels)] += pair.asked.weight;
            }
        }
        pairs
    }

    fn term_frequency(
        &self,
        records: &InspectedRecords,
        rules: &ComparisonRules,
        of: &TermFrequencies,
    ) -> ReportTermFrequency {
        let predicate = rules.term_frequency.map(|predicate| records.rules().predicates[predicate].text.clone());
        let column =
            predicate.and_then(|text| text.split_once(" = ").map(|(left, _)| left.trim_start_matches("l.").to_owned()));
        let column = column.unwrap_or_default();
        let is_masked = self.masks.is_read_by(&column);
        let known: Vec<(u32, u64, f64)> = of
            .values
            .rows()
            .iter()
            .zip(of.adjustments())
            .enumerate()
            .filter(|(_, (records, _))| **records > 0)
            .map(|(code, (records, adds))| (code as u32, *records, adds.bits()))
            .collect();
        let mut frequent: Vec<&(u32, u64, f64)> = known.iter().collect();
        let most = FREQUENT.min(frequent.len());
        if most > 0 && most < frequent.len() {
            frequent.select_nth_unstable_by_key(most - 1, |(code, records, _)| (std::cmp::Reverse(*records), *code));
        }
        frequent.truncate(most);
        frequent.sort_by_key(|(code, records, _)| (std::cmp::Reverse(*records), *code));
        let term = |(code, of_records, adds): &(u32, u64, f64)| {
            let value = records.term(of, *code);
            let value = if is_masked { self.masks.mask(&value) } else { cut(value, SHOWN) };
            FrequentTerm { value, records: *of_records, adds: *adds }
        };
        ReportTermFrequency {
            column,
            given: of.values.source().map(|source| source.name.clone()),
            lacking: of.values.lacking(),
            values: known.len() as u64,
            frequent: frequent.into_iter().map(term).collect(),
            rarest_adds: known.iter().map(|(.., adds)| *adds).fold(f64::NEG_INFINITY, f64::max).max(-1024.0),
            histogram: term_bins(&known),
        }
    }
}

/// The place of an outcome among levels, *else* and *null*.
pub fn level_place(number: Option<usize>, level: &str, levels: usize) -> usize {
    match number {
        Some(number) => number - 1,
        None if level == "null" => levels + 1,
        None => levels,
    }
}

fn weighted(of: &WeightedRules, all: f64) -> ReportComparison {
    ReportComparison {
        name: of.name.clone(),
        levels: Vec::new(),
        similarity: Some(ReportSimilarity {
            of: of.text.clone(),
            within: of.within_text.clone(),
            share: of.weight / all,
            at_least: of.at_least,
        }),
        term_frequency: None,
    }
}

fn term_bins(known: &[(u32, u64, f64)]) -> Vec<TermBin> {
    let least = known.iter().map(|(.., adds)| *adds).fold(f64::INFINITY, f64::min);
    let most = known.iter().map(|(.., adds)| *adds).fold(f64::NEG_INFINITY, f64::max);
    if !least.is_finite() || !most.is_finite() {
        return Vec::new();
    }
    let width = ((most - least) / TERM_BINS as f64).max(1e-9);
    let bins = (((most - least) / width).ceil() as usize).clamp(1, TERM_BINS);
    let bin = |at: usize| TermBin {
        from: least + at as f64 * width,
        to: least + (at + 1) as f64 * width,
        values: 0,
        records: 0,
    };
    let mut all: Vec<TermBin> = (0..bins).map(bin).collect();
    for (_, records, adds) in known {
        let at = (((adds - least) / width) as usize).min(bins - 1);
        all[at].values += 1;
        all[at].records += records;
    }
    all
}

fn from(source: LearnedFrom) -> &'static str {
    match source {
        LearnedFrom::Counted => "counted",
        LearnedFrom::Sampled => "sampled",
        LearnedFrom::Trained => "trained",
        LearnedFrom::Certain => "certain",
        LearnedFrom::Unseen => "unseen",
        LearnedFrom::Default => "default",
    }
}
