//! Result pairs, as they travel from the verifier to the sorted output, and the scores that they carry.
//!
//! A [`Pair`] is two rows and the rule that owns it, a [`PairScore`] what it carries. [`PairsInOrder`] shows all pairs
//! of a run some at a time: the sorter has them, and whoever makes clusters or counts reads them there.

use crate::error::Result;

/// A pair that passed: rows of the left and the right table, and the rule that owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Pair {
    /// Row of the left record.
    pub l: u32,
    /// Row of the right record.
    pub r: u32,
    /// Index of the first rule that holds; certain ones come first.
    pub rule: u32,
}

impl Pair {
    /// Output order. No pair is emitted twice, so keys are distinct.
    #[inline]
    pub fn key(self) -> u64 {
        u64::from(self.l) << 32 | u64::from(self.r)
    }
}

/// The score that a pair carries, or that it has none. It is made once, by a pair stage or on a device, and is written as it
/// is: a match weight in bits, a weighted average, or what others have given. Eight bytes, because it is spilled with the pair.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct PairScore(f64);

impl PairScore {
    /// A pair without a score, as one of a certain rule to which others have given none.
    pub const NONE: Self = Self(f64::NAN);

    /// Bytes of a score.
    pub const BYTES: usize = size_of::<f64>();

    /// A score, which is a number.
    #[inline]
    pub fn new(score: f64) -> Self {
        debug_assert!(!score.is_nan(), "a score is a number");
        Self(score)
    }

    /// The score, if there is one.
    #[inline]
    pub fn get(self) -> Option<f64> {
        (!self.0.is_nan()).then_some(self.0)
    }

    /// As bytes, of which [`Self::of_bytes`] makes the same bits.
    #[inline]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        self.0.to_le_bytes()
    }

    /// Of [`Self::BYTES`] bytes.
    #[inline]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut eight = [0; Self::BYTES];
        eight.copy_from_slice(bytes);
        Self(f64::from_le_bytes(eight))
    }
}

/// Bit by bit: what was carried is what was made.
impl PartialEq for PairScore {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

/// Pairs one after the other, with the scores that they carry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultPairs {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// The score of each; empty where nothing is scored.
    pub scores: Vec<PairScore>,
}

impl ResultPairs {
    /// Removes all pairs, and keeps the memory.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.scores.clear();
    }

    /// The score of each pair, none for one without; nothing at all where nothing is scored.
    #[inline]
    pub fn numbers(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.scores.iter().map(|score| score.get())
    }
}

/// All pairs of a run with the scores that they carry. They may be more than fit the memory, so they are shown some at a time,
/// as often as they are asked for.
pub trait PairsInOrder: Sync {
    /// How many there are.
    fn count(&self) -> u64;

    /// Shows them in order, by left and then by right row.
    fn in_order(&self, take: &mut dyn FnMut(&ResultPairs) -> Result<()>) -> Result<()>;

    /// Shows them in any order, to all threads at once.
    fn in_any_order(&self, take: &(dyn Fn(&ResultPairs) -> Result<()> + Sync)) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_keeps_its_bits() {
        for score in [0.0, -0.0, 1.0 / 3.0, -1024.0, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY] {
            let back = PairScore::of_bytes(&PairScore::new(score).to_bytes());
            assert_eq!(back.get().map(f64::to_bits), Some(score.to_bits()));
        }
        let none = PairScore::of_bytes(&PairScore::NONE.to_bytes());
        assert_eq!((none, none.get()), (PairScore::NONE, None));
    }
}
