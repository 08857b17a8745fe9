//! Values that rules compute of single records, for records that are read in their own types.

use std::collections::BTreeSet;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_cast::display::array_value_to_string;
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

/// The values of a column of any type as readers see them: as rules do, and else as Arrow writes them.
pub fn shown_values(column: &ArrayRef) -> Vec<Option<String>> {
    const NAME: &str = "value";
    let of_rules = EngineTypes::can_use(column.data_type()).then(|| EngineTypes::column(column, column.len()).ok());
    let Some(batch) = of_rules.flatten().and_then(|column| RecordBatch::try_from_iter([(NAME, column)]).ok()) else {
        let text = |row: usize| column.is_valid(row).then(|| array_value_to_string(column, row).unwrap_or_default());
        return (0..column.len()).map(text).collect();
    };
    let (name, schema, origin) = (NAME.to_owned(), batch.schema(), RowOrigin::default());
    let table = Table { name, schema, batches: vec![batch], files: Vec::new(), origin };
    let frame = Frame::new(&[(&table, &[])], Cancel::NEVER);
    (0..column.len() as u32).map(|row| frame.value(row, NAME).shown(0)).collect()
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
