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
        let waiting = std::mem::take(&mut self.waiting);
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
