//! Integers in the order of their values.
//!
//! Where they lie close together, a bit for each possible value says which occur, and the number of one is the number of
//! bits before it. Otherwise they are sorted, and found by their leading bits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{AT_A_TIME, Numbered, check_count};
use crate::cancel::Cancel;
use crate::error::Result;

/// Bits that a value may take where values lie close together; a list of sorted values takes 64.
const BITS_FOR_A_VALUE: u64 = 32;

/// A range of this size is always small.
const SMALL_RANGE: u64 = 1 << 20;

/// Numbers integers by value.
pub fn number_integers(columns: &[&[u64]], cancel: Cancel<'_>) -> Result<Numbered<u64>> {
    let bounds = |column: &&[u64]| column.par_iter().map(|value| (*value, *value)).reduce_with(wider);
    let Some((least, most)) = columns.iter().filter_map(bounds).reduce(wider) else {
        return Ok(Numbered { ids: Vec::new(), columns: columns.iter().map(|_| Vec::new()).collect() });
    };
    let values: u64 = columns.iter().map(|column| column.len() as u64).sum();
    if most - least < SMALL_RANGE.max(BITS_FOR_A_VALUE.saturating_mul(values)) {
        let set = ValueBits::new(columns, (least, most), cancel);
        let ids = set.values();
        check_count(ids.len())?;
        Ok(Numbered { ids, columns: numbers(columns, |value| set.number(value), cancel) })
    } else {
        let set = SortedValues::new(columns, (least, most), cancel);
        check_count(set.values.len())?;
        let columns = numbers(columns, |value| set.number(value), cancel);
        Ok(Numbered { ids: set.values, columns })
    }
}

fn wider(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0.min(b.0), a.1.max(b.1))
}

fn numbers(columns: &[&[u64]], number: impl Fn(u64) -> u32 + Sync, cancel: Cancel<'_>) -> Vec<Vec<u32>> {
    let of_column = |column: &&[u64]| {
        let _held = cancel.hold(4 * column.len());
        let mut numbers = vec![0; column.len()];
        numbers.par_chunks_mut(AT_A_TIME).zip(column.par_chunks(AT_A_TIME)).for_each(|(numbers, values)| {
            cancel.check();
            numbers.iter_mut().zip(values).for_each(|(place, value)| *place = number(*value));
        });
        numbers
    };
    columns.iter().map(of_column).collect()
}

/// A bit for each value from the least to the greatest, and the number of bits before each word.
struct ValueBits {
    least: u64,
    words: Vec<u64>,
    before: Vec<u32>,
}

impl ValueBits {
    fn new(columns: &[&[u64]], (least, most): (u64, u64), cancel: Cancel<'_>) -> Self {
        let count = ((most - least) / 64 + 1) as usize;
        let _held = cancel.hold(12 * count);
        let words: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
        columns.par_iter().flat_map(|column| column.par_chunks(AT_A_TIME)).for_each(|values| {
            cancel.check();
            for value in values.iter().map(|value| value - least) {
                let (word, bit) = (&words[(value / 64) as usize], 1 << (value % 64));
                // Most values occur several times, and a load is quicker than a change.
                if word.load(Relaxed) & bit == 0 {
                    word.fetch_or(bit, Relaxed);
                }
            }
        });
        let words: Vec<u64> = words.into_iter().map(AtomicU64::into_inner).collect();
        let mut sum = 0_u32;
        let before = words.iter().map(|word| {
            let before = sum;
            sum = sum.wrapping_add(word.count_ones());
            before
        });
        Self { least, before: before.collect(), words }
    }

    fn number(&self, value: u64) -> u32 {
        let (word, bit) = (((value - self.least) / 64) as usize, (value - self.least) % 64);
        self.before[word] + (self.words[word] & ((1 << bit) - 1)).count_ones()
    }

    fn values(&self) -> Vec<u64> {
        let of_word = |(at, word): (usize, &u64)| {
            let (first, mut rest) = (self.least + 64 * at as u64, *word);
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| u64::from(rest.trailing_zeros()))?;
                rest &= rest - 1;
                Some(first + bit)
            })
        };
        self.words.par_iter().enumerate().flat_map_iter(of_word).collect()
    }
}

/// Sorted values, and where those with the same leading bits begin.
struct SortedValues {
    least: u64,
    values: Vec<u64>,
    shift: u32,
    starts: Vec<u32>,
}

impl SortedValues {
    fn new(columns: &[&[u64]], (least, most): (u64, u64), cancel: Cancel<'_>) -> Self {
        let _held = cancel.hold(8 * columns.iter().map(|column| column.len()).sum::<usize>());
        let mut values = columns.concat();
        values.par_sort_unstable();
        cancel.check();
        values.dedup();
        // About one bucket for each value.
        let buckets = (values.len() as u64).next_power_of_two();
        let shift = (64 - (most - least).leading_zeros()).saturating_sub(buckets.trailing_zeros());
        let mut starts = vec![0_u32; ((most - least) >> shift) as usize + 2];
        values.iter().for_each(|value| starts[((value - least) >> shift) as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        Self { least, values, shift, starts }
    }

    fn number(&self, value: u64) -> u32 {
        let bucket = ((value - self.least) >> self.shift) as usize;
        let (start, end) = (self.starts[bucket], self.starts[bucket + 1]);
        start + self.values[start as usize..end as usize].partition_point(|other| *other < value) as u32
    }
}
