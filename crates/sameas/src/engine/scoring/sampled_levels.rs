//! The outcomes of comparisons in all pairs, where there are few, or in a seeded sample of them.

use std::ops::Range;

use rayon::prelude::*;

use super::super::prepared::Prepared;
use crate::candidates::{BATCH, Batch, Shape};
use crate::error::Result;
use crate::records::stats::{Random, SEED};
use crate::rules::ComparisonRules;
use crate::score::{LevelConjunctions, OutcomeReader, Patterns, pattern_program};
use crate::verify::{ScoreProgram, ScoreReader};

/// Pairs that are drawn where there are more.
const PAIRS: usize = 1 << 21;

/// Pairs that one task looks at.
const PAIRS_OF_A_TASK: usize = 1 << 16;

/// Rows of both sides of a pair.
type RowPair = (u32, u32);

/// The outcomes of some comparisons in some pairs.
#[derive(Debug)]
pub(super) struct SeenOutcomes {
    /// For each comparison the pairs with each level, with none, and null.
    pub counts: Vec<Vec<u128>>,
    /// Whether these are all pairs there are.
    pub are_all: bool,
}

impl Prepared {
    /// The outcomes of some comparisons in all pairs, or in one sample of them.
    pub(super) fn seen_outcomes(&self, comparisons: &[ComparisonRules]) -> Result<SeenOutcomes> {
        let none = || comparisons.iter().map(|of| vec![0_u128; of.levels.len() + 2]).collect::<Vec<_>>();
        let shape = Patterns::new(comparisons)?;
        let conditions: Vec<LevelConjunctions<'_>> =
            comparisons.iter().map(|of| of.levels.iter().map(|level| &level.conjunctions[..]).collect()).collect();
        let places = pattern_program((&shape, &conditions), &[], (&self.program, &self.rules.predicates));
        let readers = || (ScoreReader::new(&self.program), OutcomeReader::new(&self.program));
        let look = |readers: &mut (ScoreReader<'_>, OutcomeReader<'_>), pairs: &[RowPair]| {
            let mut counts = none();
            look_at(pairs, readers, (&shape, &conditions, places.as_ref()), &mut counts);
            counts
        };
        let add = |mut sums: Vec<Vec<u128>>, more: Vec<Vec<u128>>| {
            sums.iter_mut().flatten().zip(more.into_iter().flatten()).for_each(|(sum, more)| *sum += more);
            sums
        };
        let are_all = self.nominal_pairs() <= PAIRS as u64;
        let counts = match are_all {
            true => {
                let tasks = self.all_pairs();
                tasks.par_chunks(PAIRS_OF_A_TASK).map_init(readers, look).reduce(none, add)
            }
            false => {
                let tasks = (0..PAIRS / PAIRS_OF_A_TASK).into_par_iter();
                tasks.map_init(readers, |readers, task| look(readers, &self.drawn(task as u64))).reduce(none, add)
            }
        };
        Ok(SeenOutcomes { counts, are_all })
    }

    /// Every pair of the job.
    fn all_pairs(&self) -> Vec<RowPair> {
        (0..self.rows[0]).flat_map(|l| self.partners(l).map(move |r| (l, r))).collect()
    }

    /// The rows that a row has pairs with, in which it is the left one.
    fn partners(&self, l: u32) -> Range<u32> {
        match (self.shape(), &self.program.across) {
            (Shape::Rectangle, _) => 0..self.rows[1],
            (Shape::Triangle, None) => l + 1..self.rows[0],
            (Shape::Triangle, Some(inputs)) => inputs.around(l).end..self.rows[0],
        }
    }

    /// The pairs that a task draws.
    fn drawn(&self, task: u64) -> Vec<RowPair> {
        let mut random = Random::new(SEED ^ (task << 32));
        (0..PAIRS_OF_A_TASK).map(|_| self.random_pair(&mut random)).collect()
    }

    /// A pair of the job, each as likely as any other.
    fn random_pair(&self, random: &mut Random) -> RowPair {
        loop {
            let (l, r) = (random.below(self.rows[0]), random.below(self.rows[1]));
            match (self.shape(), &self.program.across) {
                (Shape::Rectangle, _) => return (l, r),
                (Shape::Triangle, Some(inputs)) if !inputs.are_apart(l, r) => {}
                (Shape::Triangle, _) if l == r => {}
                (Shape::Triangle, _) => return (l.min(r), l.max(r)),
            }
        }
    }
}

/// Counts the outcomes of some pairs.
fn look_at(
    pairs: &[RowPair],
    (reader, outcomes): &mut (ScoreReader<'_>, OutcomeReader<'_>),
    (shape, conditions, places): (&Patterns, &[LevelConjunctions<'_>], Option<&ScoreProgram<'_>>),
    counts: &mut [Vec<u128>],
) {
    let (mut batch, mut read) = (Batch::default(), Vec::new());
    for some in pairs.chunks(BATCH) {
        batch.set(some.iter().copied());
        let patterns = match places {
            Some(places) => reader.patterns(&batch, places),
            None => {
                outcomes.patterns(&batch, shape, conditions, &mut read);
                &read
            }
        };
        for pattern in patterns {
            for (at, counts) in counts.iter_mut().enumerate() {
                counts[shape.outcome(*pattern, at)] += 1;
            }
        }
    }
}
