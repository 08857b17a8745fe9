//! The join against nested loops with the definitions of the measures.

use super::*;
use crate::expr::Num;
use crate::measure::{CountScale, EditFormula, MeasureValue};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A condition on the edits between two texts.
#[derive(Clone, Copy, Debug)]
enum Condition {
    Within(usize),
    Similar(EditFormula, f64),
}

impl Condition {
    fn holds(self, edits: usize, x: usize, y: usize) -> bool {
        match self {
            Condition::Within(most) => edits <= most,
            Condition::Similar(formula, least) => {
                let scale = formula.scale();
                // Fewer edits than texts of these lengths can have.
                let Some(edits) = edits.checked_sub(scale.shift(x, y)) else { return true };
                match formula.value(edits, scale.key(x, y)) {
                    MeasureValue::Whole(value) => Num::Int(value as i64) >= Num::Float(least),
                    MeasureValue::Share(value) => value >= least,
                }
            }
        }
    }

    /// The most edits of two texts, found by asking.
    fn of_pair(self, x: usize, y: usize) -> Option<usize> {
        match self {
            Condition::Within(most) => Some(most),
            Condition::Similar(..) => (0..=x.max(y)).rev().find(|&edits| self.holds(edits, x, y)),
        }
    }

    /// The most edits of a text and any that is no longer.
    fn of_longer(self, length: usize) -> Option<usize> {
        match self {
            Condition::Within(most) => Some(most),
            Condition::Similar(formula, _) if formula.scale() == CountScale::Longer => self.of_pair(length, length),
            Condition::Similar(..) => {
                let possible = |y: usize| self.of_pair(length, y).filter(|most| most + y >= length);
                (1..=length).filter_map(possible).max()
            }
        }
    }
}

/// Numbers of edits that the index serves.
fn counts() -> Vec<EditCount> {
    EditCount::ALL.iter().copied().filter(|count| count.leaves_subsequence()).collect()
}

fn count() -> impl Strategy<Value = EditCount> {
    prop::sample::select(counts())
}

/// A join of texts, by code, as a test describes it.
#[derive(Clone, Debug)]
struct Case {
    texts: Vec<Vec<u32>>,
    left: Vec<u32>,
    right: Option<Vec<u32>>,
    count: EditCount,
    condition: Condition,
    budget: usize,
}

impl Case {
    fn own(texts: Vec<Vec<u32>>, count: EditCount, condition: Condition, budget: usize) -> Self {
        let left = (0..texts.len() as u32).collect();
        Case { texts, left, right: None, count, condition, budget }
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
        self.condition.holds(self.count.reference(a, b), a.len(), b.len())
    }

    /// Pairs in one order; those of a list with itself have none of their own.
    fn sorted(&self, mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        if self.right.is_none() {
            pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
        }
        pairs.sort_unstable();
        pairs
    }

    fn found<U: Unit + Send + Sync>(&self, narrow: impl Fn(u32) -> U) -> (Vec<(u32, u32)>, EditWork) {
        let units: Vec<U> = self.texts.iter().flatten().map(|&code| narrow(code)).collect();
        let ends: Vec<usize> =
            self.texts.iter().scan(0, |end, text| Some(*end + text.len()).inspect(|&e| *end = e)).collect();
        let limits = EditLimits {
            of_longer: &|length| self.condition.of_longer(length),
            of_pair: &|longer, other| self.condition.of_pair(longer, other),
        };
        let lists = (&self.left[..], self.right.as_deref());
        let mut join = EditJoin::new(Strings::new(&units, &ends), lists, self.count, &limits, self.budget);
        let mut pairs = Vec::new();
        for round in 0..join.rounds() {
            join.prepare(round);
            (0..join.tasks()).for_each(|task| join.run(task, &mut |a, b| pairs.push((a, b))));
        }
        (self.sorted(pairs), join.work())
    }

    /// Whether no text needs more deletions than the index makes.
    fn is_served(&self) -> bool {
        let most = |length: usize| self.condition.of_longer(length).map_or(0, |most| most.min(length));
        self.texts.iter().all(|text| most(text.len()) <= MOST_DELETIONS)
    }

    fn check(&self) -> EditWork {
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
    let formulas: Vec<EditFormula> = EditFormula::ALL.iter().copied().filter(|f| *f != EditFormula::Count).collect();
    let similar = (prop::sample::select(formulas), similar);
    prop_oneof![
        (0usize..4).prop_map(Condition::Within),
        similar.prop_map(|(formula, least)| Condition::Similar(formula, least)),
    ]
}

/// One slice, or rounds of several, or many rounds of a few entries.
fn budget() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1 << 20), 500usize..20_000, Just(100)]
}

proptest! {
    #[test]
    fn a_list_with_itself(texts in texts(9, 40), count in count(), condition in condition(), budget in budget()) {
        let case = Case::own(texts, count, condition, budget);
        prop_assume!(case.is_served());
        case.check();
    }

    #[test]
    fn two_lists(
        texts in texts(9, 40),
        sides in prop::collection::vec(0u8..4, 80),
        count in count(),
        condition in condition(),
        budget in budget(),
    ) {
        let codes = |side: u8| (0..texts.len() as u32).filter(|&code| sides[code as usize % 80] & side != 0).collect();
        let (left, right) = (codes(1), Some(codes(2)));
        let case = Case { texts, left, right, count, condition, budget };
        prop_assume!(case.is_served());
        case.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn texts_longer_than_a_word(texts in texts(140, 8), count in count(), most in 0usize..3, budget in budget()) {
        Case::own(texts, count, Condition::Within(most), budget.max(2_000)).check();
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
    for count in counts() {
        for most in 0..4 {
            Case::own(all_texts(2, 6), count, Condition::Within(most), 1 << 20).check();
            Case::own(all_texts(3, 4), count, Condition::Within(most), 4_000).check();
        }
    }
}

#[test]
fn edges() {
    let a_lot = |case: Case| case.check();
    a_lot(Case::own(Vec::new(), EditCount::Levenshtein, Condition::Within(2), 1 << 20));
    a_lot(Case::own(vec![vec![]], EditCount::Osa, Condition::Within(2), 1 << 20));
    a_lot(Case::own(vec![vec![0]], EditCount::Osa, Condition::Within(2), 1 << 20));
    let runs = (1..40).map(|length| vec![3; length]).collect();
    a_lot(Case::own(runs, EditCount::Osa, Condition::Within(3), 1 << 20));
    let empty_side = Case {
        right: Some(Vec::new()),
        ..Case::own(all_texts(2, 3), EditCount::Levenshtein, Condition::Within(1), 1 << 20)
    };
    a_lot(empty_side.clone());
    a_lot(Case { left: Vec::new(), right: Some(empty_side.left.clone()), ..empty_side });
}

/// A heavy variant takes memory for its members, not for their pairs.
#[test]
fn heavy_variants_stay_within_the_budget() {
    let texts: Vec<Vec<u32>> = (0..2_000).map(|i| vec![1, 2, 3, 4, 5, 6, i % 40, i / 40]).collect();
    let case = Case::own(texts, EditCount::Levenshtein, Condition::Within(2), 200_000);
    let (found, work) = case.found(|code| code as u8);
    assert_eq!(found.len(), 2_000 * 2_001 / 2);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len());
    assert!(work.rounds > 1 && work.peak_bytes < 250_000, "{work:?}");
}

impl Case {
    fn estimate(&self) -> EditEstimate {
        let units: Vec<u8> = self.texts.iter().flatten().map(|&code| code as u8).collect();
        let ends: Vec<usize> =
            self.texts.iter().scan(0, |end, text| Some(*end + text.len()).inspect(|&e| *end = e)).collect();
        let most = |longest| self.condition.of_longer(longest);
        estimate(Strings::new(&units, &ends), (&self.left, self.right.as_deref()), most, self.budget)
    }

    /// The pairs of fitting lengths.
    fn band_pairs(&self) -> usize {
        let length = |code: &u32| Some(self.texts[*code as usize].len()).filter(|&length| length > 0);
        let lengths = |codes: &[u32]| codes.iter().filter_map(length).collect::<Vec<usize>>();
        let (left, right) = (lengths(&self.left), self.right.as_deref().map(lengths));
        let fits = |a: usize, b: usize| self.condition.of_longer(a.max(b)).is_some_and(|most| a.abs_diff(b) <= most);
        let partners = |at: usize| right.as_deref().unwrap_or(&left[at..]);
        (0..left.len()).map(|at| partners(at).iter().filter(|&&b| fits(left[at], b)).count()).sum()
    }
}

/// Texts of six and seven characters.
fn longer_texts() -> Vec<Vec<u32>> {
    all_texts(3, 7).into_iter().filter(|text| text.len() >= 6).collect()
}

#[test]
fn the_estimate_bounds_the_entries() {
    let case = Case::own(longer_texts(), EditCount::Levenshtein, Condition::Within(2), 1 << 24);
    let (work, estimate) = (case.found(|code| code as u8).1, case.estimate());
    assert!(work.entries as f64 <= estimate.entries && estimate.entries < 20.0 * work.entries as f64);
}

#[test]
fn slices_count_as_often_as_they_are_made() {
    let case = Case::own(longer_texts(), EditCount::Levenshtein, Condition::Within(2), 1 << 24);
    let whole = case.estimate().entries;
    let tight = Case { budget: 1 << 16, ..case };
    let slices = tight.estimate().entries / whole;
    assert!(slices > 10.0 && slices.fract() == 0.0, "{slices}");
}

#[test]
fn many_deletions_are_not_for_this_join() {
    let texts = all_texts(2, 7);
    for most in [100, usize::MAX] {
        let estimate = Case::own(texts.clone(), EditCount::Levenshtein, Condition::Within(most), 1 << 24).estimate();
        // All but the empty text.
        assert_eq!((estimate.entries, estimate.pairs), (f64::INFINITY, (254 * 255 / 2) as f64));
    }
    let text = |length: usize| (0..length).map(|i| (i % 7) as u32).collect::<Vec<u32>>();
    let lengths = |deletions: usize| {
        Case::own(vec![text(40)], EditCount::Levenshtein, Condition::Within(deletions), 1 << 24).estimate()
    };
    assert!(lengths(MOST_DELETIONS).entries.is_finite() && lengths(MOST_DELETIONS + 1).entries.is_infinite());
}

#[test]
fn long_texts_are_estimated_quickly() {
    let text = |length: u32| (0..length).map(|i| i % 7).collect::<Vec<u32>>();
    let texts: Vec<Vec<u32>> = (0..200).map(|i| text(20_000 - i)).collect();
    let start = std::time::Instant::now();
    let estimate =
        Case::own(texts, EditCount::Osa, Condition::Similar(EditFormula::Similarity, 0.05), 1 << 24).estimate();
    assert!(estimate.entries.is_infinite() && estimate.pairs == f64::from(200 * 201 / 2));
    assert!(start.elapsed().as_secs_f64() < 5.0, "{:?}", start.elapsed());
}

#[test]
fn few_texts_may_meet_at_tiny_variants() {
    let mut texts = longer_texts();
    let few = texts.len() / 100 - 1;
    let short = all_texts(3, 5).into_iter().filter(|text| text.len() == 5);
    texts.extend(short);
    texts.truncate(longer_texts().len() + few);
    let case = Case::own(texts, EditCount::Levenshtein, Condition::Within(2), 1 << 24);
    assert!(case.estimate().entries.is_finite());
    let shorter = all_texts(3, 5).into_iter().filter(|text| text.len() == 4);
    let more =
        Case::own([case.texts, shorter.collect()].concat(), EditCount::Levenshtein, Condition::Within(2), 1 << 24);
    assert!(more.estimate().entries.is_infinite());
    // Without edits, texts meet at themselves.
    assert!(Case { condition: Condition::Within(0), ..more }.estimate().entries.is_finite());
}

/// Nothing to enter is one worker's work.
#[test]
fn nothing_to_enter() {
    let texts: Vec<Vec<u32>> = (0..3000).map(|i| vec![i % 50, i / 50]).collect();
    let units: Vec<u8> = texts.iter().flatten().map(|&code| code as u8).collect();
    let ends: Vec<usize> = (1..=texts.len()).map(|n| 2 * n).collect();
    let codes: Vec<u32> = (0..3000).collect();
    let limits = EditLimits { of_longer: &|_| None, of_pair: &|_, _| None };
    let strings = Strings::new(&units, &ends);
    let mut join = EditJoin::new(strings, (&codes, None), EditCount::Levenshtein, &limits, 1 << 20);
    assert_eq!(join.workers().len(), 1);
    join.prepare(0);
    (0..join.tasks()).for_each(|task| join.run(task, &mut |_, _| panic!("no length allows a pair")));
}

proptest! {
    #[test]
    fn bands_are_counted(texts in texts(9, 30), sides in prop::collection::vec(0u8..4, 60), condition in condition()) {
        let codes = |side: u8| (0..texts.len() as u32).filter(|&code| sides[code as usize % 60] & side != 0).collect();
        let case = Case { left: codes(1), right: Some(codes(2)), ..Case::own(texts, EditCount::Levenshtein, condition, 1 << 20) };
        prop_assert_eq!(case.estimate().pairs, case.band_pairs() as f64);
        let own = Case { right: None, ..case };
        prop_assert_eq!(own.estimate().pairs, own.band_pairs() as f64);
    }
}
