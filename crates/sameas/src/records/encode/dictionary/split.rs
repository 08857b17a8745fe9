//! The values of a block, hashed once and ordered by part.

use std::ops::Deref;

use arrow_array::{Array, ArrayAccessor};

use super::NULL;
use crate::expr::Vector;
use crate::records::block_column::{BlockValues, views_of};
use crate::records::encode::bytes::{Numbers, bytes_at};
use crate::records::recent_values::{RecentValues, hash_of};

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
    values: Vec<SplitValue>,
    /// Where those of each part end.
    ends: Vec<u32>,
    /// For each value of the block the place of an equal one that is among these; its own if it is, [`NULL`] for null.
    same_as: Vec<u32>,
}

impl SplitValues {
    /// Hashes the values of a block.
    pub fn new(block: &BlockValues, numbers: Numbers, parts: usize) -> Self {
        match block {
            // By far the most frequent type, without checking the type of each value.
            BlockValues::Plain(Vector::Text(texts)) => {
                Self::of(texts.len(), parts, |place| (!texts.is_null(place)).then(|| texts.value(place).as_bytes()))
            }
            BlockValues::Plain(values) => Self::of(values.len(), parts, |place| bytes_at(values, place, numbers)),
            BlockValues::Views(views) => {
                Self::of(views.len(), parts, |place| (!views.is_null(place)).then(|| views.value(place).as_bytes()))
            }
            BlockValues::Keyed(dictionary) => {
                let texts = views_of(dictionary);
                Self::of(texts.len(), parts, |place| (!texts.is_null(place)).then(|| texts.value(place).as_bytes()))
            }
        }
    }

    fn of<B: Deref<Target = [u8]>>(count: usize, parts: usize, bytes_at: impl Fn(usize) -> Option<B>) -> Self {
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
        let (values, ends) = by_part(&hashes, parts);
        Self { values, ends, same_as }
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.values[..]) + 4 * (self.ends.len() + self.same_as.len())
    }

    /// The values of a part.
    pub fn part(&self, part: usize) -> &[SplitValue] {
        let start = if part == 0 { 0 } else { self.ends[part - 1] };
        &self.values[start as usize..self.ends[part] as usize]
    }

    /// Writes the code of each value of the block; `codes_of` gives those of a part's values.
    pub fn write_codes<'c>(&self, codes: &mut [u32], codes_of: impl Fn(usize) -> (u32, &'c [u32])) {
        for part in 0..self.ends.len() {
            let (first, of_part) = codes_of(part);
            self.part(part).iter().zip(of_part).for_each(|(value, code)| codes[value.place as usize] = first + code);
        }
        // What a value is equal to comes before it.
        for (place, same_as) in self.same_as.iter().enumerate() {
            codes[place] = if *same_as == NULL { NULL } else { codes[*same_as as usize] };
        }
    }
}

/// Values ordered by part, and where those of each part end.
fn by_part(hashes: &[(u64, u32)], parts: usize) -> (Vec<SplitValue>, Vec<u32>) {
    let mut ends = vec![0_u32; parts];
    hashes.iter().for_each(|(hash, _)| ends[part_of(*hash, parts)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut values = vec![SplitValue::default(); hashes.len()];
    for &(hash, place) in hashes {
        let end = &mut ends[part_of(hash, parts)];
        values[*end as usize] = SplitValue { tag: hash as u32, place };
        *end += 1;
    }
    (values, ends)
}

/// The top bits choose the part.
fn part_of(hash: u64, parts: usize) -> usize {
    if parts == 1 { 0 } else { (hash >> (64 - parts.trailing_zeros())) as usize }
}
