//! Whether a tuple was seen: a bit for each tuple that there can be, where these are not too many, else hashed tuples.
//! All threads insert at once.

mod bits;
mod hashed;

use rayon::prelude::*;

pub use bits::TupleBits;
pub use hashed::{HashedTuples, Pending};

use super::store::{BLOCK, TupleStore};
use crate::cancel::{Cancel, or_end};
use crate::error::Result;
use crate::memory::MemoryBudget;

/// Bits take at most this share of the memory that is left.
const SHARE: usize = 4;
/// A set is made of bits at once if these take no more bytes than this.
const SMALL: usize = 32 << 20;
/// A hashed tuple takes about this many bytes: a set is turned into bits when that takes no more than twice what its
/// tuples take.
const HASHED_BYTES: u64 = 16;

/// The tuples that a relation has.
pub enum TupleSet {
    /// A bit each.
    Bits(TupleBits),
    /// One or two columns.
    Narrow(HashedTuples<u64>),
    /// Three or four columns.
    Wide(HashedTuples<u128>),
}

impl TupleSet {
    /// A set for what is in `store`, with what is in it.
    pub fn from_store(store: &TupleStore, domains: &[u64], budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<Self> {
        let set = match bytes_of_bits(domains).filter(|bytes| suits(*bytes, store.len(), budget)) {
            Some(_) => Self::Bits(TupleBits::new(domains, budget)?),
            None if domains.len() <= 2 => Self::Narrow(HashedTuples::new(budget)?),
            None => Self::Wide(HashedTuples::new(budget)?),
        };
        set.insert_all(store, cancel);
        Ok(set)
    }

    /// Whether bits would now suit better what is in `store`.
    pub fn is_outgrown(&self, store: &TupleStore, domains: &[u64], budget: &MemoryBudget) -> bool {
        !matches!(self, Self::Bits(_)) && bytes_of_bits(domains).is_some_and(|bytes| suits(bytes, store.len(), budget))
    }

    fn insert_all(&self, store: &TupleStore, cancel: Cancel<'_>) {
        store.blocks(store.range()).par_iter().for_each(|block| {
            cancel.check();
            match self {
                Self::Bits(bits) => bits.insert_all(block.columns()),
                Self::Narrow(hashed) => or_end(hashed.insert_all(block.columns())),
                Self::Wide(hashed) => or_end(hashed.insert_all(block.columns())),
            }
        });
    }
}

/// Bytes of a bit for each tuple.
pub fn bytes_of_bits(domains: &[u64]) -> Option<usize> {
    let bits = domains.iter().try_fold(1u64, |bits, domain| bits.checked_mul(*domain))?;
    usize::try_from(bits.div_ceil(64).checked_mul(8)?).ok()
}

fn suits(bytes: usize, tuples: u64, budget: &MemoryBudget) -> bool {
    let is_small = bytes <= SMALL || bytes as u64 / 2 <= tuples.max(BLOCK as u64) * HASHED_BYTES;
    is_small && bytes <= budget.room() / SHARE
}
