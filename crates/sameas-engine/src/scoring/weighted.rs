//! Weighted averages in a job: the similarity of each comparison of a pair, what it adds, and whether the sum suffices.
//!
//! A comparison adds nothing where its similarity is null, where the pair is outside its `within`, and where the similarity is
//! below its `at_least`; its weight stays in the denominator. Similarities above 1 count as 1, negative ones as 0. In a dedupe
//! a similarity that depends on the order of the records counts as the larger of both.

use crate::candidates::Batch;
use crate::error::{Error, Result};
use crate::job::Job;
use crate::rules::{RuleSet, WeightedRules};
use crate::score::{OutcomeReader, WeightedSum};
use crate::verify::Program;

/// What a job needs to average the similarities of its pairs.
#[derive(Debug)]
pub struct Weighted {
    pub sum: WeightedSum,
    /// The least average as it was given.
    pub threshold: f64,
    /// Whether the similarity of each comparison is written.
    pub with_similarities: bool,
}

/// One comparison of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightedPart {
    /// Whether the pair is within its condition, or there is none.
    pub is_within: bool,
    /// The similarity, where the pair is within and it is not null.
    pub similarity: Option<f64>,
    /// What it adds.
    pub part: i64,
}

impl Weighted {
    /// What a job says of weighted averages; nothing where it has none.
    pub fn from_job(job: &Job, rules: &RuleSet) -> Result<Option<Self>> {
        let comparisons = &rules.scoring.weighted;
        if comparisons.is_empty() {
            return Ok(None);
        }
        if job.near.is_some() {
            return Err(Error::usage("near pairs of rules that compare records are not looked for")
                .with_help("lower the threshold of the score instead"));
        }
        if job.model.is_some() {
            return Err(Error::usage("a model is for comparisons with levels; those of these rules have weights")
                .with_help("leave the model out"));
        }
        let weights: Vec<f64> = comparisons.iter().map(|of| of.weight).collect();
        let threshold = job.rules.least_average();
        let with_similarities = job.rules.score.levels.unwrap_or_default();
        Ok(Some(Self { sum: WeightedSum::new(&weights, threshold), threshold, with_similarities }))
    }
}

/// One thread's reader of similarities, with the memory of the batch at hand.
pub(super) struct SimilarityReader<'a> {
    program: &'a Program,
    comparisons: &'a [WeightedRules],
    sum: &'a WeightedSum,
    reader: OutcomeReader<'a>,
    holds: Vec<bool>,
    selection: Vec<u32>,
    /// Of the batch at hand: by comparison, then pair.
    pub parts: Vec<Vec<WeightedPart>>,
}

impl<'a> SimilarityReader<'a> {
    /// A reader of pairs of the records of a program.
    pub fn new(rules: &'a RuleSet, program: &'a Program, weighted: &'a Weighted) -> Self {
        let comparisons = &rules.scoring.weighted[..];
        Self {
            program,
            comparisons,
            sum: &weighted.sum,
            reader: OutcomeReader::new(program),
            holds: Vec::new(),
            selection: Vec::new(),
            parts: vec![Vec::new(); comparisons.len()],
        }
    }

    /// Reads the parts of each pair of a batch.
    pub fn read(&mut self, batch: &Batch) {
        self.reader.forget();
        for at in 0..self.comparisons.len() {
            self.read_one(at, batch);
        }
    }

    /// The sum of a pair of the batch.
    pub fn total(&self, pair: usize) -> i64 {
        self.parts.iter().map(|parts| parts[pair].part).sum()
    }

    fn read_one(&mut self, at: usize, batch: &Batch) {
        let (program, of) = (self.program, &self.comparisons[at]);
        let parts = &mut self.parts[at];
        parts.clear();
        parts.resize(batch.l.len(), WeightedPart { is_within: true, ..WeightedPart::default() });
        if let Some(within) = &of.within {
            self.reader.holds(batch, within, &mut self.holds);
            parts.iter_mut().zip(&self.holds).for_each(|(part, holds)| part.is_within = *holds);
        }
        self.selection.clear();
        self.selection.extend((0..batch.l.len() as u32).filter(|pair| parts[*pair as usize].is_within));
        let mut take = |pair: u32, number: Option<crate::expr::Num>| {
            let similarity = number.map(|number| number.to_f64().clamp(0.0, 1.0));
            let known = &mut parts[pair as usize].similarity;
            *known = match (*known, similarity) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            };
        };
        program.numbers(of.value, batch, &self.selection, &mut take);
        if let Some(exchanged) = of.exchanged {
            if let Some(same_source) = of.same_source {
                self.reader.holds(batch, &[vec![same_source]], &mut self.holds);
                self.selection.retain(|pair| self.holds[*pair as usize]);
            }
            program.numbers(exchanged, batch, &self.selection, &mut take);
        }
        for part in parts.iter_mut() {
            let counted = part.similarity.filter(|similarity| *similarity >= of.at_least);
            part.part = counted.map_or(0, |similarity| self.sum.part(at, similarity));
        }
    }
}

/// What a weighted average depends on besides records and rules.
pub(super) fn weighted_key(job: &Job) -> Option<String> {
    let mut texts = Vec::new();
    for of in job.rules.compares.iter().filter_map(|compare| compare.weighted.as_ref()) {
        let within = of.within.as_ref().map(|within| within.text.as_str());
        texts.push(format!("{:?} {within:?} {:?} {:?}", of.similarity.text, of.at_least, of.weight));
    }
    let certain: Vec<bool> = job.rules.rules.iter().map(|rule| rule.is_certain).collect();
    (!texts.is_empty()).then(|| format!("weighted {:?} {texts:?} {certain:?}", job.rules.least_average()))
}
