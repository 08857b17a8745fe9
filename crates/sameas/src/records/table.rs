//! A table in memory: the columns a job needs, in the order of the rows.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::read::line_of_row;

/// One input, read: batches in row order, all of one schema.
///
/// Text columns are `Utf8` whatever the file called them, and hold no empty values: empty is null.
#[derive(Clone, Debug)]
pub struct Table {
    /// The `source_dataset` of its records.
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
    /// Where a row came from, for messages: `people.csv:17`, or, where the file has no lines, `people.parquet, row 16`.
    pub fn place(&self, row: usize) -> String {
        let mut row = row;
        for (label, rows) in &self.files {
            if row < *rows {
                let line = line_of_row(Path::new(label), row);
                return line.map_or_else(|| format!("{label}, row {}", row + 1), |line| format!("{label}:{line}"));
            }
            row -= rows;
        }
        format!("{}, row {}", self.name, row + 1)
    }

    /// Keeps these rows, ascending, and drops the others.
    pub fn keep(&mut self, rows: &[usize]) {
        let mut kept = Vec::with_capacity(rows.len());
        let (mut start, mut wanted) = (0, rows);
        for batch in &self.batches {
            let end = start + batch.num_rows();
            let (here, rest) = wanted.split_at(wanted.partition_point(|row| *row < end));
            kept.extend(here.iter().map(|row| batch.slice(row - start, 1)));
            (start, wanted) = (end, rest);
        }
        self.batches = kept;
    }
}
