//! The rows of all records become partitions, while the records are read.

use std::path::Path;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use rayon::prelude::*;

use super::{ClusterNumbers, MemoryBudget, Partitions, Result, RowsByPartition};
use crate::record_stream::{GroupedBatches, InputBatch, StreamedInputs};

/// Rows that are enough to know what a row takes.
const SAMPLE: usize = 1 << 17;

/// The part of the memory that the rows of a partition take, for each thread.
const SHARE: usize = 16;

/// Partitions for each thread at least, so that all end at about the same time, unless they are small.
const PER_THREAD: usize = 4;

/// A partition is not divided below this many rows for that.
const FEW: usize = 1 << 14;

/// What is made of records, and by what they are brought together.
pub struct DividedRows<'a> {
    /// The columns of rows.
    pub schema: &'a SchemaRef,
    /// What is read of each input.
    pub read: &'a [Vec<usize>],
    /// Makes the rows of a batch; the last column is the number of the record.
    pub rows: &'a (dyn Fn(&InputBatch) -> Result<RecordBatch> + Sync),
    /// The clusters.
    pub clusters: &'a ClusterNumbers,
}

/// Reads all records, and gives their rows by partition.
pub fn divided_rows(
    opened: StreamedInputs<'_>,
    work: &DividedRows<'_>,
    budget: &MemoryBudget,
    folder: Option<&Path>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Partitions> {
    let make = |batch: InputBatch| Ok((batch.first as usize, (work.rows)(&batch)?));
    let mut grouped = GroupedBatches::new(budget, &make);
    let mut growing = GrowingPartitions { work, budget, folder, partitions: None, first: Vec::new() };
    opened.read(work.read, budget, progress, &mut |batch| {
        let made = grouped.add(batch)?;
        growing.add(made, false)
    })?;
    growing.add(grouped.finish()?, true)?;
    growing.finish()
}

/// Partitions, whose number is not known before some rows have come.
struct GrowingPartitions<'a> {
    work: &'a DividedRows<'a>,
    budget: &'a MemoryBudget,
    folder: Option<&'a Path>,
    partitions: Option<Partitions>,
    /// The first rows, with the number of the first of each batch.
    first: RowsByPartition,
}

impl GrowingPartitions<'_> {
    fn add(&mut self, batches: RowsByPartition, is_last: bool) -> Result<()> {
        self.first.extend(batches);
        if self.partitions.is_none() {
            let (rows, bytes) = self.size_of_first();
            if !is_last && rows < SAMPLE && bytes < self.budget.most() / SHARE {
                return Ok(());
            }
            let borders = self.work.clusters.borders(self.rows_of_partition(rows, bytes));
            let folder = self.folder.map(Path::to_owned);
            self.partitions = Some(Partitions::new(self.work.schema.clone(), borders, self.budget, folder)?);
        }
        let Some(partitions) = &mut self.partitions else { return Ok(()) };
        let batches = std::mem::take(&mut self.first);
        let divided: Vec<_> = batches
            .par_iter()
            .map(|(first, batch)| {
                partitions.divided(batch, self.work.clusters.of_records(*first..*first + batch.num_rows()))
            })
            .collect();
        divided.into_iter().try_for_each(|rows| partitions.add(rows?))
    }

    fn size_of_first(&self) -> (usize, usize) {
        let rows = self.first.iter().map(|(_, batch)| batch.num_rows()).sum();
        (rows, self.first.iter().map(|(_, batch)| bytes_of(batch)).sum())
    }

    /// How many rows a partition has, about, if some rows take these bytes.
    fn rows_of_partition(&self, rows: usize, bytes: usize) -> usize {
        let threads = rayon::current_num_threads();
        let most = (self.budget.most() / (SHARE * threads)).saturating_mul(rows.max(1)) / bytes.max(1);
        let all = self.work.clusters.records();
        most.min((all / (PER_THREAD * threads)).max(FEW))
    }

    fn finish(self) -> Result<Partitions> {
        let mut partitions = self.partitions.ok_or_else(|| super::Error::internal("rows without partitions"))?;
        partitions.finish()?;
        Ok(partitions)
    }
}

/// Bytes of the values of a batch, which may be a part of a larger one.
pub fn bytes_of(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(bytes_of_column).sum()
}

/// The same of a column.
pub fn bytes_of_column(column: &ArrayRef) -> usize {
    column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_array_memory_size())
}
