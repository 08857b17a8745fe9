//! The stage that scores pairs and keeps those that reach the threshold. A pair carries its match weight from here on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::model_scores::{Scoring, levels_of};
use super::scores::ScoreRecord;
use crate::candidates::Batch;
use crate::error::Result;
use crate::execute::PairStage;
use crate::model::MatchWeight;
use crate::pairs::{Pair, PairScore};
use crate::rules::RuleSet;
use crate::score::{LevelConjunctions, OutcomeReader, keeping_program};
use crate::verify::gpu::DeviceStage;
use crate::verify::{PairBatch, Program, ScoreProgram, ScoreReader};

/// Scores pairs; those of certain rules stay whatever their score.
pub struct ScoreStage<'a> {
    rules: &'a RuleSet,
    /// What is read of the records.
    records: &'a Program,
    scoring: &'a Scoring,
    levels: Vec<LevelConjunctions<'a>>,
    /// By rule.
    is_certain: Vec<bool>,
    /// Made when pairs begin to come, because it asks what is in a table first; nothing where comparisons are too large for it.
    program: OnceLock<Option<ScoreProgram<'a>>>,
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
    /// The weight of each pair.
    weights: Vec<i64>,
}

impl<'a> ScoreStage<'a> {
    /// Of a job that has scores.
    pub fn new(rules: &'a RuleSet, records: &'a Program, scoring: &'a Scoring) -> Self {
        let levels = levels_of(rules);
        let is_certain: Vec<bool> = rules.rules.iter().map(|rule| rule.is_certain).collect();
        let (program, tools, came) = (OnceLock::new(), Mutex::default(), Default::default());
        Self { rules, records, scoring, levels, is_certain, program, tools, came }
    }

    /// The same, which removes no pair.
    pub fn keeping_all(self) -> Self {
        Self { is_certain: vec![true; self.is_certain.len().max(1)], ..self }
    }

    /// What came of `scored` pairs of the rules, of which `kept` are left.
    pub fn record(&self, scored: u64, kept: u64) -> ScoreRecord {
        ScoreRecord {
            threshold_weight: Some(self.scoring.threshold.bits()),
            threshold: self.scoring.threshold.probability(),
            prior: Some(self.scoring.scorer.prior().probability()),
            given: false,
            scored,
            scored_by_host: self.scored_by_host().unwrap_or_default(),
            kept,
            histogram: Vec::new(),
            precision: None,
            expected: None,
            model_warnings: self.scoring.model.warnings.clone(),
        }
    }

    fn program(&self) -> Option<&ScoreProgram<'a>> {
        self.program.get().and_then(Option::as_ref)
    }

    fn take_tools(&self) -> ScoringTools<'a> {
        let free = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.unwrap_or_else(|| ScoringTools {
            scores: ScoreReader::new(self.records),
            outcomes: OutcomeReader::new(self.records),
            batch: Batch::default(),
            patterns: Vec::new(),
            weights: Vec::new(),
        })
    }

    fn is_certain(&self, pair: &Pair) -> bool {
        self.is_certain[pair.rule as usize]
    }

    /// Scores pairs by a program, and keeps those of certain rules and those that reach the threshold.
    fn score(&self, pairs: &mut PairBatch, program: &ScoreProgram<'_>, tools: &mut ScoringTools<'a>) {
        let has_certain = self.is_certain.contains(&true) && pairs.pairs.iter().any(|pair| self.is_certain(pair));
        let weights = if has_certain {
            self.weigh_certain_and_others(&pairs.pairs, program, tools);
            &tools.weights[..]
        } else {
            tools.batch.set(pairs.pairs.iter().map(rows_of));
            tools.scores.scores(&tools.batch, program)
        };
        pairs.retain_scored(|at, pair| {
            let is_kept = weights[at] >= program.threshold || self.is_certain(pair);
            is_kept.then(|| carried(weights[at]))
        });
    }

    /// The weights of pairs: those of certain rules whatever they are, the others as far as they can reach the threshold.
    fn weigh_certain_and_others(&self, pairs: &[Pair], program: &ScoreProgram<'_>, tools: &mut ScoringTools<'a>) {
        let ScoringTools { scores, batch, weights, .. } = tools;
        weights.clear();
        weights.resize(pairs.len(), 0);
        let (certain, others): (Vec<usize>, Vec<usize>) =
            (0..pairs.len()).partition(|place| self.is_certain(&pairs[*place]));
        batch.set(certain.iter().map(|place| rows_of(&pairs[*place])));
        let exact = scores.all_scores(batch, program);
        certain.iter().zip(exact).for_each(|(place, weight)| weights[*place] = *weight);
        batch.set(others.iter().map(|place| rows_of(&pairs[*place])));
        let bounded = scores.scores(batch, program);
        others.iter().zip(bounded).for_each(|(place, weight)| weights[*place] = *weight);
    }

    /// Scores pairs whose comparisons are too large for a program, outcome by outcome.
    fn score_by_pattern(&self, pairs: &mut PairBatch, tools: &mut ScoringTools<'a>) {
        let ScoringTools { outcomes, batch, patterns, .. } = tools;
        let Scoring { shape, scorer, threshold, .. } = self.scoring;
        batch.set(pairs.pairs.iter().map(rows_of));
        outcomes.patterns(batch, shape, &self.levels, patterns);
        pairs.retain_scored(|at, pair| {
            let weight = scorer.score(shape, patterns[at], rows_of(pair), &self.records.encoded);
            (weight >= *threshold || self.is_certain(pair)).then(|| carried(weight.0))
        });
    }
}

fn rows_of(pair: &Pair) -> (u32, u32) {
    (pair.l, pair.r)
}

/// What a pair with a match weight carries: its bits, as they are written. A sum of a few dozen weights has so few digits that
/// the number is exact.
fn carried(weight: i64) -> PairScore {
    PairScore::new(MatchWeight(weight).bits())
}

impl PairStage for ScoreStage<'_> {
    fn begin(&self) {
        let Scoring { scorer, shape, threshold, .. } = self.scoring;
        let (is_certain, source) = (self.is_certain.clone(), (self.records, &self.rules.predicates[..]));
        self.program.get_or_init(|| keeping_program(scorer, shape, &self.levels, *threshold, is_certain, source));
    }

    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        let mut tools = self.take_tools();
        self.came[1].fetch_add(pairs.pairs.len() as u64, Relaxed);
        match self.program() {
            Some(program) => self.score(pairs, program, &mut tools),
            None => self.score_by_pattern(pairs, &mut tools),
        }
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
        Ok(())
    }

    fn on_device(&self) -> Option<DeviceStage<'_>> {
        self.program().map(|program| DeviceStage::keeping(program, carried))
    }

    fn scored_by_host(&self) -> Option<u64> {
        Some(self.came.iter().map(|came| came.load(Relaxed)).sum())
    }

    fn mark(&self) {
        let [before, since] = &self.came;
        before.fetch_add(since.swap(0, Relaxed), Relaxed);
    }

    fn roll_back(&self) {
        self.came[1].store(0, Relaxed);
    }
}
