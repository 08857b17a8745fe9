//! Record batches that are in memory already, or come one after the other, as the engine sees them.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, SchemaRef};
use rayon::prelude::*;

use super::part::{PartBatches, PartReading, SourcePart};
use super::read_batches::{MAX_BATCH_ROWS, ReadBatches};
use super::wanted::WantedColumns;
use super::{caller_columns, slices};
use crate::error::{Error, Result};
use crate::memory::Held;

/// Batches of a stream that are converted at a time, for each thread.
const BATCHES_PER_THREAD: usize = 4;

/// They may take this part of the memory, and one of them more.
const GROUP_SHARE: usize = 8;

/// Batches in memory.
pub(super) struct MemoryPart {
    pub(super) label: String,
    pub(super) schema: SchemaRef,
    pub(super) batches: Vec<RecordBatch>,
}

impl SourcePart for MemoryPart {
    fn label(&self) -> &str {
        &self.label
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(self: Box<Self>, reading: &PartReading<'_>) -> Result<PartBatches> {
        reading.take_all(&self.batches)
    }
}

/// Makes a reader of the columns at some places.
pub(super) type OpenReader = Box<dyn FnOnce(&[usize]) -> Result<Box<dyn RecordBatchReader + Send>> + Send>;

/// Batches that come one after the other.
pub(super) struct ReaderPart {
    pub(super) label: String,
    pub(super) schema: SchemaRef,
    pub(super) open: OpenReader,
}

impl SourcePart for ReaderPart {
    fn label(&self) -> &str {
        &self.label
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn read(self: Box<Self>, reading: &PartReading<'_>) -> Result<PartBatches> {
        reading.take((self.open)(reading.columns())?)
    }
}

/// What is wrong with the columns of a batch, by name and type; which of them have nulls is seen later.
pub(in crate::records) fn schema_difference(batch: &RecordBatch, schema: &Schema) -> Option<String> {
    let own = batch.schema();
    let is_same =
        |(own, said): (&FieldRef, &FieldRef)| own.name() == said.name() && own.data_type() == said.data_type();
    if own.fields().len() == schema.fields().len() && own.fields().iter().zip(schema.fields()).all(is_same) {
        return None;
    }
    Some(format!("a batch has the columns {}, and the schema says {}", columns_text(&own), columns_text(schema)))
}

fn columns_text(schema: &Schema) -> String {
    let columns: Vec<String> = schema.fields().iter().map(|f| format!("{} ({})", f.name(), f.data_type())).collect();
    columns.join(", ")
}

/// Batches with all columns of a part, as the engine sees them.
pub(super) fn convert_all(part: &PartReading<'_>, batches: &[RecordBatch]) -> Result<ReadBatches> {
    let local = |batch: &RecordBatch| -> Vec<ArrayRef> {
        part.columns().iter().map(|column| batch.column(*column).clone()).collect()
    };
    let groups: Vec<(Vec<ArrayRef>, usize)> = batches.iter().map(|batch| (local(batch), batch.num_rows())).collect();
    let mut all = Vec::new();
    Converting::new(part).convert(&groups, &mut all)?;
    Ok(all)
}

/// The batches of a reader, which have the wanted columns.
pub(super) fn convert_reader(
    part: &PartReading<'_>,
    reader: &mut (impl RecordBatchReader + Send),
) -> Result<ReadBatches> {
    let unusable = |error: ArrowError| Error::internal(format!("{}: {error}", part.label));
    let schema = part.schema.project(part.columns()).map_err(unusable)?;
    let converting = Converting::new(part);
    let (mut all, mut rows) = (Vec::new(), 0);
    loop {
        let group = Group::fetch(part, &schema, reader)?;
        rows += group.batches.iter().map(|(_, rows)| rows).sum::<usize>();
        converting.convert(&group.batches, &mut all)?;
        match group.failed {
            // It counts only after the batches before it, which may have their own faults.
            Some(error) => return Err(cannot_be_read(part.label, rows, error)),
            None if group.is_last => return Ok(all),
            None => {}
        }
    }
}

/// The error for a row that does not come; `rows` came before it. An error of this library keeps what it says to do.
fn cannot_be_read(label: &str, rows: usize, error: ArrowError) -> Error {
    let place = format!("{label}, row {}", rows + 1);
    let error = match error {
        ArrowError::ExternalError(inner) => match inner.downcast::<Error>() {
            Ok(own) => return own.at(&place),
            Err(inner) => ArrowError::ExternalError(inner),
        },
        other => other,
    };
    Error::data(format!("{place}: cannot be read: {error}")).with_source(error)
}

/// Some batches of a reader, with the number of rows of each.
struct Group {
    batches: Vec<(Vec<ArrayRef>, usize)>,
    failed: Option<ArrowError>,
    is_last: bool,
    /// The memory of the batches.
    held: Held,
}

impl Group {
    fn fetch(part: &PartReading<'_>, schema: &Schema, reader: &mut (impl RecordBatchReader + Send)) -> Result<Self> {
        let budget = part.reading.budget;
        let most = BATCHES_PER_THREAD * rayon::current_num_threads();
        let mut group = Self { batches: Vec::new(), failed: None, is_last: false, held: budget.hold(0)? };
        let mut bytes = 0_usize;
        while group.batches.len() < most && bytes < budget.most() / GROUP_SHARE {
            // Whoever cancels the job need not wait for all of them.
            (part.reading.progress)(0);
            let misfit_of = |batch: &RecordBatch| schema_difference(batch, schema).map(ArrowError::SchemaError);
            let batch = match reader.next() {
                Some(next) => next.and_then(|batch| misfit_of(&batch).map_or(Ok(batch), Err)),
                None => {
                    group.is_last = true;
                    break;
                }
            };
            match batch {
                Ok(batch) => {
                    bytes = bytes.saturating_add(batch.columns().iter().map(own_bytes).sum());
                    group.held.reach(bytes)?;
                    group.batches.push((batch.columns().to_vec(), batch.num_rows()));
                }
                Err(error) => {
                    group.failed = Some(error);
                    break;
                }
            }
        }
        Ok(group)
    }
}

/// Memory of a column of a batch, without what other batches share with it.
fn own_bytes(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::List(_) => list_bytes(column.as_list::<i32>()),
        DataType::LargeList(_) => list_bytes(column.as_list::<i64>()),
        DataType::Dictionary(key, _) => key.primitive_width().unwrap_or(1) * column.len(),
        _ => caller_columns::bytes(column),
    }
}

fn list_bytes<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> usize {
    let offsets = lists.value_offsets();
    let (first, last) = (offsets[0].as_usize(), offsets[offsets.len() - 1].as_usize());
    size_of_val(offsets) + own_bytes(&lists.values().slice(first, last - first))
}

/// How the batches of a part are converted.
struct Converting<'a> {
    part: &'a PartReading<'a>,
    wanted: WantedColumns,
}

impl<'a> Converting<'a> {
    fn new(part: &'a PartReading<'a>) -> Self {
        Self { part, wanted: WantedColumns { types: part.types, ..part.wanted.clone() } }
    }

    /// Some batches as the engine sees them, in pieces that threads can share.
    fn convert(&self, batches: &[(Vec<ArrayRef>, usize)], all: &mut ReadBatches) -> Result<()> {
        let wholes: Vec<(Vec<ArrayRef>, usize)> =
            batches.iter().map(|(columns, rows)| Ok((self.wholes(columns)?, *rows))).collect::<Result<_>>()?;
        let pieces = wholes.iter().flat_map(|(columns, rows)| {
            let starts = (0..*rows).step_by(MAX_BATCH_ROWS);
            starts.map(move |from| (columns, from, MAX_BATCH_ROWS.min(rows - from)))
        });
        let pieces: Vec<_> = pieces.collect();
        for some in pieces.chunks(self.at_a_time(pieces.len())) {
            let converted: Vec<Result<RecordBatch>> =
                some.par_iter().map(|(columns, from, rows)| self.piece(columns, *from, *rows)).collect();
            let converted = converted.into_iter().collect::<Result<ReadBatches>>()?;
            match self.part.reading.taker {
                Some(taker) => taker.take(converted)?,
                None => all.extend(converted),
            }
        }
        Ok(())
    }

    /// Pieces that are converted at a time: all of them, if a table keeps them anyway.
    fn at_a_time(&self, pieces: usize) -> usize {
        match self.part.reading.taker {
            Some(_) => BATCHES_PER_THREAD * rayon::current_num_threads(),
            None => pieces.max(1),
        }
    }

    fn piece(&self, columns: &[ArrayRef], from: usize, rows: usize) -> Result<RecordBatch> {
        let columns = columns.iter().map(|column| slices::part(column, from, rows));
        let columns = columns.collect::<std::result::Result<_, _>>();
        let piece = columns.and_then(|columns| self.wanted.batch(rows, columns)).map_err(|e| self.unreadable(e))?;
        if self.part.reading.taker.is_none() {
            self.part.reading.budget.take(piece.columns().iter().map(caller_columns::bytes).sum())?;
        }
        (self.part.reading.progress)(rows as u64);
        Ok(piece)
    }

    /// The wanted columns of a batch, of which parts are taken.
    fn wholes(&self, columns: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
        let wanted = self.wanted.places.iter().zip(self.wanted.schema.fields());
        let local = wanted.filter(|(place, _)| place.is_some()).zip(columns);
        let wholes = local.map(|((_, field), column)| match self.wanted.stays(field, column.data_type()) {
            true => caller_columns::whole(column, &self.wanted.nulls),
            false => Ok(column.clone()),
        });
        wholes.collect::<std::result::Result<_, _>>().map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: ArrowError) -> Error {
        Error::data(format!("{}: cannot be read: {error}", self.part.label)).with_source(error)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ListArray, RecordBatchIterator, StringArray};
    use arrow_buffer::OffsetBuffer;
    use arrow_schema::Field;

    use super::*;
    use crate::error::ErrorCode;
    use crate::memory::MemoryBudget;
    use crate::records::read::OpenSource;

    /// Texts of this many kilobytes in all.
    fn batch(kilobytes: usize) -> RecordBatch {
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..kilobytes).map(|_| "x".repeat(1_000))));
        RecordBatch::try_from_iter([("x", texts)]).unwrap()
    }

    /// The rows that are read of batches that come one after the other, in ten megabytes.
    fn read(batches: Vec<RecordBatch>) -> Result<usize> {
        let schema = batches[0].schema();
        let opened = OpenSource::of_reader("made", schema.clone(), move |_| {
            Ok(Box::new(RecordBatchIterator::new(batches.into_iter().map(Ok), schema)))
        });
        Ok(opened?.read_within(&MemoryBudget::of_relations(10_000_000), &[0], &|_| {})?.rows())
    }

    #[test]
    fn batches_are_counted_while_they_are_converted() {
        assert_eq!(read(vec![batch(4_000)]).unwrap(), 4_000);
        assert_eq!(read(vec![batch(1_000); 7]).unwrap(), 7_000);
        for too_many in [vec![batch(6_000)], vec![batch(1_000); 10]] {
            assert_eq!(read(too_many).unwrap_err().code(), ErrorCode::MemoryLimit);
        }
    }

    /// Slices are counted by what is theirs, and not by all that they are slices of.
    #[test]
    fn slices_of_one_batch_take_what_it_takes() {
        let whole = batch(4_000);
        let offsets = OffsetBuffer::from_lengths(vec![1; 4_000]);
        let field = Arc::new(Field::new_list_field(DataType::Utf8, true));
        let lists: ArrayRef = Arc::new(ListArray::new(field, offsets, whole.column(0).clone(), None));
        let lists = RecordBatch::try_from_iter([("x", lists)]).unwrap();
        for whole in [whole, lists] {
            assert_eq!(read((0..100).map(|at| whole.slice(at * 40, 40)).collect()).unwrap(), 4_000);
        }
    }

    #[test]
    fn an_error_of_this_library_keeps_what_it_says_to_do() {
        let own = Error::resource("the service is away").with_help("wait").with_code(ErrorCode::MemoryLimit);
        let error = cannot_be_read("made", 4, ArrowError::ExternalError(Box::new(own)));
        assert_eq!(error.to_string(), "made, row 5: the service is away\n  help: wait");
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
    }
}
