//! Where the rows of a table go.

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::names::EntityColumnRecord;
use super::{Error, Format, Result, TableStream};

/// What takes a table: its columns, then its rows in order.
pub trait TableSink: Send {
    /// The columns are known.
    fn begin(&mut self, schema: &SchemaRef) -> Result<()>;

    /// Takes more rows.
    fn take(&mut self, chunks: Vec<RecordBatch>) -> Result<()>;
}

/// What a table has.
#[derive(Clone, Debug, Default)]
pub struct TableCounts {
    /// Its rows.
    pub rows: u64,
    /// What is known of its columns, for entities.
    pub columns: Vec<EntityColumnRecord>,
}

/// Rows of a table in memory.
impl TableSink for (Option<SchemaRef>, Vec<RecordBatch>) {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        self.0 = Some(schema.clone());
        Ok(())
    }

    fn take(&mut self, chunks: Vec<RecordBatch>) -> Result<()> {
        self.1.extend(chunks);
        Ok(())
    }
}

/// A table that is written.
pub struct TableFile<'a, W: Write + Send> {
    out: Option<W>,
    stream: Option<TableStream<W>>,
    format: Format,
    path: &'a Path,
}

impl<'a, W: Write + Send> TableFile<'a, W> {
    /// To a writer; `path` is what messages call it.
    pub fn new(out: W, format: Format, path: &'a Path) -> Self {
        Self { out: Some(out), stream: None, format, path }
    }

    /// The flushed writer, after all rows are taken.
    pub fn finish(self) -> Result<W> {
        self.stream.ok_or_else(|| Error::internal("a table without columns"))?.finish()
    }
}

impl<W: Write + Send> TableSink for TableFile<'_, W> {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let out = self.out.take().ok_or_else(|| Error::internal("a table that begins twice"))?;
        self.stream = Some(TableStream::begin_typed(out, schema, self.format, self.path)?);
        Ok(())
    }

    fn take(&mut self, chunks: Vec<RecordBatch>) -> Result<()> {
        self.stream.as_mut().ok_or_else(|| Error::internal("a table without columns"))?.write(chunks)
    }
}
