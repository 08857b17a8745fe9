//! The rows of a batch: their columns as what they mean, and the places of values that mean nothing.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;

use crate::error::{Error, Result};
use crate::ids::{check_ids, id_type};
use crate::records::Table;

/// The score of a pair without one.
pub(super) const NO_SCORE: f64 = f64::NAN;

/// No score is as large as this, either way.
const MOST_SCORE: f64 = (1_u64 << 31) as f64;

/// The rows of a batch of a table.
#[derive(Clone, Copy)]
pub(super) struct BatchRows<'a> {
    table: &'a Table,
    batch: &'a RecordBatch,
    /// The row of the table that it begins with.
    first: usize,
}

impl<'a> BatchRows<'a> {
    /// The batches of a table whose first row has this number.
    pub fn all(table: &'a Table, first: usize) -> Vec<Self> {
        let mut next = first;
        let rows = |batch: &'a RecordBatch| {
            let first = next;
            next += batch.num_rows();
            Self { table, batch, first }
        };
        table.batches.iter().map(rows).collect()
    }

    /// A column of ids, none of which may be missing.
    pub fn ids(&self, column: usize) -> Result<ArrayRef> {
        id_type(self.table, column)?;
        check_ids(self.table, self.batch, column, self.first)?;
        Ok(Arc::clone(self.batch.column(column)))
    }

    /// A column of sources, none of which may be missing.
    pub fn sources(&self, column: usize) -> Result<StringArray> {
        let names = self.texts(column)?;
        match (0..names.len()).find(|row| names.is_null(*row)) {
            Some(row) => {
                let (place, name) = (self.place(row), self.name(column));
                Err(Error::data(format!("{place}: the source in column `{name}` is missing"))
                    .with_help("say of each record which source it is from, or of none"))
            }
            None => Ok(names),
        }
    }

    /// A column as texts.
    pub fn texts(&self, column: usize) -> Result<StringArray> {
        let text = cast(self.batch.column(column), &DataType::Utf8).map_err(|error| {
            let (table, name) = (&self.table.name, self.name(column));
            Error::data(format!("`{table}`: column `{name}` must hold texts or numbers: {error}"))
        })?;
        Ok(text.as_string::<i32>().clone())
    }

    /// The scores in a column, or [`NO_SCORE`].
    pub fn scores(&self, column: usize) -> Result<Vec<f64>> {
        let values = self.batch.column(column);
        let mut scores = Vec::with_capacity(values.len());
        if *values.data_type() == DataType::Utf8 {
            for (row, text) in values.as_string::<i32>().iter().enumerate() {
                let score = text.map_or(Some(NO_SCORE), parsed);
                let is = || format!("`{}`", text.unwrap_or_default());
                scores.push(score.ok_or_else(|| self.no_score(column, row, &is()))?);
            }
            return Ok(scores);
        }
        let numbers = cast(values, &DataType::Float64).map_err(|error| self.no_score(column, 0, &error.to_string()))?;
        for (row, number) in numbers.as_primitive::<Float64Type>().iter().enumerate() {
            let score = number.map_or(Some(NO_SCORE), checked);
            let is = || number.unwrap_or_default().to_string();
            scores.push(score.ok_or_else(|| self.no_score(column, row, &is()))?);
        }
        Ok(scores)
    }

    /// The truth values in a column; what is missing is not true.
    pub fn truths(&self, column: usize) -> Result<Vec<bool>> {
        if let Some(values) = self.batch.column(column).as_any().downcast_ref::<BooleanArray>() {
            return Ok(values.iter().map(|value| value == Some(true)).collect());
        }
        let texts = self.texts(column)?;
        let truth =
            |(row, text): (usize, Option<&str>)| match text.map(|text| text.trim().to_ascii_lowercase()).as_deref() {
                Some("true" | "1") => Ok(true),
                None | Some("false" | "0") => Ok(false),
                Some(other) => {
                    let (place, name) = (self.place(row), self.name(column));
                    Err(Error::data(format!("{place}: `{name}` is `{other}`"))
                        .with_help("`true` and `false` are allowed, and 1 and 0"))
                }
            };
        texts.iter().enumerate().map(truth).collect()
    }

    /// Where a row of the batch is, for messages.
    fn place(&self, row: usize) -> String {
        self.table.place(self.first + row)
    }

    fn name(&self, column: usize) -> &'a str {
        self.table.schema.field(column).name()
    }

    fn no_score(&self, column: usize, row: usize, is: &str) -> Error {
        let (place, name) = (self.place(row), self.name(column));
        Error::data(format!("{place}: `{name}` is {is}, which is no score"))
            .with_help("a score is a number between -2^31 and 2^31; a pair may have none")
    }
}

fn parsed(text: &str) -> Option<f64> {
    checked(text.trim().parse().ok()?)
}

fn checked(score: f64) -> Option<f64> {
    (score.abs() < MOST_SCORE).then_some(score)
}
