//! How many of all pairs have each level: the levels of a comparison are rules, its distinct values are records, and a pair of
//! values counts for all pairs of rows that have them.
//!
//! A pair belongs to the first rule that holds, which is what a level is. So the joins of the engine find all pairs of
//! values with a level, whatever else is missing of them. Levels that need all of these values to be equal have none, and nothing
//! is joined. The rest are *else* or *null*, and how many are which is counted by the classes of `null_pairs`, as far as these
//! tell.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::auxiliary_rules::{AuxiliaryRules, KnownRecords, RulePass};
use super::null_pairs::{NullPairs, pairs_of};
use super::representatives::{ReadValues, Representatives, is_of_values, predicates_of};
use crate::candidates::{BATCH, Batch, Rows, Shape};
use crate::error::Result;
use crate::execute::{Machine, PairStage};
use crate::expr::Num;
use crate::observer::Progress;
use crate::rules::{ComparisonRules, Conjunction, LevelRule, Literal, Rule, Test};
use crate::score::{LevelConjunctions, LevelShare, OutcomeReader, Patterns};
use crate::threshold::Check;
use crate::verify::{PairBatch, Program};

/// Pairs of distinct values up to which similarities are joined to count their levels. What is above is sampled.
const MOST_VALUE_PAIRS: u64 = 1 << 30;

/// Comparisons whose rows are grouped at the same time: for each, a row takes about a quarter of what joins hold beside a record.
const GROUPED_AT_ONCE: usize = 4;

/// What was counted of a comparison.
#[derive(Debug, Default)]
pub(super) struct CountedLevels {
    /// The pairs with each of its first levels.
    pub pairs: Vec<u128>,
    /// The pairs for which it is not null, where they can be counted.
    pub present: Option<u128>,
}

impl CountedLevels {
    /// The shares of all outcomes, where they are known without a sample.
    pub fn shares(&self, levels: usize) -> Option<Vec<LevelShare>> {
        let present = self.present.filter(|_| self.pairs.len() == levels)?;
        let otherwise = present.saturating_sub(self.pairs.iter().sum());
        let all: Vec<u128> = self.pairs.iter().copied().chain([otherwise]).collect();
        Some(LevelShare::counted(&all, present))
    }

    /// The same with the outcomes of some pairs, the last of which is null: of all, or of a sample of `pairs`.
    pub fn shares_beside(&self, outcomes: &[u128], are_all: bool, pairs: u64) -> Vec<LevelShare> {
        let known = &outcomes[..outcomes.len() - 1];
        if are_all {
            return LevelShare::counted(known, known.iter().sum());
        }
        let counted = match self.present {
            Some(present) => LevelShare::counted(&self.pairs, present),
            None => LevelShare::counted_beside_null(&self.pairs, pairs, outcomes),
        };
        LevelShare::combined(&counted, &LevelShare::sampled(known))
    }
}

/// The rows of both sides by their values, or of the only one.
struct GroupedSides {
    sides: Vec<Representatives>,
    /// Whether a row lacks the same on either side.
    are_alike: bool,
    /// Where the rows of one table are grouped by values alone: the operands by which two groups differ.
    differ_by: Option<Vec<usize>>,
}

impl GroupedSides {
    fn both(&self) -> [&Representatives; 2] {
        [&self.sides[0], &self.sides[self.sides.len() - 1]]
    }

    /// What missing values leave of a comparison; nothing where there are too many ways to lack some.
    fn null_pairs(&self, comparison: &ComparisonRules, counted: usize) -> Option<NullPairs> {
        let [left, right] = self.both().map(|side| &side.nulls);
        let are_known = self.are_alike && left.are_known() && right.are_known();
        are_known.then(|| NullPairs::new(comparison, counted, [left, right]))
    }
}

/// Adds up the rows of pairs of values, by level.
struct WeightedCount<'a> {
    sides: [&'a Representatives; 2],
    nulls: &'a NullPairs,
    /// Since the last mark: by level, and then those of all levels whose outcomes would otherwise be null.
    levels: Vec<AtomicU64>,
    /// Before it.
    settled: Vec<AtomicU64>,
}

impl<'a> WeightedCount<'a> {
    fn new(sides: [&'a Representatives; 2], nulls: &'a NullPairs, levels: usize) -> Self {
        let none = || (0..=levels).map(|_| AtomicU64::new(0)).collect();
        Self { sides, nulls, levels: none(), settled: none() }
    }

    /// All that was counted.
    fn sums(&self) -> Vec<u128> {
        self.mark();
        self.settled.iter().map(|level| u128::from(level.load(Relaxed))).collect()
    }
}

impl PairStage for WeightedCount<'_> {
    fn apply(&self, batch: &mut PairBatch) -> Result<()> {
        let (mut sums, [left, right]) = (vec![0; self.levels.len()], self.sides);
        for pair in &batch.pairs {
            let (l, r) = (pair.l as usize, pair.r as usize);
            let rows = u64::from(left.counts[l]) * u64::from(right.counts[r]);
            sums[pair.rule as usize] += rows;
            if self.nulls.are_null(left.nulls.of_rows[l], right.nulls.of_rows[r]) {
                sums[self.levels.len() - 1] += rows;
            }
        }
        self.levels.iter().zip(sums).for_each(|(level, sum)| {
            level.fetch_add(sum, Relaxed);
        });
        batch.clear();
        Ok(())
    }

    fn mark(&self) {
        for (settled, level) in self.settled.iter().zip(&self.levels) {
            settled.fetch_add(level.swap(0, Relaxed), Relaxed);
        }
    }

    fn roll_back(&self) {
        self.levels.iter().for_each(|level| level.store(0, Relaxed));
    }
}

/// Counts the levels of some comparisons among all pairs of records.
pub(super) fn count_levels(
    records: KnownRecords<'_>,
    comparisons: &[ComparisonRules],
    machine: &mut Machine,
    progress: Progress<'_>,
) -> Result<Vec<CountedLevels>> {
    let mut all = Vec::new();
    for some in comparisons.chunks(GROUPED_AT_ONCE) {
        let counters: Vec<LevelCounter<'_>> =
            some.iter().map(|comparison| LevelCounter { records, comparison }).collect();
        let countable: Vec<Option<CountableLevels>> = counters.par_iter().map(LevelCounter::countable).collect();
        for (counter, countable) in counters.iter().zip(countable) {
            all.push(counter.count(countable, machine, progress)?);
        }
    }
    Ok(all)
}

/// The first levels of a comparison, as far as they can be counted soon enough, and the rows by their values.
struct CountableLevels {
    counted: ComparisonRules,
    sides: GroupedSides,
}

/// Counts the levels of a comparison.
struct LevelCounter<'a> {
    records: KnownRecords<'a>,
    comparison: &'a ComparisonRules,
}

impl LevelCounter<'_> {
    /// The pairs with the first levels of the comparison, of all pairs: those of all levels, where they can be counted soon
    /// enough, of those that need equal values, or of none.
    fn count(
        &self,
        countable: Option<CountableLevels>,
        machine: &mut Machine,
        progress: Progress<'_>,
    ) -> Result<CountedLevels> {
        let (program, shape) = (self.records.program, self.records.layout.shape());
        let Some(CountableLevels { counted, sides }) = countable else { return Ok(CountedLevels::default()) };
        let (both, levels) = (sides.both(), counted.levels.len());
        let known = self.are_nulls_of_values().then(|| sides.null_pairs(self.comparison, levels)).flatten();
        let unknown = NullPairs::unknown();
        let nulls = known.as_ref().unwrap_or(&unknown);
        let counts = WeightedCount::new(both, nulls, levels);
        if !sides.differ_by.as_ref().is_some_and(|operands| self.needs_equal(&counted, operands)) {
            RulePass::new(self.records, rules_of_levels(&counted, both), machine, progress)?.show(&counts, progress)?;
        }
        let mut pairs = counts.sums();
        if shape == Shape::Triangle && program.across.is_none() {
            add_equal_values(&counted, program, both[0], nulls, &mut pairs)?;
        }
        let held_though_null = pairs.pop().unwrap_or_default();
        let present = match self.comparison.levels.iter().all(|level| level.is_never_null) {
            true => Some(u128::from(self.records.layout.pairs())),
            false => known.as_ref().and_then(|known| known.present(both, shape, program.across.as_ref())),
        };
        Ok(CountedLevels { pairs, present: present.map(|present| present + held_though_null) })
    }

    /// What can be counted, if any level can.
    fn countable(&self) -> Option<CountableLevels> {
        let mut counted = self.comparison.clone();
        counted.levels.truncate(self.levels_of_values());
        let sides = self.sides_of(&counted)?;
        let [left, right] = sides.both().map(|side| side.rows.len() as u64);
        if left * right > MOST_VALUE_PAIRS {
            let equal = counted.levels.iter().take_while(|level| self.is_joined_by_equality(level)).count();
            counted.levels.truncate(equal);
        }
        (!counted.levels.is_empty()).then_some(CountableLevels { counted, sides })
    }

    /// How many of the first levels of the comparison depend on values alone.
    fn levels_of_values(&self) -> usize {
        let checks = &self.records.program.checks;
        let is_fit = |level: &&LevelRule| {
            let mut literals = level.deciding().iter().flatten();
            literals.all(|literal| is_of_values(&checks[literal.predicate]))
        };
        self.comparison.levels.iter().take_while(is_fit).count()
    }

    /// Whether each level depends on values alone, and is null only where a value is.
    fn are_nulls_of_values(&self) -> bool {
        let (program, comparison) = (self.records.program, self.comparison);
        let is_of_values = self.levels_of_values() == comparison.levels.len();
        is_of_values && predicates_of(comparison).iter().all(|at| has_all_differences(&program.checks[*at], program))
    }

    fn sides_of(&self, comparison: &ComparisonRules) -> Option<GroupedSides> {
        let KnownRecords { program, layout, .. } = self.records;
        let [left, right] = ReadValues::of_both(comparison, program)?;
        let (encoded, rows) = (&program.encoded, layout.rows());
        if layout.shape() == Shape::Rectangle {
            let sides = vec![left.grouped(encoded, rows[0], None), right.grouped(encoded, rows[1], None)];
            return Some(GroupedSides { sides, are_alike: true, differ_by: None });
        }
        let inputs = program.across.as_ref();
        let start = inputs.map(|inputs| move |row: u32| inputs.around(row).start);
        let input = start.as_ref().map(|start| start as &dyn Fn(u32) -> u32);
        let one = left.grouped(encoded, rows[0], input);
        let mut are_alike = true;
        // A row is on either side of its pairs: what stands for it on one must do so on the other.
        if !left.reads_what(&right) {
            let other = right.grouped(encoded, rows[0], input);
            if one.rows != other.rows || one.counts != other.counts {
                return None;
            }
            are_alike = !one.nulls.are_mixed() && !other.nulls.are_mixed();
        }
        let differ_by = inputs.is_none().then(|| left.operands());
        Some(GroupedSides { sides: vec![one], are_alike, differ_by })
    }

    /// Whether every level needs all of these to be equal: then it holds for no two groups that differ by them.
    fn needs_equal(&self, counted: &ComparisonRules, operands: &[usize]) -> bool {
        let checks = &self.records.program.checks;
        let is_equality = |literal: &Literal, operand: usize| match &checks[literal.predicate] {
            Check::Equal { operands, .. } => literal.want && (operands.left, operands.right) == (operand, operand),
            _ => false,
        };
        let needs = |way: &Vec<Literal>, operand: usize| way.iter().any(|literal| is_equality(literal, operand));
        let mut ways = counted.levels.iter().flat_map(|level| &level.ways);
        ways.all(|way| operands.iter().all(|operand| needs(way, *operand)))
    }

    /// Whether a level needs equal values of something.
    fn is_joined_by_equality(&self, level: &LevelRule) -> bool {
        let predicates = &self.records.rules.predicates;
        let is_equality = |predicate: usize| matches!(predicates[predicate].test, Test::Equal { .. });
        level.ways.iter().all(|literals| literals.iter().any(|literal| literal.want && is_equality(literal.predicate)))
    }
}

/// Whether a check that compares a difference has one for any two of its numbers. That of two large integers is too large
/// for 64 bits, and then null.
fn has_all_differences(check: &Check, program: &Program) -> bool {
    let Check::Difference { operands, .. } = check else { return true };
    let is_small = |number: Num| match number {
        Num::Int(value) => value.unsigned_abs() <= 1 << 62,
        Num::Float(value) => value.abs() <= f64::MAX / 2.0,
        Num::Wide(_) => false,
    };
    let are_small = |operand: usize| {
        let domain = program.encoded.domain(operand);
        (0..domain.dictionary.len() as u32).all(|code| domain.number(code).is_none_or(is_small))
    };
    are_small(operands.left) && are_small(operands.right)
}

/// Adds the pairs of rows with equal values.
fn add_equal_values(
    comparison: &ComparisonRules,
    program: &Program,
    of: &Representatives,
    nulls: &NullPairs,
    sums: &mut [u128],
) -> Result<()> {
    let (mut reader, mut batch, mut patterns) = (OutcomeReader::new(program), Batch::default(), Vec::new());
    let shape = Patterns::new(std::slice::from_ref(comparison))?;
    let conditions: [LevelConjunctions<'_>; 1] =
        [comparison.levels.iter().map(|level| &level.conjunctions[..]).collect()];
    let repeated: Vec<u32> = of.rows.iter().copied().filter(|row| of.counts[*row as usize] > 1).collect();
    for rows in repeated.chunks(BATCH) {
        batch.set(rows.iter().map(|row| (*row, *row)));
        reader.patterns(&batch, &shape, &conditions, &mut patterns);
        for (row, pattern) in rows.iter().zip(&patterns) {
            let (level, class) = (shape.outcome(*pattern, 0), of.nulls.of_rows[*row as usize]);
            if level < comparison.levels.len() {
                let pairs = pairs_of(u64::from(of.counts[*row as usize]));
                sums[level] += pairs;
                sums[comparison.levels.len()] += if nulls.are_null(class, class) { pairs } else { 0 };
            }
        }
    }
    Ok(())
}

/// The levels of a comparison as rules over representative rows.
fn rules_of_levels(comparison: &ComparisonRules, [left, right]: [&Representatives; 2]) -> AuxiliaryRules {
    let mut auxiliary = AuxiliaryRules { rules: Vec::new(), conjunctions: Vec::new(), rows: None, are_compared: false };
    for (rule, level) in comparison.levels.iter().enumerate() {
        let from = auxiliary.conjunctions.len();
        let conjunction = |literals: &Vec<_>| Conjunction { rule, literals: literals.clone() };
        auxiliary.conjunctions.extend(level.ways.iter().map(conjunction));
        auxiliary.rules.push(Rule::made(&level.text, from..auxiliary.conjunctions.len()));
    }
    let lefts = Rows::from(left.rows.clone());
    let rights = if std::ptr::eq(left, right) { lefts.clone() } else { Rows::from(right.rows.clone()) };
    auxiliary.rows = Some([lefts, rights]);
    auxiliary
}

#[cfg(test)]
mod tests;
