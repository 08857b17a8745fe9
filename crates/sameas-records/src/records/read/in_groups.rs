//! Parts that are worked on side by side, some at a time.

use rayon::prelude::*;

use crate::error::Result;

/// Works on as many items at a time as there are threads; gives the results in order, or the first error in order.
pub(super) fn in_groups<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let threads = rayon::current_num_threads();
    let mut results = Vec::with_capacity(items.len());
    let mut items = items.into_iter();
    loop {
        let group: Vec<T> = items.by_ref().take(threads).collect();
        if group.is_empty() {
            return Ok(results);
        }
        let done: Vec<Result<R>> = group.into_par_iter().map(&work).collect();
        for result in done {
            results.push(result?);
        }
    }
}
