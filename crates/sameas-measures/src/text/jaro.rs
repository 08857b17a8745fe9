//! Jaro similarity: how many characters two strings share at nearby places, and how many of these are out of order.
//!
//! By definition each character of one string, from left to right, takes the first free equal character of the other
//! within the window. For one character alone the windows move to the right together, so the takers and the taken
//! positions both increase: the matching is the merge of two sorted lists of positions. Two things follow. It does not
//! matter which string does the taking, hence the measure is symmetric. And a list of positions for each character
//! yields the matching in linear time, whatever the width of the window; this is used for strings longer than one
//! machine word.

use crate::measure::bit_parallel::{Masks, WORD, fill};
use crate::measure::char_table::CharTable;
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NEAR_TEXTS};
use crate::measure::facts::{IF_EMPTY, MeasureChain, MeasureFacts, MeasureWords};
use crate::measure::{Pattern, Unit};
use std::cell::RefCell;

/// What is known of `jaro`. Quotients of a number by a larger one do not exceed 1, nor does a third of three of them.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "jaro",
    also: &[],
    signature: "jaro(a, b)",
    meaning: "Jaro similarity, from 0 to 1: characters in common that are not far apart",
    null: IF_EMPTY,
    example: ["jaro('Martha', 'Marhta')", "0.9444444444444445"],
})
.at(MeasureChain::Jaro, 0);

/// What it takes.
pub const COUNT: CountFacts = CountFacts {
    name: "jaro",
    cost: CheckCost {
        core: [2.3, 72.0, 1.1],
        filter: [5.7, 5.6, 7.8],
        gpu: [1.07, 2.16, 0.0, 11.8],
        usual: [1.0, NEAR_TEXTS, NEAR_TEXTS * 32.0],
    },
    steps,
    on_device: DeviceForm { words: DeviceWords::ForStripes(2), is_dense: true },
};

/// For long texts, lists of positions replace the machine word.
pub(super) fn steps(x: usize, y: usize, _most: usize) -> usize {
    (x + y) * if x.max(y) <= WORD { 1 } else { 4 }
}

/// The integers that determine a Jaro similarity, besides the lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JaroCounts {
    /// The number of matched characters.
    pub matches: usize,
    /// Half the number of places at which the matched characters of the two strings differ, rounded down.
    pub transpositions: usize,
}

/// The Jaro similarity of two non-empty strings.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    let counts = counts(a, b);
    from_counts(a.len(), b.len(), counts.matches, counts.transpositions)
}

/// The similarity if it is at least `threshold`.
pub fn similarity_at_least<U: Unit>(a: &impl Pattern<U>, b: &[U], threshold: f64) -> Option<f64> {
    // Rounded division and addition keep the order of their operands, so the formula with as many matches or more, all
    // in order, is no less than the similarity, to the last bit.
    let (x, y) = (a.codes().len(), b.len());
    let enough = |matches| from_counts(x, y, matches, 0) >= threshold;
    if !enough(x.min(y)) {
        return None;
    }
    let counts = pattern_counts_if(a, b, enough)?;
    Some(from_counts(x, y, counts.matches, counts.transpositions)).filter(|&value| value >= threshold)
}

/// The formula: `(m/|a| + m/|b| + (m-t)/m) / 3`, or 0 without matches.
#[inline]
pub fn from_counts(len_a: usize, len_b: usize, matches: usize, transpositions: usize) -> f64 {
    if matches == 0 {
        return 0.0;
    }
    let m = matches as f64;
    (m / len_a as f64 + m / len_b as f64 + (matches - transpositions) as f64 / m) / 3.0
}

/// How far apart matching characters may lie: `max(length) / 2 - 1`, at least 0.
#[inline]
pub fn window(len_a: usize, len_b: usize) -> usize {
    (len_a.max(len_b) / 2).saturating_sub(1)
}

/// The matches and transpositions of two non-empty strings.
pub fn counts<U: Unit>(a: &[U], b: &[U]) -> JaroCounts {
    counts_if(a, b, |_| true).unwrap_or(JaroCounts { matches: 0, transpositions: 0 })
}

/// The same if the number of matches is `enough`; transpositions are counted only then.
pub fn counts_if<U: Unit>(a: &[U], b: &[U], enough: impl Fn(usize) -> bool) -> Option<JaroCounts> {
    debug_assert!(!a.is_empty() && !b.is_empty());
    if a.len().max(b.len()) > WORD {
        return by_lists(a, b, enough);
    }
    // The longer one goes into the table: a step along the other takes longer than an entry.
    let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
    thread_local! {
        static MASKS: RefCell<Masks> = const { RefCell::new(Masks::new(0)) };
    }
    MASKS.with_borrow_mut(|masks| {
        fill(masks, a);
        let counts = one_word(masks, a, b, enough);
        masks.clear(a);
        counts
    })
}

/// The same where `a` may be prepared.
#[inline]
pub fn pattern_counts_if<U: Unit>(a: &impl Pattern<U>, b: &[U], enough: impl Fn(usize) -> bool) -> Option<JaroCounts> {
    match a.table() {
        Some(masks) if b.len() <= WORD => one_word(masks, a.codes(), b, enough),
        _ => counts_if(a.codes(), b, enough),
    }
}

/// The counts of two strings of at most 64 characters, `a` entered in `masks`, if their matches are `enough`.
fn one_word<U: Unit>(masks: &Masks, a: &[U], b: &[U], enough: impl Fn(usize) -> bool) -> Option<JaroCounts> {
    let window = window(a.len(), b.len());
    let (mut free_a, mut matched_b, mut place_b) = (!0u64, 0u64, 1u64);
    // The window starts with what lies at or after position 0, grows to its full width, then moves on. Two shifts,
    // because a window may span the whole word.
    let mut within = !(!0 << window << 1);
    for (j, &code) in b.iter().enumerate() {
        let candidates = masks.get(code) & within & free_a;
        free_a ^= candidates & candidates.wrapping_neg();
        matched_b |= if candidates != 0 { place_b } else { 0 };
        place_b <<= 1;
        within = within << 1 | u64::from(j < window);
    }
    let matches = matched_b.count_ones() as usize;
    enough(matches).then(|| JaroCounts { matches, transpositions: out_of_order(a, b, !free_a, matched_b) / 2 })
}

fn out_of_order<U: Unit>(a: &[U], b: &[U], mut matched_a: u64, mut matched_b: u64) -> usize {
    let mut differing = 0;
    while matched_a != 0 {
        let (i, j) = (matched_a.trailing_zeros() as usize, matched_b.trailing_zeros() as usize);
        differing += usize::from(a[i] != b[j]);
        matched_a &= matched_a - 1;
        matched_b &= matched_b - 1;
    }
    differing
}

/// For each character the list of its places in `b`: the first in a table, each next one stored at its predecessor.
/// Places count from 1; 0 ends a list.
struct PositionLists {
    first: CharTable<u32>,
    next: Vec<u32>,
    matched_a: Vec<u32>,
    matched_b: Vec<bool>,
}

fn by_lists<U: Unit>(a: &[U], b: &[U], enough: impl Fn(usize) -> bool) -> Option<JaroCounts> {
    thread_local! {
        static LISTS: RefCell<PositionLists> = const {
            RefCell::new(PositionLists::new())
        };
    }
    LISTS.with_borrow_mut(|lists| {
        lists.enter(b);
        let counts = lists.counts(a, b, enough);
        lists.first.clear(b);
        counts
    })
}

impl PositionLists {
    const fn new() -> Self {
        PositionLists { first: CharTable::new(0), next: Vec::new(), matched_a: Vec::new(), matched_b: Vec::new() }
    }

    fn enter<U: Unit>(&mut self, b: &[U]) {
        self.next.clear();
        self.next.resize(b.len() + 1, 0);
        self.matched_b.clear();
        self.matched_b.resize(b.len() + 1, false);
        for (j, &code) in b.iter().enumerate().rev() {
            let first = self.first.slot(code);
            self.next[j + 1] = *first;
            *first = j as u32 + 1;
        }
    }

    fn counts<U: Unit>(&mut self, a: &[U], b: &[U], enough: impl Fn(usize) -> bool) -> Option<JaroCounts> {
        let window = window(a.len(), b.len());
        self.matched_a.clear();
        for (i, &code) in a.iter().enumerate() {
            let first = self.first.get(code) as usize;
            if first != 0 {
                *self.first.slot(code) = self.take(first, i, window) as u32;
            }
        }
        let matches = self.matched_a.len();
        if !enough(matches) {
            return None;
        }
        let places_b = (0..b.len()).filter(|&j| self.matched_b[j + 1]);
        let differing = self.matched_a.iter().zip(places_b).filter(|&(&i, j)| a[i as usize] != b[j]).count();
        Some(JaroCounts { matches, transpositions: differing / 2 })
    }

    /// Matches position `i` of `a` with the first place of the list that lies in its window, if there is one, and
    /// returns what remains of the list. Places left of the window are of no use to later positions either.
    #[inline]
    fn take(&mut self, mut place: usize, i: usize, window: usize) -> usize {
        while place != 0 && place + window < i + 1 {
            place = self.next[place] as usize;
        }
        if place == 0 || place > i + 1 + window {
            return place;
        }
        self.matched_a.push(i as u32);
        self.matched_b[place] = true;
        self.next[place] as usize
    }
}

/// The definition: greedy matching with a flag for every taken character.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> f64 {
    let counts = reference_counts(a, b);
    from_counts(a.len(), b.len(), counts.matches, counts.transpositions)
}

/// The counts by definition.
pub fn reference_counts<U: Unit>(a: &[U], b: &[U]) -> JaroCounts {
    let window = window(a.len(), b.len());
    let mut taken = vec![false; b.len()];
    let mut from_a = Vec::new();
    for (i, x) in a.iter().enumerate() {
        let nearby = i.saturating_sub(window)..b.len().min(i + window + 1);
        if let Some(j) = nearby.into_iter().find(|&j| !taken[j] && b[j] == *x) {
            taken[j] = true;
            from_a.push(*x);
        }
    }
    let from_b = b.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(y, _)| *y);
    let differing = from_a.iter().zip(from_b).filter(|(x, y)| *x != y).count();
    JaroCounts { matches: from_a.len(), transpositions: differing / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::{EDGE_LENGTHS, all_strings, each_width, edge_strings, string_pair};
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        let list: [(&str, &str, f64); 8] = [
            ("MARTHA", "MARHTA", 17.0 / 18.0),
            ("DIXON", "DICKSONX", 23.0 / 30.0),
            ("DWAYNE", "DUANE", 37.0 / 45.0),
            ("CRATE", "TRACE", 11.0 / 15.0),
            ("JELLYFISH", "SMELLYFISH", 121.0 / 135.0),
            ("abc", "xyz", 0.0),
            ("a", "a", 1.0),
            ("a", "b", 0.0),
        ];
        for (a, b, expected) in list {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            assert!((similarity(a, b) - expected).abs() < 1e-12, "{a:?} {b:?} {}", similarity(a, b));
            assert_eq!(similarity(a, b).to_bits(), reference(a, b).to_bits());
        }
    }

    #[test]
    fn the_window_of_short_strings_is_zero() {
        assert_eq!(similarity(b"ab", b"ba"), 0.0);
        assert_eq!(similarity(b"abc", b"bca"), 0.0);
        assert_eq!(counts(b"ab", b"a"), JaroCounts { matches: 1, transpositions: 0 });
    }

    #[test]
    fn equals_the_definition_for_all_short_strings() {
        let strings = &all_strings(3, 5)[1..];
        for (a, b) in strings.iter().flat_map(|a| strings.iter().map(move |b| (a, b))) {
            assert_eq!(counts(a, b), reference_counts(a, b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn equals_the_definition_around_word_borders() {
        for (len_a, len_b) in EDGE_LENGTHS.iter().flat_map(|&a| EDGE_LENGTHS.map(|b| (a, b))) {
            for alphabet in [1, 2, 26, 1000] {
                let (a, b) = edge_strings(len_a, len_b, alphabet);
                each_width!(a, b, |a, b| assert_eq!(counts(a, b), reference_counts(a, b), "{a:?} {b:?}"));
            }
        }
    }

    proptest! {
        #[test]
        fn equals_the_definition((a, b) in string_pair(300)) {
            each_width!(a, b, |a, b| {
                prop_assert_eq!(counts(a, b), reference_counts(a, b));
                prop_assert_eq!(by_lists(a, b, |_| true), Some(reference_counts(a, b)));
                prop_assert_eq!(counts_if(a, b, |m| m > 3), Some(counts(a, b)).filter(|c| c.matches > 3));
            });
        }

        #[test]
        fn symmetric_and_cut_off_exactly((a, b) in string_pair(80), threshold in 0.0..1.0f64) {
            let value = similarity(&a, &b);
            prop_assert_eq!(value.to_bits(), similarity(&b, &a).to_bits());
            for threshold in [threshold, value, value.next_up(), 1.0] {
                prop_assert_eq!(similarity_at_least(&&a[..], &b, threshold), Some(value).filter(|&v| v >= threshold));
            }
        }
    }
}
