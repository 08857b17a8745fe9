//! Sorted pairs are gone through once more: some are kept, and others may come to them.

use std::sync::{Mutex, PoisonError};

use super::{PairBuffer, PairSorter, SortedPairs};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::pairs::{Pair, PairScore, PairsInOrder, ResultPairs};

/// The pairs that are kept, with those that are added, sorted by another sorter. What is added is not among the others.
pub fn sort_kept(
    pairs: &SortedPairs,
    is_kept: &(dyn Fn(&Pair, PairScore) -> bool + Sync),
    added: &ResultPairs,
    sorter: PairSorter,
    cancel: Cancel<'_>,
) -> Result<SortedPairs> {
    let idle: Mutex<Vec<PairBuffer>> = Mutex::default();
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let push_kept = |rows: &ResultPairs, is_kept: &dyn Fn(&Pair, PairScore) -> bool| -> Result<()> {
        let free = lock().pop();
        let mut buffer = free.unwrap_or_else(|| sorter.buffer());
        for (at, pair) in rows.pairs.iter().enumerate() {
            let score = rows.scores.get(at).copied().unwrap_or(PairScore::NONE);
            if is_kept(pair, score) {
                buffer.push_scored(*pair, score)?;
            }
        }
        lock().push(buffer);
        Ok(())
    };
    pairs.in_any_order(&|rows| {
        cancel.check();
        push_kept(rows, is_kept)
    })?;
    push_kept(added, &|_, _| true)?;
    let buffers = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
    sorter.finish(buffers)
}
