//! The records of a run with their clusters, and how tables are made of them.

use std::path::Path;

use arrow_array::{Array, ArrayRef, UInt32Array};
use arrow_schema::{DataType, Field};
use arrow_select::take::take;

use super::{Cancel, Error, MemoryBudget, Result, broken};
use crate::output::{plain_batch, plain_schema};
use crate::record_stream::StreamedInput;
use crate::records::RowIds;

/// Records and their clusters.
#[derive(Clone, Copy)]
pub struct ClusteredRecords<'a> {
    /// The inputs, one after the other.
    pub inputs: &'a [StreamedInput<'a>],
    /// The ids of all records.
    pub ids: &'a RowIds,
    /// The first record of each record's cluster.
    pub roots: &'a [u32],
    /// What the pairs of each record with others of its cluster weigh; asked for where a rule needs it.
    pub weights: &'a (dyn Fn() -> Result<Vec<i64>> + Sync),
}

/// Memory, temporary files, and who learns how far it has come.
#[derive(Clone, Copy)]
pub struct TableTools<'a> {
    /// The memory.
    pub budget: &'a MemoryBudget,
    /// The folder for what does not fit; that of the system if there is none.
    pub spill_folder: Option<&'a Path>,
    /// Whether the work is still wanted.
    pub cancel: Cancel<'a>,
    /// Learns how many more records were read.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl ClusteredRecords<'_> {
    /// The column of what records are called in results.
    pub fn name_field(&self, name: &str, nullable: bool) -> Field {
        let data_type = match (self.ids.has_sources(), self.ids.data_type()) {
            (true, _) => DataType::Utf8,
            (false, of_ids) => of_ids.clone(),
        };
        Field::new(name, data_type, nullable)
    }

    /// What some records are called.
    pub fn names(&self, records: &[u32]) -> Result<ArrayRef> {
        let records = UInt32Array::from(records.to_vec());
        let names =
            if self.ids.has_sources() { self.ids.gather_names(&records)? } else { self.ids.gather(&records)? };
        spelled_out(names)
    }

    /// The same for records of which some are none.
    pub fn names_of_some(&self, records: &[Option<u32>]) -> Result<ArrayRef> {
        let present: Vec<u32> = records.iter().flatten().copied().collect();
        let names = self.names(&present)?;
        let mut next = 0;
        let place = |record: &Option<u32>| {
            record.map(|_| {
                next += 1;
                next - 1
            })
        };
        let places: UInt32Array = records.iter().map(place).collect();
        take(&names, &places, None).map_err(|error| broken(&error))
    }

    /// The names of the inputs that some records are from.
    pub fn sources(&self, records: &[u32]) -> Result<ArrayRef> {
        spelled_out(self.ids.gather_sources(&UInt32Array::from(records.to_vec()))?)
    }

    /// The input that each record is from, by the first record of each input after the first.
    pub fn borders(&self) -> Vec<u32> {
        let mut ends: Vec<u32> = self
            .inputs
            .iter()
            .scan(0, |sum, input| {
                *sum += input.rows as u32;
                Some(*sum)
            })
            .collect();
        ends.pop();
        ends
    }
}

/// A column without references.
fn spelled_out(column: ArrayRef) -> Result<ArrayRef> {
    if !matches!(column.data_type(), DataType::Dictionary(..)) {
        return Ok(column);
    }
    let batch = arrow_array::RecordBatch::try_from_iter([("names", column)]).map_err(|error| broken(&error))?;
    let plain = plain_batch(&batch, &plain_schema(&batch.schema()))?;
    let column = plain.columns().first().ok_or_else(|| Error::internal("a batch without columns"))?;
    Ok(column.clone())
}
