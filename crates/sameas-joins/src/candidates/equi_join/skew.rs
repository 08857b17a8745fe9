//! Skewed keys, found by sampling before anything is partitioned (CSH, step 1), and how a tuple is recognised as one.
//!
//! The sample only decides what is fast, never what is found: a skewed key that it misses stays in a normal partition,
//! which is inspected exactly if it can hold too many pairs.

use super::key::Key;
use super::layout::KeyTable;
use super::source::KeySource;

/// One record in this many is sampled.
const STRIDE: usize = 128;
/// No more samples than this a side: beyond it the stride grows.
const SAMPLES: usize = 1 << 18;
/// A key sampled so often on either side is skewed: it is expected to have about a thousand tuples or more.
const SKEWED: u32 = 8;
/// No more skewed keys than this, the most frequent first: each needs a cache line while partitioning.
const KEYS: usize = 4096;
/// Binary logarithm of the bits of the filter.
const FILTER: u32 = 16;

/// The skewed keys of a join, numbered from 0.
pub struct Skew<K> {
    table: KeyTable<K>,
    /// A bit for each value of the top bits of a hash: 8 KB that turn nearly every normal key away.
    filter: Vec<u64>,
}

impl<K: Key> Skew<K> {
    /// No skewed keys.
    pub fn none() -> Self {
        let mut table = KeyTable::default();
        table.reset(0);
        Self { table, filter: vec![0; 1 << (FILTER - 6)] }
    }

    /// The keys that are frequent in a sample of either side.
    pub fn sample(left: &impl KeySource<K>, right: Option<&impl KeySource<K>>) -> Self {
        let sides = [frequent(left), right.map(frequent).unwrap_or_default()];
        let mut keys = sides.concat();
        // A stable sort: equally frequent keys stay in the order of the sample, so the choice is always the same.
        keys.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        Self::from_keys(keys.iter().take(KEYS).map(|(_, key)| *key))
    }

    /// The given keys.
    pub fn from_keys(keys: impl ExactSizeIterator<Item = K>) -> Self {
        let mut skew = Self::none();
        skew.table.reset(keys.len());
        for key in keys {
            let hash = key.hash();
            skew.table.number(key, hash);
            let bit = hash >> (64 - FILTER);
            skew.filter[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        skew
    }

    /// Number of skewed keys.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The number of a skewed key.
    #[inline(always)]
    pub fn find(&self, key: K, hash: u64) -> Option<usize> {
        let bit = hash >> (64 - FILTER);
        if self.filter[(bit >> 6) as usize] >> (bit & 63) & 1 == 0 {
            return None;
        }
        (self.table.find(key, hash) as usize).checked_sub(1)
    }
}

/// The keys sampled [`SKEWED`] times or more, with their counts. One record of every stride is taken, at a place that
/// varies with the stride's number, so that no period in the data can hide a key.
fn frequent<K: Key>(side: &impl KeySource<K>) -> Vec<(u32, K)> {
    let stride = STRIDE.max(side.len().div_ceil(SAMPLES));
    let samples = side.len() / stride;
    let mut table = KeyTable::default();
    table.reset(samples);
    let mut counts: Vec<(u32, K)> = Vec::new();
    for sample in 0..samples {
        let offset = (((sample as u64).hash() >> 32) as usize * stride) >> 32;
        let at = sample * stride + offset;
        side.each(at..at + 1, |key, _| {
            let number = table.number(key, key.hash()) as usize - 1;
            if number == counts.len() {
                counts.push((0, key));
            }
            counts[number].0 += 1;
        });
    }
    counts.retain(|(count, _)| *count >= SKEWED);
    counts
}
