//! Counts of texts that a use could not read.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts, per column, of text values that a use could not read as a number or date.
/// Threads share one; each adds once per column and batch.
#[derive(Debug, Default)]
pub struct ParseCounts(Mutex<BTreeMap<String, u64>>);

impl ParseCounts {
    /// Adds `n` to the count of a column.
    pub fn add(&self, column: &str, n: u64) {
        if n > 0 {
            *self.lock().entry(column.to_owned()).or_default() += n;
        }
    }

    /// The counts so far, of columns that have any.
    pub fn snapshot(&self) -> BTreeMap<String, u64> {
        self.lock().clone()
    }

    /// A count is whole at any moment, so another thread's panic leaves nothing to repair.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
