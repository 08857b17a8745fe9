//! The first records of an input, without reading the rest.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::{Fields, Schema};

use super::{Content, ReadBatches, Reading, Source};
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::table::{RowOrigin, Table};

/// Records that are kept until there are enough of them.
pub(super) struct FirstRecords {
    enough: usize,
    kept: Mutex<ReadBatches>,
}

impl FirstRecords {
    /// Keeps a block; the error ends the reading where there are enough.
    pub(super) fn keep(&self, block: ReadBatches) -> Result<()> {
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

impl Source {
    /// The first records of the first file, or nothing where that is not a text file: a stream can be read only once,
    /// and columns of other files have types.
    pub fn sample(mut self, budget: &MemoryBudget, columns: &[usize], enough: usize) -> Option<Table> {
        if columns.iter().any(|column| self.check_usable(*column).is_err()) || self.parts.is_empty() {
            return None;
        }
        let fields: Fields = columns.iter().map(|&column| self.schema.fields()[column].clone()).collect();
        let schema = Arc::new(Schema::new(fields));
        let part = self.parts.swap_remove(0);
        if !matches!(part.content, Content::Csv(_) | Content::Json(_)) {
            return None;
        }
        let sample = FirstRecords { enough, kept: Mutex::new(Vec::new()) };
        let mut reading = Reading::new(1, self.block_bytes, budget, &|_| {});
        reading.sample = Some(&sample);
        let wanted = part.wanted(&schema, &self.nulls);
        let read = part.read(&wanted, &reading);
        let kept = sample.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        // What is wrong with the file further on is for a run to say.
        let complete = read.is_ok() || rows(&kept) >= enough;
        complete.then(|| Table {
            name: self.name,
            schema,
            batches: kept,
            files: Vec::new(),
            origin: RowOrigin::default(),
        })
    }
}
