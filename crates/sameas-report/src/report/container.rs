//! Tables as bytes: Arrow streams, one after the other, each with its name.
//!
//! All numbers are little-endian: a u32 with the number of tables; then for each a u32 with the length of its name, its
//! name, a u32 with the length of its content, and its content, an Arrow IPC stream.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, UInt8Array, UInt32Array, UInt64Array};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Field, Schema};

use crate::error::{Error, Result};

/// Tables, each with its name.
#[derive(Default)]
pub struct TableContainer {
    tables: Vec<(&'static str, Vec<u8>)>,
}

impl TableContainer {
    /// Adds a table of these columns.
    pub fn add(&mut self, name: &'static str, columns: Vec<TableColumn>) -> Result<()> {
        let field = |column: &TableColumn| Field::new(&column.name, column.values.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let broken = |error| Error::internal(format!("a table of a report: {error}"));
        let batch =
            RecordBatch::try_new(Arc::clone(&schema), columns.into_iter().map(|column| column.values).collect());
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new(&mut bytes, &schema).map_err(broken)?;
        writer.write(&batch.map_err(broken)?).map_err(broken)?;
        writer.finish().map_err(broken)?;
        drop(writer);
        self.tables.push((name, bytes));
        Ok(())
    }

    /// All of them.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, number: usize| out.extend_from_slice(&(number as u32).to_le_bytes());
        number(&mut out, self.tables.len());
        for (name, bytes) in self.tables {
            number(&mut out, name.len());
            out.extend_from_slice(name.as_bytes());
            number(&mut out, bytes.len());
            out.extend_from_slice(&bytes);
        }
        out
    }
}

/// A column of a table.
pub struct TableColumn {
    name: String,
    values: ArrayRef,
}

impl TableColumn {
    fn new(name: impl Into<String>, values: ArrayRef) -> Self {
        Self { name: name.into(), values }
    }

    /// Small numbers.
    pub fn bytes(name: &str, values: impl IntoIterator<Item = u8>) -> Self {
        Self::new(name, Arc::new(UInt8Array::from_iter_values(values)))
    }

    /// Numbers, or nothing.
    pub fn numbers(name: &str, values: impl IntoIterator<Item = Option<u32>>) -> Self {
        Self::new(name, Arc::new(values.into_iter().collect::<UInt32Array>()))
    }

    /// Large numbers.
    pub fn large_numbers(name: &str, values: impl IntoIterator<Item = u64>) -> Self {
        Self::new(name, Arc::new(UInt64Array::from_iter_values(values)))
    }

    /// Floats, or nothing.
    pub fn floats(name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        Self::new(name, Arc::new(values.into_iter().collect::<Float64Array>()))
    }

    /// True or false.
    pub fn flags(name: &str, values: impl IntoIterator<Item = bool>) -> Self {
        Self::new(name, Arc::new(values.into_iter().map(Some).collect::<BooleanArray>()))
    }

    /// Texts, or nothing: each once where they repeat.
    pub fn texts(name: impl Into<String>, values: &[Option<&str>]) -> Self {
        let different: HashSet<&str> = values.iter().flatten().copied().collect();
        let array: ArrayRef = if different.len() * 2 <= values.len() {
            let mut builder = StringDictionaryBuilder::<Int32Type>::new();
            values.iter().for_each(|value| builder.append_option(*value));
            Arc::new(builder.finish())
        } else {
            let mut builder = StringBuilder::new();
            values.iter().for_each(|value| builder.append_option(*value));
            Arc::new(builder.finish())
        };
        Self::new(name, array)
    }
}

/// Whether a column is one of texts that repeat.
#[cfg(test)]
fn is_dictionary(column: &TableColumn) -> bool {
    matches!(column.values.data_type(), arrow_schema::DataType::Dictionary(..))
}

#[cfg(test)]
mod tests {
    use arrow_ipc::reader::StreamReader;

    use super::*;

    #[test]
    fn tables_are_written_one_after_the_other() {
        let mut container = TableContainer::default();
        let texts = TableColumn::texts("t", &[Some("a"), Some("a"), None, Some("a")]);
        assert!(is_dictionary(&texts));
        container.add("first", vec![texts, TableColumn::numbers("n", [Some(1), None, Some(3), Some(4)])]).unwrap();
        container.add("none", vec![TableColumn::texts("t", &[])]).unwrap();
        let bytes = container.into_bytes();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((number(0), number(4), &bytes[8..13]), (2, 5, &b"first"[..]));
        let content = &bytes[17..17 + number(13)];
        let batches: Vec<_> = StreamReader::try_new(content, None).unwrap().map(|batch| batch.unwrap()).collect();
        assert_eq!((batches.len(), batches[0].num_rows(), batches[0].num_columns()), (1, 4, 2));
    }
}
