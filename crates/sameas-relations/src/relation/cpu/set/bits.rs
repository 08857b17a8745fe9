//! A bit for each tuple that there can be, in lexicographic order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::bytes_of_bits;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::relation::program::MOST_COLUMNS;

/// Values that are looked at before any is inserted.
const LOOKED_AT: usize = 16;

/// A set of tuples as bits.
pub struct TupleBits {
    words: Vec<AtomicU64>,
    /// How far apart tuples are that differ by one in a column.
    strides: [usize; MOST_COLUMNS],
    _held: Held,
}

impl TupleBits {
    /// No tuples of these domains.
    pub fn new(domains: &[u64], budget: &MemoryBudget) -> Result<Self> {
        let bytes = bytes_of_bits(domains).ok_or_else(|| Error::internal("bits for too many tuples"))?;
        let held = budget.hold(bytes)?;
        let words = (0..bytes / 8).into_par_iter().with_min_len(1 << 14).map(|_| AtomicU64::new(0)).collect();
        let mut strides = [0; MOST_COLUMNS];
        let mut stride = 1usize;
        for (place, domain) in domains.iter().enumerate().rev() {
            strides[place] = stride;
            stride = stride.saturating_mul(*domain as usize);
        }
        Ok(Self { words, strides, _held: held })
    }

    /// The bit of a tuple.
    #[inline]
    pub fn place(&self, tuple: &[u32]) -> usize {
        tuple.iter().zip(&self.strides).map(|(value, stride)| *value as usize * stride).sum()
    }

    /// Inserts a tuple by its bit; whether it was not there.
    #[inline]
    pub fn insert(&self, place: usize) -> bool {
        let (word, bit) = (&self.words[place / 64], 1 << (place % 64));
        // Most tuples were seen before, and reading is cheaper than exchanging.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Whether a tuple is there, by its bit.
    #[inline]
    pub fn contains(&self, place: usize) -> bool {
        self.words[place / 64].load(Relaxed) & (1 << (place % 64)) != 0
    }

    /// Inserts tuples that differ in one column, which is 0 in `base`; appends the values of the new ones. First looks,
    /// without a branch on what it sees, which would be guessed wrong often; then inserts those that seem new, which
    /// nearly all are.
    #[inline]
    pub fn insert_values(&self, base: &[u32], varying: usize, values: &[u32], new: &mut Vec<u32>) {
        let (place, stride) = (self.place(base), self.strides[varying]);
        let mut unseen = [0; LOOKED_AT];
        for some in values.chunks(LOOKED_AT) {
            let mut count = 0;
            for value in some {
                unseen[count] = *value;
                count += usize::from(!self.contains(place + *value as usize * stride));
            }
            let is_new = |value: &&u32| self.insert(place + **value as usize * stride);
            new.extend(unseen[..count].iter().filter(is_new));
        }
    }

    /// Inserts the tuples of some columns.
    pub fn insert_all(&self, columns: &[Vec<u32>]) {
        for row in 0..columns[0].len() {
            let places = columns.iter().zip(&self.strides).map(|(column, stride)| column[row] as usize * stride);
            self.insert(places.sum());
        }
    }
}
