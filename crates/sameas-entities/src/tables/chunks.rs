//! Rows in chunks of one size, however they come.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;

use super::{Result, TableSink, broken};

/// Values of a chunk, about.
const VALUES: usize = 1 << 20;

/// Rows of a chunk at least and at most.
const ROWS: (usize, usize) = (1 << 13, 1 << 17);

/// Rows on their way to a sink.
pub struct TableChunks<'a> {
    sink: &'a mut dyn TableSink,
    schema: SchemaRef,
    /// Rows of a chunk.
    rows: usize,
    waiting: Vec<RecordBatch>,
    waiting_rows: usize,
    /// Rows of all chunks.
    pub taken: u64,
}

impl<'a> TableChunks<'a> {
    /// The rows of a table with these columns.
    pub fn begin(sink: &'a mut dyn TableSink, schema: SchemaRef) -> Result<Self> {
        sink.begin(&schema)?;
        let rows = (VALUES / schema.fields().len().max(1)).next_power_of_two().clamp(ROWS.0, ROWS.1);
        Ok(Self { sink, schema, rows, waiting: Vec::new(), waiting_rows: 0, taken: 0 })
    }

    /// Adds rows.
    pub fn add(&mut self, batches: Vec<RecordBatch>) -> Result<()> {
        let mut whole = Vec::new();
        for mut batch in batches {
            self.taken += batch.num_rows() as u64;
            while self.waiting_rows + batch.num_rows() >= self.rows {
                let here = self.rows - self.waiting_rows;
                self.waiting.push(batch.slice(0, here));
                batch = batch.slice(here, batch.num_rows() - here);
                whole.push(self.joined()?);
            }
            self.waiting_rows += batch.num_rows();
            if batch.num_rows() > 0 {
                self.waiting.push(batch);
            }
        }
        if whole.is_empty() { Ok(()) } else { self.sink.take(whole) }
    }

    fn joined(&mut self) -> Result<RecordBatch> {
        self.waiting_rows = 0;
        let mut waiting = std::mem::take(&mut self.waiting);
        // Parts of a nested column that belong to other rows would count when it is written: joining leaves them out.
        if waiting.len() == 1 && self.schema.fields().iter().any(|field| field.data_type().is_nested()) {
            waiting.push(RecordBatch::new_empty(self.schema.clone()));
        }
        concat_batches(&self.schema, &waiting).map_err(|error| broken(&error))
    }

    /// Hands on what is left; gives how many rows there were.
    pub fn finish(mut self) -> Result<u64> {
        if self.waiting_rows > 0 {
            let last = self.joined()?;
            self.sink.take(vec![last])?;
        }
        Ok(self.taken)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::types::Int32Type;
    use arrow_array::{ArrayRef, ListArray, StringArray};

    use super::super::{Format, TableFile};
    use super::*;

    /// The file of a table whose rows come in pieces of these sizes, by turns.
    fn file(table: &RecordBatch, pieces: &[usize]) -> Vec<u8> {
        let mut sink = TableFile::new(Vec::new(), Format::Parquet, Path::new("x"));
        let mut chunks = TableChunks::begin(&mut sink, table.schema()).unwrap();
        let (mut from, mut sizes) = (0, pieces.iter().cycle());
        while from < table.num_rows() {
            let rows = (*sizes.next().unwrap()).min(table.num_rows() - from);
            chunks.add(vec![table.slice(from, rows)]).unwrap();
            from += rows;
        }
        assert_eq!(chunks.finish().unwrap(), table.num_rows() as u64);
        sink.finish().unwrap()
    }

    #[test]
    fn a_file_does_not_depend_on_how_its_rows_come() {
        let rows = 300_000;
        // Values are missing at the end alone, so that many pieces have a bitmap in which nothing is missing.
        let is_there = |row: usize| row < 280_000 || !row.is_multiple_of(3);
        let texts = (0..rows).map(|row| is_there(row).then(|| (row * 7919 % 30_011).to_string()));
        let lists = (0..rows)
            .map(|row| is_there(row).then(move || (0..row % 4).map(move |at| is_there(row + at).then_some(at as i32))));
        let texts: ArrayRef = Arc::new(StringArray::from_iter(texts));
        let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
        for column in [texts, lists] {
            let table = RecordBatch::try_from_iter_with_nullable([("x", column, true)]).unwrap();
            let whole = file(&table, &[rows]);
            for pieces in [&[131_072][..], &[70_000, 1, 9_999], &[200_000, 100_000]] {
                assert!(file(&table, pieces) == whole, "{pieces:?}");
            }
        }
    }
}
