//! The stage that averages similarities and keeps the pairs that reach the threshold. A pair carries its average from here on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::scores::ScoreRecord;
use super::weighted::{SimilarityReader, Weighted};
use crate::candidates::Batch;
use crate::error::Result;
use crate::execute::PairStage;
use crate::pairs::PairScore;
use crate::rules::RuleSet;
use crate::score::WeightedSum;
use crate::verify::{PairBatch, Program};

/// Averages the similarities of pairs; those of certain rules stay whatever their average.
pub struct WeightedStage<'a> {
    rules: &'a RuleSet,
    /// What is read of the records.
    program: &'a Program,
    weighted: &'a Weighted,
    /// By rule.
    is_certain: Vec<bool>,
    /// What threads use that are not at work.
    tools: Mutex<Vec<(SimilarityReader<'a>, Batch)>>,
    scored: AtomicU64,
    kept: AtomicU64,
}

impl<'a> WeightedStage<'a> {
    /// Of a job whose comparisons have weights.
    pub fn new(rules: &'a RuleSet, program: &'a Program, weighted: &'a Weighted) -> Self {
        Self {
            rules,
            program,
            weighted,
            is_certain: rules.rules.iter().map(|rule| rule.is_certain).collect(),
            tools: Mutex::default(),
            scored: AtomicU64::new(0),
            kept: AtomicU64::new(0),
        }
    }

    /// The same, which removes no pair.
    pub fn keeping_all(self) -> Self {
        Self { is_certain: vec![true; self.is_certain.len().max(1)], ..self }
    }

    /// What was scored.
    pub fn record(&self) -> ScoreRecord {
        let (scored, kept) = (self.scored.load(Relaxed), self.kept.load(Relaxed));
        ScoreRecord {
            threshold_weight: None,
            threshold: self.weighted.threshold,
            prior: None,
            given: false,
            scored,
            scored_by_host: scored,
            kept,
            histogram: Vec::new(),
            precision: None,
            expected: None,
            model_warnings: Vec::new(),
        }
    }

    fn take_tools(&self) -> (SimilarityReader<'a>, Batch) {
        let free = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| (SimilarityReader::new(self.rules, self.program, self.weighted), Batch::default()))
    }
}

impl PairStage for WeightedStage<'_> {
    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        let mut tools = self.take_tools();
        let (reader, batch) = &mut tools;
        batch.set(pairs.pairs.iter().map(|pair| (pair.l, pair.r)));
        reader.read(batch);
        self.scored.fetch_add(pairs.pairs.len() as u64, Relaxed);
        let threshold = self.weighted.sum.threshold();
        pairs.retain_scored(|at, pair| {
            let total = reader.total(at);
            let is_kept = total >= threshold || self.is_certain[pair.rule as usize];
            is_kept.then(|| PairScore::new(WeightedSum::average(total)))
        });
        self.kept.fetch_add(pairs.pairs.len() as u64, Relaxed);
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
        Ok(())
    }
}
