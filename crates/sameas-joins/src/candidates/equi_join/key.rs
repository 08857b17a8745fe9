//! Keys and how their hash is spent: the top bits choose the round, then the partition, then the slot of a table.

use std::fmt::Debug;

use bytemuck::Pod;

use crate::candidates::mix::mix;

/// A join key: `u32` or `u64`.
pub trait Key: Pod + Eq + Default + Send + Sync + sealed::Sealed {
    /// What fills up a tuple of this key and a payload of 32 bits, which else would have padding.
    type Rest: Pod + Eq + Default + Debug + Send + Sync;

    /// True where [`tag`](Self::tag) alone distinguishes two keys.
    const TAG_IS_KEY: bool;

    /// A mixed hash; different keys have different hashes, because every step of the mix can be undone.
    fn hash(self) -> u64;

    /// 32 bits kept with a table entry: the key where it fits, else bits of the hash.
    fn tag(self) -> u32;
}

impl Key for u32 {
    type Rest = ();

    const TAG_IS_KEY: bool = true;

    #[inline(always)]
    fn hash(self) -> u64 {
        mix(u64::from(self))
    }

    #[inline(always)]
    fn tag(self) -> u32 {
        self
    }
}

impl Key for u64 {
    type Rest = u32;

    const TAG_IS_KEY: bool = false;

    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self)
    }

    /// The low bits of the hash: the high ones have chosen partition and slot, so neighbours in a table share them.
    #[inline(always)]
    fn tag(self) -> u32 {
        mix(self) as u32
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
}

/// How keys are divided into rounds and, within a round, into partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashSplit {
    /// Rounds: each takes the keys of one range of hashes.
    pub rounds: u32,
    /// Binary logarithm of the number of partitions of a round.
    pub bits: u32,
}

impl HashSplit {
    /// Number of partitions of a round.
    pub fn partitions(self) -> usize {
        1 << self.bits
    }

    /// The round of a hash, and what is left of the hash within the round: the two halves of a product, so that any
    /// number of rounds divides the hashes evenly and the rest is again spread over 64 bits.
    #[inline(always)]
    pub fn round(self, hash: u64) -> (u32, u64) {
        let product = u128::from(hash) * u128::from(self.rounds);
        ((product >> 64) as u32, product as u64)
    }

    /// The partition of a hash, given what [`round`](Self::round) left.
    #[inline(always)]
    pub fn partition(self, rest: u64) -> usize {
        (rest >> 1 >> (63 - self.bits)) as usize
    }

    /// What is left of a hash within its partition.
    #[inline(always)]
    pub fn within(self, hash: u64) -> u64 {
        self.round(hash).1 << self.bits
    }
}
