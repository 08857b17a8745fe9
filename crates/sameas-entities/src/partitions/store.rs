//! The rows of partitions: in memory as far as they may be, then in a temporary file.

use std::ops::Range;
use std::path::PathBuf;

use arrow_array::{Array, RecordBatch, UInt32Array};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat;
use arrow_select::take::take_record_batch;
use rayon::prelude::*;

use super::spilled::SpilledRows;
use super::{Cancel, Error, Held, MemoryBudget, Result, broken, bytes_of};

/// What partitions hold in memory together, of the memory of a job.
const HELD_SHARE: usize = 4;

/// Rows, each with the number of their partition.
pub type RowsByPartition = Vec<(usize, RecordBatch)>;

/// Rows by partition.
pub struct Partitions {
    schema: SchemaRef,
    /// The clusters at which partitions begin, and where the last one ends.
    borders: Vec<u32>,
    held: Vec<Vec<RecordBatch>>,
    /// Memory of what is held, and the most of it.
    bytes: usize,
    most: usize,
    /// Where rows of each partition are in the file, in order.
    places: Vec<Vec<Range<u64>>>,
    file: Option<SpilledRows>,
    folder: Option<PathBuf>,
    counted: Held,
}

impl Partitions {
    /// Partitions with these borders, without rows. What does not fit the memory goes to a file in the folder.
    pub fn new(schema: SchemaRef, borders: Vec<u32>, budget: &MemoryBudget, folder: Option<PathBuf>) -> Result<Self> {
        let count = borders.len() - 1;
        Ok(Self {
            schema,
            borders,
            held: vec![Vec::new(); count],
            bytes: 0,
            most: budget.most() / HELD_SHARE,
            places: vec![Vec::new(); count],
            file: None,
            folder,
            counted: budget.hold(0)?,
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.held.len()
    }

    /// The clusters of a partition.
    pub fn clusters(&self, partition: usize) -> Range<usize> {
        self.borders[partition] as usize..self.borders[partition + 1] as usize
    }

    /// The rows of a batch by partition; `clusters` are the numbers of their clusters.
    pub fn divided(&self, batch: &RecordBatch, clusters: &[u32]) -> Result<RowsByPartition> {
        if self.count() == 1 {
            return Ok(vec![(0, batch.clone())]);
        }
        let of = |cluster: u32| self.borders.partition_point(|border| *border <= cluster) - 1;
        let (mut rows, mut last): (Vec<Vec<u32>>, usize) = (vec![Vec::new(); self.count()], 0);
        for (row, cluster) in clusters.iter().enumerate() {
            // Clusters of rows that follow each other are often close.
            if !(self.borders[last]..self.borders[last + 1]).contains(cluster) {
                last = of(*cluster);
            }
            rows[last].push(row as u32);
        }
        let filled = rows.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty());
        let taken = filled.map(|(partition, rows)| {
            let part = match rows.len() == batch.num_rows() {
                true => batch.clone(),
                false => take_record_batch(batch, &UInt32Array::from(rows)).map_err(|error| broken(&error))?,
            };
            Ok((partition, part))
        });
        taken.collect()
    }

    /// Adds rows that come after all others of their partitions.
    pub fn add(&mut self, rows: RowsByPartition) -> Result<()> {
        for (partition, batch) in rows {
            self.bytes += bytes_of(&batch);
            self.held[partition].push(batch);
        }
        if self.bytes > self.most {
            return self.spill();
        }
        self.counted.reach(self.bytes)
    }

    /// Everything that is held goes to the file.
    fn spill(&mut self) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(SpilledRows::create(self.folder.as_deref())?),
        };
        for (held, places) in self.held.iter_mut().zip(&mut self.places) {
            if !held.is_empty() {
                places.push(file.append(&joined(&self.schema, &std::mem::take(held))?)?);
            }
        }
        self.bytes = 0;
        Ok(())
    }

    /// No rows come any more: what is held stays, unless some are in the file already.
    pub fn finish(&mut self) -> Result<()> {
        if self.file.is_some() { self.spill() } else { Ok(()) }
    }

    /// All rows of a partition, in the order in which they came. The memory of rows that are read is counted.
    pub fn rows(&self, partition: usize, cancel: Cancel<'_>) -> Result<(RecordBatch, Held)> {
        cancel.check();
        let places = &self.places[partition];
        let held = cancel.hold(places.iter().map(|place| 2 * (place.end - place.start) as usize).sum());
        let read = places.iter().map(|place| self.of_file()?.read(place));
        let mut batches = read.collect::<Result<Vec<_>>>()?;
        batches.extend(self.held[partition].iter().cloned());
        let rows = match &batches[..] {
            [] => RecordBatch::new_empty(self.schema.clone()),
            [only] => only.clone(),
            batches => joined(&self.schema, batches)?,
        };
        Ok((rows, held))
    }

    fn of_file(&self) -> Result<&SpilledRows> {
        self.file.as_ref().ok_or_else(|| Error::internal("rows of a partition have no file"))
    }
}

/// Batches as one, its columns side by side: a partition of one large cluster may be most of a table.
fn joined(schema: &SchemaRef, batches: &[RecordBatch]) -> Result<RecordBatch> {
    let column = |at: usize| {
        let parts: Vec<&dyn Array> = batches.iter().map(|batch| batch.column(at).as_ref()).collect();
        concat(&parts)
    };
    let columns = (0..schema.fields().len()).into_par_iter().map(column).collect::<std::result::Result<Vec<_>, _>>();
    columns.and_then(|columns| RecordBatch::try_new(schema.clone(), columns)).map_err(|error| broken(&error))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt32Type;
    use arrow_array::{ArrayRef, StringArray};

    use super::*;

    /// The rows of two partitions of 200 batches, which take about this many bytes each.
    fn rows(text: usize, memory: usize) -> (Vec<Vec<u32>>, bool) {
        let batch = |from: u32| {
            let numbers: ArrayRef = Arc::new(UInt32Array::from_iter_values(from..from + 100));
            let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..100).map(|_| "x".repeat(text))));
            RecordBatch::try_from_iter([("n", numbers), ("t", texts)]).unwrap()
        };
        let budget = MemoryBudget::new(memory);
        let mut partitions = Partitions::new(batch(0).schema(), vec![0, 5, 10], &budget, None).unwrap();
        for at in 0..200 {
            let batch = batch(at * 100);
            let clusters: Vec<u32> = (0..100).map(|row| row % 10).collect();
            let divided = partitions.divided(&batch, &clusters).unwrap();
            partitions.add(divided).unwrap();
        }
        partitions.finish().unwrap();
        let numbers = |partition| {
            let (rows, _held) = partitions.rows(partition, Cancel::NEVER).unwrap();
            rows.column(0).as_primitive::<UInt32Type>().values().to_vec()
        };
        ((0..2).map(numbers).collect(), partitions.file.is_some())
    }

    #[test]
    fn rows_come_back_in_order_from_memory_and_from_a_file() {
        let (small, was_small) = rows(1, 1 << 30);
        let (large, was_large) = rows(4_000, 0);
        assert_eq!((was_small, was_large), (false, true));
        let expected = |low: bool| (0..20_000).filter(|row| (row % 10 < 5) == low).collect::<Vec<u32>>();
        assert_eq!(small, [expected(true), expected(false)]);
        assert_eq!(large, small);
    }
}
