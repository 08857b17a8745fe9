//! The shares of levels in a seeded sample of pairs.

use rayon::prelude::*;

use super::super::prepared::Prepared;
use crate::candidates::{BATCH, Batch, Shape};
use crate::error::Result;
use crate::records::stats::{Random, SEED};
use crate::rules::ComparisonRules;
use crate::score::{LevelConjunctions, LevelShare, OutcomeReader, Patterns, pattern_program};
use crate::verify::{ScoreProgram, ScoreReader};

/// Pairs that are drawn.
const PAIRS: usize = 1 << 21;

/// Pairs that one task draws.
const PAIRS_OF_A_TASK: usize = 1 << 16;

impl Prepared {
    /// The shares of the levels of some comparisons in one sample of all pairs.
    pub(super) fn sampled_levels(&self, comparisons: &[ComparisonRules]) -> Result<Vec<Vec<LevelShare>>> {
        let none = || comparisons.iter().map(|of| vec![0_u128; of.levels.len() + 2]).collect::<Vec<_>>();
        if self.nominal_pairs() == 0 {
            return Ok(shares_of(&none()));
        }
        let shape = Patterns::new(comparisons)?;
        let conditions: Vec<LevelConjunctions<'_>> =
            comparisons.iter().map(|of| of.levels.iter().map(|level| &level.conjunctions[..]).collect()).collect();
        let places = pattern_program((&shape, &conditions), &[], (&self.program, &self.rules.predicates));
        let readers = || (ScoreReader::new(&self.program), OutcomeReader::new(&self.program));
        let task = |readers: &mut (ScoreReader<'_>, OutcomeReader<'_>), number: usize| {
            let mut counts = none();
            self.draw(number as u64, readers, (&shape, &conditions, places.as_ref()), &mut counts);
            counts
        };
        let add = |mut sums: Vec<Vec<u128>>, more: Vec<Vec<u128>>| {
            sums.iter_mut().flatten().zip(more.into_iter().flatten()).for_each(|(sum, more)| *sum += more);
            sums
        };
        Ok(shares_of(&(0..PAIRS / PAIRS_OF_A_TASK).into_par_iter().map_init(readers, task).reduce(none, add)))
    }

    /// Draws the pairs of one task and counts their outcomes.
    fn draw(
        &self,
        task: u64,
        (reader, outcomes): &mut (ScoreReader<'_>, OutcomeReader<'_>),
        (shape, conditions, places): (&Patterns, &[LevelConjunctions<'_>], Option<&ScoreProgram<'_>>),
        counts: &mut [Vec<u128>],
    ) {
        let mut random = Random::new(SEED ^ (task << 32));
        let (mut batch, mut read) = (Batch::default(), Vec::new());
        for _ in 0..PAIRS_OF_A_TASK / BATCH {
            batch.set((0..BATCH).map(|_| self.random_pair(&mut random)));
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

    /// A pair of the job, each as likely as any other.
    fn random_pair(&self, random: &mut Random) -> (u32, u32) {
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

/// Without what is null.
fn shares_of(counts: &[Vec<u128>]) -> Vec<Vec<LevelShare>> {
    counts.iter().map(|counts| LevelShare::sampled(&counts[..counts.len() - 1])).collect()
}
