//! The columns a job wants from one file, and how what was read becomes a batch of the table.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};

use super::caller_columns;
use super::column_types::ColumnTypes;
use crate::records::null_texts::NullTexts;

/// The columns of the table, each with its place in one file.
#[derive(Clone)]
pub(super) struct WantedColumns {
    /// Names and types of the table.
    pub(super) schema: SchemaRef,
    /// Where the file has each column; a file without it has nulls.
    pub(super) places: Vec<Option<usize>>,
    /// Texts that stand for a missing value.
    pub(super) nulls: NullTexts,
    /// In which types they are read.
    pub(super) types: ColumnTypes,
}

impl WantedColumns {
    /// The places of the wanted columns that the file has, in the table's order.
    pub(super) fn local(&self) -> Vec<usize> {
        self.places.iter().flatten().copied().collect()
    }

    /// A batch of the table from the columns of [`Self::local`].
    pub(super) fn batch(&self, rows: usize, columns: Vec<ArrayRef>) -> Result<RecordBatch, ArrowError> {
        let mut columns = columns.into_iter();
        let mut whole = Vec::with_capacity(self.places.len());
        for (place, field) in self.places.iter().zip(self.schema.fields()) {
            let column = place.and_then(|_| columns.next());
            let mut column = match column {
                Some(column) if self.stays(field, column.data_type()) => caller_columns::column(&column, &self.nulls)?,
                Some(column) => self.types.column(column, field.data_type(), &self.nulls)?,
                None => new_null_array(field.data_type(), rows),
            };
            // Tables stay in memory for the whole job; what the decoder reserved in excess is freed.
            column.shrink_to_fit();
            whole.push(column);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(self.schema_of(&whole), whole, &options)
    }

    /// Whether a column that was read so is left as it is.
    pub(super) fn stays(&self, field: &Field, physical: &DataType) -> bool {
        self.types == ColumnTypes::GivenTexts && *field.data_type() == DataType::Utf8 && caller_columns::stays(physical)
    }

    /// The schema of a batch: that of the table, with the layouts that texts have.
    fn schema_of(&self, columns: &[ArrayRef]) -> SchemaRef {
        if self.types != ColumnTypes::GivenTexts {
            return self.schema.clone();
        }
        let field =
            |(field, column): (&FieldRef, &ArrayRef)| Field::clone(field).with_data_type(column.data_type().clone());
        Arc::new(Schema::new(self.schema.fields().iter().zip(columns).map(field).collect::<Vec<_>>()))
    }
}
