//! Parquet files: columns from the footer; every column of every row group is decoded by itself, on all threads.
//!
//! A file is not trusted. The footer and the heads of all pages are walked before the decoder sees them (`thrift`,
//! `pages`), so that nothing is reserved that the file cannot hold or the memory limit does not allow, and the decoder,
//! which panics on some damaged files, runs on threads whose panic is an error (`guard`). All columns are read from one
//! handle. Where rows are passed on, and no table is made of them, row groups come one after the other (`passing`).

mod delta;
mod file;
mod guard;
mod pages;
mod passing;
mod shape;
#[cfg(test)]
mod tests;
mod thrift;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use ::parquet::file::reader::Length;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, SchemaRef};
use rayon::prelude::*;

use self::file::SharedFile;
pub use self::guard::DECODER_THREAD;
use self::guard::guarded;
use self::pages::ChunkSizes;
use self::shape::walk_footer;
use super::byte_source::{ByteSource, unreadable};
use super::column_types::ColumnTypes;
use super::logical_types;
use super::part::{PartBatches, PartReading, SourcePart};
use super::read_batches::{MAX_BATCH_ROWS, ReadBatches};
use super::reading::Reading;
use super::wanted::WantedColumns;
use crate::error::{Error, Result};
use crate::memory::Held;
use crate::records::null_texts::NullTexts;

/// Bytes of a column that are decoded at once, about, where memory is plenty.
const BATCH_BYTES: usize = 32 << 20;

/// The same at least, however little memory there is.
const LEAST_BATCH_BYTES: usize = 1 << 20;

/// What a byte of the footer takes when it is decoded, at most: the sizes and places of all columns of all row groups.
const FOOTER_FACTOR: usize = 32;

/// Pieces of work for each thread, so that all of them end at about the same time.
const PIECES_PER_THREAD: usize = 8;

/// What `broken` says of a panic.
const DAMAGED: &str = "the file is damaged";

/// A Parquet file whose footer has been read.
pub(super) struct ParquetPart {
    place: ByteSource,
    metadata: ArrowReaderMetadata,
    /// The memory of the footer.
    _held: Held,
}

impl ParquetPart {
    pub(super) fn open(place: ByteSource, reading: &Reading<'_>) -> Result<Self> {
        let label = place.label.as_str();
        let shared = shared(&place)?;
        let _held = reading.budget.hold(check_footer(&shared, label)? * FOOTER_FACTOR)?;
        let load = |options: ArrowReaderOptions| {
            guarded(|| ArrowReaderMetadata::load(&shared, options).map_err(|error| broken(label, error)))
        };
        // The columns are known without the schema that some writers add for Arrow, which may be broken.
        let metadata = match load(ArrowReaderOptions::new()) {
            Ok(Some(metadata)) => metadata,
            failed => match load(ArrowReaderOptions::new().with_skip_arrow_metadata(true)) {
                Ok(Some(metadata)) => metadata,
                _ => return Err(failed.err().unwrap_or_else(|| broken(label, DAMAGED))),
            },
        };
        let part = Self { place, metadata, _held };
        part.check_rows()?;
        Ok(part)
    }

    /// The numbers of rows must make sense: the rows of a file are counted in 32 bits.
    fn check_rows(&self) -> Result<()> {
        let groups = self.metadata.metadata().row_groups();
        let rows = groups.iter().try_fold(0_u64, |sum, group| sum.checked_add(u64::try_from(group.num_rows()).ok()?));
        match rows {
            Some(rows) if rows <= u64::from(u32::MAX) => Ok(()),
            Some(rows) => Err(Error::data(format!(
                "{}: the file says that it has {rows} rows, more than {}",
                self.label(),
                u32::MAX
            ))),
            None => Err(broken(self.label(), "the numbers of rows make no sense")),
        }
    }

    /// Does some work for each of many items on all threads, guarded. A thread does several of them.
    fn each<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> Result<R> + Sync) -> Result<Vec<R>> {
        let at_once = items.len().div_ceil(PIECES_PER_THREAD * rayon::current_num_threads()).max(1);
        let some = |items: &[T]| {
            let done = guarded(|| items.iter().map(&work).collect::<Result<Vec<R>>>())?;
            done.ok_or_else(|| broken(self.label(), DAMAGED))
        };
        let done: Vec<Result<Vec<R>>> = items.par_chunks(at_once).map(some).collect();
        let mut all = Vec::with_capacity(items.len());
        for some in done {
            all.extend(some?);
        }
        Ok(all)
    }

    /// Joins the columns of a row group, all of which come in pieces of the same lengths.
    fn assemble(
        &self,
        group: usize,
        step: usize,
        columns: Vec<Vec<ArrayRef>>,
        wanted: &WantedColumns,
        batches: &mut ReadBatches,
    ) -> Result<()> {
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        let rows = self.metadata.metadata().row_group(group).num_rows() as usize;
        for from in (0..rows).step_by(step) {
            let arrays: Vec<ArrayRef> = columns.iter_mut().filter_map(Iterator::next).collect();
            let here = step.min(rows - from);
            if arrays.len() < columns.len() || arrays.iter().any(|array| array.len() != here) {
                return Err(self.wrong_rows(group, rows));
            }
            batches.push(wanted.batch(here, arrays).map_err(|error| broken(self.label(), error))?);
        }
        Ok(())
    }

    /// How many rows of a group are decoded at a time, so that its columns take no more than some memory.
    fn batch_rows(
        &self,
        file: &SharedFile,
        group: usize,
        columns: &[usize],
        reading: &Reading<'_>,
    ) -> Result<BatchStep> {
        let budget = reading.budget;
        let most = (budget.most() / (16 * rayon::current_num_threads())).clamp(LEAST_BATCH_BYTES, BATCH_BYTES);
        let group = self.metadata.metadata().row_group(group);
        let rows = (group.num_rows() as usize).max(1);
        let mut step = BatchStep { rows: MAX_BATCH_ROWS, pages: Vec::new() };
        for column in columns {
            let mask = ProjectionMask::roots(self.metadata.parquet_schema(), [*column]);
            let mut page_bytes = 0;
            for (leaf, chunk) in group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf)) {
                let wrong = |why: String| broken(self.label(), format!("column {}: {why}", leaf + 1));
                let mut sizes = ChunkSizes::read(file, chunk).map_err(wrong)?;
                budget.check_room(sizes.page_bytes)?;
                sizes.find_longest(file, chunk, rows.min(MAX_BATCH_ROWS), most).map_err(wrong)?;
                let mut row_bytes = sizes.value_bytes;
                if chunk.column_descr().max_rep_level() > 0 {
                    // One record may hold all elements, and it is decoded at once.
                    budget.check_room((sizes.values as usize).saturating_mul(LIST_ELEMENT))?;
                    if sizes.most_bytes() > budget.room() {
                        budget.check_room(sizes.text_bytes(file, chunk).map_err(wrong)?)?;
                    }
                    row_bytes = row_bytes.saturating_mul((sizes.values as usize).div_ceil(rows));
                }
                step.rows = step.rows.min(most / row_bytes.max(1)).max(1);
                page_bytes += sizes.page_bytes;
            }
            step.pages.push((*column, page_bytes));
        }
        Ok(step)
    }

    /// The column of a batch as the engine sees it; what rules cannot use stays as it is, and is reported where it is used.
    fn converted(&self, batch: std::result::Result<RecordBatch, ArrowError>, types: ColumnTypes) -> Result<ArrayRef> {
        let array = batch.map_err(|error| broken(self.label(), error))?.column(0).clone();
        // What takes more in the table than in the file is counted as it is in the table.
        let normal = logical_types::type_of(array.data_type());
        if types == ColumnTypes::Kept || normal == *array.data_type() || logical_types::unusable(&normal).is_some() {
            return Ok(array);
        }
        logical_types::column(array, &normal, &NullTexts::default()).map_err(|error| broken(self.label(), error))
    }

    /// What decodes a column of a row group, some rows at a time.
    fn decoder(
        &self,
        file: &SharedFile,
        group: usize,
        column: usize,
        step: &BatchStep,
    ) -> Result<ParquetRecordBatchReader> {
        ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), self.metadata.clone())
            .with_row_groups(vec![group])
            .with_projection(ProjectionMask::roots(self.metadata.parquet_schema(), [column]))
            .with_batch_size(step.rows)
            .build()
            .map_err(|error| broken(self.label(), error))
    }

    /// The error for a column that has not as many rows as its row group.
    fn wrong_rows(&self, group: usize, rows: usize) -> Error {
        broken(self.label(), format!("a column of row group {group} has not {rows} rows"))
    }

    /// A column of a row group in pieces, and its rows. What it takes is counted piece by piece.
    fn column(
        &self,
        file: &SharedFile,
        group: usize,
        column: usize,
        step: &BatchStep,
        part: &PartReading<'_>,
    ) -> Result<(Vec<ArrayRef>, usize)> {
        let (reading, types) = (part.reading, part.types);
        let pages = step.pages.iter().find(|(of, _)| *of == column).map_or(0, |(_, bytes)| *bytes);
        let _pages = reading.budget.hold(pages)?;
        let (mut arrays, mut rows) = (Vec::new(), 0);
        for batch in self.decoder(file, group, column, step)? {
            let array = self.converted(batch, types)?;
            reading.budget.take(array.get_array_memory_size())?;
            rows += array.len();
            arrays.push(array);
        }
        Ok((arrays, rows))
    }
}

impl SourcePart for ParquetPart {
    fn label(&self) -> &str {
        &self.place.label
    }

    fn schema(&self) -> SchemaRef {
        self.metadata.schema().clone()
    }

    fn read(self: Box<Self>, part: &PartReading<'_>) -> Result<PartBatches> {
        let (file, local, reading) = (shared(&self.place)?, part.columns(), part.reading);
        if let Some(taker) = reading.taker {
            self.pass_on(&file, part, taker)?;
            self.place.check_unchanged()?;
            return Ok(PartBatches(Vec::new()));
        }
        let groups = self.metadata.metadata().num_row_groups();
        let steps =
            self.each(&(0..groups).collect::<Vec<_>>(), |group| self.batch_rows(&file, *group, local, reading))?;
        let pieces: Vec<_> = (0..groups).flat_map(|group| local.iter().map(move |&column| (group, column))).collect();
        let columns = self.each(&pieces, |(group, column)| {
            let (arrays, rows) = self.column(&file, *group, *column, &steps[*group], part)?;
            if local.first() == Some(column) {
                (reading.progress)(rows as u64);
            }
            Ok(arrays)
        })?;
        let mut columns = columns.into_iter();
        let mut batches = Vec::new();
        for (group, step) in steps.iter().enumerate() {
            let of_group = columns.by_ref().take(local.len()).collect();
            self.assemble(group, step.rows, of_group, &part.wanted, &mut batches)?;
        }
        self.place.check_unchanged()?;
        Ok(PartBatches(batches))
    }
}

/// What an element of a list takes at least, in the table and as a column of expressions.
const LIST_ELEMENT: usize = 48;

/// How a row group is read: rows at a time, and the bytes of the pages of each column.
struct BatchStep {
    rows: usize,
    pages: Vec<(usize, usize)>,
}

fn shared(place: &ByteSource) -> Result<SharedFile> {
    SharedFile::new(place.file()?).map_err(|error| unreadable(&place.label, &error))
}

/// Walks over the footer, whose length it gives.
fn check_footer(file: &SharedFile, label: &str) -> Result<usize> {
    let read = |at: u64, most: usize| file.bytes_at(at, most).map_err(|error| unreadable(label, &error));
    let end = read(file.len().saturating_sub(8), 8)?;
    // Files without footer, and encrypted ones, are left to the decoder, which says what is wrong.
    let Some((length, b"PAR1")) = end.split_first_chunk::<4>() else { return Ok(0) };
    let length = u32::from_le_bytes(*length) as usize;
    let Some(start) = file.len().checked_sub(8 + length as u64) else { return Ok(0) };
    let footer = read(start, length)?;
    match walk_footer(&footer) {
        Some(()) => Ok(length),
        None => Err(broken(label, "the footer is broken")),
    }
}

fn broken(label: &str, error: impl std::fmt::Display) -> Error {
    Error::data(format!("{label}: cannot be read as Parquet: {error}"))
}
