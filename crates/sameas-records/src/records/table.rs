//! A table in memory: the columns a job needs, in the order of the rows.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{DataType, Fields, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take_record_batch;

use super::block_column::BlockColumn;
use super::read::line_of_row;
use super::read_options::TextOptions;
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
    /// How the files were read; nothing where there were none.
    text: Option<TextOptions>,
    /// Rows of the input that the table does not have, ascending.
    skipped: Arc<Vec<u32>>,
}

impl RowOrigin {
    pub(super) fn new(text: Option<TextOptions>) -> Self {
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
    /// A table of this many records and no column.
    pub fn without_columns(name: &str, rows: usize) -> Result<Self> {
        let (schema, options) = (Arc::new(Schema::empty()), RecordBatchOptions::new().with_row_count(Some(rows)));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), Vec::new(), &options);
        let batch = batch.map_err(|error| Error::internal(format!("a batch of records: {error}")))?;
        Ok(Self {
            name: name.to_owned(),
            schema,
            batches: vec![batch],
            files: Vec::new(),
            origin: RowOrigin::default(),
        })
    }

    /// Number of records.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Memory that its records take; of texts that the caller holds, what refers to them.
    pub fn bytes(&self) -> usize {
        self.batches.iter().flat_map(RecordBatch::columns).map(bytes_of).sum()
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
        let line = self.origin.text.and_then(|text| line_of_row(Path::new(file), row, text));
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

    /// Some of its rows, ascending, with the columns of these names only. Those of a batch stay in one batch, and batches without
    /// one of them cost nothing.
    pub fn part(&self, names: &BTreeSet<String>, rows: &[u32]) -> Result<Self> {
        let broken = |error| Error::internal(format!("a batch of records: {error}"));
        let columns = self.places_of(names);
        let mut kept = Vec::new();
        let (mut start, mut wanted) = (0_usize, rows);
        for batch in &self.batches {
            let end = start + batch.num_rows();
            let (here, rest) = wanted.split_at(wanted.partition_point(|row| (*row as usize) < end));
            if !here.is_empty() {
                let places = UInt32Array::from_iter_values(here.iter().map(|row| row - start as u32));
                let taken = batch.project(&columns).and_then(|batch| take_record_batch(&batch, &places));
                kept.push(taken.map_err(broken)?);
            }
            (start, wanted) = (end, rest);
        }
        let schema = Arc::new(self.schema.project(&columns).map_err(broken)?);
        let (name, files, origin) = (self.name.clone(), self.files.clone(), self.origin.clone());
        Ok(Self { name, schema, batches: kept, files, origin })
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

    /// The table with the columns of these names only, in its own order.
    pub fn only(&self, names: &BTreeSet<String>) -> Result<Self> {
        self.with_columns(&self.places_of(names))
    }

    fn places_of(&self, names: &BTreeSet<String>) -> Vec<usize> {
        let fields = self.schema.fields().iter().enumerate();
        fields.filter(|(_, field)| names.contains(field.name())).map(|(at, _)| at).collect()
    }

    /// The table with its columns in the order that they have in a schema, which has all of them.
    pub fn in_order_of(&self, schema: &Schema) -> Result<Self> {
        let fields = self.schema.fields().iter().enumerate();
        let places: HashMap<&str, usize> = fields.map(|(at, field)| (field.name().as_str(), at)).collect();
        let in_order = schema.fields().iter().filter_map(|field| places.get(field.name().as_str()).copied());
        self.with_columns(&in_order.collect::<Vec<usize>>())
    }

    /// The table with the columns of another one besides, which has the same rows. Batches are cut where those of either end.
    pub fn beside(&self, other: &Self) -> Result<Self> {
        let broken = |error| Error::internal(format!("a batch of records: {error}"));
        let joined = |own: &Schema, others: &Schema| -> SchemaRef {
            Arc::new(Schema::new(own.fields().iter().chain(others.fields()).cloned().collect::<Fields>()))
        };
        let (mut batches, mut own, mut others) = (Vec::new(), BatchPlace::default(), BatchPlace::default());
        while let (Some(a), Some(b)) = (self.batches.get(own.batch), other.batches.get(others.batch)) {
            let rows = (a.num_rows() - own.row).min(b.num_rows() - others.row);
            let (a_part, b_part) = (a.slice(own.row, rows), b.slice(others.row, rows));
            let columns = a_part.columns().iter().chain(b_part.columns()).cloned().collect();
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            let schema = joined(&a.schema(), &b.schema());
            batches.push(RecordBatch::try_new_with_options(schema, columns, &options).map_err(broken)?);
            own.advance(rows, a);
            others.advance(rows, b);
        }
        batches.retain(|batch| batch.num_rows() > 0);
        Ok(Self { schema: joined(&self.schema, &other.schema), batches, ..self.clone() })
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

    /// Leaves out the records that were left out of another table of the same input.
    pub fn skip_same(&mut self, skipped: &SkippedRecords) -> Result<()> {
        if skipped.is_empty() { Ok(()) } else { self.skip(skipped.rows().to_vec()) }
    }

    /// The rows that were left out.
    pub fn skipped(&self) -> SkippedRecords {
        SkippedRecords::new(&self.name, &self.files, Arc::clone(&self.origin.skipped))
    }
}

fn bytes_of(column: &ArrayRef) -> usize {
    match column.data_type() {
        DataType::Utf8View => column.len() * size_of::<u128>(),
        // All batches share the values of such a dictionary.
        DataType::Dictionary(key, _) if **key == DataType::UInt32 => column.len() * size_of::<u32>(),
        _ => column.to_data().get_slice_memory_size().unwrap_or_else(|_| column.get_array_memory_size()),
    }
}

/// A row of a list of batches.
#[derive(Default)]
struct BatchPlace {
    batch: usize,
    row: usize,
}

impl BatchPlace {
    /// Goes on by some rows of the batch that it is in.
    fn advance(&mut self, rows: usize, batch: &RecordBatch) {
        self.row += rows;
        if self.row == batch.num_rows() {
            *self = Self { batch: self.batch + 1, row: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Int64Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use arrow_schema::Field;

    use super::*;

    /// A table of one column of numbers, in batches of these sizes.
    fn numbers(name: &str, sizes: &[i64]) -> Table {
        let mut first = 0;
        let batch = |size: &i64| {
            let values: ArrayRef = Arc::new(Int64Array::from_iter_values(first..first + size));
            first += size;
            RecordBatch::try_from_iter([(name, values)]).unwrap()
        };
        let batches: Vec<RecordBatch> = sizes.iter().map(batch).collect();
        let schema = batches[0].schema();
        Table { name: "t".into(), schema, batches, files: Vec::new(), origin: RowOrigin::default() }
    }

    #[test]
    fn columns_lie_beside_each_other_however_they_are_cut() {
        for (own, others) in [(vec![3, 4, 2], vec![9]), (vec![1, 0, 5, 3], vec![2, 2, 5]), (vec![9], vec![4, 5, 0])] {
            let both = numbers("a", &own).beside(&numbers("b", &others)).unwrap();
            assert_eq!((both.rows(), both.schema.fields().len()), (9, 2));
            let values = |column: usize| -> Vec<i64> {
                let of_batch = |batch: &RecordBatch| batch.column(column).as_primitive::<Int64Type>().values().to_vec();
                both.batches.iter().flat_map(of_batch).collect()
            };
            assert_eq!((values(0), values(1)), ((0..9).collect(), (0..9).collect()));
            assert_eq!(both.schema.field(1).name(), "b");
            let [a, b] = [0, 1].map(|at| both.schema.field(at).clone());
            let other_order = Schema::new(vec![Field::new("none", DataType::Utf8, true), b, a]);
            let turned = both.in_order_of(&other_order).unwrap();
            assert_eq!((turned.schema.field(0).name().as_str(), turned.schema.field(1).name().as_str()), ("b", "a"));
        }
    }

    #[test]
    fn rows_know_their_numbers_after_others_were_left_out() {
        let origin = RowOrigin { skipped: Arc::new(vec![0, 3, 4, 9]), ..RowOrigin::default() };
        let rows: Vec<usize> = (0..7).map(|row| origin.row_of_input(row)).collect();
        assert_eq!(rows, [1, 2, 5, 6, 7, 8, 10]);
        assert_eq!(RowOrigin::default().row_of_input(5), 5);
    }
}
