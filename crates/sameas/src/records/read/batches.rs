//! Record batches that are in memory already, or come as a stream.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{Field, Fields, SchemaRef};
use rayon::prelude::*;

use super::wanted::WantedColumns;
use super::{MAX_BATCH_ROWS, ReadBatches, Reading, normal, slices};
use crate::error::{Error, Result};
use crate::records::input::BatchStream;

/// ReadBatches of a stream that are converted at a time, for each thread.
const BATCHES_PER_THREAD: usize = 4;

/// ReadBatches with their columns.
pub(super) struct BatchesPart {
    name: String,
    schema: SchemaRef,
    content: BatchSource,
}

enum BatchSource {
    Memory(Vec<RecordBatch>),
    Stream(BatchStream),
}

impl BatchesPart {
    pub(super) fn in_memory(name: &str, schema: &SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { name: name.to_owned(), schema: schema.clone(), content: BatchSource::Memory(batches) }
    }

    pub(super) fn streamed(name: &str, schema: &SchemaRef, stream: &BatchStream) -> Self {
        Self { name: name.to_owned(), schema: schema.clone(), content: BatchSource::Stream(stream.clone()) }
    }

    pub(super) fn fields(&self) -> Fields {
        let normal = |field: &Field| Field::new(field.name(), normal::type_of(field.data_type()), true);
        self.schema.fields().iter().map(|field| normal(field)).collect()
    }

    pub(super) fn read(self, wanted: &WantedColumns, reading: &Reading<'_>) -> Result<ReadBatches> {
        let mut all = Vec::new();
        match self.content {
            BatchSource::Memory(batches) => convert(&self.name, &batches, wanted, reading, &mut all)?,
            BatchSource::Stream(stream) => {
                let mut reader = taken(&self.name, &stream)?;
                loop {
                    let most = BATCHES_PER_THREAD * rayon::current_num_threads();
                    let group = reader.by_ref().take(most).collect::<std::result::Result<Vec<_>, _>>();
                    let group = group.map_err(|e| Error::data(format!("{}: {e}", self.name)).with_source(e))?;
                    if group.is_empty() {
                        break;
                    }
                    convert(&self.name, &group, wanted, reading, &mut all)?;
                }
            }
        }
        Ok(all)
    }
}

/// A stream can be read once: after that there is nothing to read again, which is an error and not an empty table.
fn taken(name: &str, stream: &BatchStream) -> Result<Box<dyn RecordBatchReader + Send>> {
    stream.take().ok_or_else(|| {
        Error::usage(format!("`{name}`: the stream of batches has been read before"))
            .with_help("give files or batches in memory where an input is read more than once")
    })
}

/// The wanted columns of some batches, as the engine sees them, in pieces that threads can share.
fn convert(
    name: &str,
    batches: &[RecordBatch],
    wanted: &WantedColumns,
    reading: &Reading<'_>,
    all: &mut ReadBatches,
) -> Result<()> {
    let local = wanted.local();
    let slices = batches.iter().flat_map(|batch| {
        let starts = (0..batch.num_rows()).step_by(MAX_BATCH_ROWS);
        starts.map(move |from| (batch, from, MAX_BATCH_ROWS.min(batch.num_rows() - from)))
    });
    let slices: Vec<_> = slices.collect();
    let convert_one = |(batch, from, rows): (&RecordBatch, usize, usize)| {
        let columns = local.iter().map(|column| slices::part(batch.column(*column), from, rows));
        let converted = columns.collect::<std::result::Result<_, _>>().and_then(|columns| wanted.batch(rows, columns));
        let converted =
            converted.map_err(|error| Error::data(format!("{name}: cannot be read: {error}")).with_source(error))?;
        let bytes = |column: &arrow_array::ArrayRef| column.to_data().get_slice_memory_size().unwrap_or(0);
        reading.budget.take(converted.columns().iter().map(bytes).sum())?;
        (reading.progress)(rows as u64);
        Ok(converted)
    };
    let converted: Vec<Result<RecordBatch>> = slices.into_par_iter().map(convert_one).collect();
    for batch in converted {
        all.push(batch?);
    }
    Ok(())
}
