//! The distinct values of one part, found by one core in its own cache.

use std::ops::Deref;

use hashbrown::HashTable;

use super::split::SplitValue;
use crate::cancel::{Cancel, or_end};
use crate::memory::Held;
use crate::numbering::value_list::{ValueList, up_to_end};

/// The distinct values of a part, numbered by their first occurrence.
pub struct SeenPart {
    pub(super) values: ValueList,
    /// For each value of each block its number here.
    numbers: Vec<u32>,
    /// Where those of each block end.
    ends: Vec<usize>,
    known: HashTable<KnownValue>,
    held: Held,
}

/// A value of the part: what tells it from most others, and its number.
#[derive(Clone, Copy)]
struct KnownValue {
    tag: u32,
    number: u32,
}

impl SeenPart {
    /// With room for `count` values. `add_blocks` adds those of the blocks in their order, so that numbers depend on the
    /// values alone.
    pub(super) fn new(count: usize, add_blocks: impl FnOnce(&mut Self), cancel: Cancel<'_>) -> Self {
        let mut made = Self {
            values: ValueList::default(),
            numbers: Vec::with_capacity(count),
            ends: Vec::new(),
            // All may be distinct, and a table that grows is written twice.
            known: HashTable::with_capacity(count),
            held: cancel.hold(4 * count),
        };
        add_blocks(&mut made);
        made.known = HashTable::new();
        made
    }

    /// Adds some values of a block, by their places.
    pub fn add<B: Deref<Target = [u8]>>(&mut self, values: &[SplitValue], bytes_at: impl Fn(usize) -> Option<B>) {
        for value in values {
            let Some(bytes) = bytes_at(value.place as usize) else { continue };
            let number = self.number_of(value.tag, &bytes);
            self.numbers.push(number);
        }
    }

    #[inline]
    fn number_of(&mut self, tag: u32, bytes: &[u8]) -> u32 {
        let is_it = |known: &KnownValue| known.tag == tag && self.values.value(known.number) == bytes;
        if let Some(known) = self.known.find(table_hash(tag), is_it) {
            return known.number;
        }
        let number = self.values.push(bytes);
        or_end(self.held.grow(self.values.size() + 4 * self.numbers.capacity()));
        self.known.insert_unique(table_hash(tag), KnownValue { tag, number }, |known| table_hash(known.tag));
        number
    }

    /// There are no more values of a block.
    pub(super) fn end_block(&mut self) {
        self.ends.push(self.numbers.len());
    }

    /// The numbers of a block's values.
    pub(super) fn numbers_of_block(&self, block: usize) -> &[u32] {
        up_to_end(&self.numbers, &self.ends, block)
    }
}

/// The table takes its place from the low bits and its marks from the high ones.
#[inline]
fn table_hash(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
