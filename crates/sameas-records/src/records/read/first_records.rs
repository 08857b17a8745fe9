//! Records that are kept until there are enough of them.

use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;

use super::read_batches::{BatchTaker, ReadBatches};
use crate::error::{Error, Result};

/// Records that are kept until there are enough of them.
pub(super) struct FirstRecords {
    enough: usize,
    kept: Mutex<ReadBatches>,
}

impl FirstRecords {
    /// None yet.
    pub(super) fn new(enough: usize) -> Self {
        Self { enough, kept: Mutex::new(Vec::new()) }
    }

    /// Those that were kept, and whether they are enough.
    pub(super) fn into_batches(self) -> (ReadBatches, bool) {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_enough = rows(&kept) >= self.enough;
        (kept, is_enough)
    }
}

impl BatchTaker for FirstRecords {
    /// Keeps a block; the error ends the reading where there are enough.
    fn take(&self, block: ReadBatches) -> Result<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for batch in block {
            let missing = self.enough.saturating_sub(rows(&kept));
            kept.push(batch.slice(0, batch.num_rows().min(missing)));
        }
        if rows(&kept) < self.enough { Ok(()) } else { Err(Error::internal("there are enough records")) }
    }
}

fn rows(batches: &[RecordBatch]) -> usize {
    batches.iter().map(RecordBatch::num_rows).sum()
}
