//! The stage that counts the patterns of pairs, by the rules that hold.
//!
//! Pattern and rules are one number, which is found as a score would be, on the host or on a device. Only where no number holds
//! them all, outcomes are read one by one. A thread counts numbers in a table, where memory is there for it, and otherwise by what
//! comes up. Both are the same counts.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::cancel::{Cancel, or_end};
use crate::candidates::Batch;
use crate::error::Result;
use crate::execute::PairStage;
use crate::memory::Held;
use crate::rules::{Literal, RuleSet};
use crate::score::{LevelConjunctions, OutcomeReader, PatternCounts, Patterns, pattern_program};
use crate::scoring::sampled_levels::PAIRS_AT_ONCE;
use crate::verify::gpu::DeviceStage;
use crate::verify::{PairBatch, Program, ScoreProgram, ScoreReader};

/// Combinations of patterns and rules up to which there is a table with a place for each.
const MOST_PLACES: u64 = 1 << 20;

/// Counts the patterns of pairs.
pub struct PatternStage<'a> {
    program: &'a Program,
    set: &'a RuleSet,
    shape: &'a Patterns,
    levels: Vec<LevelConjunctions<'a>>,
    rules: Vec<&'a [Vec<Literal>]>,
    /// How the number of a pair's pattern and rules is found, where there is one. Made when pairs begin to come, because it asks
    /// what is in a table first.
    places: OnceLock<Option<ScoreProgram<'static>>>,
    /// What threads use that are not at work.
    tools: Mutex<Vec<PatternTools<'a>>>,
    /// What was counted before the last mark.
    settled: Mutex<HeldCounts>,
    cancel: Cancel<'a>,
}

/// Counts, and what they take.
struct HeldCounts {
    counts: PatternCounts,
    held: Held,
}

impl HeldCounts {
    fn none(cancel: Cancel<'_>) -> Self {
        Self { counts: PatternCounts::default(), held: cancel.hold(0) }
    }

    /// Counts what more they take, after some were added.
    fn grown(&mut self) {
        or_end(self.held.grow(self.counts.bytes()));
    }
}

/// What a thread reads patterns with, and what it has counted.
struct PatternTools<'a> {
    scores: ScoreReader<'a>,
    outcomes: OutcomeReader<'a>,
    batch: Batch,
    /// By number; empty where there are too many.
    table: Vec<u64>,
    /// What that takes.
    _held: Held,
    others: HeldCounts,
}

impl PatternTools<'_> {
    /// Counts pairs with a number, of `patterns` for each mask of rules.
    fn add(&mut self, number: u64, patterns: u64, pairs: u64) {
        match self.table.get_mut(number as usize) {
            Some(counted) => *counted += pairs,
            None => self.others.counts.add_many(number / patterns, number % patterns, pairs),
        }
    }
}

impl<'a> PatternStage<'a> {
    /// Of comparisons with these levels, and rules with these conditions.
    pub fn new(
        program: &'a Program,
        set: &'a RuleSet,
        shape: &'a Patterns,
        levels: Vec<LevelConjunctions<'a>>,
        rules: Vec<&'a [Vec<Literal>]>,
        cancel: Cancel<'a>,
    ) -> Self {
        let (places, tools, settled) = (OnceLock::new(), Mutex::default(), Mutex::new(HeldCounts::none(cancel)));
        Self { program, set, shape, levels, rules, places, tools, settled, cancel }
    }

    fn places(&self) -> Option<&ScoreProgram<'static>> {
        self.places.get().and_then(Option::as_ref)
    }

    /// All that was counted since this was last asked. What threads use stays for what comes next.
    pub fn counted(&self) -> PatternCounts {
        self.settle();
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *settled, HeldCounts::none(self.cancel)).counts
    }

    /// Adds what threads have counted to what is settled.
    fn settle(&self) {
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let patterns = self.shape.combinations();
        for tools in self.tools.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            let others = std::mem::replace(&mut tools.others, HeldCounts::none(self.cancel));
            settled.counts.merge(others.counts);
            for (place, pairs) in tools.table.iter_mut().enumerate().filter(|(_, pairs)| **pairs > 0) {
                settled.counts.add_many(place as u64 / patterns, place as u64 % patterns, std::mem::take(pairs));
            }
            settled.grown();
        }
    }

    fn new_tools(&self) -> PatternTools<'a> {
        let (table, held) = self.new_table();
        PatternTools {
            scores: ScoreReader::new(self.program),
            outcomes: OutcomeReader::new(self.program),
            batch: Batch::default(),
            table,
            _held: held,
            others: HeldCounts::none(self.cancel),
        }
    }

    /// A table with a place for each number, if it takes no more than half of what is free.
    fn new_table(&self) -> (Vec<u64>, Held) {
        let places = self.places().and_then(|of| of.patterns).filter(|all| *all <= MOST_PLACES).unwrap_or(0) as usize;
        // Another thread that asks at the same time waits for what this one takes.
        let _settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = places * size_of::<u64>();
        match self.cancel.budget() {
            Some(budget) if bytes > budget.room() / 2 => (Vec::new(), Held::default()),
            _ => (vec![0; places], self.cancel.hold(bytes)),
        }
    }

    fn with_tools(&self, work: impl FnOnce(&mut PatternTools<'a>)) {
        let free = self.tools.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tools = free.unwrap_or_else(|| self.new_tools());
        work(&mut tools);
        tools.others.grown();
        self.tools.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
    }
}

impl PairStage for PatternStage<'_> {
    fn begin(&self) {
        let source = (self.program, &self.set.predicates[..]);
        self.places.get_or_init(|| pattern_program(self.shape, &self.levels, &self.rules, source));
    }

    fn apply(&self, pairs: &mut PairBatch) -> Result<()> {
        let combinations = self.shape.combinations();
        self.with_tools(|tools| {
            let (mut patterns, mut masks) = (Vec::new(), Vec::new());
            for some in pairs.pairs.chunks(PAIRS_AT_ONCE) {
                tools.batch.set(some.iter().map(|pair| (pair.l, pair.r)));
                if let Some(places) = self.places() {
                    let numbers = tools.scores.patterns(&tools.batch, places).to_vec();
                    numbers.iter().for_each(|number| tools.add(*number, combinations, 1));
                    continue;
                }
                tools.outcomes.patterns(&tools.batch, self.shape, &self.levels, &mut patterns);
                tools.outcomes.masks(&tools.batch, &self.rules, &mut masks);
                masks.iter().zip(&patterns).for_each(|(mask, pattern)| tools.others.counts.add(*mask, *pattern));
            }
        });
        pairs.clear();
        Ok(())
    }

    fn on_device(&self) -> Option<DeviceStage<'_>> {
        self.places().map(DeviceStage::counting)
    }

    fn take_counts(&self, counts: &[(u64, u64)]) {
        let combinations = self.shape.combinations();
        self.with_tools(|tools| counts.iter().for_each(|(number, pairs)| tools.add(*number, combinations, *pairs)));
    }

    fn mark(&self) {
        self.settle();
    }

    fn roll_back(&self) {
        for tools in self.tools.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            tools.others = HeldCounts::none(self.cancel);
            tools.table.fill(0);
        }
    }
}
