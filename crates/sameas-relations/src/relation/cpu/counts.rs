//! How many tuples each group of some columns has.

use rayon::prelude::*;

use super::host_relation::HostRelation;
use super::packed::{PackedTuple, unpack_into};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;

/// The groups in their order, a list for each column, and their counts.
pub fn counts(
    relation: &HostRelation,
    group: &[usize],
    budget: &MemoryBudget,
    cancel: Cancel<'_>,
) -> Result<Vec<Vec<u32>>> {
    match group.len() {
        0 => Ok(vec![vec![count(relation.store.len())?]]),
        1 | 2 => counted::<u64>(relation, group, budget, cancel),
        _ => counted::<u128>(relation, group, budget, cancel),
    }
}

fn counted<K: PackedTuple>(
    relation: &HostRelation,
    group: &[usize],
    budget: &MemoryBudget,
    cancel: Cancel<'_>,
) -> Result<Vec<Vec<u32>>> {
    let store = &relation.store;
    let _held = budget.hold(store.len() as usize * size_of::<K>())?;
    let blocks = store.blocks(store.range()).par_iter();
    let mut groups: Vec<K> = blocks
        .flat_map_iter(|block| {
            cancel.check();
            (0..block.len()).map(move |row| K::pack(group.iter().map(move |column| block.column(*column)[row])))
        })
        .collect();
    groups.par_sort_unstable();
    let mut columns = vec![Vec::new(); group.len() + 1];
    for same in groups.chunk_by(|a, b| a == b) {
        unpack_into(same[0], &mut columns[..group.len()]);
        columns[group.len()].push(count(same.len() as u64)?);
    }
    Ok(columns)
}

fn count(tuples: u64) -> Result<u32> {
    u32::try_from(tuples).map_err(|_| Error::data(format!("a group has {tuples} tuples, and counts are below 2^32")))
}
