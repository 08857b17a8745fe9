//! All records in the order of the inputs, with their clusters and all columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

use super::chunks::TableChunks;
use super::clustered::{ClusteredRecords, TableTools};
use super::names::{ENTITY_ID, check_names};
use super::sink::{TableCounts, TableSink};
use super::{Result, broken};
use crate::record_stream::{GroupedBatches, InputBatch, StreamedInputs};
use crate::records::KeptColumns;

/// The table of records: `entity_id`, where there are several inputs `source_dataset`, and all columns of all inputs by name.
pub fn records(records: ClusteredRecords<'_>, tools: TableTools<'_>, sink: &mut dyn TableSink) -> Result<TableCounts> {
    let opened = StreamedInputs::open(records.inputs, tools.cancel.within(tools.budget))?;
    let columns = opened.all_columns()?;
    let mut fields = vec![records.name_field(ENTITY_ID, false)];
    fields.extend(records.ids.has_sources().then(|| Field::new("source_dataset", DataType::Utf8, false)));
    fields.extend(columns.fields().iter().map(|field| field.as_ref().clone()));
    let schema: SchemaRef = Arc::new(Schema::new(fields.into_iter().collect::<Fields>()));
    check_names(&schema)?;
    let read: Vec<Vec<usize>> =
        (0..records.inputs.len()).map(|input| (0..opened.schema(input).fields().len()).collect()).collect();
    opened.check_columns(&read)?;
    let make = |batch: InputBatch| {
        tools.cancel.check();
        row_batch(records, &schema, &columns, &batch)
    };
    let mut grouped = GroupedBatches::new(tools.budget, &make);
    let mut chunks = TableChunks::begin(sink, schema.clone())?;
    opened.read(&read, tools.budget, tools.progress, &mut |batch| {
        let made = grouped.add(batch)?;
        chunks.add(made)
    })?;
    chunks.add(grouped.finish()?)?;
    Ok(TableCounts { rows: chunks.finish()?, columns: Vec::new() })
}

/// Some records as rows of the table.
fn row_batch(
    records: ClusteredRecords<'_>,
    schema: &SchemaRef,
    columns: &Schema,
    of: &InputBatch,
) -> Result<RecordBatch> {
    let InputBatch { first, batch, .. } = of;
    let (from, rows) = (*first as usize, batch.num_rows());
    let mut all: Vec<ArrayRef> = vec![records.names(&records.roots[from..from + rows])?];
    if records.ids.has_sources() {
        all.push(records.sources(&(*first..*first + rows as u32).collect::<Vec<u32>>())?);
    }
    for field in columns.fields() {
        all.push(match batch.column_by_name(field.name()) {
            Some(column) => KeptColumns::column(column, field)?,
            None => new_null_array(field.data_type(), rows),
        });
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema.clone(), all, &options).map_err(|error| broken(&error))
}
