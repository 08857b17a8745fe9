//! Parts of the records of a job as a dataset: read, and put in the order that they have among all records.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array};
use arrow_schema::DataType;

use super::dataset_input::{DatasetInput, InputSettings};
use super::layout::RecordLayout;
use super::merged_table::merged_table;
use super::open::{OpenedInputs, TableOrigin, WantedOfInput, check_records, missing_ids};
use super::parted_rows::{MergedRows, PartedRows};
use super::record_part::{PartInput, RecordPart};
use super::shared::Dataset;
use super::tables::{InputTables, Keep};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::records::{Input, MissingIds, OpenSource, RowIds, Table, row_ids};
use crate::rules::RuleSet;

/// Records of one part of a job, or of several.
pub struct PartedDataset {
    /// The records, in the order that they have among all.
    pub dataset: Dataset,
    /// The rules of the job.
    pub rules: RuleSet,
    /// Which records they are.
    pub rows: PartedRows,
}

/// An input of all parts, before it is read.
struct PartedInput<'p> {
    name: String,
    /// By part.
    parts: Vec<&'p PartInput>,
    sources: Vec<OpenSource>,
    /// Where the first part is from.
    origin: TableOrigin,
    wanted: WantedOfInput,
}

impl PartedDataset {
    /// Reads parts of the records of a job, whose own inputs are not looked at: each part once, however many pairs of parts are
    /// looked at afterwards.
    pub fn open(job: &Job, parts: &[RecordPart], budget: &MemoryBudget, progress: Progress<'_>) -> Result<Self> {
        let (inputs, rules) = opened(job, parts, budget, progress)?;
        progress.begin(&Stage::Reading, None);
        let (mut read, mut tables, mut numbers, mut held) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for input in inputs {
            let (input, table, rows) = input.read(missing_ids(job), budget, progress)?;
            held.push(budget.hold(input.bytes() + rows.bytes())?);
            read.push(input);
            tables.push(table);
            numbers.push(rows);
        }
        check_records(&tables)?;
        let layout = RecordLayout::new(&rules, tables.iter().map(|table| table.rows() as u32).collect());
        let rows = PartedRows::new(&layout, parts.len(), numbers);
        let tables = InputTables::new(Keep::Nothing, read.len(), Some(tables));
        Ok(Self { dataset: Dataset::new(layout, read, tables, budget, held), rules, rows })
    }
}

/// The inputs of all parts, opened as those of a job are, and the rules of the job, which must fit them.
fn opened<'p>(
    job: &Job,
    parts: &'p [RecordPart],
    budget: &MemoryBudget,
    progress: Progress<'_>,
) -> Result<(Vec<PartedInput<'p>>, RuleSet)> {
    check_parts(job, parts)?;
    let cancel = progress.cancel().within(budget);
    let mut opened = parts.iter().map(|part| OpenedInputs::open(&job_over(job, part), cancel));
    let first = opened.next().ok_or_else(no_part)??;
    let others = opened.collect::<Result<Vec<OpenedInputs>>>()?;
    others.iter().try_for_each(|other| check_same(&first.sources, &other.sources))?;
    let rules = first.compile(job, budget)?;
    if !rules.rankings.is_empty() {
        let message = "`neighbours` ranks all records of a job, so its branches cannot run over some of them";
        return Err(Error::usage(message).with_code(ErrorCode::NeedsAllRecords));
    }
    let wanted = first.wanted(job, Some(&rules))?;
    let OpenedInputs { inputs, sources, names } = first;
    let mut others: Vec<_> = others.into_iter().map(|other| other.sources.into_iter()).collect();
    let all = inputs.into_iter().zip(sources).zip(names).zip(wanted).enumerate();
    let input = |(at, (((input, source), name), wanted)): (usize, FirstInput)| {
        let origin = TableOrigin::new(input, InputSettings::default(), &source, &wanted);
        let sources = std::iter::once(source).chain(others.iter_mut().filter_map(Iterator::next)).collect();
        let parts = parts.iter().map(|part| &part.inputs[at]).collect();
        PartedInput { name, parts, sources, origin, wanted }
    };
    Ok((all.map(input).collect(), rules))
}

/// An input of the first part: how it is given, opened, called, and what is read of it.
type FirstInput = (((Input, OpenSource), String), WantedOfInput);

/// The job over the records of a part alone.
fn job_over(job: &Job, part: &RecordPart) -> Job {
    let inputs = part.inputs.iter().map(|input| input.records.clone()).collect();
    Job { inputs, ..job.clone() }
}

fn no_part() -> Error {
    Error::usage("no part of the records is given").with_help("give one part or several that fit the memory together")
}

/// Refuses parts that do not have records of each input.
fn check_parts(job: &Job, parts: &[RecordPart]) -> Result<()> {
    match parts.iter().map(|part| part.inputs.len()).find(|inputs| *inputs != job.inputs.len()) {
        None => Ok(()),
        Some(inputs) => {
            let of_job = job.inputs.len();
            Err(Error::usage(format!("the job has {of_job} inputs, and a part has records of {inputs}"))
                .with_help("a part has records of each input, or none of one: then its list is empty"))
        }
    }
}

/// Refuses parts that are of other inputs.
fn check_same(first: &[OpenSource], others: &[OpenSource]) -> Result<()> {
    let columns = |source: &OpenSource| -> Vec<(String, DataType)> {
        source.schema().fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
    };
    for (source, other) in first.iter().zip(others) {
        let (name, other_name) = (source.name(), other.name());
        if name != other_name {
            return Err(Error::usage(format!("a part of `{name}` is called `{other_name}`"))
                .with_help("give every part of an input the name of the input"));
        }
        if columns(source) != columns(other) {
            return Err(Error::data(format!(
                "two parts of `{name}` have different columns, or columns of other types"
            ))
            .with_help("give parts in a form that has types, such as Parquet or record batches"));
        }
    }
    Ok(())
}

impl PartedInput<'_> {
    /// Reads all parts, and puts their records in order.
    fn read(
        self,
        missing: MissingIds,
        budget: &MemoryBudget,
        progress: Progress<'_>,
    ) -> Result<(DatasetInput, Table, MergedRows)> {
        let cancel = progress.cancel().within(budget);
        let Self { name, parts, sources, origin, wanted } = self;
        let rows = MergedRows::merge(&name, &parts)?;
        let mut tables = Vec::new();
        for (part, source) in parts.iter().zip(sources) {
            let table = source.read_within(budget, &wanted.columns, &|rows| progress.advance(rows))?;
            if table.rows() != part.rows.len() {
                let (records, rows) = (table.rows(), part.rows.len());
                let message = format!("a part of `{name}` has {records} records, and {rows} row numbers were given");
                return Err(Error::usage(message));
            }
            tables.push(table);
        }
        let mut table = merged_table(tables, &rows.order, cancel)?;
        table.name = name;
        let ids = ids_of(&mut table, wanted.id, &rows, missing, cancel)?;
        let rows = rows.without(table.skipped().rows());
        Ok((origin.input(&table, ids), table, rows))
    }
}

/// The ids of a table: a column of it, or what the row numbers of all records are, counted from 1.
fn ids_of(
    table: &mut Table,
    column: Option<usize>,
    rows: &MergedRows,
    missing: MissingIds,
    cancel: Cancel<'_>,
) -> Result<RowIds> {
    if column.is_some() {
        return row_ids(table, column, missing, cancel);
    }
    let numbers = Int64Array::from_iter_values(rows.numbers().map(|number| number as i64 + 1));
    RowIds::new(&[Arc::new(numbers) as ArrayRef])
}
