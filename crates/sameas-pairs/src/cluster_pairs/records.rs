//! Reads all records: their ids, their sources, and what limits count of them.

use std::collections::BTreeSet;

use arrow_array::StringArray;
use arrow_schema::Schema;
use rayon::prelude::*;
use sameas_clusters::NO_VALUE;

use super::columns::{find, place_of};
use super::job::ClusterPairsJob;
use super::read::{ReadingTools, RecordColumn};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::Vector;
use crate::numbering::GrowingNumbers;
use crate::records::{Frame, OpenSource, Table};
use crate::rules::{Column, InputColumns, RecordLimits, input_columns, record_limits};

/// Some records without their rows, which are read.
pub(super) struct ReadRecords {
    pub origin: Table,
    pub records: RecordColumn,
}

/// What a limit counts, of all records.
#[derive(Default)]
pub(super) struct LimitValues {
    /// The values, ascending.
    pub texts: Vec<String>,
    /// The number of the value of each record, or [`NO_VALUE`], input by input.
    pub of_records: Vec<Vec<u32>>,
}

/// All records, input by input, and what limits count of them.
#[derive(Default)]
pub(super) struct AllRecords {
    pub inputs: Vec<ReadRecords>,
    pub limits: Vec<LimitValues>,
}

/// An input of records that is not read yet.
struct OpenRecords {
    source: OpenSource,
    id: usize,
    /// The column with the sources; where there is none, the input is one.
    named_by: Option<usize>,
}

/// Reads the records of a job; `has_sources` says whether the pairs name sources.
pub(super) fn read_records(job: &ClusterPairsJob, has_sources: bool, tools: ReadingTools<'_>) -> Result<AllRecords> {
    let open = |input| OpenRecords::open(tools.open(input)?, job, has_sources);
    let opened = job.records.iter().map(open).collect::<Result<Vec<_>>>()?;
    let limits = compiled(job, &opened, has_sources, tools)?;
    let mut values: Vec<CountedValues> = job.spec.limits.iter().map(|_| CountedValues::default()).collect();
    let mut inputs = Vec::new();
    for (opened, limits) in opened.into_iter().zip(&limits) {
        let (mut table, records) = opened.read(limits, has_sources, tools)?;
        count_values(&table, limits, &mut values, tools.cancel());
        table.batches.clear();
        inputs.push(ReadRecords { origin: table, records });
    }
    Ok(AllRecords { inputs, limits: values.into_iter().map(CountedValues::ordered).collect() })
}

/// What a limit counts, numbered as it comes.
#[derive(Default)]
struct CountedValues {
    texts: GrowingNumbers,
    of_records: Vec<Vec<u32>>,
}

/// What limits count, against the columns of each input.
fn compiled(
    job: &ClusterPairsJob,
    opened: &[OpenRecords],
    has_sources: bool,
    tools: ReadingTools<'_>,
) -> Result<Vec<RecordLimits>> {
    if job.spec.limits.is_empty() {
        return Ok(vec![RecordLimits::default(); opened.len()]);
    }
    let columns: Vec<Vec<Column>> = opened.iter().map(|input| input.columns(has_sources)).collect();
    let named = opened.iter().zip(&columns);
    let inputs: Vec<InputColumns<'_>> =
        named.map(|(input, columns)| InputColumns { name: input.source.name(), columns }).collect();
    let limits = record_limits(&job.rules, &inputs, tools.kept)?;
    if limits.iter().any(|of_input| of_input.values.len() != job.spec.limits.len()) {
        return Err(Error::usage("the limits of clusters are not those of the rules")
            .with_help("give limits as rules, in which columns can be derived"));
    }
    Ok(limits)
}

impl OpenRecords {
    fn open(source: OpenSource, job: &ClusterPairsJob, has_sources: bool) -> Result<Self> {
        let id = match &job.id {
            Some(name) => place_of(&source, name)?,
            None => find(&source, "id").or_else(|| find(&source, "unique_id")).ok_or_else(|| no_id(&source))?,
        };
        let named_by = match &job.source {
            _ if !has_sources => None,
            Some(name) => Some(place_of(&source, name)?),
            None => find(&source, "source_dataset"),
        };
        Ok(Self { source, id, named_by })
    }

    fn columns(&self, has_sources: bool) -> Vec<Column> {
        input_columns(self.source.schema(), has_sources && self.named_by.is_none())
    }

    fn read(self, limits: &RecordLimits, has_sources: bool, tools: ReadingTools<'_>) -> Result<(Table, RecordColumn)> {
        let mut wanted = vec![self.id];
        let more = self.named_by.into_iter().chain(read_by(limits, self.source.schema()));
        more.for_each(|place| wanted.extend((!wanted.contains(&place)).then_some(place)));
        let named_by = self.named_by.and_then(|place| wanted.iter().position(|other| *other == place));
        let table = tools.read(self.source, &wanted)?;
        let mut records = RecordColumn::of_table(&table, 0, named_by)?;
        if has_sources && named_by.is_none() {
            let of_batch = |rows: usize| StringArray::from_iter_values(std::iter::repeat_n(table.name.as_str(), rows));
            records.sources = Some(table.batches.iter().map(|batch| of_batch(batch.num_rows())).collect());
        }
        Ok((table, records))
    }
}

/// The places of the columns that limits read.
fn read_by(limits: &RecordLimits, schema: &Schema) -> Vec<usize> {
    let mut names = BTreeSet::new();
    let expressions = limits.derived.iter().map(|column| &column.expr).chain(&limits.values);
    for expr in expressions {
        expr.each_column(&mut |_, name| {
            names.insert(name.to_owned());
        });
    }
    let fields = schema.fields().iter().enumerate();
    fields.filter(|(_, field)| names.contains(field.name())).map(|(place, _)| place).collect()
}

/// Numbers what limits count of the records of an input, as it comes.
fn count_values(table: &Table, limits: &RecordLimits, values: &mut [CountedValues], cancel: Cancel<'_>) {
    if limits.values.is_empty() {
        return;
    }
    let frame = Frame::new(&[(table, &limits.derived[..])], cancel);
    for (expr, CountedValues { texts, of_records }) in limits.values.iter().zip(values) {
        let blocks = frame.evaluate(expr, cancel);
        let mut number = |block: &Vector, row: usize| match block.shown(row) {
            Some(text) => texts.number(text.as_bytes()),
            None => NO_VALUE,
        };
        let mut numbers = Vec::with_capacity(frame.rows());
        for block in &blocks {
            cancel.check();
            numbers.extend((0..block.len()).map(|row| number(block, row)));
        }
        of_records.push(numbers);
    }
}

impl CountedValues {
    /// The values in their order, so that the order of records changes nothing.
    fn ordered(self) -> LimitValues {
        let Self { texts, mut of_records } = self;
        let mut order: Vec<u32> = (0..texts.count() as u32).collect();
        order.par_sort_unstable_by(|a, b| texts.value(*a).cmp(texts.value(*b)));
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(number, rank)| ranks[*number as usize] = rank);
        let numbers = of_records.par_iter_mut().flatten().filter(|number| **number != NO_VALUE);
        numbers.for_each(|number| *number = ranks[*number as usize]);
        LimitValues { texts: order.iter().map(|number| texts.text(*number).to_owned()).collect(), of_records }
    }
}

fn no_id(source: &OpenSource) -> Error {
    let names: Vec<String> = source.schema().fields().iter().map(|field| format!("`{}`", field.name())).collect();
    Error::usage(format!("`{}` has no column `id` or `unique_id`", source.name()))
        .with_help(format!("say which column holds the ids; its columns are {}", names.join(", ")))
        .with_code(ErrorCode::NoIdColumn)
}
