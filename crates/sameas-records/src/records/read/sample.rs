//! The first records of an input, without reading the rest.

use super::first_records::FirstRecords;
use super::open_source::OpenSource;
use super::reading::Reading;
use crate::memory::MemoryBudget;
use crate::records::table::{RowOrigin, Table};

impl OpenSource {
    /// The first records of the first part, or nothing where that is no text file: columns of others have types.
    #[doc(hidden)]
    pub fn sample(mut self, budget: &MemoryBudget, columns: &[usize], enough: usize) -> Option<Table> {
        if columns.iter().any(|column| self.check_usable(*column).is_err()) {
            return None;
        }
        let schema = self.schema_of(columns);
        let part = self.parts.swap_remove(0);
        if !part.part.can_be_sampled() {
            return None;
        }
        let sample = FirstRecords::new(enough);
        let mut reading = Reading::new(1, self.block_bytes, budget, &|_| {});
        reading.taker = Some(&sample);
        let read = part.read(&schema, &self.nulls, &reading, self.types);
        let (batches, is_enough) = sample.into_batches();
        // What is wrong with the file further on is for a run to say.
        let complete = read.is_ok() || is_enough;
        complete.then(|| Table { name: self.name, schema, batches, files: Vec::new(), origin: RowOrigin::default() })
    }
}
