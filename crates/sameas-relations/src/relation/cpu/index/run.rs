//! One run of an index: the wanted columns of some tuples in the order of their keys, and where each key begins.

use std::ops::Range;

use rayon::prelude::*;

use super::super::packed::PackedTuple;
use super::super::store::TupleBlock;
use super::IndexShape;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Some tuples by their key.
pub struct IndexRun {
    lookup: Lookup,
    payload: Vec<Vec<u32>>,
    len: usize,
    _held: Held,
}

/// Where the tuples of a key are.
enum Lookup {
    /// No columns are looked up: every tuple matches.
    Whole,
    /// One column with few values: where each begins.
    Direct(Vec<u32>),
    /// One or two columns.
    Narrow(KeyedRanges<u64>),
    /// Three or four columns.
    Wide(KeyedRanges<u128>),
}

impl IndexRun {
    /// The tuples of some blocks, fewer than 2^32.
    pub fn new(
        blocks: &[TupleBlock],
        shape: &IndexShape,
        domains: &[u64],
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let len: usize = blocks.iter().map(TupleBlock::len).sum();
        let mut held = budget.hold(len * shape.payload.len() * size_of::<u32>())?;
        let (lookup, payload) = match shape.key.as_slice() {
            [] => (Lookup::Whole, shape.payload.iter().map(|column| concatenated(blocks, *column, len)).collect()),
            [key] if domains[*key] <= 4 * len as u64 + 1024 => {
                held.add((domains[*key] as usize + 1) * size_of::<u32>())?;
                let (starts, payload) = counted(blocks, *key, &shape.payload, domains[*key] as usize, len);
                (Lookup::Direct(starts), payload)
            }
            [_] | [_, _] => {
                let (ranges, payload) = keyed::<u64>(blocks, shape, len, &mut held, budget, cancel)?;
                (Lookup::Narrow(ranges), payload)
            }
            _ => {
                let (ranges, payload) = keyed::<u128>(blocks, shape, len, &mut held, budget, cancel)?;
                (Lookup::Wide(ranges), payload)
            }
        };
        Ok(Self { lookup, payload, len, _held: held })
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The wanted columns.
    #[inline]
    pub fn payload(&self) -> &[Vec<u32>] {
        &self.payload
    }

    /// The tuples with this key.
    #[inline]
    pub fn find(&self, key: &[u32]) -> Range<usize> {
        match &self.lookup {
            Lookup::Whole => 0..self.len,
            Lookup::Direct(starts) => match starts.get(key[0] as usize..key[0] as usize + 2) {
                Some(range) => range[0] as usize..range[1] as usize,
                None => 0..0,
            },
            Lookup::Narrow(ranges) => ranges.find(u64::pack(key.iter().copied())),
            Lookup::Wide(ranges) => ranges.find(u128::pack(key.iter().copied())),
        }
    }
}

fn concatenated(blocks: &[TupleBlock], column: usize, len: usize) -> Vec<u32> {
    let mut all = Vec::with_capacity(len);
    blocks.iter().for_each(|block| all.extend_from_slice(block.column(column)));
    all
}

/// Sorts by one column by counting: where each value begins, and the wanted columns.
fn counted(
    blocks: &[TupleBlock],
    key: usize,
    wanted: &[usize],
    domain: usize,
    len: usize,
) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut starts = vec![0u32; domain + 1];
    for value in blocks.iter().flat_map(|block| block.column(key)) {
        starts[*value as usize] += 1;
    }
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    // Each column moves the starts to the ends of their values, and back.
    let mut payload = Vec::with_capacity(wanted.len());
    for column in wanted {
        let mut sorted = vec![0; len];
        for block in blocks {
            for (value, key) in block.column(*column).iter().zip(block.column(key)) {
                let place = &mut starts[*key as usize];
                sorted[*place as usize] = *value;
                *place += 1;
            }
        }
        starts.copy_within(0..domain, 1);
        starts[0] = 0;
        payload.push(sorted);
    }
    (starts, payload)
}

/// Sorts by packed keys.
fn keyed<K: PackedTuple>(
    blocks: &[TupleBlock],
    shape: &IndexShape,
    len: usize,
    held: &mut Held,
    budget: &MemoryBudget,
    cancel: Cancel<'_>,
) -> Result<(KeyedRanges<K>, Vec<Vec<u32>>)> {
    let _order_held = budget.hold(len * (size_of::<(K, u32)>() + size_of::<u32>()))?;
    let mut order: Vec<(K, u32)> = Vec::with_capacity(len);
    for block in blocks {
        cancel.check();
        let key = |row: usize| K::pack(shape.key.iter().map(|column| block.column(*column)[row]));
        let first = order.len() as u32;
        order.extend((0..block.len()).map(|row| (key(row), first + row as u32)));
    }
    order.par_sort_unstable();
    let ranges = KeyedRanges::new(&order, held)?;
    let gather = |column: &usize| {
        let unsorted = concatenated(blocks, *column, len);
        order.iter().map(|(_, row)| unsorted[*row as usize]).collect()
    };
    Ok((ranges, shape.payload.iter().map(gather).collect()))
}

/// Distinct keys in order, where the tuples of each begin, and a hash table of the keys.
struct KeyedRanges<K> {
    keys: Vec<K>,
    starts: Vec<u32>,
    /// Places in `keys`, each one more than it is; 0 is free.
    slots: Vec<u32>,
}

impl<K: PackedTuple> KeyedRanges<K> {
    fn new(order: &[(K, u32)], held: &mut Held) -> Result<Self> {
        let distinct = order.chunk_by(|a, b| a.0 == b.0).count();
        let slots = (distinct * 2).next_power_of_two().max(2);
        held.add(distinct * size_of::<K>() + (distinct + 1 + slots) * size_of::<u32>())?;
        let (mut keys, mut starts) = (Vec::with_capacity(distinct), Vec::with_capacity(distinct + 1));
        let mut start = 0;
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            keys.push(group[0].0);
            starts.push(start);
            start += group.len() as u32;
        }
        starts.push(start);
        let mut ranges = Self { keys, starts, slots: vec![0; slots] };
        for at in 0..ranges.keys.len() {
            let slot = ranges.slot_of(ranges.keys[at]);
            ranges.slots[slot] = at as u32 + 1;
        }
        Ok(ranges)
    }

    /// Where a key is in the table, or the free slot where it belongs.
    #[inline]
    fn slot_of(&self, key: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key.hash() as usize & mask;
        while self.slots[slot] != 0 && self.keys[self.slots[slot] as usize - 1] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline]
    fn find(&self, key: K) -> Range<usize> {
        match self.slots[self.slot_of(key)] {
            0 => 0..0,
            at => self.starts[at as usize - 1] as usize..self.starts[at as usize] as usize,
        }
    }
}
