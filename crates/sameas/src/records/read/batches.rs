//! Record batches that are in memory already, or come as a stream.

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{Field, FieldRef, Fields, SchemaRef};
use rayon::prelude::*;

use super::wanted::WantedColumns;
use super::{MAX_BATCH_ROWS, ReadBatches, Reading, given, normal, slices};
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
    let wholes: Vec<Vec<ArrayRef>> = batches.iter().map(|batch| wholes(name, batch, wanted)).collect::<Result<_>>()?;
    let slices = batches.iter().zip(&wholes).flat_map(|(batch, columns)| {
        let starts = (0..batch.num_rows()).step_by(MAX_BATCH_ROWS);
        starts.map(move |from| (columns, from, MAX_BATCH_ROWS.min(batch.num_rows() - from)))
    });
    let slices: Vec<_> = slices.collect();
    let convert_one = |(columns, from, rows): (&Vec<ArrayRef>, usize, usize)| {
        let columns = columns.iter().map(|column| slices::part(column, from, rows));
        let converted = columns.collect::<std::result::Result<_, _>>().and_then(|columns| wanted.batch(rows, columns));
        let converted =
            converted.map_err(|error| Error::data(format!("{name}: cannot be read: {error}")).with_source(error))?;
        reading.budget.take(converted.columns().iter().map(given::bytes).sum())?;
        (reading.progress)(rows as u64);
        Ok(converted)
    };
    let converted: Vec<Result<RecordBatch>> = slices.into_par_iter().map(convert_one).collect();
    for batch in converted {
        all.push(batch?);
    }
    Ok(())
}

/// The wanted columns of a batch, of which parts are taken.
fn wholes(name: &str, batch: &RecordBatch, wanted: &WantedColumns) -> Result<Vec<ArrayRef>> {
    let fields = wanted.places.iter().zip(wanted.schema.fields());
    let local = fields.filter_map(|(place, field)| place.map(|place| (batch.column(place), field)));
    let whole = |(column, field): (&ArrayRef, &FieldRef)| match wanted.stays(field, column.data_type()) {
        true => given::whole(column, &wanted.nulls),
        false => Ok(column.clone()),
    };
    let wholes = local.map(whole).collect::<std::result::Result<_, _>>();
    wholes.map_err(|error| Error::data(format!("{name}: cannot be read: {error}")).with_source(error))
}
