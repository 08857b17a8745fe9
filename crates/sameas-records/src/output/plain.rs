//! Tables whose columns are spelled out: dictionaries are a matter of files, not of readers.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_cast::cast;
use arrow_schema::{DataType, FieldRef, Fields, Schema, SchemaRef};

use crate::error::{Error, Result};

/// The same columns without dictionaries.
pub fn plain_schema(schema: &SchemaRef) -> SchemaRef {
    let plain = |field: &FieldRef| match field.data_type() {
        DataType::Dictionary(_, values) => Arc::new(field.as_ref().clone().with_data_type(values.as_ref().clone())),
        _ => Arc::clone(field),
    };
    Arc::new(Schema::new(schema.fields().iter().map(plain).collect::<Fields>()))
}

/// A batch in such columns.
pub fn plain_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).map(|(column, field)| cast(column, field.data_type()));
    let batch = columns.collect::<std::result::Result<_, _>>().and_then(|c| RecordBatch::try_new(schema.clone(), c));
    batch.map_err(|error| Error::internal(format!("a batch of results: {error}")).with_source(error))
}
