//! Term frequencies that were counted, as tables for other jobs: over some of the records, or over those of another day.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use rayon::prelude::*;

use super::frequencies::{frequency_columns, operands_of};
use crate::dataset::{Dataset, Keep};
use crate::error::{Error, ErrorCode, Result};
use crate::expr::Vector;
use crate::job::Job;
use crate::memory::{Held, MemoryBudget};
use crate::observer::{Progress, Stage};
use crate::output::{Format, WriteOptions, write_table};
use crate::records::encode::{Encoded, Numbers, bytes_at};
use crate::records::{Input, broken};
use crate::rules::{RuleFile, RuleSet, TrainText};
use crate::score::{COUNT, FREQUENCY, VALUE, ValueFrequencies, converted};

/// Rows of a batch.
const BATCH_ROWS: usize = 1 << 16;

/// How frequent the values of a column are among the records of a job: a table with a `value`, the `count` of the records
/// that have it, and its `frequency`, the share of these among all records with a value. The most frequent values come first.
pub struct ColumnFrequencies {
    column: String,
    encoded: Arc<Encoded>,
    values: ValueFrequencies,
    /// The codes of the values, in the order of the table.
    order: Vec<u32>,
    _held: Held,
}

/// Counts how frequent the values of the columns are that comparisons weigh by their frequency, each column once; among records
/// that are at hand, if there are any.
pub fn count_frequencies(
    job: &Job,
    among: Option<&Dataset>,
    memory: usize,
    progress: Progress<'_>,
) -> Result<Vec<ColumnFrequencies>> {
    let whole = job.without_near();
    // What is known of the records is known of all that the rules read.
    let job = Job { rules: with_frequencies_only(&job.rules), model: None, ..whole.over_any_records() };
    if frequency_columns(&job)?.is_empty() {
        return Err(Error::rules("no comparison has term frequencies")
            .with_help("name a column in a comparison: `[[compare]]` with `levels` and `term_frequency = \"surname\"`")
            .with_code(ErrorCode::NoComparisons));
    }
    match among {
        Some(records) => records.within(memory, |budget| {
            if whole.expects_records() {
                records.compile(&whole, budget, progress)?;
            }
            let rules = records.compile(&job, budget, progress)?;
            counted_columns(&job, records, &rules, budget, progress)
        }),
        None if whole.expects_records() => {
            let budget = MemoryBudget::new(memory);
            let (dataset, _) = Dataset::open(&whole, Keep::IfRoom, &budget, progress)?;
            let rules = dataset.compile(&job, &budget, progress)?;
            counted_columns(&job, &dataset, &rules, &budget, progress)
        }
        None => {
            let budget = MemoryBudget::new(memory);
            let (dataset, rules) = Dataset::open(&job, Keep::Nothing, &budget, progress)?;
            counted_columns(&job, &dataset, &rules, &budget, progress)
        }
    }
}

/// The same for the rules of a job over the records of a dataset.
fn counted_columns(
    job: &Job,
    dataset: &Dataset,
    rules: &RuleSet,
    budget: &MemoryBudget,
    progress: Progress<'_>,
) -> Result<Vec<ColumnFrequencies>> {
    progress.begin(&Stage::Encoding, None);
    let program = dataset.bind(rules, progress, progress.cancel().within(budget))?;
    let of_columns = rules.scoring.comparisons.iter().zip(frequency_columns(job)?);
    let wanted = of_columns.filter_map(|(rules, column)| Some((column?.name, operands_of(rules, &program)?)));
    let wanted: Vec<_> = wanted.collect();
    let encoded = Arc::new(program.encoded);
    let mut all: Vec<ColumnFrequencies> = Vec::new();
    for (column, operands) in wanted {
        if !all.iter().any(|known| known.column.eq_ignore_ascii_case(&column)) {
            let values = ValueFrequencies::counted(&encoded, operands);
            all.push(ColumnFrequencies::new(column, &encoded, values, budget)?);
        }
    }
    Ok(all)
}

/// Rules that read no more than the comparisons with term frequencies do.
fn with_frequencies_only(rules: &RuleFile) -> RuleFile {
    let mut only = rules.clone();
    only.compares.retain(|compare| compare.term_frequency.is_some());
    (only.rules, only.nevers, only.columns, only.train) = (Vec::new(), Vec::new(), Vec::new(), TrainText::default());
    only
}

impl ColumnFrequencies {
    fn new(column: String, encoded: &Arc<Encoded>, values: ValueFrequencies, budget: &MemoryBudget) -> Result<Self> {
        let (rows, dictionary) = (values.rows(), &encoded.domain(values.operands().left).dictionary);
        let held = budget.hold(rows.len() * (size_of::<u64>() + size_of::<u32>()))?;
        let mut order: Vec<u32> = (0..rows.len() as u32).filter(|code| rows[*code as usize] > 0).collect();
        order.par_sort_unstable_by(|a, b| {
            let by_value = || dictionary.value(*a).cmp(dictionary.value(*b));
            rows[*b as usize].cmp(&rows[*a as usize]).then_with(by_value)
        });
        Ok(Self { column, encoded: Arc::clone(encoded), values, order, _held: held })
    }

    /// The column whose values these are.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no record has a value.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The columns of the table.
    pub fn schema(&self) -> SchemaRef {
        let fields = [
            Field::new(VALUE, DataType::Utf8, false),
            Field::new(COUNT, DataType::UInt64, false),
            Field::new(FREQUENCY, DataType::Float64, false),
        ];
        Arc::new(Schema::new(fields.to_vec()))
    }

    /// The number of batches of the table.
    pub fn batch_count(&self) -> usize {
        self.len().div_ceil(BATCH_ROWS)
    }

    /// A batch of the table by its number.
    pub fn batch(&self, number: usize) -> Result<RecordBatch> {
        let from = (number * BATCH_ROWS).min(self.len());
        self.rows(from..self.len().min(from + BATCH_ROWS))
    }

    /// The table as one that a job takes: [`Job::with_term_frequencies`](crate::job::Job::with_term_frequencies).
    pub fn input(&self) -> Result<Input> {
        let batches = (0..self.batch_count()).map(|number| self.batch(number)).collect::<Result<_>>()?;
        Input::batches(&format!("term frequencies of {}", self.column), self.schema(), batches)
    }

    /// Writes the table; `name` is what messages call the writer.
    #[doc(hidden)]
    pub fn write<W: Write + Send>(&self, out: W, format: Format, name: &Path) -> Result<W> {
        let rows = format.chunk_rows(self.len() as u64) as usize;
        let make_chunk = |chunk: u64| {
            let from = chunk as usize * rows;
            self.rows(from..self.len().min(from + rows))
        };
        let parallel = rayon::current_num_threads() + 1;
        let options = WriteOptions { format, path: name, parallel, progress: &|_| {} };
        write_table(out, &self.schema(), &[VALUE], self.len().div_ceil(rows) as u64, &make_chunk, &options)
    }

    fn rows(&self, places: Range<usize>) -> Result<RecordBatch> {
        let codes = &self.order[places];
        let counts = codes.iter().map(|code| self.values.rows()[*code as usize]);
        let shares = codes.iter().map(|code| self.values.share(*code).unwrap_or_default());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.texts(codes)?),
            Arc::new(UInt64Array::from_iter_values(counts)),
            Arc::new(Float64Array::from_iter_values(shares)),
        ];
        RecordBatch::try_new(self.schema(), columns).map_err(|error| broken(&error))
    }

    /// Values as texts, which are read back as these values.
    fn texts(&self, codes: &[u32]) -> Result<StringArray> {
        let domain = self.encoded.domain(self.values.operands().left);
        let values = domain.gather(codes.iter().copied());
        let texts = (0..codes.len()).map(|row| values.shown(row).unwrap_or_default());
        let texts = StringArray::from_iter_values(texts);
        let read = converted(&Vector::Text(texts.clone()), domain.ty).unwrap_or(Vector::Null(codes.len()));
        let is_other = |(row, code): &(usize, &u32)| {
            bytes_at(&read, *row, Numbers::ByValue).is_none_or(|bytes| bytes[..] != *domain.dictionary.value(**code))
        };
        match codes.iter().enumerate().find(is_other) {
            None => Ok(texts),
            Some((row, _)) => Err(Error::data(format!(
                "the value {} of `{}` has no text that is read as the same value",
                texts.value(row),
                self.column
            ))
            .with_help("derive a column of texts, and take its term frequencies")),
        }
    }
}

impl std::fmt::Debug for ColumnFrequencies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnFrequencies").field("column", &self.column).field("values", &self.len()).finish()
    }
}
