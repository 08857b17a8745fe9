//! Where the pairs of a closure go: into a file, or to whoever takes batches.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use rayon::prelude::*;

use crate::error::Result;
use crate::output::{Format, WriteOptions, write_table};

/// Makes a chunk by its number.
pub type MakeChunk<'a> = dyn Fn(u64) -> Result<RecordBatch> + Sync + 'a;

/// Takes the chunks of a table in their order.
pub trait ChunkSink {
    /// What is left of it when all are taken.
    type Done;

    /// Rows that a chunk shall have, of a table with this many.
    fn chunk_rows(&self, rows: u64) -> u64;

    /// Takes all chunks, of which `parallel` may be made at a time, and tells `report` how many rows it has taken.
    fn take(
        self,
        schema: &SchemaRef,
        chunks: u64,
        make: &MakeChunk<'_>,
        parallel: usize,
        report: &(dyn Fn(u64) + Sync),
    ) -> Result<Self::Done>;
}

/// A file; `path` is what messages call it.
pub struct FileSink<'a, W> {
    /// Where the bytes go.
    pub out: W,
    /// How they are written.
    pub format: Format,
    /// Its name.
    pub path: &'a Path,
}

impl<W: Write + Send> ChunkSink for FileSink<'_, W> {
    type Done = W;

    fn chunk_rows(&self, rows: u64) -> u64 {
        self.format.chunk_rows(rows)
    }

    fn take(
        self,
        schema: &SchemaRef,
        chunks: u64,
        make: &MakeChunk<'_>,
        parallel: usize,
        report: &(dyn Fn(u64) + Sync),
    ) -> Result<W> {
        let options = WriteOptions { format: self.format, path: self.path, parallel, progress: report };
        write_table(self.out, schema, &[], chunks, make, &options)
    }
}

/// Rows of a batch.
const BATCH_ROWS: u64 = 1 << 16;

/// Someone who takes batches.
pub struct BatchesSink<'a>(pub &'a mut (dyn FnMut(RecordBatch) -> Result<()> + Send));

impl ChunkSink for BatchesSink<'_> {
    type Done = ();

    fn chunk_rows(&self, _: u64) -> u64 {
        BATCH_ROWS
    }

    fn take(
        self,
        _: &SchemaRef,
        chunks: u64,
        make: &MakeChunk<'_>,
        parallel: usize,
        report: &(dyn Fn(u64) + Sync),
    ) -> Result<()> {
        let mut taken = 0;
        for first in (0..chunks).step_by(parallel.max(1)) {
            let some = (first..chunks.min(first + parallel.max(1) as u64)).into_par_iter();
            for batch in some.map(make).collect::<Vec<_>>() {
                let batch = batch?;
                taken += batch.num_rows() as u64;
                (self.0)(batch)?;
                report(taken);
            }
        }
        Ok(())
    }
}
