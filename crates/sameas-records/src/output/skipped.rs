//! Writes `skipped`: where the records are that were left out because they have no id.
//!
//! Columns: `source_dataset`, `file`, and `row`, the number of the record in that file, from 1.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{WriteOptions, write_table};
use crate::error::Result;
use crate::records::{SkippedRecords, broken};

/// The records that were left out, input by input.
pub struct SkippedTable<'a> {
    inputs: &'a [SkippedRecords],
    /// The number of the first record of each input.
    starts: Vec<usize>,
    rows: usize,
}

impl<'a> SkippedTable<'a> {
    /// Those of these inputs.
    pub fn new(inputs: &'a [SkippedRecords]) -> Self {
        let mut rows = 0;
        let start = |input: &SkippedRecords| {
            rows += input.len();
            rows - input.len()
        };
        Self { starts: inputs.iter().map(start).collect(), inputs, rows }
    }

    /// How many there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    fn schema() -> SchemaRef {
        let field = |(name, kind)| Field::new(name, kind, false);
        let fields = [("source_dataset", DataType::Utf8), ("file", DataType::Utf8), ("row", DataType::UInt64)];
        Arc::new(Schema::new(fields.map(field).to_vec()))
    }

    fn batch(&self, schema: &SchemaRef, rows: Range<usize>) -> Result<RecordBatch> {
        let place = |row: usize| {
            let input = self.starts.partition_point(|start| *start <= row) - 1;
            (self.inputs[input].source.as_str(), self.inputs[input].get(row - self.starts[input]))
        };
        let places: Vec<_> = rows.map(place).collect();
        let sources = StringArray::from_iter_values(places.iter().map(|(source, _)| source));
        let files = StringArray::from_iter_values(places.iter().map(|(_, place)| &place.file));
        let numbers = UInt64Array::from_iter_values(places.iter().map(|(_, place)| place.row));
        let columns = vec![Arc::new(sources) as _, Arc::new(files) as _, Arc::new(numbers) as _];
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
    }
}

/// Writes `skipped` and returns the flushed writer.
pub fn write_skipped<W: Write + Send>(out: W, table: &SkippedTable<'_>, options: &WriteOptions<'_>) -> Result<W> {
    let (schema, step) = (SkippedTable::schema(), options.format.chunk_rows(table.rows as u64) as usize);
    let make_chunk = |chunk: u64| {
        let from = chunk as usize * step;
        table.batch(&schema, from..table.rows.min(from + step))
    };
    write_table(out, &schema, &[], table.rows.div_ceil(step) as u64, &make_chunk, options)
}
