//! The level of each comparison for the pairs of a batch.
//!
//! The first level that holds counts. Where none does, the outcome is *null* if the levels joined by `or` are null, and
//! *else* if they are false: a missing value says nothing, unless what is there suffices for a level.

use crate::candidates::Batch;
use crate::rules::Literal;
use crate::threshold::Truth;
use crate::verify::Program;

use super::pattern::Patterns;

/// The conditions of levels, each as conjunctions.
pub type LevelConjunctions<'a> = Vec<&'a [Vec<Literal>]>;

/// One thread's reader of outcomes, with the memory of the batch at hand.
pub struct OutcomeReader<'a> {
    program: &'a Program,
    /// Verdicts by predicate, then pair; empty where a predicate was not evaluated.
    truths: Vec<Vec<Truth>>,
    /// Pairs for which no level has held yet.
    open: Vec<u32>,
    /// Pairs for which the conjunction at hand is not false.
    alive: Vec<u32>,
    /// Pairs for which some conjunction was null, or the one at hand.
    is_null: Vec<bool>,
    is_null_here: Vec<bool>,
}

impl<'a> OutcomeReader<'a> {
    /// A reader of pairs of the records of a program.
    pub fn new(program: &'a Program) -> Self {
        let truths = vec![Vec::new(); program.checks.len()];
        Self { program, truths, open: Vec::new(), alive: Vec::new(), is_null: Vec::new(), is_null_here: Vec::new() }
    }

    /// The pattern of each pair of a batch into `patterns`.
    pub fn patterns(
        &mut self,
        batch: &Batch,
        shape: &Patterns,
        comparisons: &[LevelConjunctions<'_>],
        patterns: &mut Vec<u64>,
    ) {
        self.forget();
        patterns.clear();
        patterns.resize(batch.l.len(), 0);
        for (at, levels) in comparisons.iter().enumerate() {
            self.outcomes(batch, levels, |pair, outcome| patterns[pair] += shape.part(at, outcome));
        }
    }

    /// For each pair of a batch the rules that hold, as bits.
    pub fn masks(&mut self, batch: &Batch, rules: &[&[Vec<Literal>]], masks: &mut Vec<u64>) {
        masks.clear();
        masks.resize(batch.l.len(), 0);
        for (at, rule) in rules.iter().enumerate() {
            self.outcomes(batch, &[rule], |pair, outcome| masks[pair] |= u64::from(outcome == 0) << at);
        }
    }

    /// Whether a rule holds for each pair of a batch. Verdicts are kept until the reader [forgets](Self::forget) them.
    pub fn holds(&mut self, batch: &Batch, rule: &[Vec<Literal>], holds: &mut Vec<bool>) {
        holds.clear();
        holds.resize(batch.l.len(), false);
        self.outcomes(batch, &[rule], |pair, outcome| holds[pair] = outcome == 0);
    }

    /// Forgets the verdicts of the last batch.
    pub fn forget(&mut self) {
        self.truths.iter_mut().for_each(Vec::clear);
    }

    /// Calls `take` with the place and the outcome of each pair.
    fn outcomes(&mut self, batch: &Batch, levels: &[&[Vec<Literal>]], mut take: impl FnMut(usize, usize)) {
        let pairs = batch.l.len();
        self.open.clear();
        self.open.extend(0..pairs as u32);
        self.is_null.clear();
        self.is_null.resize(pairs, false);
        for (at, level) in levels.iter().enumerate() {
            for conjunction in *level {
                self.conjunction(batch, conjunction);
                let Self { open, alive, is_null, is_null_here, .. } = self;
                alive.retain(|pair| {
                    let null = is_null_here[*pair as usize];
                    is_null[*pair as usize] |= null;
                    !null
                });
                alive.iter().for_each(|pair| take(*pair as usize, at));
                let mut held = alive.iter().peekable();
                open.retain(|pair| held.next_if_eq(&pair).is_none());
            }
        }
        let otherwise = |pair: usize| levels.len() + usize::from(self.is_null[pair]);
        self.open.iter().for_each(|pair| take(*pair as usize, otherwise(*pair as usize)));
    }

    /// Finds the open pairs for which a conjunction is not false, and for which of them it is null.
    fn conjunction(&mut self, batch: &Batch, literals: &[Literal]) {
        let Self { program, truths, open, alive, is_null_here, .. } = self;
        alive.clone_from(open);
        is_null_here.clear();
        is_null_here.resize(batch.l.len(), false);
        for literal in literals {
            let truths = &mut truths[literal.predicate];
            if truths.is_empty() {
                truths.resize(batch.l.len(), Truth::Unknown);
            }
            program.evaluate(literal.predicate, batch, alive, truths);
            let unwanted = Truth::from(!literal.want);
            alive.retain(|pair| truths[*pair as usize] != unwanted);
            for pair in alive.iter() {
                is_null_here[*pair as usize] |= truths[*pair as usize] == Truth::Null;
            }
        }
    }
}
