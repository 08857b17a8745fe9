//! The outcomes of comparisons in all pairs, where there are few, or in a seeded sample of them.
//!
//! A core waits for the values of random rows longer than it compares them. So the pairs of a sample are sorted: those whose right
//! rows lie in one block follow each other, by their left rows, and what is read of either lies together. Codes are numbered as
//! values first occur, so that goes for texts of rare values too.

use std::ops::Range;

use rayon::prelude::*;

use super::auxiliary_rules::KnownRecords;
use crate::candidates::{Batch, Shape};
use crate::error::Result;
use crate::records::InputRows;
use crate::records::stats::{Random, SEED};
use crate::rules::ComparisonRules;
use crate::score::{LevelConjunctions, OutcomeReader, PatternCounts, Patterns, pattern_program};
use crate::verify::{ScoreProgram, ScoreReader};

/// Pairs that are drawn where there are more.
pub(super) const PAIRS: usize = 1 << 21;

/// Pairs that are drawn with one seed.
const PAIRS_OF_A_SEED: usize = 1 << 16;

/// Pairs that one task looks at.
const PAIRS_OF_A_TASK: usize = 1 << 14;

/// Pairs that are looked at together: what is read of a dozen columns for them stays in the second-level cache, since a comparison
/// reads it several times.
pub(super) const PAIRS_AT_ONCE: usize = 1 << 10;

/// Rows of a block: those of a dozen columns fit the second-level cache too.
const ROWS_OF_A_BLOCK: u32 = 1 << 14;

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

/// The outcomes of some comparisons in all pairs of records, or in one sample of them.
pub(super) fn seen_outcomes(records: &KnownRecords<'_>, comparisons: &[ComparisonRules]) -> Result<SeenOutcomes> {
    outcomes_of_some(records, comparisons, PAIRS)
}

/// The same in all pairs, where there are at most as many, or in a sample of that many, which the tasks divide among them.
pub(super) fn outcomes_of_some(
    records: &KnownRecords<'_>,
    comparisons: &[ComparisonRules],
    most: usize,
) -> Result<SeenOutcomes> {
    let shape = Patterns::new(comparisons)?;
    let none = || comparisons.iter().map(|of| vec![0_u128; of.levels.len() + 2]).collect::<Vec<_>>();
    let count = |counts: &mut Vec<Vec<u128>>, pattern: u64| {
        counts.iter_mut().enumerate().for_each(|(at, counts)| counts[shape.outcome(pattern, at)] += 1);
    };
    let add = |mut sums: Vec<Vec<u128>>, more: Vec<Vec<u128>>| {
        sums.iter_mut().flatten().zip(more.into_iter().flatten()).for_each(|(sum, more)| *sum += more);
        sums
    };
    let counts = over_some(records, comparisons, most, none, count, add)?;
    Ok(SeenOutcomes { counts, are_all: records.layout.pairs() <= most as u64 })
}

/// How many of all pairs of records, or of one sample of them, have each pattern; the mask of all is 1.
pub(super) fn seen_patterns(records: &KnownRecords<'_>, comparisons: &[ComparisonRules]) -> Result<PatternCounts> {
    let count = |counts: &mut PatternCounts, pattern: u64| counts.add(1, pattern);
    let add = |mut sums: PatternCounts, more: PatternCounts| {
        sums.merge(more);
        sums
    };
    over_some(records, comparisons, PAIRS, PatternCounts::default, count, add)
}

/// Counts the patterns of all pairs, where there are at most as many, or of a sample: from nothing on, pattern by pattern, and
/// then what tasks have counted together. Sums of integers do not depend on their order.
fn over_some<T: Send>(
    records: &KnownRecords<'_>,
    comparisons: &[ComparisonRules],
    most: usize,
    none: impl Fn() -> T + Send + Sync,
    count: impl Fn(&mut T, u64) + Send + Sync,
    add: impl Fn(T, T) -> T + Send + Sync,
) -> Result<T> {
    let KnownRecords { rules, program, layout, cancel, .. } = *records;
    let shape = Patterns::new(comparisons)?;
    let conditions: Vec<LevelConjunctions<'_>> =
        comparisons.iter().map(|of| of.levels.iter().map(|level| &level.conjunctions[..]).collect()).collect();
    let places = pattern_program(&shape, &conditions, &[], (program, &rules.predicates));
    let readers = || (ScoreReader::new(program), OutcomeReader::new(program));
    let look = |readers: &mut (ScoreReader<'_>, OutcomeReader<'_>), pairs: &[RowPair]| {
        cancel.check();
        let mut counts = none();
        look_at(pairs, readers, &shape, &conditions, places.as_ref(), |pattern| count(&mut counts, pattern));
        counts
    };
    let of_rows = PairsOfRows { rows: layout.rows(), shape: layout.shape(), across: program.across.as_ref() };
    let are_all = layout.pairs() <= most as u64;
    let _held = cancel.hold(size_of::<RowPair>() * if are_all { layout.pairs() as usize } else { most });
    let pairs = if are_all { of_rows.all() } else { of_rows.drawn(most) };
    Ok(pairs.par_chunks(PAIRS_OF_A_TASK).map_init(readers, look).reduce(&none, &add))
}

/// The pairs that there are of some rows.
struct PairsOfRows<'a> {
    rows: [u32; 2],
    shape: Shape,
    /// Inputs of which the two rows of a pair must be different ones.
    across: Option<&'a InputRows>,
}

impl PairsOfRows<'_> {
    /// Every pair.
    fn all(&self) -> Vec<RowPair> {
        (0..self.rows[0]).flat_map(|l| self.partners(l).map(move |r| (l, r))).collect()
    }

    /// The rows that a row has pairs with, in which it is the left one.
    fn partners(&self, l: u32) -> Range<u32> {
        match (self.shape, self.across) {
            (Shape::Rectangle, _) => 0..self.rows[1],
            (Shape::Triangle, None) => l + 1..self.rows[0],
            (Shape::Triangle, Some(inputs)) => inputs.around(l).end..self.rows[0],
        }
    }

    /// A sample of this many pairs, in the order in which they are looked at.
    fn drawn(&self, count: usize) -> Vec<RowPair> {
        let mut pairs = vec![(0, 0); count];
        pairs.par_chunks_mut(PAIRS_OF_A_SEED).enumerate().for_each(|(seed, pairs)| {
            let mut random = Random::new(SEED ^ ((seed as u64) << 32));
            pairs.fill_with(|| self.random_pair(&mut random));
        });
        pairs.par_sort_unstable_by_key(|(l, r)| (u64::from(r / ROWS_OF_A_BLOCK) << 32) | u64::from(*l));
        pairs
    }

    /// A pair, each as likely as any other.
    fn random_pair(&self, random: &mut Random) -> RowPair {
        loop {
            let (l, r) = (random.below(self.rows[0]), random.below(self.rows[1]));
            match (self.shape, self.across) {
                (Shape::Rectangle, _) => return (l, r),
                (Shape::Triangle, Some(inputs)) if !inputs.are_apart(l, r) => {}
                (Shape::Triangle, _) if l == r => {}
                (Shape::Triangle, _) => return (l.min(r), l.max(r)),
            }
        }
    }
}

/// Takes the patterns of some pairs.
fn look_at(
    pairs: &[RowPair],
    (reader, outcomes): &mut (ScoreReader<'_>, OutcomeReader<'_>),
    shape: &Patterns,
    conditions: &[LevelConjunctions<'_>],
    places: Option<&ScoreProgram<'_>>,
    mut take: impl FnMut(u64),
) {
    let (mut batch, mut read) = (Batch::default(), Vec::new());
    for some in pairs.chunks(PAIRS_AT_ONCE) {
        batch.set(some.iter().copied());
        let patterns = match places {
            Some(places) => reader.patterns(&batch, places),
            None => {
                outcomes.patterns(&batch, shape, conditions, &mut read);
                &read
            }
        };
        patterns.iter().for_each(|pattern| take(*pattern));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_what_its_seeds_draw_in_another_order() {
        let rows = 5 * ROWS_OF_A_BLOCK;
        let pairs = PairsOfRows { rows: [rows; 2], shape: Shape::Triangle, across: None };
        let mut by_seed: Vec<RowPair> = Vec::new();
        for seed in 0..2_u64 {
            let mut random = Random::new(SEED ^ (seed << 32));
            by_seed.extend((0..PAIRS_OF_A_SEED).map(|_| pairs.random_pair(&mut random)));
        }
        let mut drawn = pairs.drawn(2 * PAIRS_OF_A_SEED);
        assert!(drawn.is_sorted_by_key(|(l, r)| (r / ROWS_OF_A_BLOCK, *l)));
        by_seed.sort_unstable();
        drawn.sort_unstable();
        assert_eq!(drawn, by_seed);
        let other = PairsOfRows { rows: [100, rows], shape: Shape::Rectangle, across: None };
        assert!(other.drawn(PAIRS_OF_A_SEED).iter().all(|(l, r)| *l < 100 && *r < rows));
    }
}
