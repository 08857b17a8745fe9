//! The stage that scores pairs and keeps those that reach the threshold.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::super::pair_stage::PairStage;
use super::super::prepared::Prepared;
use super::{ScoreRecord, Scoring, levels_of};
use crate::candidates::Batch;
use crate::error::Result;
use crate::score::{LevelConjunctions, OutcomeReader};
use crate::verify::PairBatch;

/// Scores pairs; those of certain rules stay whatever their score.
pub struct ScoreStage<'a> {
    prepared: &'a Prepared,
    scoring: &'a Scoring,
    levels: Vec<LevelConjunctions<'a>>,
    /// By rule.
    is_certain: Vec<bool>,
    /// What threads use that are not at work.
    tools: Mutex<Vec<ScoringTools<'a>>>,
    scored: AtomicU64,
    kept: AtomicU64,
}

struct ScoringTools<'a> {
    reader: OutcomeReader<'a>,
    batch: Batch,
    patterns: Vec<u64>,
}

impl<'a> ScoreStage<'a> {
    /// Of a job that has scores.
    pub fn new(prepared: &'a Prepared, scoring: &'a Scoring) -> Self {
        Self {
            prepared,
            scoring,
            levels: levels_of(&prepared.rules),
            is_certain: prepared.rules.rules.iter().map(|rule| rule.is_certain).collect(),
            tools: Mutex::default(),
            scored: AtomicU64::new(0),
            kept: AtomicU64::new(0),
        }
    }

    /// What was scored.
    pub fn record(&self) -> ScoreRecord {
        ScoreRecord {
            threshold_weight: Some(self.scoring.threshold.bits()),
            threshold: self.scoring.threshold.probability(),
            prior: Some(self.scoring.scorer.prior().probability()),
            scored: self.scored.load(Relaxed),
            kept: self.kept.load(Relaxed),
        }
    }

    fn take_tools(&self) -> ScoringTools<'a> {
        let free = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| ScoringTools {
            reader: OutcomeReader::new(&self.prepared.program),
            batch: Batch::default(),
            patterns: Vec::new(),
        })
    }
}

impl PairStage for ScoreStage<'_> {
    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        let mut tools = self.take_tools();
        let ScoringTools { reader, batch, patterns } = &mut tools;
        batch.set(pairs.pairs.iter().map(|pair| (pair.l, pair.r)));
        let (scoring, encoded) = (self.scoring, &self.prepared.program.encoded);
        reader.patterns(batch, &scoring.shape, &self.levels, patterns);
        self.scored.fetch_add(pairs.pairs.len() as u64, Relaxed);
        pairs.retain(|at, pair| {
            let score = || scoring.scorer.score(&scoring.shape, patterns[at], (pair.l, pair.r), encoded);
            self.is_certain[pair.rule as usize] || score() >= scoring.threshold
        });
        self.kept.fetch_add(pairs.pairs.len() as u64, Relaxed);
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
        Ok(())
    }
}
