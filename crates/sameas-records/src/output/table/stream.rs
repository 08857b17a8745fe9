//! Writes a table whose chunks come one after the other, from something that cannot be asked for a chunk by its number.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::errors::Result as ParquetResult;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use super::parquet::{RowGroups, append, file_error, open, open_typed};
use super::{Format, text};
use crate::error::Result;
use crate::output::fault::write_error;

/// A table while it is written. The bytes depend on the chunks alone.
pub struct TableStream<W: Write + Send> {
    path: PathBuf,
    sink: StreamSink<W>,
}

/// Makes the bytes of a chunk, and says how many rows they are.
type EncodeText = fn(&RecordBatch) -> Result<(Vec<u8>, usize)>;

/// Begins a Parquet file.
type OpenParquet<W> = fn(W, &SchemaRef, &[&str]) -> ParquetResult<SerializedFileWriter<W>>;

/// Where encoded chunks go.
enum StreamSink<W: Write + Send> {
    Parquet { writer: Box<SerializedFileWriter<W>>, groups: RowGroups, next: u64 },
    Text { out: W, encode: EncodeText },
}

impl<W: Write + Send> TableStream<W> {
    /// Begins a table; `path` is what messages call it.
    pub fn begin(out: W, schema: &SchemaRef, format: Format, path: &Path) -> Result<Self> {
        Self::begin_as(open, out, schema, format, path)
    }

    /// The same for columns of any types, which readers of Arrow see as they are.
    pub fn begin_typed(out: W, schema: &SchemaRef, format: Format, path: &Path) -> Result<Self> {
        Self::begin_as(open_typed, out, schema, format, path)
    }

    fn begin_as(open: OpenParquet<W>, mut out: W, schema: &SchemaRef, format: Format, path: &Path) -> Result<Self> {
        let sink = match format {
            Format::Parquet => {
                let writer = open(out, schema, &[]).map_err(|error| file_error(path, error))?;
                let groups = RowGroups::new(&writer, schema, &[]);
                StreamSink::Parquet { writer: Box::new(writer), groups, next: 0 }
            }
            Format::Csv => {
                out.write_all(&text::csv_header(schema)).map_err(|error| write_error(path, error))?;
                StreamSink::Text { out, encode: text::csv }
            }
            Format::EscapedCsv => {
                out.write_all(&text::escaped_csv_header(schema)).map_err(|error| write_error(path, error))?;
                StreamSink::Text { out, encode: text::escaped_csv }
            }
            Format::Json => StreamSink::Text { out, encode: text::json },
        };
        Ok(Self { path: path.to_owned(), sink })
    }

    /// Writes some chunks: encoded on all cores, written in order.
    pub fn write(&mut self, chunks: Vec<RecordBatch>) -> Result<()> {
        let path = &self.path;
        match &mut self.sink {
            StreamSink::Parquet { writer, groups, next } => {
                let first = *next;
                *next += chunks.len() as u64;
                let chunks = chunks.into_par_iter().enumerate();
                let encoded: Vec<_> = chunks.map(|(at, chunk)| groups.encode(first + at as u64, chunk)).collect();
                let mut encoded = encoded.into_iter();
                let written = encoded.try_for_each(|columns| append(writer, columns?));
                written.map_err(|error| file_error(path, error))
            }
            StreamSink::Text { out, encode } => {
                let encoded: Vec<_> = chunks.par_iter().map(*encode).collect();
                encoded.into_iter().try_for_each(|encoded| {
                    let (bytes, _) = encoded?;
                    out.write_all(&bytes).map_err(|error| write_error(path, error))
                })
            }
        }
    }

    /// The flushed writer, after all chunks are written.
    pub fn finish(self) -> Result<W> {
        let path = self.path;
        let mut out = match self.sink {
            StreamSink::Parquet { writer, .. } => writer.into_inner().map_err(|error| file_error(&path, error))?,
            StreamSink::Text { out, .. } => out,
        };
        out.flush().map_err(|error| write_error(&path, error))?;
        Ok(out)
    }
}
