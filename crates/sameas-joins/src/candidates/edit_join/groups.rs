//! The texts that share a variant, found partition by partition. Nine in ten variants of names belong to one text only
//! and are gone after this step.

use super::entries::{Cut, GatheredEntries};
use rayon::prelude::*;
use std::ops::Range;

/// What a worker gathered from a range of slots.
type WorkerEntries = (Range<u32>, GatheredEntries);

/// Ends a group of three or more.
pub(super) const END: u32 = u32::MAX;

/// Slots that share a variant, each list ascending: left before right in a join of two lists.
#[derive(Default)]
pub(super) struct VariantGroups {
    /// Groups that stand for a single pair.
    pub(super) pairs: Vec<(u32, u32)>,
    /// All other groups, each ended by [`END`].
    pub(super) members: Vec<u32>,
}

/// The groups of all partitions of a slice.
pub(super) fn find_all(workers: &[WorkerEntries], cut: Cut, first_right: u32) -> Vec<VariantGroups> {
    let partitions = (0..cut.partitions()).into_par_iter();
    partitions.map_init(Grouping::default, |grouping, at| grouping.find(workers, at, first_right)).collect()
}

/// Finds groups in reused memory.
#[derive(Default)]
struct Grouping {
    once: Vec<u64>,
    twice: Vec<u64>,
    shared: Vec<u64>,
    slots: Vec<u32>,
}

impl Grouping {
    /// The groups of a partition; in a join of two lists, those with slots on both sides of `first_right`.
    fn find(&mut self, workers: &[WorkerEntries], partition: usize, first_right: u32) -> VariantGroups {
        self.filter(workers, partition);
        self.shared.sort_unstable();
        let mut groups = VariantGroups::default();
        let mut rest = &self.shared[..];
        while let Some(&first) = rest.first() {
            let size = rest.iter().take_while(|&&entry| entry >> 32 == first >> 32).count();
            self.slots.clear();
            self.slots.extend(rest[..size].iter().map(|&entry| entry as u32));
            // Two variants of one text may have one hash.
            self.slots.dedup();
            groups.add(&self.slots, first_right);
            rest = &rest[size..];
        }
        groups
    }

    /// Keeps the entries whose tag has a bit in common with another's: all that are shared, and few that are not.
    fn filter(&mut self, workers: &[WorkerEntries], partition: usize) {
        let chunks = || workers.iter().flat_map(|(_, gathered)| gathered.partition(partition));
        let entries: usize = chunks().map(<[u64]>::len).sum();
        let words = (entries / 4).next_power_of_two();
        for bits in [&mut self.once, &mut self.twice] {
            bits.clear();
            bits.resize(words, 0);
        }
        let place = |entry: u64| ((entry >> 38) as usize & (words - 1), 1u64 << (entry >> 32 & 63));
        for chunk in chunks() {
            for &entry in chunk {
                let (word, bit) = place(entry);
                self.twice[word] |= self.once[word] & bit;
                self.once[word] |= bit;
            }
        }
        self.shared.resize(entries.max(self.shared.len()), 0);
        let mut kept = 0;
        for chunk in chunks() {
            for &entry in chunk {
                let (word, bit) = place(entry);
                self.shared[kept] = entry;
                kept += usize::from(self.twice[word] & bit != 0);
            }
        }
        self.shared.truncate(kept);
    }
}

impl VariantGroups {
    fn add(&mut self, slots: &[u32], first_right: u32) {
        let lefts = if first_right == 0 { slots.len() - 1 } else { slots.partition_point(|&slot| slot < first_right) };
        match slots {
            &[a, b] if lefts == 1 => self.pairs.push((a, b)),
            _ if lefts == 0 || lefts == slots.len() => {}
            _ => {
                self.members.extend_from_slice(slots);
                self.members.push(END);
            }
        }
    }
}
