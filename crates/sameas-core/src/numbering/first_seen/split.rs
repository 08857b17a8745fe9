//! The values of a block, hashed once and ordered by part.

use std::ops::Deref;

use super::recent_values::{RecentValues, hash_of};
use crate::numbering::by_number::ByNumber;

/// The number of null.
pub const NULL: u32 = u32::MAX;

/// Slots, as a power of two, in which repetitions are looked for: few, because most repetitions of a block are taken
/// together before. Without them a value that all rows have would be the work of one part, and so of one core.
const SLOTS: u32 = 11;

/// A value of a block, to be looked up in its part.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitValue {
    /// Bits of the hash that did not choose the part.
    pub tag: u32,
    /// Its place in the block.
    pub place: u32,
}

/// The values of a block by part, those of a part in their order.
pub struct SplitValues {
    /// Values that were not recognised as repetitions.
    pub(super) values: ByNumber<SplitValue>,
    /// For each value of the block the place of an equal one that is among these; its own if it is, [`NULL`] for null.
    same_as: Vec<u32>,
}

impl SplitValues {
    /// Hashes this many values of a block; `bytes_at` gives them by place, nothing for null.
    pub fn new<B: Deref<Target = [u8]>>(count: usize, parts: usize, bytes_at: impl Fn(usize) -> Option<B>) -> Self {
        let mut recent = RecentValues::new(SLOTS.min(count.max(1).ilog2() + 1));
        let mut hashes: Vec<(u64, u32)> = Vec::with_capacity(count);
        let same_as = |place: usize| {
            let Some(bytes) = bytes_at(place) else { return NULL };
            let hash = hash_of(&bytes);
            let is_it = |other: u32| bytes_at(other as usize).is_some_and(|other| *other == *bytes);
            recent.find_or_remember(hash, place as u32, is_it).unwrap_or_else(|| {
                hashes.push((hash, place as u32));
                place as u32
            })
        };
        let same_as = (0..count).map(same_as).collect();
        let value = |&(hash, place): &(u64, u32)| (part_of(hash, parts), SplitValue { tag: hash as u32, place });
        Self { values: ByNumber::new(hashes.iter().map(value), parts), same_as }
    }

    /// Memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.values.bytes() + size_of_val(&self.same_as[..])
    }

    /// Writes the number of each value of the block, given those of each part, and what to add to them.
    pub(super) fn write_numbers<'n>(&self, numbers: &mut [u32], of_parts: impl Iterator<Item = (u32, &'n [u32])>) {
        for (part, (first, of_values)) in of_parts.enumerate() {
            let values = self.values.list(part).iter().zip(of_values);
            values.for_each(|(value, number)| numbers[value.place as usize] = first + number);
        }
        // What a value is equal to comes before it.
        for (place, same_as) in self.same_as.iter().enumerate() {
            numbers[place] = if *same_as == NULL { NULL } else { numbers[*same_as as usize] };
        }
    }
}

/// The top bits choose the part.
fn part_of(hash: u64, parts: usize) -> usize {
    if parts == 1 { 0 } else { (hash >> (64 - parts.trailing_zeros())) as usize }
}
