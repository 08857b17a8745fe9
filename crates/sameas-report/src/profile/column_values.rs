//! The distinct values of a column of one input, and how many records have each.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::expr::{FieldValue, Type, Vector, vector_of};
use crate::memory::Held;
use crate::records::encode::{Dictionary, Domain, NULL, Numbers};
use crate::records::{BlockColumn, Table};

/// Distinct values that expressions are computed of at a time.
const BLOCK: usize = 1 << 15;

/// Records that are counted between two looks at whether the job shall stop.
const CHECKED: usize = 1 << 20;

/// A column of one input, encoded.
pub struct ColumnValues {
    /// The distinct values.
    pub domain: Arc<Domain>,
    /// The code of each record's value.
    pub codes: Vec<u32>,
    /// The number of records of each code.
    pub counts: Vec<u32>,
    /// Their memory.
    _held: Held,
}

impl ColumnValues {
    /// Encodes a column of a table.
    pub fn new(table: &Table, column: usize, ty: Type, cancel: Cancel<'_>) -> Self {
        let block = |batch: &RecordBatch| block_of(batch.column(column), cancel);
        let (blocks, copied): (Vec<BlockColumn>, Vec<usize>) = table.batches.par_iter().map(block).unzip();
        let _of_blocks = cancel.hold(copied.iter().sum());
        let (dictionary, mut codes) = Dictionary::encode(&[blocks], Numbers::ByValue, cancel);
        let codes = codes.pop().unwrap_or_default();
        let held = cancel.hold(dictionary.bytes() + 4 * (codes.len() + dictionary.len()));
        let mut counts = vec![0; dictionary.len()];
        for some in codes.chunks(CHECKED) {
            cancel.check();
            some.iter().filter(|code| **code != NULL).for_each(|code| counts[*code as usize] += 1);
        }
        let domain = Arc::new(Domain { ty, dictionary, texts: None, integers: None });
        Self { domain, codes, counts, _held: held }
    }

    /// Number of records.
    pub fn rows(&self) -> u64 {
        self.codes.len() as u64
    }

    /// Records that have a value.
    pub fn present(&self) -> u64 {
        self.counts.iter().map(|count| u64::from(*count)).sum()
    }

    /// Number of distinct values.
    pub fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// A value.
    pub fn value(&self, code: u32) -> FieldValue {
        value_of(&self.domain, code)
    }

    /// A value of a column of texts.
    pub fn text(&self, code: u32) -> &str {
        // Texts come from Rust strings.
        std::str::from_utf8(self.domain.dictionary.value(code)).unwrap_or_default()
    }

    /// The codes, block by block.
    pub fn code_blocks(&self) -> impl IndexedParallelIterator<Item = std::ops::Range<u32>> + use<> {
        let codes = self.distinct();
        (0..codes.div_ceil(BLOCK)).into_par_iter().map(move |block| {
            let first = block * BLOCK;
            first as u32..(first + BLOCK).min(codes) as u32
        })
    }

    /// The distinct values as columns, block by block, and their memory.
    pub fn blocks(&self, cancel: Cancel<'_>) -> (Vec<Vector>, Held) {
        let held = cancel.hold(self.domain.dictionary.bytes());
        (self.code_blocks().map(|codes| self.domain.gather(codes)).collect(), held)
    }
}

/// A column of a batch to be encoded, and the memory that it takes beside the batch.
fn block_of(array: &ArrayRef, cancel: Cancel<'_>) -> (BlockColumn, usize) {
    if *array.data_type() == DataType::Utf8 {
        // Texts of a table are shared.
        return (vector_of(array).into(), 0);
    }
    let block = BlockColumn::new(array);
    // A dictionary may have values of records that were left out. They must not count.
    let block: BlockColumn = if block.places.is_some() { block.to_rows(cancel).into() } else { block };
    let bytes = block.bytes();
    (block, bytes)
}

/// A value of a domain.
pub fn value_of(domain: &Domain, code: u32) -> FieldValue {
    FieldValue::from_row(&domain.gather(std::iter::once(code)), 0)
}

/// The codes with the most records, those of the most first, equal ones in the order of their codes.
pub fn most_frequent(counts: &[u32], most: usize) -> Vec<u32> {
    let mut best: Vec<u32> = Vec::with_capacity(most + 1);
    for code in 0..counts.len() as u32 {
        let count = |code: u32| counts[code as usize];
        if best.len() < most || best.last().is_some_and(|last| count(*last) < count(code)) {
            let place = best.partition_point(|other| count(*other) >= count(code));
            best.insert(place, code);
            best.truncate(most);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_come_first_and_equal_ones_in_order() {
        assert_eq!(most_frequent(&[1, 5, 2, 5, 3], 3), [1, 3, 4]);
        assert_eq!(most_frequent(&[1, 1], 3), [0, 1]);
        assert!(most_frequent(&[], 3).is_empty());
    }
}
