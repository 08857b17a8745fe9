//! The join against nested loops with the definitions of the measures.

use super::*;
use crate::measure::{edit_similarity, levenshtein, osa};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A condition on the distance of two texts.
#[derive(Clone, Copy, Debug)]
enum Condition {
    Within(usize),
    Similar(f64),
}

impl Condition {
    fn holds(self, distance: usize, longest: usize) -> bool {
        match self {
            Condition::Within(most) => distance <= most,
            Condition::Similar(least) => edit_similarity(distance, longest, longest) >= least,
        }
    }

    fn most_edits(self, longest: usize) -> Option<usize> {
        match self {
            Condition::Within(most) => Some(most),
            Condition::Similar(_) => (0..=longest).rev().find(|&distance| self.holds(distance, longest)),
        }
    }
}

/// A join of texts, by code, as a test describes it.
#[derive(Clone, Debug)]
struct Case {
    texts: Vec<Vec<u32>>,
    left: Vec<u32>,
    right: Option<Vec<u32>>,
    swaps: bool,
    condition: Condition,
    budget: usize,
}

impl Case {
    fn own(texts: Vec<Vec<u32>>, swaps: bool, condition: Condition, budget: usize) -> Self {
        let left = (0..texts.len() as u32).collect();
        Case { texts, left, right: None, swaps, condition, budget }
    }

    fn expected(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (at, &a) in self.left.iter().enumerate() {
            let behind = &self.left[at..];
            pairs.extend(self.right.as_deref().unwrap_or(behind).iter().map(|&b| (a, b)));
        }
        pairs.retain(|&(a, b)| self.is_pair(&self.texts[a as usize], &self.texts[b as usize]));
        self.sorted(pairs)
    }

    fn is_pair(&self, a: &[u32], b: &[u32]) -> bool {
        if a.is_empty() || b.is_empty() {
            return false;
        }
        let distance = if self.swaps { osa::reference(a, b) } else { levenshtein::reference(a, b) };
        self.condition.holds(distance, a.len().max(b.len()))
    }

    /// Pairs in one order; those of a list with itself have none of their own.
    fn sorted(&self, mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        if self.right.is_none() {
            pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
        }
        pairs.sort_unstable();
        pairs
    }

    fn found<U: Unit + Send + Sync>(&self, narrow: impl Fn(u32) -> U) -> (Vec<(u32, u32)>, Work) {
        let units: Vec<U> = self.texts.iter().flatten().map(|&code| narrow(code)).collect();
        let ends: Vec<usize> =
            self.texts.iter().scan(0, |end, text| Some(*end + text.len()).inspect(|&e| *end = e)).collect();
        let most = |longest| self.condition.most_edits(longest);
        let lists = (&self.left[..], self.right.as_deref());
        let mut join = EditJoin::new(Strings::new(&units, &ends), lists, self.swaps, most, self.budget);
        let mut pairs = Vec::new();
        for round in 0..join.rounds() {
            join.prepare(round);
            (0..join.tasks()).for_each(|task| join.run(task, &mut |a, b| pairs.push((a, b))));
        }
        (self.sorted(pairs), join.work())
    }

    fn check(&self) -> Work {
        let expected = self.expected();
        assert_eq!(self.found(|code| code as u16).0, expected);
        assert_eq!(self.found(|code| code).0, expected);
        let (found, work) = self.found(|code| code as u8);
        assert_eq!(found, expected);
        work
    }
}

/// Distinct texts over a small alphabet, many of them an edit or two from one another.
fn texts(longest: usize, count: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1u32..5).prop_flat_map(move |alphabet| {
        let seed = prop::collection::vec(0..alphabet, 0..=longest);
        let edits = prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5u8, 0..alphabet),
            0..count,
        );
        (prop::collection::vec(seed, 1..count), edits).prop_map(|(mut texts, edits)| {
            for (of, at, kind, code) in edits {
                let text = of.get(&texts).clone();
                texts.push(edit(text, &at, kind, code));
            }
            let distinct: BTreeSet<Vec<u32>> = texts.into_iter().collect();
            let mut texts: Vec<Vec<u32>> = distinct.into_iter().collect();
            let third = texts.len() / 3;
            texts.rotate_left(third);
            texts
        })
    })
}

fn edit(mut text: Vec<u32>, at: &prop::sample::Index, kind: u8, code: u32) -> Vec<u32> {
    if text.is_empty() {
        return vec![code];
    }
    let at = at.index(text.len());
    match kind {
        0 => text.insert(at, code),
        1 => drop(text.remove(at)),
        2 | 3 if at + 1 < text.len() => text.swap(at, at + 1),
        _ => text[at] = code,
    }
    text
}

fn condition() -> impl Strategy<Value = Condition> {
    let similar = prop_oneof![Just(1.0), Just(0.9), Just(0.8), Just(0.75), Just(0.6), Just(1.5), 0.55f64..1.0];
    prop_oneof![(0usize..4).prop_map(Condition::Within), similar.prop_map(Condition::Similar)]
}

/// One slice, or rounds of several, or many rounds of a few entries.
fn budget() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1 << 20), 500usize..20_000, Just(100)]
}

proptest! {
    #[test]
    fn a_list_with_itself(texts in texts(9, 40), swaps: bool, condition in condition(), budget in budget()) {
        Case::own(texts, swaps, condition, budget).check();
    }

    #[test]
    fn two_lists(
        texts in texts(9, 40),
        sides in prop::collection::vec(0u8..4, 80),
        swaps: bool,
        condition in condition(),
        budget in budget(),
    ) {
        let codes = |side: u8| (0..texts.len() as u32).filter(|&code| sides[code as usize % 80] & side != 0).collect();
        let (left, right) = (codes(1), Some(codes(2)));
        Case { texts, left, right, swaps, condition, budget }.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn texts_longer_than_a_word(texts in texts(140, 8), swaps: bool, most in 0usize..3, budget in budget()) {
        Case::own(texts, swaps, Condition::Within(most), budget.max(2_000)).check();
    }
}

/// All texts of up to `longest` characters over an alphabet.
fn all_texts(alphabet: u32, longest: usize) -> Vec<Vec<u32>> {
    let mut texts = vec![Vec::new()];
    let mut grown = 0;
    while texts[grown].len() < longest {
        let stem = texts[grown].clone();
        texts.extend((0..alphabet).map(|last| [&stem[..], &[last]].concat()));
        grown += 1;
    }
    texts
}

#[test]
fn all_short_texts() {
    for swaps in [false, true] {
        for most in 0..4 {
            Case::own(all_texts(2, 6), swaps, Condition::Within(most), 1 << 20).check();
            Case::own(all_texts(3, 4), swaps, Condition::Within(most), 4_000).check();
        }
    }
}

#[test]
fn edges() {
    let a_lot = |case: Case| case.check();
    a_lot(Case::own(Vec::new(), false, Condition::Within(2), 1 << 20));
    a_lot(Case::own(vec![vec![]], true, Condition::Within(2), 1 << 20));
    a_lot(Case::own(vec![vec![0]], true, Condition::Within(2), 1 << 20));
    let runs = (1..40).map(|length| vec![3; length]).collect();
    a_lot(Case::own(runs, true, Condition::Within(3), 1 << 20));
    let empty_side =
        Case { right: Some(Vec::new()), ..Case::own(all_texts(2, 3), false, Condition::Within(1), 1 << 20) };
    a_lot(empty_side.clone());
    a_lot(Case { left: Vec::new(), right: Some(empty_side.left.clone()), ..empty_side });
}

/// A heavy variant takes memory for its members, not for their pairs.
#[test]
fn heavy_variants_stay_within_the_budget() {
    let texts: Vec<Vec<u32>> = (0..2_000).map(|i| vec![1, 2, 3, 4, 5, 6, i % 40, i / 40]).collect();
    let case = Case::own(texts, false, Condition::Within(2), 200_000);
    let (found, work) = case.found(|code| code as u8);
    assert_eq!(found.len(), 2_000 * 2_001 / 2);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len());
    assert!(work.rounds > 1 && work.peak_bytes < 250_000, "{work:?}");
}

#[test]
fn the_estimate_bounds_the_entries() {
    let texts = all_texts(3, 7);
    let case = Case::own(texts, false, Condition::Within(2), 1 << 20);
    let work = case.check();
    let units: Vec<u8> = case.texts.iter().flatten().map(|&code| code as u8).collect();
    let ends: Vec<usize> =
        case.texts.iter().scan(0, |end, text| Some(*end + text.len()).inspect(|&e| *end = e)).collect();
    let estimate = estimate(Strings::new(&units, &ends), (&case.left, None), |_| Some(2));
    assert!(work.entries as f64 <= estimate.entries && estimate.entries < 20.0 * work.entries as f64);
    let lengths: Vec<usize> = case.texts.iter().map(Vec::len).filter(|&length| length > 0).collect();
    let fits = |a: usize, b: usize| usize::from(a.abs_diff(b) <= 2);
    let pairs: usize =
        (0..lengths.len()).map(|a| lengths[a..].iter().map(|&b| fits(lengths[a], b)).sum::<usize>()).sum();
    assert_eq!(estimate.pairs, pairs as f64);
}
