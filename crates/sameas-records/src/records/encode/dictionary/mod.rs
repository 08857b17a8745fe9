//! Distinct values and the code of each record's value, by its first occurrence (`numbering`). Whole numbers that lie close
//! together need no hash (`whole_numbers`).

mod block_bytes;
#[cfg(test)]
mod tests;
mod whole_numbers;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use self::block_bytes::{add, split};
use self::whole_numbers::encode_whole_numbers;
use super::bytes::Numbers;
use crate::cancel::Cancel;
pub use crate::numbering::NULL;
use crate::numbering::{FirstSeen, ValueList, up_to_end};
use crate::records::block_column::BlockColumn;

/// The distinct values of a domain, by code. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    bytes: Arc<Vec<u8>>,
    /// Shared with the recoded texts, where each character takes one byte in both.
    ends: Arc<Vec<usize>>,
}

impl Dictionary {
    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.ends[..])
    }

    /// Number of distinct values.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True where there is no value.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of a value.
    #[inline]
    pub fn value(&self, code: u32) -> &[u8] {
        up_to_end(&self.bytes, &self.ends, code as usize)
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
    #[inline]
    pub fn get(&self, code: u32) -> Option<&[u8]> {
        (code != NULL).then(|| self.value(code))
    }

    /// This many values that are never read.
    pub fn of_empty_values(len: usize) -> Self {
        Self { bytes: Arc::default(), ends: Arc::new(vec![0; len]) }
    }

    /// Some of the values, in this order.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let (bytes, ends) = super::gather::gather(&self.bytes, &self.ends, kept);
        Self { bytes: Arc::new(bytes), ends: Arc::new(ends) }
    }

    /// Where its values lie: the same for two that share them.
    pub(super) fn place(&self) -> usize {
        Arc::as_ptr(&self.bytes) as usize
    }

    /// Encodes columns that share a domain: one dictionary, and for each column the code of each row.
    /// A column comes as its blocks, in row order.
    pub fn encode(columns: &[Vec<BlockColumn>], numbers: Numbers, cancel: Cancel<'_>) -> (Self, Vec<Vec<u32>>) {
        if let Some(encoded) = encode_whole_numbers(columns, cancel) {
            return encoded;
        }
        let blocks: Vec<&BlockColumn> = columns.iter().flatten().collect();
        let seen = FirstSeen::number(
            &blocks[..],
            blocks.iter().map(|block| block.rows()).sum(),
            |block, parts| split(&block.values, numbers, parts),
            |block, values, part| add(part, values, &block.values, numbers),
            cancel,
        );
        let codes = codes_by_row(columns, &seen);
        (seen.into_values().into(), codes)
    }
}

impl From<ValueList> for Dictionary {
    fn from(ValueList { bytes, ends }: ValueList) -> Self {
        Self { bytes: Arc::new(bytes), ends: Arc::new(ends) }
    }
}

/// The code of each row of each column.
fn codes_by_row(columns: &[Vec<BlockColumn>], seen: &FirstSeen) -> Vec<Vec<u32>> {
    let rows_of = |blocks: &Vec<BlockColumn>| blocks.iter().map(BlockColumn::rows).sum();
    let mut codes: Vec<Vec<u32>> = columns.iter().map(|blocks| vec![0; rows_of(blocks)]).collect();
    let mut tasks = Vec::new();
    for (blocks, codes) in columns.iter().zip(&mut codes) {
        let mut rest = &mut codes[..];
        for block in blocks {
            let (own, others) = rest.split_at_mut(block.rows());
            rest = others;
            tasks.push((block, own));
        }
    }
    tasks.into_par_iter().enumerate().for_each(|(at, (block, rows))| {
        let Some(places) = &block.places else { return seen.write_numbers(at, rows) };
        let mut of_values = vec![0; block.values.count()];
        seen.write_numbers(at, &mut of_values);
        rows.iter_mut().zip(&places[..]).for_each(|(row, place)| *row = of_values[usize::from(*place)]);
    });
    codes
}
