//! Chunks as Parquet: text columns, missing values as null.

use super::chunk::{Chunk, TextColumn};
use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

/// A Parquet file that grows by chunks.
pub struct ParquetFile {
    schema: SchemaRef,
    writer: ArrowWriter<BufWriter<File>>,
}

impl ParquetFile {
    /// Starts a file with these columns, all of them text.
    pub fn new(names: &[&str], to: BufWriter<File>) -> io::Result<Self> {
        let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(to, Arc::clone(&schema), Some(properties))?;
        Ok(ParquetFile { schema, writer })
    }

    /// Appends the records of a chunk.
    pub fn append(&mut self, chunk: &Chunk) -> io::Result<()> {
        let columns = chunk.columns.iter().map(|column| array(column, chunk.rows)).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(io::Error::other)?;
        Ok(self.writer.write(&batch)?)
    }

    /// Writes the footer and returns the file.
    pub fn finish(self) -> io::Result<BufWriter<File>> {
        Ok(self.writer.into_inner()?)
    }
}

fn array(column: &TextColumn, rows: usize) -> ArrayRef {
    let mut builder = StringBuilder::with_capacity(rows, column.text.len());
    for row in 0..rows {
        let text = column.get(row);
        builder.append_option((!text.is_empty()).then_some(text));
    }
    Arc::new(builder.finish())
}
