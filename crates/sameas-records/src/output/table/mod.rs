//! Writes a table chunk by chunk: chunks are made and encoded on all cores and written in order.

mod format;
mod parquet;
mod pipeline;
mod stream;
mod text;

use std::io::Write;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

pub use format::Format;
pub use stream::TableStream;

use crate::error::Result;
use crate::output::fault::write_error;

/// What all tables need to be written.
#[derive(Clone, Copy)]
pub struct WriteOptions<'a> {
    /// How the table is written.
    pub format: Format,
    /// The file, or what stands for it in messages.
    pub path: &'a Path,
    /// Chunks in progress at once, which bounds the memory; a good number is one or two more than the threads of the
    /// pool.
    pub parallel: usize,
    /// Called with the rows written so far, after each chunk.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Format {
    /// Rows of a chunk of a table, which one core encodes. Readers like row groups of some hundred thousand rows; text has
    /// no groups, and smaller chunks hold less memory. Small tables have smaller chunks, so that many cores have work.
    #[doc(hidden)]
    pub fn chunk_rows(self, rows: u64) -> u64 {
        let most = match self {
            Self::Parquet => 1 << 18,
            Self::Csv | Self::EscapedCsv | Self::Json => 1 << 17,
        };
        (rows / CHUNKS).next_power_of_two().clamp(LEAST_ROWS, most)
    }
}

/// Chunks of a table that are enough for any number of cores.
const CHUNKS: u64 = 64;

/// Rows of a chunk at least: a chunk has costs of its own.
const LEAST_ROWS: u64 = 1 << 15;

/// Writes the chunks `0..chunks` that `make_chunk` makes, in order, and returns the flushed writer. The bytes do not
/// depend on threads. The values of the columns `distinct` rarely repeat: a dictionary of them would only cost time.
pub fn write_table<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
    distinct: &[&str],
    chunks: u64,
    make_chunk: &(dyn Fn(u64) -> Result<RecordBatch> + Sync),
    options: &WriteOptions<'_>,
) -> Result<W> {
    match options.format {
        Format::Parquet => parquet::write(out, schema, distinct, chunks, make_chunk, options),
        Format::Csv => write_text(out, &text::csv_header(schema), chunks, &|k| text::csv(&make_chunk(k)?), options),
        Format::EscapedCsv => {
            let encode = |k| text::escaped_csv(&make_chunk(k)?);
            write_text(out, &text::escaped_csv_header(schema), chunks, &encode, options)
        }
        Format::Json => write_text(out, &[], chunks, &|k| text::json(&make_chunk(k)?), options),
    }
}

/// Writes encoded text. `encode` returns the bytes of a chunk and its rows.
fn write_text<W: Write + Send>(
    mut out: W,
    header: &[u8],
    chunks: u64,
    encode: &(dyn Fn(u64) -> Result<(Vec<u8>, usize)> + Sync),
    options: &WriteOptions<'_>,
) -> Result<W> {
    let failed = |error| write_error(options.path, error);
    out.write_all(header).map_err(failed)?;
    let mut rows = 0;
    pipeline::ordered(chunks, options.parallel, encode, &mut |(bytes, count): (Vec<u8>, usize)| {
        out.write_all(&bytes).map_err(failed)?;
        rows += count as u64;
        (options.progress)(rows);
        Ok(())
    })?;
    out.flush().map_err(failed)?;
    Ok(out)
}

#[cfg(test)]
mod tests;
