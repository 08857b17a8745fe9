//! Row groups whose rows are passed on as they are decoded: all columns of a group at the same time, some rows at a time. So
//! the size of a row group does not matter.

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use arrow_array::{Array, ArrayRef};
use rayon::prelude::*;

use super::file::SharedFile;
use super::guard::guarded;
use super::{DAMAGED, ParquetPart, broken};
use crate::error::Result;
use crate::records::read::column_types::ColumnTypes;
use crate::records::read::part::{PartReading, SourcePart};
use crate::records::read::read_batches::BatchTaker;

impl ParquetPart {
    /// Passes the wanted columns on, row group by row group.
    pub(super) fn pass_on(&self, file: &SharedFile, part: &PartReading<'_>, taker: &dyn BatchTaker) -> Result<()> {
        (0..self.metadata.metadata().num_row_groups()).try_for_each(|group| self.pass_group(file, group, part, taker))
    }

    fn pass_group(
        &self,
        file: &SharedFile,
        group: usize,
        part: &PartReading<'_>,
        taker: &dyn BatchTaker,
    ) -> Result<()> {
        let (local, reading) = (part.columns(), part.reading);
        let steps = self.each(&[group], |group| self.batch_rows(file, *group, local, reading))?;
        let Some(step) = steps.first() else { return Ok(()) };
        let _pages = reading.budget.hold(step.pages.iter().map(|(_, bytes)| bytes).sum())?;
        let mut decoders = self.each(local, |column| self.decoder(file, group, *column, step))?;
        let rows = self.metadata.metadata().row_group(group).num_rows() as usize;
        for from in (0..rows).step_by(step.rows) {
            let here = step.rows.min(rows - from);
            let columns: Vec<Result<Option<ArrayRef>>> =
                decoders.par_iter_mut().map(|decoder| self.next_rows(decoder, part.types)).collect();
            let mut arrays = Vec::with_capacity(columns.len());
            for column in columns {
                let array = column?.filter(|array| array.len() == here);
                arrays.push(array.ok_or_else(|| self.wrong_rows(group, rows))?);
            }
            let batch = part.wanted.batch(here, arrays).map_err(|error| broken(self.label(), error))?;
            (reading.progress)(here as u64);
            taker.take(vec![batch])?;
        }
        Ok(())
    }

    /// The next rows of a column, if there are more.
    fn next_rows(&self, decoder: &mut ParquetRecordBatchReader, types: ColumnTypes) -> Result<Option<ArrayRef>> {
        let next = guarded(|| decoder.next().map(|batch| self.converted(batch, types)).transpose())?;
        next.ok_or_else(|| broken(self.label(), DAMAGED))
    }
}
