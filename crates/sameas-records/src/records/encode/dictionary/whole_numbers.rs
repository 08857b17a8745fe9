//! Whole numbers that lie close together, such as ranks, years and counts: a bit for each number that could occur, and the
//! code of one is how many that do are below it. No value is hashed.

use std::sync::Arc;

use rayon::prelude::*;

use super::super::bytes::integer_bytes;
use super::{Dictionary, NULL};
use crate::cancel::Cancel;
use crate::expr::{Num, Vector};
use crate::numbering::CloseIntegers;
use crate::records::block_column::{BlockColumn, BlockValues};

/// Numbers that could occur, for each row: more of them are found sooner by hashing.
const MOST_PER_ROW: u64 = 4;

/// One dictionary of whole numbers, in ascending order, and for each column the code of each row; nothing where values are no
/// whole numbers, or too far apart.
pub fn encode_whole_numbers(columns: &[Vec<BlockColumn>], cancel: Cancel<'_>) -> Option<(Dictionary, Vec<Vec<u32>>)> {
    let blocks: Vec<&BlockColumn> = columns.iter().flatten().collect();
    let ranges: Vec<Option<(i64, i64)>> = blocks.par_iter().map(|block| range(block)).collect::<Option<_>>()?;
    let join = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
    let (first, last) = ranges.into_iter().flatten().reduce(join)?;
    let rows: usize = blocks.iter().map(|block| block.rows()).sum();
    let possible = last.abs_diff(first).checked_add(1).filter(|all| *all <= MOST_PER_ROW * rows as u64)? as usize;
    let _held = cancel.hold(CloseIntegers::bytes_for(possible));
    let above = |value: i64| value.abs_diff(first) as usize;
    let occurring = CloseIntegers::set_by(0, possible, |bits| {
        blocks.par_iter().for_each(|block| integers(block).flatten().for_each(|value| bits.set(above(value))));
    });
    cancel.check();
    let code = |value: Option<i64>| value.map_or(NULL, |value| occurring.number(above(value)));
    let codes = |blocks: &Vec<BlockColumn>| -> Vec<u32> {
        blocks.par_iter().flat_map_iter(|block| integers(block).map(code)).collect()
    };
    let codes = columns.iter().map(codes).collect();
    Some((dictionary(occurring.par_ascending().map(|above| first.wrapping_add(above as i64))), codes))
}

/// The dictionary of these numbers, ascending.
fn dictionary(numbers: impl ParallelIterator<Item = i64>) -> Dictionary {
    let bytes: Vec<u8> = numbers.flat_map_iter(integer_bytes).collect();
    let size = integer_bytes(0).len();
    let ends = (1..=bytes.len() / size).map(|number| number * size).collect();
    Dictionary { bytes: Arc::new(bytes), ends: Arc::new(ends) }
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
