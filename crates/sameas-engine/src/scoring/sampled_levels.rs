//! The outcomes of comparisons in all pairs, where there are few, or in a seeded sample of them.

use std::ops::Range;

use rayon::prelude::*;

use super::auxiliary_rules::KnownRecords;
use crate::candidates::{BATCH, Batch, Shape};
use crate::error::Result;
use crate::records::InputRows;
use crate::records::stats::{Random, SEED};
use crate::rules::ComparisonRules;
use crate::score::{LevelConjunctions, OutcomeReader, PatternCounts, Patterns, pattern_program};
use crate::verify::{ScoreProgram, ScoreReader};

/// Pairs that are drawn where there are more.
pub(super) const PAIRS: usize = 1 << 21;

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
    let pairs = PairsOfRows { rows: layout.rows(), shape: layout.shape(), across: program.across.as_ref() };
    Ok(match layout.pairs() <= most as u64 {
        true => {
            let tasks = pairs.all();
            tasks.par_chunks(PAIRS_OF_A_TASK).map_init(readers, look).reduce(&none, &add)
        }
        false => {
            let tasks = (0..most / PAIRS_OF_A_TASK).into_par_iter();
            tasks.map_init(readers, |readers, task| look(readers, &pairs.drawn(task as u64))).reduce(&none, &add)
        }
    })
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

    /// The pairs that a task draws, sorted by their left rows, so that the values of these are read in their order.
    fn drawn(&self, task: u64) -> Vec<RowPair> {
        let mut random = Random::new(SEED ^ (task << 32));
        let mut pairs: Vec<RowPair> = (0..PAIRS_OF_A_TASK).map(|_| self.random_pair(&mut random)).collect();
        pairs.sort_unstable_by_key(|(l, _)| *l);
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
    for some in pairs.chunks(BATCH) {
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
