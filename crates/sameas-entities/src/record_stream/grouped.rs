//! Batches that come one after the other and are worked on some at a time, on all threads.

use rayon::prelude::*;

use super::{InputBatch, MemoryBudget, Result};

/// Batches for each thread that are worked on at a time.
const PER_THREAD: usize = 2;

/// They may take this part of the memory, and one of them more.
const SHARE: usize = 16;

/// What is done with each batch.
pub type BatchWork<'a, R> = &'a (dyn Fn(InputBatch) -> Result<R> + Sync);

/// Batches that wait to be worked on together.
pub struct GroupedBatches<'a, R> {
    waiting: Vec<InputBatch>,
    bytes: usize,
    most_bytes: usize,
    work: BatchWork<'a, R>,
}

impl<'a, R: Send> GroupedBatches<'a, R> {
    /// None yet.
    pub fn new(budget: &MemoryBudget, work: BatchWork<'a, R>) -> Self {
        Self { waiting: Vec::new(), bytes: 0, most_bytes: budget.most() / SHARE, work }
    }

    /// Adds a batch; gives what was made of it and those before it, in order, if it was time to work on them.
    pub fn add(&mut self, batch: InputBatch) -> Result<Vec<R>> {
        self.bytes = self.bytes.saturating_add(batch.batch.get_array_memory_size());
        self.waiting.push(batch);
        let is_enough = self.waiting.len() >= PER_THREAD * rayon::current_num_threads();
        if is_enough || self.bytes > self.most_bytes { self.finish() } else { Ok(Vec::new()) }
    }

    /// What is made of those that wait.
    pub fn finish(&mut self) -> Result<Vec<R>> {
        self.bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        let worked: Vec<Result<R>> = waiting.into_par_iter().map(self.work).collect();
        worked.into_iter().collect()
    }
}
