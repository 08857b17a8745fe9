//! Columns of integers, numbered in the order of their values.
//!
//! Where they lie close together, they are bits. Otherwise they are sorted, and found by their leading bits.

use rayon::prelude::*;

use super::{AT_A_TIME, Numbered, check_count};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::numbering::close_integers::CloseIntegers;

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
        let set = close_integers(columns, (least, most), cancel);
        let ids: Vec<u64> = set.par_ascending().map(|id| id as u64).collect();
        check_count(ids.len())?;
        Ok(Numbered { ids, columns: numbers(columns, |value| set.number(value as usize), cancel) })
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

fn close_integers(columns: &[&[u64]], (least, most): (u64, u64), cancel: Cancel<'_>) -> CloseIntegers {
    let possible = (most - least) as usize + 1;
    let _held = cancel.hold(CloseIntegers::bytes_for(possible));
    CloseIntegers::set_by(least as usize, possible, |bits| {
        columns.par_iter().flat_map(|column| column.par_chunks(AT_A_TIME)).for_each(|values| {
            cancel.check();
            values.iter().for_each(|value| bits.set(*value as usize));
        });
    })
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
