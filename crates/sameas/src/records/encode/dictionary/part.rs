//! The distinct values of one part, found by one core in its own cache.

use std::ops::Deref;

use arrow_array::ArrayAccessor;
use hashbrown::HashTable;

use super::ValueList;
use super::split::{SplitValue, SplitValues};
use crate::cancel::{Cancel, or_end};
use crate::expr::Vector;
use crate::memory::Held;
use crate::records::block_column::{BlockColumn, BlockValues, views_of};
use crate::records::encode::bytes::{Numbers, bytes_at};

/// Texts that are touched together before they are compared, so that their cache misses overlap.
const TOGETHER: usize = 16;

/// The distinct values of a part, numbered by their first occurrence.
pub struct DictionaryPart {
    pub(super) values: ValueList,
    /// For each value of each block its number here.
    codes: Vec<u32>,
    /// Where those of each block end.
    ends: Vec<usize>,
    known: HashTable<KnownValue>,
    held: Held,
}

/// A value of the part: what tells it from most others, and its number.
#[derive(Clone, Copy)]
struct KnownValue {
    tag: u32,
    code: u32,
}

impl DictionaryPart {
    /// Goes through the blocks in their order, so that numbers depend on the values alone.
    pub fn new(
        part: usize,
        blocks: &[&BlockColumn],
        split: &[SplitValues],
        numbers: Numbers,
        cancel: Cancel<'_>,
    ) -> Self {
        let count: usize = split.iter().map(|block| block.part(part).len()).sum();
        let mut made = Self {
            values: ValueList::default(),
            codes: Vec::with_capacity(count),
            ends: Vec::with_capacity(blocks.len()),
            // All may be distinct, and a table that grows is written twice.
            known: HashTable::with_capacity(count),
            held: cancel.hold(4 * count),
        };
        for (block, split) in blocks.iter().zip(split) {
            made.add_block(split.part(part), &block.values, numbers);
            made.ends.push(made.codes.len());
        }
        made.known = HashTable::new();
        made
    }

    fn add_block(&mut self, values: &[SplitValue], block: &BlockValues, numbers: Numbers) {
        match block {
            BlockValues::Plain(Vector::Text(texts)) => {
                let (bytes, offsets) = (texts.value_data(), texts.value_offsets());
                for some in values.chunks(TOGETHER) {
                    let first = |value: &SplitValue| bytes.get(offsets[value.place as usize] as usize).copied();
                    std::hint::black_box(some.iter().filter_map(first).fold(0, |all, byte| all ^ byte));
                    self.add_all(some, |place| Some(texts.value(place).as_bytes()));
                }
            }
            BlockValues::Plain(block) => self.add_all(values, |place| bytes_at(block, place, numbers)),
            BlockValues::Views(views) => self.add_all(values, |place| Some(views.value(place).as_bytes())),
            BlockValues::Keyed(dictionary) => {
                let texts = views_of(dictionary);
                self.add_all(values, |place| Some(texts.value(place).as_bytes()));
            }
        }
    }

    fn add_all<B: Deref<Target = [u8]>>(&mut self, values: &[SplitValue], bytes_at: impl Fn(usize) -> Option<B>) {
        for value in values {
            let Some(bytes) = bytes_at(value.place as usize) else { continue };
            let code = self.code_of(value.tag, &bytes);
            self.codes.push(code);
        }
    }

    #[inline]
    fn code_of(&mut self, tag: u32, bytes: &[u8]) -> u32 {
        let is_it = |known: &KnownValue| known.tag == tag && self.values.value(known.code) == bytes;
        if let Some(known) = self.known.find(table_hash(tag), is_it) {
            return known.code;
        }
        let code = self.values.push(bytes);
        or_end(self.held.grow(self.values.size() + 4 * self.codes.capacity()));
        self.known.insert_unique(table_hash(tag), KnownValue { tag, code }, |known| table_hash(known.tag));
        code
    }

    /// The numbers of a block's values.
    pub fn codes_of_block(&self, block: usize) -> &[u32] {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        &self.codes[start..self.ends[block]]
    }
}

/// The table takes its place from the low bits and its marks from the high ones.
#[inline]
fn table_hash(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
