//! Reads tables of pairs.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::columns::PairColumnPlaces;
use super::job::PairColumnNames;
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::ids::{IdColumn, id_type};
use crate::memory::{Held, MemoryBudget};
use crate::numbering::GrowingNumbers;
use crate::observer::Progress;
use crate::output::current;
use crate::records::{Input, OpenSource, Table};

/// The score of a pair without one.
pub(super) const NO_SCORE: f64 = f64::NAN;

/// No score is as large as this, either way.
const MOST_SCORE: f64 = (1_u64 << 31) as f64;

/// What tables may take while they are read, and what is made of them.
#[derive(Clone, Copy)]
pub(super) struct ReadingTools<'a> {
    pub reading: &'a MemoryBudget,
    pub kept: &'a MemoryBudget,
    pub progress: Progress<'a>,
}

/// Records as a column of a table names them.
pub(super) struct RecordColumn {
    pub ids: IdColumn,
    /// The names of their sources, if the table has them.
    pub sources: Option<Vec<StringArray>>,
}

/// What is known of pairs beside their records.
#[derive(Default)]
pub(super) struct PairFacts {
    /// The score of each, or [`NO_SCORE`]; nothing where there is no such column.
    pub scores: Option<Vec<f64>>,
    /// What that column is called.
    pub scored_by: Option<String>,
    /// The number of the rule of each; nothing where there is no such column.
    pub rules: Option<Vec<u32>>,
    /// The rules by number.
    pub rule_names: Vec<String>,
    /// Whether each is certain; nothing where there is no such column.
    pub certain: Option<Vec<bool>>,
    /// The memory of all this.
    pub held: Held,
}

/// A table of pairs without its rows, which are read.
pub(super) struct ReadPairs {
    pub origin: Table,
    pub records: [RecordColumn; 2],
    pub facts: PairFacts,
}

impl<'a> ReadingTools<'a> {
    pub fn cancel(&self) -> Cancel<'a> {
        self.progress.cancel().within(self.reading)
    }

    /// Opens a result of a run, or any other input.
    pub fn open(&self, input: &Input) -> Result<OpenSource> {
        input.moved(current).open_until(self.cancel())
    }

    pub fn read(&self, source: OpenSource, columns: &[usize]) -> Result<Table> {
        source.read_within(self.reading, columns, &|rows| self.progress.advance(rows))
    }

    /// Reads pairs, and all that is known of them.
    pub fn pairs(&self, input: &Input, names: &PairColumnNames) -> Result<ReadPairs> {
        let source = self.open(input)?;
        let columns = PairColumnPlaces::find(&source, names)?;
        let mut table = self.read(source, &columns.wanted)?;
        let records = named_pairs(&table, &columns)?;
        let facts = self.facts(&table, &columns)?;
        table.batches.clear();
        Ok(ReadPairs { origin: table, records, facts })
    }

    /// Reads the records of pairs of which nothing else matters.
    pub fn bare_pairs(&self, input: &Input, names: &PairColumnNames) -> Result<ReadPairs> {
        let source = self.open(input)?;
        let columns = PairColumnPlaces::of_ids(&source, names)?;
        let mut table = self.read(source, &columns.wanted)?;
        let records = named_pairs(&table, &columns)?;
        table.batches.clear();
        Ok(ReadPairs { origin: table, records, facts: PairFacts::default() })
    }

    fn facts(&self, table: &Table, columns: &PairColumnPlaces) -> Result<PairFacts> {
        let rows = table.rows();
        let bytes_of = |column: Option<usize>, bytes: usize| if column.is_some() { rows * bytes } else { 0 };
        let bytes = bytes_of(columns.score, 8) + bytes_of(columns.match_key, 4) + bytes_of(columns.certain, 1);
        let held = self.kept.hold(bytes)?;
        let (rules, rule_names) = match columns.match_key {
            Some(column) => {
                let (rules, names) = self.match_keys(table, column)?;
                (Some(rules), names)
            }
            None => (None, Vec::new()),
        };
        Ok(PairFacts {
            scores: columns.score.map(|column| scores(table, column)).transpose()?,
            scored_by: columns.score.map(|column| table.schema.field(column).name().clone()),
            rules,
            rule_names,
            certain: columns.certain.map(|column| truths(table, column)).transpose()?,
            held,
        })
    }

    /// The number of the rule of each pair, as the rules come; and their names. A missing one has the empty name.
    fn match_keys(&self, table: &Table, column: usize) -> Result<(Vec<u32>, Vec<String>)> {
        let (mut names, mut rules) = (GrowingNumbers::default(), Vec::with_capacity(table.rows()));
        for batch in &table.batches {
            self.cancel().check();
            let keys = texts(table, batch, column)?;
            rules.extend(keys.iter().map(|key| names.number(key.unwrap_or_default().as_bytes())));
        }
        Ok((rules, names.texts()))
    }
}

fn named_pairs(table: &Table, columns: &PairColumnPlaces) -> Result<[RecordColumn; 2]> {
    let [left, right] = [0, 1].map(|side| {
        let source = columns.sources.map(|sources| sources[side]);
        RecordColumn::of_table(table, columns.ids[side], source)
    });
    Ok([left?, right?])
}

impl RecordColumn {
    /// The records that columns of a table name.
    pub fn of_table(table: &Table, ids: usize, source: Option<usize>) -> Result<Self> {
        id_type(table, ids)?;
        let sources = source.map(|column| source_names(table, column)).transpose()?;
        Ok(Self { ids: IdColumn::of_table(table, ids)?, sources })
    }

    /// Records by their ids, as texts, and by their sources.
    pub fn of_texts(ids: StringArray, sources: Option<StringArray>) -> Self {
        let ids = IdColumn { data_type: DataType::Utf8, chunks: vec![Arc::new(ids) as ArrayRef] };
        Self { ids, sources: sources.map(|names| vec![names]) }
    }
}

fn source_names(table: &Table, column: usize) -> Result<Vec<StringArray>> {
    let mut first = 0;
    let names = table.batches.iter().map(|batch| {
        let names = texts(table, batch, column)?;
        if let Some(row) = (0..names.len()).find(|row| names.is_null(*row)) {
            let place = table.place(first + row);
            let column = table.schema.field(column).name();
            return Err(Error::data(format!("{place}: the source in column `{column}` is missing")));
        }
        first += batch.num_rows();
        Ok(names)
    });
    names.collect()
}

/// A column as texts.
fn texts(table: &Table, batch: &RecordBatch, column: usize) -> Result<StringArray> {
    let text = cast(batch.column(column), &DataType::Utf8).map_err(|error| {
        let name = table.schema.field(column).name();
        Error::data(format!("`{}`: column `{name}` must hold texts or numbers: {error}", table.name))
    })?;
    Ok(text.as_string::<i32>().clone())
}

/// The score of each pair.
fn scores(table: &Table, column: usize) -> Result<Vec<f64>> {
    let mut scores = Vec::with_capacity(table.rows());
    for batch in &table.batches {
        let first = scores.len();
        let no_number = |row: usize, is: String| {
            let (place, name) = (table.place(first + row), table.schema.field(column).name());
            Error::data(format!("{place}: `{name}` is {is}, which is no score"))
                .with_help("a score is a number between -2^31 and 2^31; a pair may have none")
        };
        let values = batch.column(column);
        match values.data_type() {
            DataType::Utf8 => {
                for (row, text) in values.as_string::<i32>().iter().enumerate() {
                    let score = text.map_or(Some(NO_SCORE), parsed);
                    let is = || format!("`{}`", text.unwrap_or_default());
                    scores.push(score.ok_or_else(|| no_number(row, is()))?);
                }
            }
            _ => {
                let numbers = cast(values, &DataType::Float64).map_err(|error| no_number(0, error.to_string()))?;
                for (row, number) in numbers.as_primitive::<Float64Type>().iter().enumerate() {
                    let score = number.map_or(Some(NO_SCORE), checked);
                    let is = || number.unwrap_or_default().to_string();
                    scores.push(score.ok_or_else(|| no_number(row, is()))?);
                }
            }
        }
    }
    Ok(scores)
}

fn parsed(text: &str) -> Option<f64> {
    checked(text.trim().parse().ok()?)
}

fn checked(score: f64) -> Option<f64> {
    (score.abs() < MOST_SCORE).then_some(score)
}

/// The truth value of each row; what is missing is not true.
fn truths(table: &Table, column: usize) -> Result<Vec<bool>> {
    let mut truths = Vec::with_capacity(table.rows());
    for batch in &table.batches {
        let values = batch.column(column);
        if let Some(values) = values.as_any().downcast_ref::<BooleanArray>() {
            truths.extend(values.iter().map(|value| value == Some(true)));
            continue;
        }
        for text in texts(table, batch, column)?.iter() {
            let truth = match text.map(|text| text.trim().to_ascii_lowercase()).as_deref() {
                Some("true" | "1") => true,
                None | Some("false" | "0") => false,
                Some(other) => {
                    let (place, name) = (table.place(truths.len()), table.schema.field(column).name());
                    return Err(Error::data(format!("{place}: `{name}` is `{other}`"))
                        .with_help("`true` and `false` are allowed, and 1 and 0"));
                }
            };
            truths.push(truth);
        }
    }
    Ok(truths)
}
