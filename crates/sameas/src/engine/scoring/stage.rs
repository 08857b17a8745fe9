//! The stage that scores pairs and keeps those that reach the threshold.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::super::pair_stage::PairStage;
use super::super::prepared::Prepared;
use super::{ScoreRecord, Scoring, levels_of};
use crate::candidates::Batch;
use crate::error::Result;
use crate::score::{LevelConjunctions, OutcomeReader, keeping_program};
use crate::verify::{PairBatch, ScoreProgram, ScoreReader};

/// Scores pairs; those of certain rules stay whatever their score.
pub struct ScoreStage<'a> {
    prepared: &'a Prepared,
    scoring: &'a Scoring,
    levels: Vec<LevelConjunctions<'a>>,
    /// By rule.
    is_certain: Vec<bool>,
    /// Nothing where comparisons are too large for it.
    program: Option<ScoreProgram<'a>>,
    /// What threads use that are not at work.
    tools: Mutex<Vec<ScoringTools<'a>>>,
    /// Pairs that came to the stage before the last mark, and since.
    came: [AtomicU64; 2],
}

struct ScoringTools<'a> {
    scores: ScoreReader<'a>,
    outcomes: OutcomeReader<'a>,
    batch: Batch,
    patterns: Vec<u64>,
}

impl<'a> ScoreStage<'a> {
    /// Of a job that has scores.
    pub fn new(prepared: &'a Prepared, scoring: &'a Scoring) -> Self {
        let levels = levels_of(&prepared.rules);
        let is_certain: Vec<bool> = prepared.rules.rules.iter().map(|rule| rule.is_certain).collect();
        let source = (&prepared.program, &prepared.rules.predicates[..]);
        let kept = (scoring.threshold, is_certain.clone());
        let program = keeping_program(&scoring.scorer, (&scoring.shape, &levels), kept, source);
        Self { prepared, scoring, levels, is_certain, program, tools: Mutex::default(), came: Default::default() }
    }

    /// What came of `scored` pairs of the rules, of which `kept` are left.
    pub fn record(&self, scored: u64, kept: u64) -> ScoreRecord {
        ScoreRecord {
            threshold_weight: Some(self.scoring.threshold.bits()),
            threshold: self.scoring.threshold.probability(),
            prior: Some(self.scoring.scorer.prior().probability()),
            given: false,
            scored,
            scored_by_host: self.came.iter().map(|came| came.load(Relaxed)).sum(),
            kept,
            histogram: Vec::new(),
        }
    }

    fn take_tools(&self) -> ScoringTools<'a> {
        let free = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| ScoringTools {
            scores: ScoreReader::new(&self.prepared.program),
            outcomes: OutcomeReader::new(&self.prepared.program),
            batch: Batch::default(),
            patterns: Vec::new(),
        })
    }
}

impl PairStage for ScoreStage<'_> {
    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        let mut tools = self.take_tools();
        self.came[1].fetch_add(pairs.pairs.len() as u64, Relaxed);
        let ScoringTools { scores, outcomes, batch, patterns } = &mut tools;
        batch.set(pairs.pairs.iter().map(|pair| (pair.l, pair.r)));
        let (scoring, encoded) = (self.scoring, &self.prepared.program.encoded);
        let is_certain = |rule: u32| self.is_certain[rule as usize];
        if let Some(program) = &self.program {
            let scores = scores.scores(batch, program);
            pairs.retain(|at, pair| is_certain(pair.rule) || scores[at] >= program.threshold);
        } else {
            outcomes.patterns(batch, &scoring.shape, &self.levels, patterns);
            pairs.retain(|at, pair| {
                let score = || scoring.scorer.score(&scoring.shape, patterns[at], (pair.l, pair.r), encoded);
                is_certain(pair.rule) || score() >= scoring.threshold
            });
        }
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
        Ok(())
    }

    fn on_device(&self) -> Option<&ScoreProgram<'_>> {
        self.program.as_ref()
    }

    fn mark(&self) {
        let [before, since] = &self.came;
        before.fetch_add(since.swap(0, Relaxed), Relaxed);
    }

    fn roll_back(&self) {
        self.came[1].store(0, Relaxed);
    }
}
