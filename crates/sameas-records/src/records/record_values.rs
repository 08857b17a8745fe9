//! Values that rules compute of single records, for records that are read in their own types.

use std::collections::BTreeSet;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Field, Fields, Schema};
use std::sync::Arc;

use super::frame::Frame;
use super::read::EngineTypes;
use super::table::{RowOrigin, Table};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::expr::{Expr, array_of};
use crate::rules::Derived;

/// The values of expressions for every record of a batch of an input of this name. Its columns may have any types: those that are
/// read are brought into the types of rules.
pub fn record_values(
    input: &str,
    derived: &[Derived],
    values: &[Expr],
    batch: &RecordBatch,
    cancel: Cancel<'_>,
) -> Result<Vec<ArrayRef>> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let table = Table {
        name: input.to_owned(),
        schema: Arc::new(Schema::empty()),
        batches: vec![columns_read(derived, values, batch)?],
        files: Vec::new(),
        origin: RowOrigin::default(),
    };
    let frame = Frame::new(&[(&table, derived)], cancel);
    Ok(values.iter().map(|value| array_of(value.ty, &frame.evaluate(value, cancel))).collect())
}

/// The columns that expressions read, in the types of rules.
fn columns_read(derived: &[Derived], values: &[Expr], batch: &RecordBatch) -> Result<RecordBatch> {
    let mut names = BTreeSet::new();
    let mut add = |expr: &Expr| expr.each_column(&mut |_, name| _ = names.insert(name.to_owned()));
    derived.iter().for_each(|derived| add(&derived.expr));
    values.iter().for_each(&mut add);
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for name in names {
        let Some(array) = batch.column_by_name(&name) else { continue };
        let array = EngineTypes::column(array, batch.num_rows())
            .map_err(|error| Error::data(format!("column `{name}` cannot be read: {error}")).with_source(error))?;
        fields.push(Field::new(name, array.data_type().clone(), true));
        columns.push(array);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields.into_iter().collect::<Fields>()));
    RecordBatch::try_new_with_options(schema, columns, &options).map_err(|error| super::broken(&error))
}
