//! Reads the files of relations: the columns of a relation are the first columns of its file, in their order.
//!
//! Batches are read by all threads, and the value that a message is about is the first one in the order of rows, whatever
//! thread has found which.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use rayon::prelude::*;

use super::core::CoreRelation;
use super::declare::columns_text;
use super::syntax::ValueKind;
use crate::error::{Error, Result};
use crate::memory::{Held, MemoryBudget};
use crate::observer::Progress;
use crate::records::{Input, Table, TupleShape, whole_number};

/// Characters of a value that a message shows.
const SHOWN: usize = 50;

/// The tuples of a relation as they were read, repetitions included.
pub(super) struct LoadedRelation {
    pub columns: Vec<LoadedColumn>,
    /// The memory of the values, and of the codes that they get.
    _held: Vec<Held>,
}

/// A column of a relation, in parts.
#[derive(Default)]
pub(super) struct LoadedColumn {
    pub parts: Vec<ColumnPart>,
}

/// Some values of a column.
pub(super) enum ColumnPart {
    Numbers(Int64Array),
    Texts(StringArray),
}

impl ColumnPart {
    fn bytes(&self) -> usize {
        match self {
            // Beside the values there is a code for each, and while values are collected, another copy of a number.
            Self::Numbers(array) => array.len() * 20,
            Self::Texts(array) => array.value_data().len() + array.value_offsets().len() * 8,
        }
    }
}

/// Reads the tuples of a relation.
pub(super) fn load(
    relation: &CoreRelation,
    input: &Input,
    budget: &MemoryBudget,
    progress: Progress<'_>,
) -> Result<LoadedRelation> {
    let shape = TupleShape::new(relation.columns.iter().map(|column| column.kind == ValueKind::Number));
    let source = input.clone().into_tuples(shape).open_until(progress.cancel().within(budget))?;
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
    TupleReading { table: &table, relation, budget }.read()
}

/// A table that is read as what the program declares.
struct TupleReading<'a> {
    table: &'a Table,
    relation: &'a CoreRelation,
    budget: &'a MemoryBudget,
}

/// What is wrong with a batch.
enum BatchFault {
    Value(BadValue),
    Other(Error),
}

/// A value that its relation cannot have.
struct BadValue {
    /// Its row in the batch.
    row: usize,
    column: usize,
    /// As far as it is shown; none where it is missing.
    text: Option<String>,
}

/// What can be read of a batch.
type ReadPart<T> = std::result::Result<T, BatchFault>;

impl TupleReading<'_> {
    fn read(&self) -> Result<LoadedRelation> {
        let read: Vec<_> = self.table.batches.par_iter().map(|batch| self.batch(batch)).collect();
        let columns = self.relation.columns.iter().map(|_| LoadedColumn::default()).collect();
        let (mut loaded, mut failed) = (LoadedRelation { columns, _held: Vec::new() }, None);
        let mut rows = 0;
        for (batch, result) in self.table.batches.iter().zip(read) {
            match result {
                Ok((parts, held)) => {
                    loaded.columns.iter_mut().zip(parts).for_each(|(column, part)| column.parts.push(part));
                    loaded._held.push(held);
                }
                Err(BatchFault::Value(bad)) => return Err(self.error(&bad, rows)),
                // Which batch has no memory left depends on threads, which value is wrong does not.
                Err(BatchFault::Other(error)) => failed = failed.or(Some(error)),
            }
            rows += batch.num_rows();
        }
        failed.map_or(Ok(loaded), Err)
    }

    /// The columns of a batch and their memory, or its first wrong value.
    fn batch(&self, batch: &RecordBatch) -> ReadPart<(Vec<ColumnPart>, Held)> {
        let mut parts = Vec::with_capacity(self.relation.columns.len());
        let mut first: Option<BadValue> = None;
        for column in 0..self.relation.columns.len() {
            match self.part(batch.column(column), column) {
                Ok(part) => parts.push(part),
                Err(BatchFault::Value(bad)) => {
                    if first.as_ref().is_none_or(|known| bad.row < known.row) {
                        first = Some(bad);
                    }
                }
                Err(other) => return Err(other),
            }
        }
        if let Some(bad) = first {
            return Err(BatchFault::Value(bad));
        }
        let held = self.budget.hold(parts.iter().map(ColumnPart::bytes).sum()).map_err(BatchFault::Other)?;
        Ok((parts, held))
    }

    fn part(&self, array: &ArrayRef, column: usize) -> ReadPart<ColumnPart> {
        match self.relation.columns[column].kind {
            ValueKind::Number => self.numbers(array, column).map(ColumnPart::Numbers),
            ValueKind::Symbol => {
                check_present(array, column)?;
                self.texts(array, column).map(ColumnPart::Texts)
            }
        }
    }

    fn numbers(&self, array: &ArrayRef, column: usize) -> ReadPart<Int64Array> {
        if array.data_type().is_integer() && array.data_type() != &DataType::UInt64 {
            check_present(array, column)?;
            let numbers = cast(array, &DataType::Int64).map_err(|error| self.unusable(column, &error))?;
            return Ok(numbers.as_primitive::<Int64Type>().clone());
        }
        let texts = self.texts(array, column)?;
        let number = |(row, text): (usize, Option<&str>)| {
            let bad = |text: Option<&str>| {
                let text = text.map(|text| text.chars().take(SHOWN).collect());
                BatchFault::Value(BadValue { row, column, text })
            };
            text.and_then(whole_number).ok_or_else(|| bad(text))
        };
        Ok(Int64Array::from(texts.iter().enumerate().map(number).collect::<ReadPart<Vec<i64>>>()?))
    }

    fn texts(&self, array: &ArrayRef, column: usize) -> ReadPart<StringArray> {
        let texts = cast(array, &DataType::Utf8).map_err(|error| self.unusable(column, &error))?;
        Ok(texts.as_string::<i32>().clone())
    }

    fn unusable(&self, column: usize, error: &arrow_schema::ArrowError) -> BatchFault {
        let (name, relation) = (&self.relation.columns[column].name, &self.relation.name);
        let file = &self.table.name;
        let message = format!("{file}: column `{name}` of relation `{relation}` must be numbers or texts: {error}");
        BatchFault::Other(Error::data(message))
    }

    /// The error for a value of a batch that begins with row `start`.
    fn error(&self, bad: &BadValue, start: usize) -> Error {
        let (name, relation) = (&self.relation.columns[bad.column].name, &self.relation.name);
        let place = self.table.place(start + bad.row);
        match &bad.text {
            None => Error::data(format!("{place}: the value of column `{name}` of relation `{relation}` is missing"))
                .with_help("relations have no missing values: leave such lines out"),
            Some(text) => Error::data(format!(
                "{place}: `{text}` is not a whole number, and column `{name}` of `{relation}` has numbers"
            ))
            .with_help("declare the column as `symbol` if it holds texts, in all relations that it is compared with"),
        }
    }
}

fn check_present(array: &ArrayRef, column: usize) -> ReadPart<()> {
    match (0..array.len()).find(|row| array.null_count() > 0 && array.is_null(*row)) {
        Some(row) => Err(BatchFault::Value(BadValue { row, column, text: None })),
        None => Ok(()),
    }
}
