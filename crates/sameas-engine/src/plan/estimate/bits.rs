//! Sets of sampled pairs.

use crate::records::stats::DRAWN_PAIRS;

/// Pairs in a sample at most.
pub const SAMPLED: usize = DRAWN_PAIRS;

const WORDS: usize = SAMPLED / 64;

/// Some pairs of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairBits([u64; WORDS]);

impl PairBits {
    /// The first `pairs` pairs.
    pub fn first(pairs: usize) -> Self {
        let mut bits = Self::default();
        (0..pairs).for_each(|at| bits.set(at));
        bits
    }

    /// Adds a pair.
    pub fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Whether a pair is in it.
    pub fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Those in both.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// Those in either.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// Those that are not in the other.
    #[must_use]
    pub fn and_not(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The pairs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..SAMPLED).filter(|at| self.get(*at))
    }
}
