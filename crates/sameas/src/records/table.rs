//! A table in memory: the columns a job needs, in the order of the rows.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

/// One input, read: batches in row order, all of one schema.
///
/// Text columns are `Utf8` whatever the file called them, and hold no empty values: empty is null.
#[derive(Clone, Debug)]
pub struct Table {
    /// What `source_dataset` says of its records.
    pub name: String,
    /// Names and types of the columns that were read.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// The files they came from, with the number of rows of each.
    pub files: Vec<(String, usize)>,
}

impl Table {
    /// Number of records.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

impl Table {
    /// Where a row came from, for messages: the file and the number of its row there, counted from 1 below the header.
    pub fn place(&self, row: usize) -> String {
        let mut row = row;
        for (label, rows) in &self.files {
            if row < *rows {
                return format!("{label}, row {}", row + 1);
            }
            row -= rows;
        }
        format!("{}, row {}", self.name, row + 1)
    }

    /// Keeps these rows, ascending, and drops the others.
    pub fn keep(&mut self, rows: &[usize]) {
        let mut kept = Vec::with_capacity(rows.len());
        let mut start = 0;
        for batch in &self.batches {
            let end = start + batch.num_rows();
            kept.extend(rows.iter().filter(|r| (start..end).contains(*r)).map(|r| batch.slice(r - start, 1)));
            start = end;
        }
        self.batches = kept;
    }
}
