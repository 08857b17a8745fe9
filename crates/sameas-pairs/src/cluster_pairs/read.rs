//! Reads tables some batches at a time: nothing that grows with their rows stays as it was read.

use arrow_array::{Array, ArrayRef, RecordBatch};

use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{Held, MemoryBudget};
use crate::observer::Progress;
use crate::output::current;
use crate::records::{Input, OpenSource, Table};

/// Rows of a group at least, unless there are no more: enough for all threads.
const GROUP_ROWS: usize = 1 << 18;

/// A group may take this part of the memory, and a batch more.
const GROUP_SHARE: usize = 8;

/// What tables may take while they are read, and what is made of them.
#[derive(Clone, Copy)]
pub(super) struct ReadingTools<'a> {
    pub reading: &'a MemoryBudget,
    pub kept: &'a MemoryBudget,
    pub progress: Progress<'a>,
}

/// Batches that wait for more of them.
#[derive(Default)]
struct BatchGroup {
    batches: Vec<RecordBatch>,
    /// The row of the table that they begin with.
    first: usize,
    rows: usize,
    bytes: usize,
    held: Held,
}

impl<'a> ReadingTools<'a> {
    pub fn cancel(&self) -> Cancel<'a> {
        self.progress.cancel().within(self.reading)
    }

    /// Opens a result of a run, or any other input.
    pub fn open(&self, input: &Input) -> Result<OpenSource> {
        input.moved(current).open_until(self.cancel())
    }

    /// Reads columns of a source, and gives `work` some batches at a time: as a table that has these alone, and the row of the
    /// whole table that they begin with. Gives the table without its rows, which knows where they are.
    pub fn read(
        &self,
        source: OpenSource,
        columns: &[usize],
        mut work: impl FnMut(&Table, usize) -> Result<()> + Send,
    ) -> Result<Table> {
        let mut group = BatchGroup::default();
        let mut take = |table: &Table, batch: &RecordBatch, first: usize| {
            group.add(batch, first, self.reading)?;
            if group.is_enough(self.reading) { group.give(table, &mut work) } else { Ok(()) }
        };
        let table = source.pass_on(self.reading, columns, &|rows| self.progress.advance(rows), &mut take)?;
        group.give(&table, &mut work)?;
        Ok(table)
    }
}

impl BatchGroup {
    fn add(&mut self, batch: &RecordBatch, first: usize, reading: &MemoryBudget) -> Result<()> {
        if self.batches.is_empty() {
            (self.first, self.held) = (first, reading.hold(0)?);
        }
        // A batch may be a part of a larger one.
        let bytes = |column: &ArrayRef| column.to_data().get_slice_memory_size().unwrap_or(0);
        self.rows += batch.num_rows();
        self.bytes += batch.columns().iter().map(bytes).sum::<usize>();
        self.batches.push(batch.clone());
        self.held.reach(self.bytes)
    }

    fn is_enough(&self, reading: &MemoryBudget) -> bool {
        self.rows >= GROUP_ROWS || self.bytes >= reading.most() / GROUP_SHARE
    }

    /// Gives all of them; what no longer fits the memory is said with the row at which that was.
    fn give(&mut self, table: &Table, work: &mut impl FnMut(&Table, usize) -> Result<()>) -> Result<()> {
        let Self { batches, first, held, .. } = std::mem::take(self);
        if batches.is_empty() {
            return Ok(());
        }
        let given = work(&Table { batches, ..table.clone() }, first);
        drop(held);
        given.map_err(|error| at_row(error, table, first))
    }
}

fn at_row(error: Error, table: &Table, row: usize) -> Error {
    if error.code() == ErrorCode::MemoryLimit { error.at(&table.place(row)) } else { error }
}
