//! Inputs that are opened again, and read batch by batch in the order of their records.

use arrow_array::{BooleanArray, RecordBatch};
use arrow_buffer::BooleanBuffer;
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;

use super::{Cancel, Error, Input, KeptColumns, MemoryBudget, OpenSource, Result, SkippedRecords};

/// An input whose records are read once more.
#[derive(Clone, Copy, Debug)]
pub struct StreamedInput<'a> {
    /// What results call it.
    pub name: &'a str,
    /// Where its records come from.
    pub source: &'a Input,
    /// The column of its ids.
    pub id: Option<&'a str>,
    /// The records that it has and that were left out.
    pub skipped: &'a SkippedRecords,
    /// How many others it has.
    pub rows: usize,
}

/// Inputs whose columns are known.
pub struct StreamedInputs<'a> {
    inputs: &'a [StreamedInput<'a>],
    sources: Vec<OpenSource>,
    /// Their columns in the types of rules.
    rule_schemas: Vec<SchemaRef>,
}

/// The columns of inputs.
#[derive(Clone, Debug)]
pub struct InputSchemas<'a> {
    /// The inputs.
    pub inputs: &'a [StreamedInput<'a>],
    /// Their columns in the types of rules.
    pub of_rules: Vec<SchemaRef>,
    /// The same in their own types.
    pub kept: Vec<SchemaRef>,
}

/// Some records of an input.
#[derive(Debug)]
pub struct InputBatch {
    /// The place of the input.
    pub input: usize,
    /// The number of the first record among those of all inputs.
    pub first: u32,
    /// Their columns.
    pub batch: RecordBatch,
}

impl<'a> StreamedInputs<'a> {
    /// Finds the columns of inputs.
    pub fn open(inputs: &'a [StreamedInput<'a>], cancel: Cancel<'_>) -> Result<Self> {
        let (mut sources, mut rule_schemas) = (Vec::new(), Vec::new());
        for input in inputs {
            let source = input.source.open_until(cancel)?;
            rule_schemas.push(source.schema().clone());
            sources.push(source.with_kept_types()?);
        }
        Ok(Self { inputs, sources, rule_schemas })
    }

    /// Which columns there are.
    pub fn schemas(&self) -> InputSchemas<'a> {
        let kept = self.sources.iter().map(|source| source.schema().clone()).collect();
        InputSchemas { inputs: self.inputs, of_rules: self.rule_schemas.clone(), kept }
    }

    /// The columns of an input in their own types.
    pub fn schema(&self, input: usize) -> &SchemaRef {
        self.sources[input].schema()
    }

    /// The columns of all inputs by name.
    pub fn all_columns(&self) -> Result<SchemaRef> {
        let labels: Vec<&str> = self.inputs.iter().map(|input| input.name).collect();
        let schemas: Vec<SchemaRef> = self.sources.iter().map(|source| source.schema().clone()).collect();
        KeptColumns::of_all(&labels, &schemas)
    }

    /// Refuses the first of the columns at these places of each input that cannot be read.
    pub fn check_columns(&self, columns: &[Vec<usize>]) -> Result<()> {
        self.sources.iter().zip(columns).try_for_each(|(source, columns)| source.check_columns(columns))
    }

    /// Reads the columns at these places of each input, and hands on all records but those that were left out, in order.
    pub fn read(
        self,
        columns: &[Vec<usize>],
        budget: &MemoryBudget,
        progress: &(dyn Fn(u64) + Sync),
        take: &mut (dyn FnMut(InputBatch) -> Result<()> + Send),
    ) -> Result<()> {
        self.check_columns(columns)?;
        let mut first = 0_usize;
        for (at, ((input, source), columns)) in self.inputs.iter().zip(self.sources).zip(columns).enumerate() {
            // Rows of no column at all have no batches in some formats.
            let columns = if columns.is_empty() { &[0][..] } else { columns };
            let (mut rows, mut kept) = (0_usize, 0_usize);
            source.pass_on(budget, columns, progress, &mut |_, batch, start| {
                rows = start + batch.num_rows();
                let batch = without_skipped(batch, start, input.skipped)?;
                let begins = first + kept;
                kept += batch.num_rows();
                if kept > input.rows {
                    return Err(changed(input.name));
                }
                take(InputBatch { input: at, first: begins as u32, batch })
            })?;
            if kept != input.rows || rows != input.rows + input.skipped.len() {
                return Err(changed(input.name));
            }
            first += kept;
        }
        Ok(())
    }
}

/// The records of a batch, which begins at a row of its input, but for those that were left out.
fn without_skipped(batch: &RecordBatch, start: usize, skipped: &SkippedRecords) -> Result<RecordBatch> {
    let rows = skipped.rows();
    let from = rows.partition_point(|row| (*row as usize) < start);
    let to = rows.partition_point(|row| (*row as usize) < start + batch.num_rows());
    if from == to {
        return Ok(batch.clone());
    }
    let mut kept = vec![true; batch.num_rows()];
    rows[from..to].iter().for_each(|row| kept[*row as usize - start] = false);
    let kept = BooleanArray::new(BooleanBuffer::from(kept), None);
    filter_record_batch(batch, &kept).map_err(|error| Error::internal(format!("a batch of records: {error}")))
}

/// Records that are not those that were read before.
fn changed(input: &str) -> Error {
    Error::data(format!("the records of `{input}` are not those that were read before"))
        .with_help("bring back the files as they were, or begin again with those that are there")
}
