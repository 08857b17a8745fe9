//! Columns of several sources in their own types: which there are, and how those of one become those of all.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{Field, FieldRef, Fields, Schema, SchemaRef};

use super::column_types::ColumnTypes;
use super::open_source::OpenSource;
use super::unify::Unified;
use crate::error::{Error, Result};
use crate::records::null_texts::NullTexts;

/// Columns in their own types: see [`OpenSource::with_kept_types`].
pub struct KeptColumns;

impl KeptColumns {
    /// The columns of some tables by name, in the order in which they first appear; `labels` are what messages call the tables. A
    /// column that has several types has the type that rules see for all of them.
    pub fn of_all(labels: &[&str], tables: &[SchemaRef]) -> Result<SchemaRef> {
        let mut named = labels.iter().zip(tables);
        let Some((label, first)) = named.next() else { return Ok(Arc::new(Schema::empty())) };
        let mut unified = Unified::new(label, first.fields())?;
        named.try_for_each(|(label, table)| unified.add(label, table.fields(), false))?;
        let plain = |field: &FieldRef| Field::new(field.name(), field.data_type().clone(), true);
        Ok(Arc::new(Schema::new(unified.finish().iter().map(plain).collect::<Fields>())))
    }

    /// A column as one of this field of all tables.
    pub fn column(array: &ArrayRef, field: &Field) -> Result<ArrayRef> {
        if array.data_type() == field.data_type() {
            return Ok(array.clone());
        }
        let converted = ColumnTypes::Kept.column(array.clone(), field.data_type(), &NullTexts::default());
        converted.map_err(|error| {
            Error::data(format!("column `{}` cannot be read: {error}", field.name())).with_source(error)
        })
    }
}

impl OpenSource {
    /// Refuses the first of the columns at these places that cannot be read.
    #[doc(hidden)]
    pub fn check_columns(&self, columns: &[usize]) -> Result<()> {
        columns.iter().try_for_each(|column| self.check_usable(*column))
    }
}
