//! Reads the files of relations: the columns of a relation are the first columns of its file, in their order.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use rayon::prelude::*;

use super::core::CoreRelation;
use super::declare::columns_text;
use super::syntax::ValueKind;
use crate::engine::Progress;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::{Input, Source, Table};

/// A column of a file.
pub(super) enum LoadedColumn {
    Numbers(Vec<Int64Array>),
    Texts(Vec<StringArray>),
}

/// Reads the tuples of a relation, repetitions included.
pub(super) fn load(
    relation: &CoreRelation,
    input: &Input,
    budget: &MemoryBudget,
    progress: Progress<'_>,
) -> Result<Vec<LoadedColumn>> {
    let source = Source::open_until(input, progress.cancel().within(budget))?;
    let (has, wanted) = (source.schema().fields().len(), relation.columns.len());
    if has < wanted {
        let message = format!(
            "`{}` has {}, and relation `{}` has {}",
            source.name(),
            columns_text(has),
            relation.name,
            columns_text(wanted)
        );
        return Err(Error::data(message).with_help("the columns of a relation are the first columns of its file"));
    }
    let places: Vec<usize> = (0..wanted).collect();
    let table = source.read_within(budget, &places, &|rows| progress.advance(rows))?;
    let column = |at: usize| LoadedColumn::of(&table, at, relation);
    places.into_iter().map(column).collect()
}

impl LoadedColumn {
    fn of(table: &Table, at: usize, relation: &CoreRelation) -> Result<Self> {
        let mut starts = Vec::with_capacity(table.batches.len());
        let mut rows = 0;
        for batch in &table.batches {
            starts.push(rows);
            rows += batch.num_rows();
        }
        let kind = relation.columns[at].kind;
        let reading = ColumnReading { table, at, relation };
        let batches = table.batches.par_iter().zip(starts);
        match kind {
            ValueKind::Number => {
                let columns = batches.map(|(batch, start)| reading.numbers(batch.column(at), start));
                Ok(Self::Numbers(columns.collect::<Result<_>>()?))
            }
            ValueKind::Symbol => {
                let columns = batches.map(|(batch, start)| reading.texts(batch.column(at), start));
                Ok(Self::Texts(columns.collect::<Result<_>>()?))
            }
        }
    }
}

/// A column that is read as what the program declares.
struct ColumnReading<'a> {
    table: &'a Table,
    at: usize,
    relation: &'a CoreRelation,
}

impl ColumnReading<'_> {
    /// The values as integers; `start` is the row that the batch begins with.
    fn numbers(&self, column: &ArrayRef, start: usize) -> Result<Int64Array> {
        self.check_present(column, start)?;
        if column.data_type().is_integer() && column.data_type() != &DataType::UInt64 {
            let numbers = cast(column, &DataType::Int64).map_err(|error| self.unusable(&error))?;
            return Ok(numbers.as_primitive::<Int64Type>().clone());
        }
        let texts = self.texts(column, start)?;
        let numbers = texts.iter().enumerate().map(|(row, text)| {
            let text = text.unwrap_or_default();
            whole_number(text).ok_or_else(|| self.no_number(text, start + row))
        });
        Ok(Int64Array::from(numbers.collect::<Result<Vec<i64>>>()?))
    }

    fn texts(&self, column: &ArrayRef, start: usize) -> Result<StringArray> {
        self.check_present(column, start)?;
        let texts = cast(column, &DataType::Utf8).map_err(|error| self.unusable(&error))?;
        Ok(texts.as_string::<i32>().clone())
    }

    fn check_present(&self, column: &ArrayRef, start: usize) -> Result<()> {
        let Some(row) = (0..column.len()).find(|row| column.null_count() > 0 && column.is_null(*row)) else {
            return Ok(());
        };
        let (name, relation) = (&self.relation.columns[self.at].name, &self.relation.name);
        let place = self.table.place(start + row);
        Err(Error::data(format!("{place}: the value of column `{name}` of relation `{relation}` is missing"))
            .with_help("relations have no missing values: leave such lines out"))
    }

    fn no_number(&self, text: &str, row: usize) -> Error {
        let (name, relation) = (&self.relation.columns[self.at].name, &self.relation.name);
        let shown: String = text.chars().take(50).collect();
        let place = self.table.place(row);
        Error::data(format!(
            "{place}: `{shown}` is not a whole number, and column `{name}` of `{relation}` has numbers"
        ))
        .with_help("declare the column as `symbol` if it holds texts, in all relations that it is compared with")
    }

    fn unusable(&self, error: &arrow_schema::ArrowError) -> Error {
        let (name, relation) = (&self.relation.columns[self.at].name, &self.relation.name);
        let file = &self.table.name;
        Error::data(format!("{file}: column `{name}` of relation `{relation}` must be numbers or texts: {error}"))
    }
}

/// A whole number of 64 bits; floats and decimals that are whole are written with zeros behind a point.
fn whole_number(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (whole, fraction) = text.split_once('.')?;
    if fraction.is_empty() || fraction.bytes().any(|digit| digit != b'0') { None } else { whole.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        for (text, number) in [("7", Some(7)), (" -7 ", Some(-7)), ("7.00", Some(7)), ("7.", None), ("7.5", None)] {
            assert_eq!(whole_number(text), number, "{text}");
        }
        assert_eq!([whole_number(""), whole_number("x"), whole_number("9223372036854775808")], [None; 3]);
    }
}
