//! Whole numbers that lie close together, such as ranks, years and counts: a bit for each number that could occur, and the
//! code of one is how many that do are below it. No value is hashed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::bytes::integer_bytes;
use super::{Dictionary, NULL};
use crate::cancel::Cancel;
use crate::expr::{Num, Vector};
use crate::records::block_column::{BlockColumn, BlockValues};

/// Numbers that could occur, for each row: more of them are found sooner by hashing.
const MOST_PER_ROW: u64 = 4;

/// The numbers that occur in some columns.
struct OccurringNumbers {
    first: i64,
    words: Vec<u64>,
    /// How many occur before each word.
    before: Vec<u32>,
}

/// One dictionary of whole numbers, in ascending order, and for each column the code of each row; nothing where values are no
/// whole numbers, or too far apart.
pub fn encode_whole_numbers(columns: &[Vec<BlockColumn>], cancel: Cancel<'_>) -> Option<(Dictionary, Vec<Vec<u32>>)> {
    let blocks: Vec<&BlockColumn> = columns.iter().flatten().collect();
    let ranges: Vec<Option<(i64, i64)>> = blocks.par_iter().map(|block| range(block)).collect::<Option<_>>()?;
    let join = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
    let (first, last) = ranges.into_iter().flatten().reduce(join)?;
    let rows: usize = blocks.iter().map(|block| block.rows()).sum();
    let possible = last.abs_diff(first).checked_add(1).filter(|all| *all <= MOST_PER_ROW * rows as u64)?;
    let _held = cancel.hold(possible as usize / 8 + possible as usize / 16);
    let numbers = OccurringNumbers::of(&blocks, first, possible as usize);
    cancel.check();
    let codes = columns.iter().map(|blocks| numbers.codes(blocks)).collect();
    Some((numbers.dictionary(), codes))
}

/// The least and the largest number of a block; nothing where a value is no whole number.
fn range(block: &BlockColumn) -> Option<Option<(i64, i64)>> {
    let (BlockValues::Plain(Vector::Number(numbers)), None) = (&block.values, &block.places) else { return None };
    let mut range: Option<(i64, i64)> = None;
    for number in numbers.iter().flatten() {
        let Num::Int(value) = number else { return None };
        range = Some(range.map_or((value, value), |(least, most)| (least.min(value), most.max(value))));
    }
    Some(range)
}

/// The whole numbers of a block by row; all that are not null are some.
fn integers(block: &BlockColumn) -> impl Iterator<Item = Option<i64>> + '_ {
    let numbers = match &block.values {
        BlockValues::Plain(Vector::Number(numbers)) => Some(numbers.iter()),
        _ => None,
    };
    numbers.into_iter().flatten().map(|number| match number {
        Some(Num::Int(value)) => Some(value),
        _ => None,
    })
}

impl OccurringNumbers {
    fn of(blocks: &[&BlockColumn], first: i64, possible: usize) -> Self {
        let words: Vec<AtomicU64> = (0..possible.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        blocks.par_iter().for_each(|block| {
            for value in integers(block).flatten() {
                let place = value.abs_diff(first) as usize;
                words[place / 64].fetch_or(1 << (place % 64), Relaxed);
            }
        });
        let words: Vec<u64> = words.into_iter().map(AtomicU64::into_inner).collect();
        let count = |sum: &mut u32, word: &u64| Some(std::mem::replace(sum, *sum + word.count_ones()));
        Self { first, before: words.iter().scan(0, count).collect(), words }
    }

    /// The code of each row of a column.
    fn codes(&self, blocks: &[BlockColumn]) -> Vec<u32> {
        let code = |value: Option<i64>| {
            let Some(value) = value else { return NULL };
            let place = value.abs_diff(self.first) as usize;
            self.before[place / 64] + (self.words[place / 64] & ((1 << (place % 64)) - 1)).count_ones()
        };
        blocks.par_iter().flat_map_iter(|block| integers(block).map(code)).collect()
    }

    /// The numbers that occur.
    fn dictionary(&self) -> Dictionary {
        let of_word = |(at, word): (usize, &u64)| {
            let (word, first) = (*word, self.first.wrapping_add(at as i64 * 64));
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first.wrapping_add(bit))
        };
        let bytes: Vec<u8> =
            self.words.par_iter().enumerate().flat_map_iter(|word| of_word(word).flat_map(integer_bytes)).collect();
        let size = integer_bytes(0).len();
        let ends = (1..=bytes.len() / size).map(|number| number * size).collect();
        Dictionary { bytes, ends: Arc::new(ends) }
    }
}
