//! A table that was written, and the one that is expected.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sameas_testkit::entities::{Item, kept_type, same_type};
use sameas_testkit::oracle::entities::{ExpectedColumn, ExpectedTable};

use super::arrays::items;

/// The columns of a file.
pub(super) struct ReadTable {
    fields: Vec<Field>,
    /// The values of each column.
    pub(super) columns: Vec<Vec<Item>>,
}

/// Reads a file of Parquet.
pub(super) fn read_table(path: &Path) -> Result<ReadTable, String> {
    let shown = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(|error| shown(&error))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| shown(&error))?;
    let fields: Vec<Field> = reader.schema().fields().iter().map(|field| field.as_ref().clone()).collect();
    let mut columns = vec![Vec::new(); fields.len()];
    for batch in reader.build().map_err(|error| shown(&error))? {
        let batch: RecordBatch = batch.map_err(|error| shown(&error))?;
        for (column, array) in columns.iter_mut().zip(batch.columns()) {
            column.extend(items(array));
        }
    }
    Ok(ReadTable { fields, columns })
}

impl ReadTable {
    /// The type of a column without its encoding.
    pub(super) fn type_of(&self, name: &str) -> Option<DataType> {
        self.fields.iter().find(|field| field.name() == name).map(|field| kept_type(field.data_type()))
    }

    /// The column as texts, as records are called.
    pub(super) fn names(&self, name: &str) -> Vec<String> {
        let at = self.fields.iter().position(|field| field.name() == name);
        at.map_or(Vec::new(), |at| self.columns[at].iter().map(called).collect())
    }

    /// What is wrong with the columns from `first` on, if something is; `id_type` is the type of what records are called.
    pub(super) fn difference(&self, first: usize, expected: &ExpectedTable, id_type: &DataType) -> Option<String> {
        let names: Vec<&String> = self.fields[first..].iter().map(|field| field.name()).collect();
        let wanted: Vec<&String> = expected.columns.iter().map(|column| &column.name).collect();
        if names != wanted {
            return Some(format!("columns {names:?}, expected {wanted:?}"));
        }
        (0..wanted.len()).find_map(|at| {
            let values: Vec<&Item> = expected.rows.iter().map(|row| &row[at]).collect();
            self.different_column(first + at, &expected.columns[at], &values, id_type)
        })
    }

    fn different_column(
        &self,
        at: usize,
        expected: &ExpectedColumn,
        values: &[&Item],
        id_type: &DataType,
    ) -> Option<String> {
        let (name, found) = (&expected.name, &self.columns[at]);
        let (data_type, wanted) = (self.fields[at].data_type(), expected.data_type.as_ref().unwrap_or(id_type));
        if !same_type(data_type, wanted) {
            return Some(format!("column `{name}` has the type {data_type}, expected {wanted}"));
        }
        if found.len() != values.len() {
            return Some(format!("{} rows, expected {}", found.len(), values.len()));
        }
        let is_id = expected.data_type.is_none();
        let same = |found: &Item, wanted: &Item| match wanted {
            Item::Text(text) if is_id => called(found) == *text,
            wanted => found == wanted,
        };
        let row = (0..found.len()).find(|row| !same(&found[*row], values[*row]))?;
        Some(format!("column `{name}`, row {row}: {:?}, expected {:?}", found[row], values[row]))
    }
}

/// What a record is called.
fn called(item: &Item) -> String {
    match item {
        Item::Text(text) => text.clone(),
        Item::Whole(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}
