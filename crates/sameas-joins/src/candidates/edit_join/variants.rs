//! The hashes of what is left of a text after some of its characters are deleted.
//!
//! The hash of a text is multilinear: the sum of (code + 1) x key(position), modulo 2^64, with a random key a position
//! (Carter and Wegman 1979; Lemire and Kaser 2014). Deleting the character at `i` as the s-th deletion of a text moves
//! everything after it one place to the left, so that with prefix sums for every shift a deletion adds one number that
//! depends on `s` and `i` alone, and a variant costs one addition.
//!
//! Each distinct variant is produced once, by its leftmost embedding: a text is a subsequence of another in a leftmost
//! way if every kept character is the first of its kind after the one kept before it, so no block of deleted characters
//! may contain the kept character that follows it. Every subsequence has exactly one such embedding.
//!
//! Deletions are chosen from left to right, one level of recursion each, and only where the characters after it suffice
//! for those still to come.

use crate::measure::Unit;

/// How many hashes are handed over at a time: they stay in the nearest cache.
const HANDFUL: usize = 1024;

/// The hash of the empty text.
const EMPTY: u64 = 0;

/// The random key of each position, for hashing texts up to some length.
pub(super) struct VariantKeys(Vec<u64>);

impl VariantKeys {
    /// Keys for texts of up to `longest` characters.
    pub(super) fn new(longest: usize) -> Self {
        VariantKeys((0..longest as u64).map(mix).collect())
    }

    /// What a character at a position adds to the hash.
    #[inline]
    pub(super) fn term<U: Unit>(&self, position: usize, code: U) -> u64 {
        term(code, self.0[position])
    }
}

#[inline]
fn term<U: Unit>(code: U, key: u64) -> u64 {
    let code: u32 = code.into();
    (u64::from(code) + 1).wrapping_mul(key)
}

/// The finaliser of Stafford's variant 13 over a counter (Steele, Lea and Flood 2014).
fn mix(counter: u64) -> u64 {
    let mut x = (counter + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// Produces the variants of one text after the other in reused memory.
pub(super) struct Variants<'k> {
    keys: &'k VariantKeys,
    /// For each number of earlier deletions, the sums of the terms before each position.
    sums: Vec<Vec<u64>>,
    /// For each number of earlier deletions, what deleting a position adds.
    gains: Vec<Vec<u64>>,
    /// What the last deletion adds, at the positions where it may stand alone: those whose next character differs.
    alone: Vec<u64>,
    /// How many of those positions lie before each position.
    alone_before: Vec<u32>,
    out: Vec<u64>,
}

impl<'k> Variants<'k> {
    pub(super) fn new(keys: &'k VariantKeys) -> Self {
        let none = Vec::new();
        Variants { keys, sums: none, gains: Vec::new(), alone: Vec::new(), alone_before: Vec::new(), out: Vec::new() }
    }

    /// Hands `take` the hashes of all distinct variants of `text` with each of these numbers of deletions, in handfuls.
    /// No number exceeds the length of the text.
    pub(super) fn each<U: Unit>(&mut self, text: &[U], deletions: &[usize], mut take: impl FnMut(&mut Vec<u64>)) {
        let Some(&most) = deletions.iter().max() else { return };
        self.prepare(text, most);
        for &count in deletions {
            if count == 0 {
                self.out.push(self.sums[0][text.len()]);
            } else if count == text.len() {
                self.out.push(EMPTY);
            } else {
                self.prepare_last(text, count);
                let mut walk = VariantWalk { text, count, of: self, take: &mut take };
                walk.step(0, 0, 0, 0);
            }
        }
        take(&mut self.out);
        self.out.clear();
    }

    fn prepare<U: Unit>(&mut self, text: &[U], most: usize) {
        self.sums.resize_with((most + 1).max(self.sums.len()), Vec::new);
        self.gains.resize_with(most.max(self.gains.len()), Vec::new);
        for (shift, sums) in self.sums[..=most].iter_mut().enumerate() {
            sums.clear();
            sums.resize(shift + 1, 0);
            let mut sum = 0u64;
            sums.extend(text[shift..].iter().zip(&self.keys.0).map(|(&code, key)| {
                sum = sum.wrapping_add(term(code, *key));
                sum
            }));
        }
        for (earlier, gains) in self.gains[..most].iter_mut().enumerate() {
            let (before, behind) = (&self.sums[earlier], &self.sums[earlier + 1]);
            gains.clear();
            gains.extend(before.iter().zip(&behind[1..]).map(|(before, behind)| before.wrapping_sub(*behind)));
        }
    }

    /// Lists the last of `count` deletions, with the sum over the whole text included.
    fn prepare_last<U: Unit>(&mut self, text: &[U], count: usize) {
        let whole = self.sums[count][text.len()];
        self.alone.clear();
        self.alone_before.clear();
        for (i, &gain) in self.gains[count - 1].iter().enumerate() {
            self.alone_before.push(self.alone.len() as u32);
            if text.get(i + 1) != Some(&text[i]) {
                self.alone.push(gain.wrapping_add(whole));
            }
        }
        self.alone_before.push(self.alone.len() as u32);
    }
}

/// The choice of the positions to delete, from left to right.
struct VariantWalk<'w, 'k, U, F> {
    text: &'w [U],
    count: usize,
    of: &'w mut Variants<'k>,
    take: &'w mut F,
}

impl<U: Unit, F: FnMut(&mut Vec<u64>)> VariantWalk<'_, '_, U, F> {
    /// Goes on after `done` deletions that sum up to `hash`: all before `from` is decided, and the characters from
    /// `block` to `from` are the block of deleted ones that ends there (empty before the first deletion). From
    /// `from` on there are at least as many characters as deletions to come, of which there is one at least.
    fn step(&mut self, done: usize, from: usize, block: usize, hash: u64) {
        let mut fresh = from;
        if block < from {
            self.extend_block(done, from, block, hash);
            if self.text[block..from].contains(&self.text[from]) {
                return;
            }
            fresh = from + 1;
        }
        if done + 1 == self.count {
            return self.finish(fresh, hash);
        }
        let to_come = self.count - done - 1;
        for at in fresh..self.text.len() - to_come {
            self.step(done + 1, at + 1, at, hash.wrapping_add(self.of.gains[done][at]));
        }
    }

    /// Deletes the character at `at` too, right after a block.
    fn extend_block(&mut self, done: usize, at: usize, block: usize, hash: u64) {
        let longer = hash.wrapping_add(self.of.gains[done][at]);
        if done + 1 < self.count {
            return self.step(done + 1, at + 1, block, longer);
        }
        let next = self.text.get(at + 1);
        if next.is_none_or(|next| !self.text[block..=at].contains(next)) {
            self.of.out.push(longer.wrapping_add(self.of.sums[self.count][self.text.len()]));
        }
    }

    /// Makes the last deletion, apart from the ones before, at every place from `from` on.
    fn finish(&mut self, from: usize, hash: u64) {
        let last = &self.of.alone[self.of.alone_before[from] as usize..];
        self.of.out.extend(last.iter().map(|gain| gain.wrapping_add(hash)));
        if self.of.out.len() >= HANDFUL {
            (self.take)(&mut self.of.out);
            self.of.out.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn subsequences(text: &[u16], deletions: usize) -> BTreeSet<Vec<u16>> {
        let mut all = BTreeSet::from([text.to_vec()]);
        for _ in 0..deletions {
            let shorter = |text: &Vec<u16>| (0..text.len()).map(|at| [&text[..at], &text[at + 1..]].concat()).collect();
            all = all.iter().flat_map(|text| -> Vec<Vec<u16>> { shorter(text) }).collect();
        }
        all
    }

    fn hash(keys: &VariantKeys, text: &[u16]) -> u64 {
        text.iter().enumerate().fold(0, |hash, (at, &code)| hash.wrapping_add(keys.term(at, code)))
    }

    proptest! {
        #[test]
        fn every_distinct_subsequence_once(text in prop::collection::vec(0u16..3, 1..12), most in 0usize..13) {
            let keys = VariantKeys::new(12);
            let deletions: Vec<usize> = (0..=most.min(text.len())).rev().collect();
            let mut found = Vec::new();
            Variants::new(&keys).each(&text, &deletions, |hashes| found.extend_from_slice(hashes));
            let all = deletions.iter().flat_map(|&count| subsequences(&text, count));
            let mut expected: Vec<u64> = all.map(|left| hash(&keys, &left)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn long_texts_come_in_handfuls() {
        let text: Vec<u16> = (0..300).map(|i| i * 7 % 31).collect();
        let keys = VariantKeys::new(300);
        let mut found = Vec::new();
        Variants::new(&keys).each(&text, &[2], |hashes| {
            assert!(hashes.len() < HANDFUL + 2 * text.len());
            found.extend_from_slice(hashes);
        });
        let expected: BTreeSet<u64> = subsequences(&text, 2).iter().map(|left| hash(&keys, left)).collect();
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.into_iter().collect::<BTreeSet<u64>>(), expected);
    }
}
