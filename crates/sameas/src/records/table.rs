//! A table in memory: the columns a job needs, in the order of the rows.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{DataType, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take_record_batch;

use super::block_column::BlockColumn;
use super::input::TextOptions;
use super::read::line_of_row;
use super::skipped::SkippedRecords;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::expr::Vector;

/// One input, read: batches in row order, all of one schema.
///
/// Text columns are `Utf8` whatever the file called them, and hold no empty values: empty is null. Where batches of the caller
/// are taken as given, they may be `Utf8View`; a dictionary with 32-bit keys of views that all batches share, in which rows with
/// a null value are null; or one with 16-bit keys of the texts of one batch, in which nulls are values.
/// [`Table::plain_texts`] has them as `Utf8`.
#[derive(Clone, Debug)]
pub struct Table {
    /// The `source_dataset` of its records.
    pub name: String,
    /// Names and types of the columns that were read.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// The files they came from, with the number of rows of each.
    pub files: Vec<(String, usize)>,
    /// What else is needed to say where a row came from.
    pub origin: RowOrigin,
}

/// Where the rows of a table are in its files.
#[derive(Clone, Debug, Default)]
pub struct RowOrigin {
    /// How the files were read.
    text: TextOptions,
    /// Rows of the input that the table does not have, ascending.
    skipped: Arc<Vec<u32>>,
}

impl RowOrigin {
    pub(super) fn of(text: TextOptions) -> Self {
        Self { text, ..Self::default() }
    }

    /// The number of a row of the table among the rows of the input.
    fn row_of_input(&self, row: usize) -> usize {
        // Before the n-th skipped row, from 0, there are as many of the table as its number less n.
        let before = |at: usize| self.skipped[at] as usize - at;
        let (mut low, mut high) = (0, self.skipped.len());
        while low < high {
            let middle = low.midpoint(high);
            if before(middle) <= row { low = middle + 1 } else { high = middle }
        }
        row + low
    }
}

impl Table {
    /// Number of records.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// A column, batch by batch, in which texts are `Utf8`.
    pub fn plain_texts(&self, column: usize) -> impl Iterator<Item = ArrayRef> + '_ {
        let plain = |array: &ArrayRef| match array.data_type() {
            DataType::Utf8View | DataType::Dictionary(..) => match BlockColumn::new(array).to_rows(Cancel::NEVER) {
                Vector::Text(texts) => Arc::new(texts),
                _ => array.clone(),
            },
            _ => array.clone(),
        };
        self.batches.iter().map(move |batch| plain(batch.column(column)))
    }

    /// Where a row came from, for messages: `people.csv:17`, or, where the file has no lines, `people.parquet, row 16`.
    pub fn place(&self, row: usize) -> String {
        let row = self.origin.row_of_input(row);
        let Some((file, row)) = self.row_of_file(row) else { return format!("{}, row {}", self.name, row + 1) };
        let line = line_of_row(Path::new(file), row, self.origin.text);
        line.map_or_else(|| format!("{file}, row {}", row + 1), |line| format!("{file}:{line}"))
    }

    /// The file that a row of the input is in, and its number there.
    fn row_of_file(&self, mut row: usize) -> Option<(&str, usize)> {
        for (label, rows) in &self.files {
            if row < *rows {
                return Some((label, row));
            }
            row -= rows;
        }
        None
    }

    /// Keeps these rows, ascending, and drops the others.
    pub fn keep(&mut self, rows: &[usize]) {
        let mut kept = Vec::with_capacity(rows.len());
        let (mut start, mut wanted) = (0, rows);
        for batch in &self.batches {
            let end = start + batch.num_rows();
            let (here, rest) = wanted.split_at(wanted.partition_point(|row| *row < end));
            kept.extend(here.iter().map(|row| batch.slice(row - start, 1)));
            (start, wanted) = (end, rest);
        }
        self.batches = kept;
    }

    /// The same for many rows: those of a batch stay in one batch.
    pub fn keep_many(&mut self, rows: &[u32]) -> Result<()> {
        let mut kept = Vec::new();
        let (mut start, mut wanted) = (0_usize, rows);
        for batch in &self.batches {
            let end = start + batch.num_rows();
            let (here, rest) = wanted.split_at(wanted.partition_point(|row| (*row as usize) < end));
            if !here.is_empty() {
                let places = UInt32Array::from_iter_values(here.iter().map(|row| row - start as u32));
                let taken = take_record_batch(batch, &places);
                kept.push(taken.map_err(|error| Error::internal(format!("a batch of records: {error}")))?);
            }
            (start, wanted) = (end, rest);
        }
        self.batches = kept;
        Ok(())
    }

    /// The same table, in which all texts are `Utf8`.
    pub fn with_plain_texts(&self) -> Result<Self> {
        let columns: Vec<Vec<ArrayRef>> =
            (0..self.schema.fields().len()).map(|column| self.plain_texts(column).collect()).collect();
        let batch = |(at, batch): (usize, &RecordBatch)| {
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            let columns = columns.iter().map(|column| column[at].clone()).collect();
            RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
                .map_err(|error| Error::internal(format!("a batch of records: {error}")))
        };
        let batches = self.batches.iter().enumerate().map(batch).collect::<Result<_>>()?;
        Ok(Self { batches, ..self.clone() })
    }

    /// The table with some of its columns only, by their places.
    pub fn with_columns(&self, places: &[usize]) -> Result<Self> {
        let broken = |error| Error::internal(format!("a batch of records: {error}"));
        let batches = self.batches.iter().map(|batch| batch.project(places).map_err(broken));
        let schema = self.schema.project(places).map_err(broken)?;
        Ok(Self { batches: batches.collect::<Result<_>>()?, schema: Arc::new(schema), ..self.clone() })
    }

    /// Leaves out these rows, ascending, and remembers which they were. They are rows of the input: none was left out
    /// before.
    pub(super) fn skip(&mut self, rows: Vec<u32>) -> Result<()> {
        let (mut start, mut left_out) = (0_usize, &rows[..]);
        for batch in &mut self.batches {
            let end = start + batch.num_rows();
            let (here, rest) = left_out.split_at(left_out.partition_point(|row| (*row as usize) < end));
            if !here.is_empty() {
                let mut kept = vec![true; batch.num_rows()];
                here.iter().for_each(|row| kept[*row as usize - start] = false);
                let filtered = filter_record_batch(batch, &BooleanArray::from(kept));
                *batch = filtered.map_err(|error| Error::internal(format!("a batch of records: {error}")))?;
            }
            (start, left_out) = (end, rest);
        }
        self.batches.retain(|batch| batch.num_rows() > 0);
        self.origin.skipped = Arc::new(rows);
        Ok(())
    }

    /// The rows that were left out.
    pub fn skipped(&self) -> SkippedRecords {
        SkippedRecords::new(&self.name, &self.files, Arc::clone(&self.origin.skipped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_numbers_after_others_were_left_out() {
        let origin = RowOrigin { skipped: Arc::new(vec![0, 3, 4, 9]), ..RowOrigin::default() };
        let rows: Vec<usize> = (0..7).map(|row| origin.row_of_input(row)).collect();
        assert_eq!(rows, [1, 2, 5, 6, 7, 8, 10]);
        assert_eq!(RowOrigin::default().row_of_input(5), 5);
    }
}
