//! Batches that are passed on as they are read, and of which no table is made.

use std::sync::{Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;

use super::caller_columns::bytes;
use super::open_source::OpenSource;
use super::read_batches::{BatchTaker, ReadBatches};
use super::reading::Reading;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::table::{RowOrigin, Table};

impl OpenSource {
    /// Reads the columns at these places of the schema as [`Self::read_within`] does, and passes each batch on, in order, in
    /// place of keeping it. `take` is given the table without its rows, which knows the places of those that have come, the
    /// batch, and the row of the table that it begins with. Gives the table without its rows.
    #[doc(hidden)]
    pub fn pass_on(
        self,
        budget: &MemoryBudget,
        columns: &[usize],
        progress: &(dyn Fn(u64) + Sync),
        take: &mut (dyn FnMut(&Table, &RecordBatch, usize) -> Result<()> + Send),
    ) -> Result<Table> {
        for &column in columns {
            self.check_usable(column)?;
        }
        let (schema, origin) = (self.schema_of(columns), RowOrigin::new(self.text));
        let table = Table { name: self.name, schema: schema.clone(), batches: Vec::new(), files: Vec::new(), origin };
        let passed = PassedBatches { budget, next: Mutex::new(Some(PassedTable { table, rows: 0, take })) };
        for part in self.parts {
            passed.begin(part.part.label());
            let mut reading = Reading::new(1, self.block_bytes, budget, progress);
            reading.taker = Some(&passed);
            part.read(&schema, &self.nulls, &reading, self.types)?;
        }
        passed.into_table()
    }
}

/// What passes batches on.
struct PassedBatches<'a> {
    budget: &'a MemoryBudget,
    /// Where the next batch goes; nothing while one is on its way: no lock is held while threads work.
    next: Mutex<Option<PassedTable<'a>>>,
}

/// Where batches go, and what is known of those that have come.
struct PassedTable<'a> {
    table: Table,
    /// The rows that have come.
    rows: usize,
    take: &'a mut (dyn FnMut(&Table, &RecordBatch, usize) -> Result<()> + Send),
}

impl<'a> PassedBatches<'a> {
    /// Begins with the batches of a part.
    fn begin(&self, label: &str) {
        if let Some(next) = &mut *self.lock() {
            next.table.files.push((label.to_owned(), 0));
        }
    }

    fn into_table(self) -> Result<Table> {
        let next = self.next.into_inner().unwrap_or_else(PoisonError::into_inner);
        next.map(|next| next.table).ok_or_else(out_of_order)
    }

    fn lock(&self) -> MutexGuard<'_, Option<PassedTable<'a>>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BatchTaker for PassedBatches<'_> {
    fn take(&self, batches: ReadBatches) -> Result<()> {
        let _held = self.budget.hold(batches.iter().flat_map(RecordBatch::columns).map(bytes).sum())?;
        let mut next = self.lock().take().ok_or_else(out_of_order)?;
        let passed = batches.iter().try_for_each(|batch| next.pass(batch));
        *self.lock() = Some(next);
        passed
    }
}

impl PassedTable<'_> {
    fn pass(&mut self, batch: &RecordBatch) -> Result<()> {
        let first = self.rows;
        self.rows += batch.num_rows();
        // The rows of this batch have places, too.
        if let Some((_, rows)) = self.table.files.last_mut() {
            *rows += batch.num_rows();
        }
        (self.take)(&self.table, batch, first)
    }
}

fn out_of_order() -> Error {
    Error::internal("two batches of one source were passed on at the same time")
}
