//! The variants of all texts of one slice of the hash space, partitioned by hash.
//!
//! Which entries lie together is decided by three windows of the 64 bits of a hash: the slice by range, the partition
//! by range within the slice, and 32 bits that an entry keeps with the number of its text. Of a multilinear hash the
//! bits from 16 up are sound also for wide characters, so the tag leaves out the lowest 16.

use super::lengths::DeletionLengths;
use super::texts::JoinTexts;
use super::variants::{VariantKeys, Variants};
use crate::measure::Unit;
use rayon::prelude::*;

/// The bytes of an entry: 32 bits of the hash above the slot of the text.
pub(super) const ENTRY_BYTES: usize = 8;
/// Positions in the index have 32 bits.
const MOST_BYTES: usize = 8 << 30;
/// Entries of one partition that lie together: a page.
const CHUNK: usize = 512;
/// Entries a partition should have: they and the filter over them stay in the cache of one core.
const PARTITION: f64 = 32_768.0;
/// More partitions than this cost more in misses of the address cache than smaller ones save.
const MOST_BITS: u32 = 10;

/// How the space of hashes is cut.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// How many slices there are; each is gathered on its own.
    pub(super) slices: usize,
    bits: u32,
}

impl Cut {
    /// Slices that hold at most about `most` of these entries each.
    fn new(entries: f64, most: f64) -> Self {
        let slices = (entries / most).ceil().clamp(1.0, f64::from(1u32 << 24)) as usize;
        let partitions = (entries / slices as f64 / PARTITION).max(1.0);
        Cut { slices, bits: (partitions.log2().ceil() as u32).min(MOST_BITS) }
    }

    /// The slices of a join that has a budget in bytes.
    pub(super) fn within(entries: f64, budget: usize) -> Self {
        Cut::new(entries, (2 * part(budget) / ENTRY_BYTES).max(1) as f64)
    }

    pub(super) fn partitions(&self) -> usize {
        1 << self.bits
    }

    /// The slice in the upper 32 bits, the place within it in the lower.
    #[inline]
    fn place(&self, hash: u64) -> u64 {
        (hash >> 32) * self.slices as u64
    }

    #[inline]
    pub(super) fn slice(&self, hash: u64) -> usize {
        (self.place(hash) >> 32) as usize
    }

    #[inline]
    fn partition(&self, hash: u64) -> usize {
        ((self.place(hash) & u64::from(u32::MAX)) >> (32 - self.bits)) as usize
    }
}

/// A fifth of a budget. What is shared takes at worst as much as the entries it came from: with two fifths for the
/// entries of a slice and one for what earlier slices share, a slice always fits.
pub(super) fn part(budget: usize) -> usize {
    budget.min(MOST_BYTES) / 5
}

/// What a worker gathered: chunks of entries, each of one partition.
pub(super) struct GatheredEntries {
    cells: Vec<u64>,
    used: usize,
    /// Where the next entry of each partition goes; the start of a chunk means that a new one is needed.
    ends: Vec<usize>,
    chunks: Vec<Vec<u32>>,
}

impl GatheredEntries {
    /// Room for about this many entries; memory that is never written costs nothing.
    pub(super) fn new(cut: Cut, entries: f64) -> Self {
        let cells = (entries * 1.02) as usize + cut.partitions() * CHUNK;
        GatheredEntries {
            cells: vec![0; cells],
            used: 0,
            ends: vec![0; cut.partitions()],
            chunks: vec![Vec::new(); cut.partitions()],
        }
    }

    fn clear(&mut self) {
        self.used = 0;
        self.ends.fill(0);
        self.chunks.iter_mut().for_each(Vec::clear);
    }

    #[inline]
    fn push(&mut self, partition: usize, entry: u64) {
        let mut at = self.ends[partition];
        if at.is_multiple_of(CHUNK) {
            at = self.open(partition);
        }
        self.cells[at] = entry;
        self.ends[partition] = at + 1;
    }

    #[cold]
    fn open(&mut self, partition: usize) -> usize {
        let at = self.used;
        self.used += CHUNK;
        if self.used > self.cells.len() {
            self.cells.resize(self.used + self.used / 16, 0);
        }
        self.chunks[partition].push((at / CHUNK) as u32);
        at
    }

    /// How many entries there are.
    pub(super) fn entries(&self) -> u64 {
        let missing = |end: &usize| (CHUNK - end % CHUNK) % CHUNK;
        (self.used - self.ends.iter().map(missing).sum::<usize>()) as u64
    }

    /// The entries of a partition, chunk by chunk.
    pub(super) fn partition(&self, partition: usize) -> impl Iterator<Item = &[u64]> {
        let end = self.ends[partition];
        self.chunks[partition].iter().map(move |&chunk| {
            let start = chunk as usize * CHUNK;
            let full = start + CHUNK;
            &self.cells[start..if (start..full).contains(&end) { end } else { full }]
        })
    }
}

/// Gathers the entries of a slice: each worker those of its share of the texts.
pub(super) fn gather<U: Unit + Sync>(
    texts: &JoinTexts<'_, U>,
    lengths: &DeletionLengths,
    keys: &VariantKeys,
    cut: Cut,
    slice: usize,
    workers: &mut [(std::ops::Range<u32>, GatheredEntries)],
) {
    workers.par_iter_mut().for_each(|(slots, gathered)| {
        gathered.clear();
        let mut variants = Variants::new(keys);
        for slot in slots.clone() {
            let text = texts.get(slot);
            variants.each(text, lengths.deletions(text.len()), |hashes| {
                keep_slice(hashes, cut, slice);
                for &hash in hashes.iter() {
                    gathered.push(cut.partition(hash), (hash >> 16) << 32 | u64::from(slot));
                }
            });
        }
    });
}

/// Drops the hashes of other slices, without a branch that could not be foretold.
fn keep_slice(hashes: &mut Vec<u64>, cut: Cut, slice: usize) {
    if cut.slices == 1 {
        return;
    }
    let mut kept = 0;
    for i in 0..hashes.len() {
        let hash = hashes[i];
        hashes[kept] = hash;
        kept += usize::from(cut.slice(hash) == slice);
    }
    hashes.truncate(kept);
}
