//! The stage that counts the patterns of pairs, by the rules that hold.
//!
//! Where patterns and rules have few combinations, the place of a pair in a table of all of them is found as its score would
//! be. Otherwise outcomes are read one by one, and those that occur are counted.

use std::sync::{Mutex, PoisonError};

use super::super::super::pair_stage::PairStage;
use crate::candidates::Batch;
use crate::error::Result;
use crate::rules::{Literal, RuleSet};
use crate::score::{LevelConjunctions, OutcomeReader, PatternCounts, Patterns, pattern_program};
use crate::verify::{PairBatch, Program, ScoreProgram, ScoreReader};

/// Counts the patterns of pairs.
pub struct PatternStage<'a> {
    program: &'a Program,
    shape: &'a Patterns,
    levels: Vec<LevelConjunctions<'a>>,
    rules: Vec<&'a [Vec<Literal>]>,
    /// How a pair's place in the table is found, where there is one.
    places: Option<ScoreProgram<'static>>,
    /// What threads use that are not at work.
    tools: Mutex<Vec<PatternTools<'a>>>,
}

/// What a thread reads patterns with, and what it has counted.
struct PatternTools<'a> {
    scores: ScoreReader<'a>,
    outcomes: OutcomeReader<'a>,
    batch: Batch,
    /// By place; empty where there is no table.
    table: Vec<u64>,
    counts: PatternCounts,
}

impl<'a> PatternStage<'a> {
    /// Of comparisons with these levels, and rules with these conditions.
    pub fn new(
        (program, set): (&'a Program, &'a RuleSet),
        shape: &'a Patterns,
        levels: Vec<LevelConjunctions<'a>>,
        rules: Vec<&'a [Vec<Literal>]>,
    ) -> Self {
        let places = pattern_program((shape, &levels), &rules, (program, &set.predicates));
        Self { program, shape, levels, rules, places, tools: Mutex::default() }
    }

    /// All that was counted.
    pub fn into_counts(self) -> PatternCounts {
        let (mut counts, patterns) = (PatternCounts::default(), self.shape.combinations());
        for tools in self.tools.into_inner().unwrap_or_else(PoisonError::into_inner) {
            counts.merge(tools.counts);
            for (place, pairs) in tools.table.iter().enumerate().filter(|(_, pairs)| **pairs > 0) {
                counts.add_many(place as u64 / patterns, place as u64 % patterns, *pairs);
            }
        }
        counts
    }

    fn with_tools(&self, work: impl FnOnce(&mut PatternTools<'a>)) {
        let free = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tools = free.unwrap_or_else(|| PatternTools {
            scores: ScoreReader::new(self.program),
            outcomes: OutcomeReader::new(self.program),
            batch: Batch::default(),
            table: vec![0; self.places.as_ref().and_then(|places| places.patterns).unwrap_or(0)],
            counts: PatternCounts::default(),
        });
        work(&mut tools);
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
    }
}

impl PairStage for PatternStage<'_> {
    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        self.with_tools(|PatternTools { scores, outcomes, batch, table, counts }| {
            batch.set(pairs.pairs.iter().map(|pair| (pair.l, pair.r)));
            if let Some(places) = &self.places {
                scores.patterns(batch, places).iter().for_each(|place| table[*place as usize] += 1);
                return;
            }
            let (mut patterns, mut masks) = (Vec::new(), Vec::new());
            outcomes.patterns(batch, self.shape, &self.levels, &mut patterns);
            outcomes.masks(batch, &self.rules, &mut masks);
            masks.iter().zip(&patterns).for_each(|(mask, pattern)| counts.add(*mask, *pattern));
        });
        pairs.clear();
        Ok(())
    }
}
