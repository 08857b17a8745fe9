//! Distinct values and the code of each record's value, made on all cores.
//!
//! Each value of a block is hashed once, repetitions within the block apart (`split`). The top bits of the hash choose
//! its part; a part is one task that sees its values in row order and finds the distinct ones in the cache of its core
//! (`part`). Then each block takes the codes of its values from the parts. Nothing is done by one core alone, and codes
//! depend on the values and their order alone, never on the number of threads or the size of blocks. Whole numbers that lie
//! close together need no hash (`whole_numbers`).

mod part;
mod split;
#[cfg(test)]
mod tests;
mod whole_numbers;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use self::part::DictionaryPart;
use self::split::SplitValues;
use self::whole_numbers::encode_whole_numbers;
use super::bytes::Numbers;
use crate::cancel::Cancel;
use crate::records::block_column::BlockColumn;

/// The code of null.
pub const NULL: u32 = u32::MAX;

/// Below this many rows one part is quicker than many.
const SMALL: usize = 1 << 14;

/// Rows of a part, about, so that its table and its values stay in the cache of a core.
const PART_ROWS: usize = 1 << 14;

/// Parts of a large input: enough for many cores, and few enough that a block has some values of each.
const LEAST_PARTS: usize = 64;
const MOST_PARTS: usize = 2048;

/// The distinct values of a domain, by code.
#[derive(Debug, Default)]
pub struct Dictionary {
    bytes: Vec<u8>,
    /// Shared with the recoded texts, where each character takes one byte in both.
    ends: Arc<Vec<usize>>,
}

impl Dictionary {
    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.ends[..])
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True where there is no value.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of a value.
    pub fn value(&self, code: u32) -> &[u8] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.bytes[start..self.ends[code]]
    }

    /// Where the bytes of each value end.
    pub(super) fn ends(&self) -> &Arc<Vec<usize>> {
        &self.ends
    }

    /// The bytes of values with consecutive codes, of which there is one at least.
    pub(super) fn bytes_of(&self, codes: Range<usize>) -> &[u8] {
        let start = if codes.start == 0 { 0 } else { self.ends[codes.start - 1] };
        &self.bytes[start..self.ends[codes.end - 1]]
    }

    /// The bytes of a value, `None` for null.
    pub fn get(&self, code: u32) -> Option<&[u8]> {
        (code != NULL).then(|| self.value(code))
    }

    /// This many values that are never read.
    pub(crate) fn of_empty_values(len: usize) -> Self {
        Self { bytes: Vec::new(), ends: Arc::new(vec![0; len]) }
    }

    /// Some of the values, in this order.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let (bytes, ends) = super::part::gather(&self.bytes, &self.ends, kept);
        Self { bytes, ends: Arc::new(ends) }
    }

    /// Encodes columns that share a domain: one dictionary, and for each column the code of each row.
    /// A column comes as its blocks, in row order.
    pub fn encode(columns: &[Vec<BlockColumn>], numbers: Numbers, cancel: Cancel<'_>) -> (Self, Vec<Vec<u32>>) {
        if let Some(encoded) = encode_whole_numbers(columns, cancel) {
            return encoded;
        }
        let blocks: Vec<&BlockColumn> = columns.iter().flatten().collect();
        let parts = parts_of(blocks.iter().map(|block| block.rows()).sum());
        let split_block = |block: &&BlockColumn| {
            cancel.check();
            SplitValues::new(&block.values, numbers, parts)
        };
        let split: Vec<SplitValues> = blocks.par_iter().map(split_block).collect();
        let _of_split = cancel.hold(split.iter().map(SplitValues::bytes).sum());
        let make_part = |part: usize| {
            cancel.check();
            DictionaryPart::new(part, &blocks, &split, numbers, cancel)
        };
        let made: Vec<DictionaryPart> = (0..parts).into_par_iter().map(make_part).collect();
        let codes = codes_by_row(columns, &split, &made);
        drop(split);
        (Self::joined(made), codes)
    }

    /// The values of the parts one after the other. Each part is freed when it is copied, and the only one is not copied.
    fn joined(mut parts: Vec<DictionaryPart>) -> Self {
        if parts.len() == 1 {
            let ValueList { bytes, ends } = parts.remove(0).values;
            return Self { bytes, ends: Arc::new(ends) };
        }
        let mut all_bytes = vec![0; parts.iter().map(|part| part.values.bytes.len()).sum()];
        let mut all_ends = vec![0; parts.iter().map(|part| part.values.len()).sum()];
        let (mut bytes, mut ends, mut base) = (&mut all_bytes[..], &mut all_ends[..], 0);
        let mut copies = Vec::with_capacity(parts.len());
        for part in parts {
            let (own_bytes, other_bytes) = bytes.split_at_mut(part.values.bytes.len());
            let (own_ends, other_ends) = ends.split_at_mut(part.values.len());
            (bytes, ends) = (other_bytes, other_ends);
            let first = base;
            base += own_bytes.len();
            copies.push((part, own_bytes, own_ends, first));
        }
        copies.into_par_iter().for_each(|(part, bytes, ends, base)| {
            bytes.copy_from_slice(&part.values.bytes);
            ends.iter_mut().zip(&part.values.ends).for_each(|(end, own)| *end = base + own);
        });
        Self { bytes: all_bytes, ends: Arc::new(all_ends) }
    }
}

/// Values one after the other, and where each ends.
#[derive(Debug, Default)]
struct ValueList {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl ValueList {
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// Memory they take.
    fn size(&self) -> usize {
        self.bytes.len() + size_of_val(&self.ends[..])
    }

    #[inline]
    fn value(&self, code: u32) -> &[u8] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.bytes[start..self.ends[code]]
    }

    fn push(&mut self, value: &[u8]) -> u32 {
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len());
        (self.len() - 1) as u32
    }
}

/// The number of parts for that many rows. It must not depend on the blocks: these depend on the threads.
fn parts_of(rows: usize) -> usize {
    if rows < SMALL { 1 } else { (rows / PART_ROWS).next_power_of_two().clamp(LEAST_PARTS, MOST_PARTS) }
}

/// The code of each row of each column.
fn codes_by_row(columns: &[Vec<BlockColumn>], split: &[SplitValues], parts: &[DictionaryPart]) -> Vec<Vec<u32>> {
    let (mut firsts, mut sum) = (Vec::with_capacity(parts.len()), 0);
    for part in parts {
        firsts.push(sum as u32);
        sum += part.values.len();
    }
    assert!(sum < NULL as usize, "fewer than 2^32 - 1 distinct values");
    let rows_of = |blocks: &Vec<BlockColumn>| blocks.iter().map(BlockColumn::rows).sum();
    let mut codes: Vec<Vec<u32>> = columns.iter().map(|blocks| vec![0; rows_of(blocks)]).collect();
    let mut tasks = Vec::with_capacity(split.len());
    for (blocks, codes) in columns.iter().zip(&mut codes) {
        let mut rest = &mut codes[..];
        for block in blocks {
            let (own, others) = rest.split_at_mut(block.rows());
            rest = others;
            tasks.push((block, own));
        }
    }
    tasks.into_par_iter().zip(split).enumerate().for_each(|(at, ((block, rows), split))| {
        let codes_of = |part: usize| (firsts[part], parts[part].codes_of_block(at));
        let Some(places) = &block.places else { return split.write_codes(rows, codes_of) };
        let mut of_values = vec![0; block.values.count()];
        split.write_codes(&mut of_values, codes_of);
        rows.iter_mut().zip(&places[..]).for_each(|(row, place)| *row = of_values[usize::from(*place)]);
    });
    codes
}
