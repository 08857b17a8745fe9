//! Similarity by the longest common subsequence: how much of the longer string both have in the same order.
//!
//! With L the length of a longest common subsequence, what is counted is what the longer string has besides,
//! max(|a|, |b|) - L (`LCSseq.distance` of RapidFuzz), so that it is a number of edits as others are: 0 for equal strings,
//! and at most the longer length.
//!
//! Bounds, without loss:
//! 1. A common subsequence pairs equal characters, each used once: L is at most the multiset intersection of the characters
//!    and at most the shorter length. So with at most k left out, both are at least max(|a|, |b|) - k, which is what
//!    sameas-joins/src/threshold/text_predicate.rs asks of signatures and lengths.
//! 2. At most k are left out exactly where both strings have a common subsequence of max(|a|, |b|) - k characters. That is
//!    where the variants of the index of edits meet, so it finds all such pairs, and none but those whose hashes collide.
//!
//! The bit-parallel form (Crochemore, Iliopoulos, Pinzon and Reid 2001; Hyyrö 2004): one string, the pattern, runs down the
//! rows of the matrix of lengths, and a column is one bit for each row, zero where the length is one more than in the row
//! above. A step to the next column adds the rows that equal its character, and the carry moves each zero to the first such
//! row after it. More than 64 rows are cut into stripes, which hand on one carry for each column.

use crate::measure::affix::strip;
use crate::measure::bit_parallel::{Masks, WORD, fill};
use crate::measure::cost::{CheckCost, CountFacts, DeviceForm, DeviceWords, NEAR_TEXTS};
use crate::measure::facts::{IF_EMPTY, MeasureFacts, MeasureWords};
use crate::measure::{Pattern, Unit};
use std::cell::RefCell;

/// What is known of `lcs_similarity`. A quotient of a number by one that is no less does not exceed 1. In real numbers it
/// is never below `levenshtein_similarity`, but that one is rounded twice.
pub const SIMILARITY: MeasureFacts = MeasureFacts::similarity(MeasureWords {
    name: "lcs_similarity",
    also: &[],
    signature: "lcs_similarity(a, b)",
    meaning: "length of the longest common subsequence / longer length, from 0 to 1: characters that both have in one order",
    null: IF_EMPTY,
    example: ["lcs_similarity('data base', 'database')", "0.8888888888888888"],
})
.telling_equality();

/// What it takes: the figures of `levenshtein`, whose steps are a little longer.
pub const COUNT: CountFacts = CountFacts {
    name: "lcs",
    cost: CheckCost {
        core: [2.3, 43.0, 1.05],
        filter: [5.2, 4.5, 6.6],
        gpu: [1.42, 0.731, 0.0, 1.56],
        usual: [1.0, NEAR_TEXTS, NEAR_TEXTS * 32.0],
    },
    steps,
    on_device: DeviceForm { words: DeviceWords::ForStripes(1), is_dense: true },
};

/// One string is entered into a table, and the other passes each of its stripes.
fn steps(x: usize, y: usize, _most: usize) -> usize {
    x.max(y) + x.max(y).div_ceil(WORD) * x.min(y)
}

/// What a longest common subsequence leaves out of the longer string.
pub fn distance<U: Unit>(a: &[U], b: &[U]) -> usize {
    let longest = a.len().max(b.len());
    distance_within(a, b, longest).unwrap_or(longest)
}

/// The same if it is at most `max`.
pub fn distance_within<U: Unit>(a: &[U], b: &[U], max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    // A common prefix and a common suffix are parts of some longest common subsequence: where it pairs one of two equal
    // first characters with another one, it may as well pair them with each other.
    let (a, b) = strip(a, b);
    let longest = a.len().max(b.len());
    if a.is_empty() || b.is_empty() {
        return Some(longest);
    }
    thread_local! {
        static SCRATCH: RefCell<LcsScratch> = const { RefCell::new(LcsScratch::new()) };
    }
    let least = longest.saturating_sub(max);
    let (pattern, text) = if word_steps(a, b) <= word_steps(b, a) { (a, b) } else { (b, a) };
    let common = SCRATCH.with_borrow_mut(|LcsScratch { masks, carries }| {
        if pattern.len() > WORD {
            return stripes(masks, carries, pattern, text, least);
        }
        fill(masks, pattern);
        let common = one_word(masks, pattern.len(), text, least);
        masks.clear(pattern);
        common
    });
    common.map(|common| longest - common)
}

/// The same where `a` may be prepared.
#[inline]
pub fn pattern_within<U: Unit>(a: &impl Pattern<U>, b: &[U], max: usize) -> Option<usize> {
    let Some(masks) = a.table() else { return distance_within(a.codes(), b, max) };
    let (x, y) = (a.codes().len(), b.len());
    if x.abs_diff(y) > max {
        return None;
    }
    one_word(masks, x, b, x.max(y).saturating_sub(max)).map(|common| x.max(y) - common)
}

/// The similarity where so much is left out of the longer string.
#[inline]
pub fn from_distance(distance: usize, longest: usize) -> f64 {
    (longest - distance) as f64 / longest as f64
}

/// The similarity of strings that are not both empty.
pub fn similarity<U: Unit>(a: &[U], b: &[U]) -> f64 {
    debug_assert!(!a.is_empty() || !b.is_empty());
    from_distance(distance(a, b), a.len().max(b.len()))
}

struct LcsScratch {
    masks: Masks,
    /// By column: what the stripe above hands on.
    carries: Vec<u8>,
}

impl LcsScratch {
    const fn new() -> Self {
        LcsScratch { masks: Masks::new(0), carries: Vec::new() }
    }
}

/// The number of word steps with this choice of pattern and text.
fn word_steps<U: Unit>(pattern: &[U], text: &[U]) -> usize {
    pattern.len().div_ceil(WORD) * text.len()
}

/// The columns between two looks at what can still be reached.
const STRIDE: usize = 16;

/// The length of a longest common subsequence with a pattern of 1 to 64 characters, entered in `masks`, if it is at least
/// `least`.
fn one_word<U: Unit>(masks: &Masks, rows: usize, text: &[U], least: usize) -> Option<usize> {
    let (mut column, mut left, mut common) = (!0_u64, text.len(), 0);
    for piece in text.chunks(STRIDE) {
        for &code in piece {
            let equal = column & masks.get(code);
            column = column.wrapping_add(equal) | (column & !equal);
        }
        left -= piece.len();
        common = zeros(column, rows);
        // Each remaining column adds at most one.
        if common + left < least {
            return None;
        }
    }
    Some(common)
}

/// The same for a pattern of any length.
fn stripes<U: Unit>(
    masks: &mut Masks,
    carries: &mut Vec<u8>,
    pattern: &[U],
    text: &[U],
    least: usize,
) -> Option<usize> {
    carries.clear();
    carries.resize(text.len(), 0);
    let (mut common, mut left) = (0, pattern.len());
    for rows in pattern.chunks(WORD) {
        fill(masks, rows);
        common += scan_stripe(masks, rows.len(), text, carries);
        masks.clear(rows);
        left -= rows.len();
        // Each remaining row adds at most one.
        if common + left < least {
            return None;
        }
    }
    Some(common)
}

/// Scans one stripe and replaces the carries into it by those out of it; returns by how much it is longer at its bottom.
fn scan_stripe<U: Unit>(masks: &Masks, rows: usize, text: &[U], carries: &mut [u8]) -> usize {
    let mut column = !0_u64;
    for (&code, carry) in text.iter().zip(carries) {
        let equal = column & masks.get(code);
        let (sum, is_over) = column.overflowing_add(equal);
        let (sum, is_over_by_carry) = sum.overflowing_add(u64::from(*carry));
        column = sum | (column & !equal);
        *carry = u8::from(is_over | is_over_by_carry);
    }
    zeros(column, rows)
}

/// The zeros of a column among its rows.
#[inline(always)]
fn zeros(column: u64, rows: usize) -> usize {
    (!column & (!0_u64 >> (WORD - rows))).count_ones() as usize
}

/// The definition: the matrix of the lengths of longest common subsequences, row by row.
pub fn reference<U: Unit>(a: &[U], b: &[U]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let above = row.clone();
        for (j, y) in b.iter().enumerate() {
            row[j + 1] = if x == y { above[j] + 1 } else { above[j + 1].max(row[j]) };
        }
    }
    a.len().max(b.len()) - row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::testing::edit_distance_tests;

    #[test]
    fn known_answers() {
        let list: [(&str, &str, usize); 8] = [
            ("AGGTAB", "GXTXAYB", 3),
            ("XMJYAUZ", "MZJAWXU", 3),
            ("kitten", "sitting", 3),
            ("data base", "database", 1),
            ("ab", "ba", 1),
            ("abc", "xyz", 3),
            ("", "ab", 2),
            ("same", "same", 0),
        ];
        for (a, b, expected) in list {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
            assert_eq!(reference(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
        assert_eq!(similarity(b"data base", b"database"), 8.0 / 9.0);
        assert_eq!((similarity(b"ab", b"xyz"), similarity(b"ab", b"ab")), (0.0, 1.0));
    }

    edit_distance_tests!();
}
