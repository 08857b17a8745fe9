//! All tuples of a relation in lexicographic order, some at a time. They are sorted in parts, by ranges of the first
//! column, so that this takes a share of the memory that is left and not as much as the tuples again.

use std::ops::Range;

use rayon::prelude::*;

use super::packed::{PackedTuple, unpack_into};
use super::store::{BLOCK, TupleStore};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::relation::TupleSink;

/// Ranges of the first column that tuples are counted by.
const RANGES: usize = 1 << 16;
/// A part takes at most this share of the memory that is left, unless a range has more.
const SHARE: usize = 4;

/// Hands all tuples to `block`.
pub fn sorted(store: &TupleStore, budget: &MemoryBudget, cancel: Cancel<'_>, block: &mut TupleSink<'_>) -> Result<()> {
    let blocks = store.blocks(store.range());
    match blocks.first().map(|block| block.columns().len()) {
        None => Ok(()),
        Some(_) if store.is_sorted() => blocks.iter().try_for_each(|tuples| {
            cancel.check();
            block(tuples.columns())
        }),
        Some(columns @ 1..=2) => in_parts::<u64>(store, columns, budget, cancel, block),
        Some(columns) => in_parts::<u128>(store, columns, budget, cancel, block),
    }
}

fn in_parts<K: PackedTuple>(
    store: &TupleStore,
    columns: usize,
    budget: &MemoryBudget,
    cancel: Cancel<'_>,
    block: &mut TupleSink<'_>,
) -> Result<()> {
    let blocks = store.blocks(store.range());
    let (shift, counts) = counts_by_range(store, cancel);
    let most = (budget.room() / SHARE / size_of::<K>()).max(BLOCK);
    for part in parts(&counts, most) {
        let tuples = counts[part.clone()].iter().sum::<u64>() as usize;
        let _held = budget.hold(tuples * size_of::<K>())?;
        let values = (part.start as u64) << shift..(part.end as u64) << shift;
        let some = blocks.par_iter().flat_map_iter(|block| {
            cancel.check();
            let rows = (0..block.len()).filter(|row| values.contains(&u64::from(block.column(0)[*row])));
            rows.map(|row| K::pack(block.columns().iter().map(|column| column[row])))
        });
        let mut packed: Vec<K> = some.collect();
        packed.par_sort_unstable();
        for some in packed.chunks(BLOCK) {
            cancel.check();
            let mut unpacked = vec![Vec::with_capacity(some.len()); columns];
            some.iter().for_each(|tuple| unpack_into(*tuple, &mut unpacked));
            block(&unpacked)?;
        }
    }
    Ok(())
}

/// Tuples by ranges of the first column, and how many bits a range has.
fn counts_by_range(store: &TupleStore, cancel: Cancel<'_>) -> (u32, Vec<u64>) {
    let blocks = store.blocks(store.range());
    let largest = |values: &[u32]| values.iter().copied().max().unwrap_or(0);
    let largest = blocks.par_iter().map(|block| largest(block.column(0))).max().unwrap_or(0);
    let shift = (u64::from(largest) + 1).div_ceil(RANGES as u64).next_power_of_two().ilog2();
    let mut counts = vec![0; (largest >> shift) as usize + 1];
    for block in blocks {
        cancel.check();
        block.column(0).iter().for_each(|value| counts[(value >> shift) as usize] += 1);
    }
    (shift, counts)
}

/// Consecutive ranges that have no more than `most` tuples together, unless one has.
fn parts(counts: &[u64], most: usize) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut tuples) = (Vec::new(), 0, 0);
    for (at, count) in counts.iter().enumerate() {
        if tuples + count > most as u64 && at > start {
            parts.push(start..at);
            (start, tuples) = (at, 0);
        }
        tuples += count;
    }
    parts.push(start..counts.len());
    parts
}
