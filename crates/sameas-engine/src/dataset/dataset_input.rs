//! An input of a dataset: what is known of it whether its records are at hand or not.

use arrow_schema::SchemaRef;

use super::input_record::InputRecord;
use super::wanted_columns::is_readable;
use crate::error::Result;
use crate::records::{Input, ReadOptions, RowIds, SkippedRecords};

/// What the job that an input was read for says of it itself, and not by its rules.
#[derive(Clone, Debug, Default)]
pub struct InputSettings {
    /// How it is read.
    pub options: ReadOptions,
    /// Whether the column with the ids is named.
    pub id: bool,
}

/// An input of a dataset.
#[derive(Debug)]
pub struct DatasetInput {
    /// What results call it: no two records are called the same.
    pub name: String,
    /// What its source calls it.
    pub given_name: String,
    /// All its columns, those that nothing reads among them.
    pub schema: SchemaRef,
    /// Where its records come from, and how they are read.
    pub source: Input,
    /// What was said of it.
    pub said: InputSettings,
    /// The ids of its records.
    pub ids: RowIds,
    /// The column that they are from; none for row numbers.
    pub id_column: Option<String>,
    /// The records that it has and that were left out.
    pub skipped: SkippedRecords,
    /// What a run records of it, but for the hash of what it reads.
    pub record: InputRecord,
}

impl DatasetInput {
    /// Some of its records, by their rows.
    pub(super) fn part(&self, rows: &[u32]) -> Result<Self> {
        let Self { name, given_name, schema, source, said, ids, id_column, record, .. } = self;
        Ok(Self {
            name: name.clone(),
            given_name: given_name.clone(),
            schema: schema.clone(),
            source: source.clone(),
            said: said.clone(),
            ids: ids.keep(rows)?,
            id_column: id_column.clone(),
            skipped: SkippedRecords::default(),
            record: record.of_part(rows.len() as u64),
        })
    }

    /// The columns that can be shown, and that of the ids, in its own order.
    pub fn shown_columns(&self) -> impl Iterator<Item = &str> {
        let id = self.id_column.as_ref();
        let fields = self.schema.fields().iter().filter(move |field| is_readable(field) || id == Some(field.name()));
        fields.map(|field| field.name().as_str())
    }

    /// Memory that is held of it whatever is done with its records.
    pub fn bytes(&self) -> usize {
        self.ids.bytes() + self.skipped.bytes()
    }
}
