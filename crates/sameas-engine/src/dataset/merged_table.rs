//! One table of the records of several.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{FieldRef, Fields, Schema, SchemaRef};
use arrow_select::interleave::interleave;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::records::{RowOrigin, Table};

/// Records of a batch of the merged table.
const BATCH_ROWS: usize = 1 << 16;

/// Where a record is: in which table or batch, and in which row of it.
type MergedPlace = (usize, usize);

/// The records of tables with the same columns, in this order: by table and row.
pub fn merged_table(mut tables: Vec<Table>, order: &[MergedPlace], cancel: Cancel<'_>) -> Result<Table> {
    if tables.len() == 1 {
        return tables.pop().ok_or_else(|| Error::internal("no table to merge"));
    }
    let bytes: usize = tables.iter().map(Table::bytes).sum();
    let _held = cancel.hold(bytes + size_of_val(order));
    let (mut batches, mut places): (Vec<&RecordBatch>, Vec<Vec<MergedPlace>>) = (Vec::new(), Vec::new());
    for table in &tables {
        let first = batches.len();
        batches.extend(&table.batches);
        let of_batch = |(at, batch): (usize, &RecordBatch)| (0..batch.num_rows()).map(move |row| (first + at, row));
        places.push(table.batches.iter().enumerate().flat_map(of_batch).collect());
    }
    let schema = with_nulls(&tables[0].schema);
    let merge = |some: &[MergedPlace]| {
        cancel.check();
        let some: Vec<MergedPlace> = some.iter().map(|(table, row)| places[*table][*row]).collect();
        merged_batch(&schema, &batches, &some)
    };
    let merged = order.chunks(BATCH_ROWS).map(merge).collect::<Result<_>>()?;
    let name = tables[0].name.clone();
    Ok(Table { name, schema, batches: merged, files: Vec::new(), origin: RowOrigin::default() })
}

/// The same columns, each of which may have nulls: that of another table may.
fn with_nulls(schema: &SchemaRef) -> SchemaRef {
    let nullable = |field: &FieldRef| Arc::new(field.as_ref().clone().with_nullable(true));
    Arc::new(Schema::new(schema.fields().iter().map(nullable).collect::<Fields>()))
}

fn merged_batch(schema: &SchemaRef, batches: &[&RecordBatch], places: &[MergedPlace]) -> Result<RecordBatch> {
    let column = |at: usize| {
        let all: Vec<&dyn Array> = batches.iter().map(|batch| batch.column(at).as_ref()).collect();
        interleave(&all, places)
    };
    let columns = (0..schema.fields().len()).map(column).collect::<std::result::Result<Vec<ArrayRef>, _>>();
    let options = RecordBatchOptions::new().with_row_count(Some(places.len()));
    columns
        .and_then(|columns| RecordBatch::try_new_with_options(schema.clone(), columns, &options))
        .map_err(|error| Error::internal(format!("a batch of records: {error}")).with_source(error))
}
