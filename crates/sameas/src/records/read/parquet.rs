//! Parquet files: columns from the footer; every column of every row group is decoded by itself, on all threads.

use std::fs::File;
use std::path::PathBuf;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use arrow_array::ArrayRef;
use arrow_schema::{Field, Fields};
use rayon::prelude::*;
use tempfile::TempPath;

use super::byte_source::{ByteSource, unreadable};
use super::wanted::WantedColumns;
use super::{ReadBatches, MAX_BATCH_ROWS, Reading, normal};
use crate::error::{Error, Result};

/// Text of a batch that columns, which address it with 31 bits, hold with much space to spare.
const BATCH_BYTES: i64 = 256 << 20;

/// A Parquet file whose footer has been read.
pub(super) struct ParquetPart {
    label: String,
    path: PathBuf,
    /// Removes the file, if it is a temporary one, when it is no longer needed.
    _spooled: Option<TempPath>,
    metadata: ArrowReaderMetadata,
}

impl ParquetPart {
    pub(super) fn open(place: ByteSource) -> Result<Self> {
        let label = place.label.clone();
        let (path, spooled) = place.into_file()?;
        let file = File::open(&path).map_err(|error| unreadable(&label, &error))?;
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new());
        let metadata = metadata.map_err(|error| broken(&label, error))?;
        Ok(Self { label, path, _spooled: spooled, metadata })
    }

    pub(super) fn fields(&self) -> Fields {
        let normal = |field: &Field| Field::new(field.name(), normal::type_of(field.data_type()), true);
        self.metadata.schema().fields().iter().map(|field| normal(field)).collect()
    }

    pub(super) fn read(self, wanted: &WantedColumns, reading: &Reading<'_>) -> Result<ReadBatches> {
        let local = wanted.local();
        let groups = self.metadata.metadata().num_row_groups();
        let pieces: Vec<_> = (0..groups).flat_map(|group| local.iter().map(move |&column| (group, column))).collect();
        let read = |(group, column): (usize, usize)| {
            let arrays = self.column(group, column)?;
            reading.budget.take(arrays.iter().map(|array| array.get_array_memory_size()).sum())?;
            if local.first() == Some(&column) {
                (reading.progress)(arrays.iter().map(|array| array.len() as u64).sum());
            }
            Ok(arrays)
        };
        let columns: Vec<Result<Vec<ArrayRef>>> = pieces.into_par_iter().map(read).collect();
        let mut columns = columns.into_iter();
        let mut batches = Vec::new();
        for group in 0..groups {
            let of_group = columns.by_ref().take(local.len()).collect::<Result<Vec<_>>>()?;
            self.assemble(group, of_group, wanted, &mut batches)?;
        }
        Ok(batches)
    }

    /// Joins the columns of a row group, all of which come in pieces of the same lengths.
    fn assemble(
        &self,
        group: usize,
        columns: Vec<Vec<ArrayRef>>,
        wanted: &WantedColumns,
        batches: &mut ReadBatches,
    ) -> Result<()> {
        let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
        let rows = self.metadata.metadata().row_group(group).num_rows() as usize;
        let step = self.batch_rows(group);
        for from in (0..rows).step_by(step) {
            let arrays = columns.iter_mut().filter_map(Iterator::next).collect();
            let batch = wanted.batch(step.min(rows - from), arrays);
            batches.push(batch.map_err(|error| broken(&self.label, error))?);
        }
        Ok(())
    }

    fn batch_rows(&self, group: usize) -> usize {
        let group = self.metadata.metadata().row_group(group);
        let row_bytes = group.total_byte_size() / group.num_rows().max(1);
        ((BATCH_BYTES / row_bytes.max(1)) as usize).clamp(1, MAX_BATCH_ROWS)
    }

    /// Every reader opens the file for itself: handles that share a position would disturb each other.
    fn column(&self, group: usize, column: usize) -> Result<Vec<ArrayRef>> {
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), [column]);
        let file = File::open(&self.path).map_err(|error| unreadable(&self.label, &error))?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(self.batch_rows(group))
            .build()
            .map_err(|error| broken(&self.label, error))?;
        let array = |batch: std::result::Result<arrow_array::RecordBatch, _>| {
            let batch = batch.map_err(|error| broken(&self.label, error))?;
            Ok(batch.column(0).clone())
        };
        reader.map(array).collect()
    }
}

fn broken(label: &str, error: impl std::fmt::Display) -> Error {
    Error::data(format!("{label}: cannot be read as Parquet: {error}"))
}
