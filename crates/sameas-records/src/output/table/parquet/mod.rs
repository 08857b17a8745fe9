//! Writes Parquet: every chunk is a row group, encoded by itself: columns of texts by reference here (`references`), all
//! others by the parquet crate.

mod hybrid;
mod references;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{RecordBatch, make_array};
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::arrow::{ArrowSchemaConverter, add_encoded_arrow_schema_to_metadata};
use parquet::basic::{Compression, Encoding};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, ColumnPath};

use self::references::ReferenceChunk;
use super::{WriteOptions, pipeline};
use crate::error::{Error, Result};
use crate::output::fault::write_error;
use crate::output::plain::plain_schema;

/// Ids repeat within a row group, so a dictionary pays even where it is large: text ids of the group's rows fit.
const DICTIONARY_BYTES: usize = 4 << 20;

pub fn write<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
    distinct: &[&str],
    chunks: u64,
    make_chunk: &(dyn Fn(u64) -> Result<RecordBatch> + Sync),
    options: &WriteOptions<'_>,
) -> Result<W> {
    let failed = |error| file_error(options.path, error);
    let mut writer = open(out, schema, distinct).map_err(failed)?;
    let groups = RowGroups::new(&writer, schema, distinct);
    let encode = |k: u64| {
        let batch = make_chunk(k)?;
        let rows = batch.num_rows() as u64;
        Ok((groups.encode(k, batch).map_err(failed)?, rows))
    };
    let mut rows = 0;
    pipeline::ordered(chunks, options.parallel, &encode, &mut |(columns, count)| {
        append(&mut writer, columns).map_err(failed)?;
        rows += count;
        (options.progress)(rows);
        Ok(())
    })?;
    let mut out = writer.into_inner().map_err(failed)?;
    out.flush().map_err(|error| write_error(options.path, error))?;
    Ok(out)
}

/// What makes row groups of chunks.
pub(super) struct RowGroups {
    factory: ArrowRowGroupWriterFactory,
    columns: Vec<Option<ColumnDescPtr>>,
}

impl RowGroups {
    pub(super) fn new<W: Write + Send>(
        writer: &SerializedFileWriter<W>,
        schema: &SchemaRef,
        distinct: &[&str],
    ) -> Self {
        let factory = ArrowRowGroupWriterFactory::new(writer, Arc::clone(schema));
        let by_reference = |column: &ColumnDescPtr| !distinct.contains(&column.name());
        let columns = writer.schema_descr().columns().iter();
        let columns = columns.map(|column| by_reference(column).then(|| column.clone())).collect();
        Self { factory, columns }
    }

    /// The columns of row group `k`.
    pub(super) fn encode(&self, k: u64, batch: RecordBatch) -> ParquetResult<Vec<ColumnChunk>> {
        encode(&self.factory, &self.columns, k, batch)
    }
}

/// The Arrow schema is not stored in the file: readers see plain text where values are written by reference.
pub(super) fn open<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
    distinct: &[&str],
) -> ParquetResult<SerializedFileWriter<W>> {
    open_with(out, schema, properties(schema, distinct).build())
}

/// The same with the Arrow schema, without references: zones and units of times are in nothing else.
pub(super) fn open_typed<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
    distinct: &[&str],
) -> ParquetResult<SerializedFileWriter<W>> {
    let mut properties = properties(schema, distinct).build();
    add_encoded_arrow_schema_to_metadata(&plain_schema(schema), &mut properties);
    open_with(out, schema, properties)
}

fn open_with<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
    properties: WriterProperties,
) -> ParquetResult<SerializedFileWriter<W>> {
    let columns = ArrowSchemaConverter::new().convert(schema)?;
    SerializedFileWriter::new(out, columns.root_schema_ptr(), Arc::new(properties))
}

fn properties(schema: &SchemaRef, distinct: &[&str]) -> WriterPropertiesBuilder {
    let mut properties = WriterProperties::builder()
        .set_created_by("sameas".to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_page_size_limit(DICTIONARY_BYTES);
    for column in distinct {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(*column), false);
    }
    // Rows are in order, so integer ids mostly rise by little: differences are smaller than a dictionary and quicker.
    for field in schema.fields().iter().filter(|field| field.data_type().is_integer()) {
        let column = ColumnPath::from(field.name().as_str());
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    properties
}

/// A column of a row group.
pub(super) enum ColumnChunk {
    /// As the parquet crate has encoded it.
    Plain(ArrowColumnChunk),
    /// Texts by reference.
    References(ReferenceChunk),
}

/// Column after column, each freed when it is encoded. Those with a descriptor may have a dictionary of our own. A nested column has
/// a writer, and a descriptor, for each of its parts.
fn encode(
    factory: &ArrowRowGroupWriterFactory,
    descriptors: &[Option<ColumnDescPtr>],
    k: u64,
    batch: RecordBatch,
) -> ParquetResult<Vec<ColumnChunk>> {
    let mut writers = factory.create_column_writers(k as usize)?.into_iter().zip(descriptors);
    let (schema, columns, _) = batch.into_parts();
    let mut chunks = Vec::with_capacity(descriptors.len());
    for (field, column) in schema.fields().iter().zip(columns) {
        // Without bitmaps in which nothing is missing: arrays have them or not by the way in which they were made, and pages are
        // divided otherwise where there is one.
        let column = make_array(column.to_data());
        let leaves = compute_leaves(field, &column)?;
        for (leaf, (mut writer, descriptor)) in leaves.iter().zip(writers.by_ref()) {
            let references = descriptor.as_ref().map(|of| references::encode(&column, of, DICTIONARY_BYTES));
            if let Some(chunk) = references.transpose()?.flatten() {
                chunks.push(ColumnChunk::References(chunk));
                continue;
            }
            writer.write(leaf)?;
            chunks.push(ColumnChunk::Plain(writer.close()?));
        }
    }
    Ok(chunks)
}

pub(super) fn append<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: Vec<ColumnChunk>,
) -> ParquetResult<()> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        match column {
            ColumnChunk::Plain(chunk) => chunk.append_to_row_group(&mut group)?,
            ColumnChunk::References(chunk) => group.append_column(&chunk.bytes, chunk.close)?,
        }
    }
    group.close().map(drop)
}

pub(super) fn file_error(path: &Path, error: ParquetError) -> Error {
    let broken = |error: ParquetError| {
        Error::internal(format!("cannot encode `{}`: {error}", path.display())).with_source(error)
    };
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => write_error(path, *error),
            Err(source) => broken(ParquetError::External(source)),
        },
        error => broken(error),
    }
}
