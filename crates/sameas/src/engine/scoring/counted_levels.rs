//! The shares of levels among all pairs, counted: the levels of a comparison are rules, its distinct values are records,
//! and a pair of values counts for all pairs of rows that have them.
//!
//! A pair belongs to the first rule that holds, which is what a level is. So the joins of the engine find all pairs of
//! values with a level, and the rest are *else*: pairs of rows that both have values, and no level.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::super::observer::Progress;
use super::super::pair_stage::PairStage;
use super::super::prepared::Prepared;
use super::other_rules::OtherRules;
use super::representatives::{ReadValues, Representatives};
use crate::candidates::{BATCH, Batch, Rows, Shape};
use crate::error::Result;
use crate::rules::{ComparisonRules, Conjunction, LevelRule, Rule, Test};
use crate::score::{LevelConjunctions, LevelShare, OutcomeReader, Patterns};
use crate::verify::PairBatch;

/// Pairs of distinct values up to which similarities are joined to count their levels. What is above is sampled.
const MOST_VALUE_PAIRS: u64 = 1 << 30;

/// Adds up the rows of pairs of values, by level.
struct WeightedCount<'a> {
    rows: [&'a [u32]; 2],
    /// Since the last mark.
    levels: Vec<AtomicU64>,
    /// Before it.
    settled: Vec<AtomicU64>,
}

impl<'a> WeightedCount<'a> {
    fn new(rows: [&'a [u32]; 2], levels: usize) -> Self {
        let none = || (0..levels).map(|_| AtomicU64::new(0)).collect();
        Self { rows, levels: none(), settled: none() }
    }

    /// All that was counted, by level.
    fn sums(&self) -> Vec<u128> {
        self.mark();
        self.settled.iter().map(|level| u128::from(level.load(Relaxed))).collect()
    }
}

impl PairStage for WeightedCount<'_> {
    fn apply(&self, batch: &mut PairBatch) -> Result<()> {
        let mut sums = vec![0; self.levels.len()];
        for pair in &batch.pairs {
            let [l, r] = [self.rows[0][pair.l as usize], self.rows[1][pair.r as usize]];
            sums[pair.rule as usize] += u64::from(l) * u64::from(r);
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

impl Prepared {
    /// The shares of the first outcomes of a comparison among all pairs: of all where they can be counted soon enough, of
    /// the levels that need equal values, or of none.
    pub(super) fn counted_levels(&mut self, at: usize, progress: Progress<'_>) -> Result<Vec<LevelShare>> {
        let mut comparison = self.rules.scoring.comparisons[at].clone();
        let Some(sides) = self.sides_of(&comparison) else { return Ok(Vec::new()) };
        let [left, right] = [&sides[0], sides.last().expect("there is one")];
        let value_pairs = left.rows.len() as u64 * right.rows.len() as u64;
        let levels = comparison.levels.len();
        if value_pairs > MOST_VALUE_PAIRS {
            let equal = comparison.levels.iter().take_while(|level| self.is_joined_by_equality(level)).count();
            comparison.levels.truncate(equal);
        }
        if comparison.levels.is_empty() {
            return Ok(Vec::new());
        }
        let counts = WeightedCount::new([&left.counts, &right.counts], comparison.levels.len());
        self.show_pairs(rules_of_levels(&comparison, [left, right]), &counts, progress)?;
        let mut counted = counts.sums();
        if self.shape() == Shape::Triangle && self.program.across.is_none() {
            self.add_equal_values(&comparison, left, &mut counted)?;
        }
        let pairs = self.present_pairs(left, right);
        if counted.len() == levels {
            counted.push(pairs.saturating_sub(counted.iter().sum()));
        }
        Ok(LevelShare::counted(&counted, pairs))
    }

    /// The rows of both sides by their values, or of the only one.
    fn sides_of(&self, comparison: &ComparisonRules) -> Option<Vec<Representatives>> {
        let [left, right] = ReadValues::of_both(comparison, &self.program)?;
        let encoded = &self.program.encoded;
        if self.shape() == Shape::Rectangle {
            let sides = [left.grouped(encoded, self.rows[0], None)?, right.grouped(encoded, self.rows[1], None)?];
            return Some(sides.into());
        }
        let inputs = self.program.across.as_ref();
        let start = inputs.map(|inputs| move |row: u32| inputs.around(row).start);
        let input = start.as_ref().map(|start| start as &dyn Fn(u32) -> u32);
        let one = left.grouped(encoded, self.rows[0], input)?;
        // A row is on either side of its pairs: what is null on one must be null on the other.
        if !left.reads_what(&right) {
            let other = right.grouped(encoded, self.rows[0], input)?;
            if one.rows != other.rows || one.counts != other.counts {
                return None;
            }
        }
        Some(vec![one])
    }

    /// Whether a level needs equal values of something.
    fn is_joined_by_equality(&self, level: &LevelRule) -> bool {
        let predicates = &self.rules.predicates;
        let is_equality = |predicate: usize| matches!(predicates[predicate].test, Test::Equal { .. });
        level
            .ways()
            .iter()
            .all(|literals| literals.iter().any(|literal| literal.want && is_equality(literal.predicate)))
    }

    /// Adds the pairs of rows with equal values.
    fn add_equal_values(&self, comparison: &ComparisonRules, of: &Representatives, levels: &mut [u128]) -> Result<()> {
        let (mut reader, mut batch, mut patterns) = (OutcomeReader::new(&self.program), Batch::default(), Vec::new());
        let shape = Patterns::new(std::slice::from_ref(comparison))?;
        let conditions: [LevelConjunctions<'_>; 1] =
            [comparison.levels.iter().map(|level| &level.conjunctions[..]).collect()];
        let repeated: Vec<u32> = of.rows.iter().copied().filter(|row| of.counts[*row as usize] > 1).collect();
        for rows in repeated.chunks(BATCH) {
            batch.set(rows.iter().map(|row| (*row, *row)));
            reader.patterns(&batch, &shape, &conditions, &mut patterns);
            for (row, pattern) in rows.iter().zip(&patterns) {
                if let Some(level) = levels.get_mut(shape.outcome(*pattern, 0)) {
                    *level += pairs_of(u64::from(of.counts[*row as usize]));
                }
            }
        }
        Ok(())
    }

    /// Pairs of rows that have values.
    fn present_pairs(&self, left: &Representatives, right: &Representatives) -> u128 {
        match (self.shape(), &self.program.across) {
            (Shape::Rectangle, _) => u128::from(left.present) * u128::from(right.present),
            (Shape::Triangle, None) => pairs_of(left.present),
            (Shape::Triangle, Some(inputs)) => {
                let mut present: BTreeMap<u32, u64> = BTreeMap::new();
                for row in &left.rows {
                    *present.entry(inputs.around(*row).start).or_default() += u64::from(left.counts[*row as usize]);
                }
                pairs_of(left.present) - present.into_values().map(pairs_of).sum::<u128>()
            }
        }
    }
}

/// The levels of a comparison as rules over representative rows.
fn rules_of_levels(comparison: &ComparisonRules, [left, right]: [&Representatives; 2]) -> OtherRules {
    let mut by = OtherRules { rules: Vec::new(), conjunctions: Vec::new(), rows: None };
    for (rule, level) in comparison.levels.iter().enumerate() {
        let from = by.conjunctions.len();
        let conjunction = |literals: &Vec<_>| Conjunction { rule, literals: literals.clone() };
        by.conjunctions.extend(level.ways().iter().map(conjunction));
        by.rules.push(Rule::made(&level.text, from..by.conjunctions.len()));
    }
    let lefts = Rows::from(left.rows.clone());
    let rights = if std::ptr::eq(left, right) { lefts.clone() } else { Rows::from(right.rows.clone()) };
    by.rows = Some([lefts, rights]);
    by
}

fn pairs_of(rows: u64) -> u128 {
    u128::from(rows) * u128::from(rows.saturating_sub(1)) / 2
}
