//! What missing values leave of a comparison: which pairs of rows have an outcome that is not null.
//!
//! Rows are in classes by the checks that are null for them, and a check is null for a pair where it is null for one of its
//! rows. So the null checks of a pair are known from the classes of its rows. Where none of them is in a conjunction, the
//! outcome is not null. Where all of some conjunction are null, that is null, and so is the outcome, unless a level holds.
//! Where a conjunction has null checks and others, it depends on the others, and the classes do not tell. A level that is never
//! null makes no outcome null; where its checks are null it does not hold.

use std::collections::BTreeMap;

use super::representatives::{NullClasses, Representatives, predicates_of};
use crate::candidates::Shape;
use crate::records::InputRows;
use crate::rules::{ComparisonRules, LevelRule, Literal};

/// What classes of rows say about the pairs of two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClassPair {
    /// No outcome is null.
    Present,
    /// The outcome is null unless one of the counted levels holds.
    Null,
    /// Neither is known.
    Open,
}

/// What is known of the pairs of all classes of two sides.
#[derive(Debug)]
pub(super) struct NullPairs {
    /// By the class of the left row, times the classes on the right, and that of the right one.
    pairs: Vec<ClassPair>,
    right_classes: usize,
}

impl NullPairs {
    /// Of classes of which nothing is known.
    pub fn unknown() -> Self {
        Self { pairs: Vec::new(), right_classes: 0 }
    }

    /// Of a comparison whose first levels are counted.
    pub fn new(comparison: &ComparisonRules, counted: usize, [left, right]: [&NullClasses; 2]) -> Self {
        let levels = checks_of_levels(comparison);
        let of_two = |a: &Vec<bool>, b: &Vec<bool>| class_pair(&levels, counted, |check| a[check] || b[check]);
        let pairs = left.nulls.iter().flat_map(|a| right.nulls.iter().map(move |b| (a, b)));
        Self { pairs: pairs.map(|(a, b)| of_two(a, b)).collect(), right_classes: right.nulls.len() }
    }

    fn get(&self, left: usize, right: usize) -> ClassPair {
        self.pairs.get(left * self.right_classes + right).copied().unwrap_or(ClassPair::Open)
    }

    /// Whether the outcome of two rows of these classes is null unless a level holds.
    pub fn are_null(&self, left: u16, right: u16) -> bool {
        self.get(usize::from(left), usize::from(right)) == ClassPair::Null
    }

    /// Pairs of rows for which no outcome is null whatever level holds; nothing where the classes do not tell. `across` has
    /// the inputs of which the two rows of a pair must be different ones.
    pub fn present(
        &self,
        [left, right]: [&Representatives; 2],
        shape: Shape,
        across: Option<&InputRows>,
    ) -> Option<u128> {
        let sizes = |rows: &Representatives| rows_of_classes(rows, |_| 0).remove(&0).unwrap_or_default();
        let lefts = sizes(left);
        if shape == Shape::Rectangle {
            let rights = sizes(right);
            return self.sum(&lefts, &rights, |a, b| u128::from(lefts[a]) * u128::from(rights[b]));
        }
        let apart = across.map(|inputs| rows_of_classes(left, |row| inputs.around(row).start)).unwrap_or_default();
        let pairs = |a: usize, b: usize| {
            let within: u128 = apart.values().map(|rows| pairs_of_classes(rows, a, b)).sum();
            if a <= b { pairs_of_classes(&lefts, a, b) - within } else { 0 }
        };
        self.sum(&lefts, &lefts, pairs)
    }

    /// The pairs of classes whose outcomes are not null; nothing where some pairs are open.
    fn sum(&self, lefts: &[u64], rights: &[u64], pairs: impl Fn(usize, usize) -> u128) -> Option<u128> {
        let mut sum = 0;
        for (a, b) in (0..lefts.len()).flat_map(|a| (0..rights.len()).map(move |b| (a, b))) {
            match (self.get(a, b), pairs(a, b)) {
                (ClassPair::Present, some) => sum += some,
                (ClassPair::Open, 1..) => return None,
                _ => {}
            }
        }
        Some(sum)
    }
}

/// What a level asks of values.
struct LevelChecks {
    /// Of each of its conjunctions the places of its checks.
    conjunctions: Vec<Vec<usize>>,
    is_never_null: bool,
}

fn checks_of_levels(comparison: &ComparisonRules) -> Vec<LevelChecks> {
    let predicates = predicates_of(comparison);
    let place = |literal: &Literal| predicates.binary_search(&literal.predicate).unwrap_or_default();
    let of_conjunction = |literals: &Vec<Literal>| literals.iter().map(place).collect();
    let of_level = |level: &LevelRule| LevelChecks {
        conjunctions: level.deciding().iter().map(of_conjunction).collect(),
        is_never_null: level.is_never_null,
    };
    comparison.levels.iter().map(of_level).collect()
}

fn class_pair(levels: &[LevelChecks], counted: usize, is_null: impl Fn(usize) -> bool) -> ClassPair {
    let has_null = |checks: &Vec<usize>| checks.iter().any(|check| is_null(*check));
    let is_all_null = |checks: &Vec<usize>| checks.iter().all(|check| is_null(*check));
    let nullable = || levels.iter().filter(|level| !level.is_never_null).flat_map(|level| &level.conjunctions);
    if !nullable().any(has_null) {
        return ClassPair::Present;
    }
    // A conjunction with a null check does not hold, so no level beyond the counted ones does.
    let are_others_null = levels[counted..].iter().flat_map(|level| &level.conjunctions).all(has_null);
    match are_others_null && nullable().any(is_all_null) {
        true => ClassPair::Null,
        false => ClassPair::Open,
    }
}

/// The rows of each class, by what `input` says of a row.
fn rows_of_classes(of: &Representatives, input: impl Fn(u32) -> u32) -> BTreeMap<u32, Vec<u64>> {
    let mut rows: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for row in &of.rows {
        let classes = rows.entry(input(*row)).or_insert_with(|| vec![0; of.nulls.nulls.len()]);
        classes[usize::from(of.nulls.of_rows[*row as usize])] += u64::from(of.counts[*row as usize]);
    }
    rows
}

/// Pairs of a row of one class and one of another, or of two rows of one.
fn pairs_of_classes(rows: &[u64], a: usize, b: usize) -> u128 {
    if a == b { pairs_of(rows[a]) } else { u128::from(rows[a]) * u128::from(rows[b]) }
}

/// Pairs of some rows.
pub(super) fn pairs_of(rows: u64) -> u128 {
    u128::from(rows) * u128::from(rows.saturating_sub(1)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels of conjunctions of predicates 0, 1, ...
    fn comparison(levels: &[&[&[usize]]]) -> ComparisonRules {
        let literals = |all: &&[usize]| all.iter().map(|at| Literal { predicate: *at, want: true }).collect();
        let level = |all: &&[&[usize]]| LevelRule {
            conjunctions: all.iter().map(literals).collect(),
            ways: all.iter().map(literals).collect(),
            ..LevelRule::default()
        };
        ComparisonRules { name: "a".to_owned(), levels: levels.iter().map(level).collect(), term_frequency: None }
    }

    fn class_of(levels: &[&[&[usize]]], counted: usize, nulls: &[usize]) -> ClassPair {
        class_pair(&checks_of_levels(&comparison(levels)), counted, |check| nulls.contains(&check))
    }

    #[test]
    fn classes_tell_where_outcomes_are_null() {
        use ClassPair::{Null, Open, Present};
        // Equal texts, then similar sets: a text without tokens leaves the first open and the second null.
        let two: &[&[&[usize]]] = &[&[&[0]], &[&[1]]];
        assert_eq!([&[][..], &[1], &[0, 1]].map(|nulls| class_of(two, 2, nulls)), [Present, Null, Null]);
        // Where the second is not counted, it must not hold.
        assert_eq!((class_of(two, 1, &[1]), class_of(two, 1, &[0])), (Null, Open));
        // One of two columns.
        assert_eq!(class_of(&[&[&[0], &[1]]], 1, &[0]), Null);
        // Both of two columns: where one is missing, the other decides.
        assert_eq!(class_of(&[&[&[0, 1]]], 1, &[0]), Open);
        assert_eq!(class_of(&[&[&[0, 1]], &[&[0]]], 2, &[0]), Null);
        assert_eq!(class_of(&[&[&[0, 1]], &[&[0]]], 2, &[1]), Open);
    }

    #[test]
    fn a_level_that_is_never_null_makes_no_outcome_null() {
        use ClassPair::{Null, Open, Present};
        // Both columns, whatever is missing, and then one of them.
        let mut mixed = comparison(&[&[&[0, 1]], &[&[0]]]);
        mixed.levels[0].is_never_null = true;
        let class_of = |of: &ComparisonRules, counted, nulls: &[usize]| {
            class_pair(&checks_of_levels(of), counted, |check| nulls.contains(&check))
        };
        assert_eq!(
            (class_of(&mixed, 2, &[1]), class_of(&mixed, 2, &[0]), class_of(&mixed, 2, &[])),
            (Present, Null, Present)
        );
        assert_eq!(class_of(&mixed, 0, &[1]), Present);
        // The first may hold, and is not counted.
        let mut other = comparison(&[&[&[0]], &[&[1]]]);
        other.levels[0].is_never_null = true;
        assert_eq!((class_of(&other, 0, &[1]), class_of(&other, 1, &[1])), (Open, Null));
        mixed.levels[1].is_never_null = true;
        assert_eq!(class_of(&mixed, 2, &[0, 1]), Present);
    }

    /// Classes of rows without nulls, without the second check, and their numbers of rows.
    fn rows(classes: [u32; 2]) -> Representatives {
        let mut nulls = NullClasses::default();
        (nulls.of_rows, nulls.nulls) = (vec![0, 1], vec![vec![false, false], vec![false, true]]);
        Representatives { rows: vec![0, 1], counts: classes.to_vec(), nulls }
    }

    #[test]
    fn pairs_of_rows_with_values_are_counted() {
        let (left, right) = (rows([5, 2]), rows([3, 1]));
        let known = NullPairs::new(&comparison(&[&[&[0]], &[&[1]]]), 2, [&left.nulls, &right.nulls]);
        assert_eq!(known.present([&left, &right], Shape::Rectangle, None), Some(15));
        assert_eq!(known.present([&left, &left], Shape::Triangle, None), Some(10));
        assert_eq!((known.are_null(0, 0), known.are_null(0, 1), known.are_null(1, 1)), (false, true, true));
        // The two classes are of two inputs: no two rows of one are a pair.
        let inputs = InputRows::new([0, 1], 2);
        assert_eq!(known.present([&left, &left], Shape::Triangle, Some(&inputs)), Some(0));
        let both = NullPairs::new(&comparison(&[&[&[0, 1]]]), 1, [&left.nulls, &right.nulls]);
        assert_eq!(both.present([&left, &right], Shape::Rectangle, None), None);
    }
}
