//! The outcomes of comparisons in all pairs, where there are few, or in a seeded sample of them.

use rayon::prelude::*;

use super::auxiliary_rules::KnownRecords;
use crate::candidates::{Batch, PairsOfRows, RowPair};
use crate::error::Result;
use crate::rules::ComparisonRules;
use crate::score::{LevelConjunctions, OutcomeReader, PatternCounts, Patterns, pattern_program};
use crate::verify::{ScoreProgram, ScoreReader};

/// Pairs that are drawn where there are more.
pub(super) const PAIRS: usize = 1 << 21;

/// Pairs that one task looks at.
const PAIRS_OF_A_TASK: usize = 1 << 14;

/// Pairs that are looked at together: what is read of a dozen columns for them stays in the second-level cache, since a comparison
/// reads it several times.
pub(super) const PAIRS_AT_ONCE: usize = 1 << 10;

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
    let number = if are_all { layout.pairs() as usize } else { most };
    let _held = cancel.hold(number * size_of::<RowPair>());
    let pairs = if are_all { of_rows.all() } else { of_rows.drawn(most) };
    Ok(pairs.par_chunks(PAIRS_OF_A_TASK).map_init(readers, look).reduce(&none, &add))
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
