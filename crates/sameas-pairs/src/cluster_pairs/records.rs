//! Reads all records: their ids, their sources, and what limits count of them.

use std::collections::BTreeSet;

use arrow_schema::Schema;
use rayon::prelude::*;
use sameas_clusters::NO_VALUE;

use super::batch_rows::BatchRows;
use super::columns::{columns_of, find, place_of};
use super::interned::{BlockSources, InternedRecords, RecordBlock};
use super::job::ClusterPairsJob;
use super::read::ReadingTools;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::expr::Vector;
use crate::ids::id_type;
use crate::memory::{Held, MemoryBudget};
use crate::numbering::{GrowingNumbers, ValueList};
use crate::records::{Frame, OpenSource, Table};
use crate::rules::{Column, InputColumns, RecordLimits, input_columns, record_limits};

/// An input of records without its rows, which are read.
pub(super) struct ReadRecords {
    pub origin: Table,
    /// The place of the type of their ids.
    pub type_place: usize,
    /// The records, as codes.
    pub codes: Vec<u32>,
    _held: Held,
}

/// What a limit counts, of all records.
pub(super) struct LimitValues {
    /// The values, ascending.
    pub texts: ValueList,
    /// The number of the value of each record, or [`NO_VALUE`], input by input.
    pub of_records: Vec<Vec<u32>>,
    /// The memory of all this.
    pub held: Held,
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

/// Reads the records of a job, which become codes.
pub(super) fn read_records(
    job: &ClusterPairsJob,
    records: &mut InternedRecords,
    tools: ReadingTools<'_>,
) -> Result<AllRecords> {
    let has_sources = records.has_sources();
    let open = |input| OpenRecords::open(tools.open(input)?, job, has_sources);
    let opened = job.records.iter().map(open).collect::<Result<Vec<_>>>()?;
    let limits = compiled(job, &opened, has_sources, tools)?;
    let mut values = Vec::new();
    for _ in &job.spec.limits {
        values.push(CountedValues::new(tools.kept)?);
    }
    let mut inputs = Vec::new();
    for (opened, limits) in opened.into_iter().zip(&limits) {
        values.iter_mut().for_each(|values| values.of_records.push(Vec::new()));
        inputs.push(opened.read(limits, &mut values, records, tools)?);
    }
    Ok(AllRecords { inputs, limits: values.into_iter().map(CountedValues::ordered).collect::<Result<_>>()? })
}

/// What a limit counts, numbered as it comes.
struct CountedValues {
    texts: GrowingNumbers,
    of_records: Vec<Vec<u32>>,
    held: Held,
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

    /// Reads an input: its records, and what limits count of them.
    fn read(
        self,
        limits: &RecordLimits,
        values: &mut [CountedValues],
        records: &mut InternedRecords,
        tools: ReadingTools<'_>,
    ) -> Result<ReadRecords> {
        let mut wanted = vec![self.id];
        let more = self.named_by.into_iter().chain(read_by(limits, self.source.schema()));
        more.for_each(|place| wanted.extend((!wanted.contains(&place)).then_some(place)));
        let named_by = self.named_by.and_then(|place| wanted.iter().position(|other| *other == place));
        let of_input = records.of_source(self.source.name());
        let (mut codes, mut held) = (Vec::<u32>::new(), tools.kept.hold(0)?);
        let origin = tools.read(self.source, &wanted, |table, first| {
            tools.cancel().check();
            count_values(table, limits, values, tools.cancel())?;
            let rows = BatchRows::all(table, first);
            let block = |rows: &BatchRows<'_>| -> Result<RecordBlock> {
                let sources = match named_by {
                    Some(column) => BlockSources::Named(rows.sources(column)?),
                    None => of_input.clone(),
                };
                Ok(RecordBlock { ids: rows.ids(0)?, sources })
            };
            let blocks = rows.iter().map(block).collect::<Result<Vec<_>>>()?;
            records.codes(&blocks)?.iter().for_each(|of_block| codes.extend_from_slice(of_block));
            held.reach(size_of_val(&codes[..]))
        })?;
        id_type(&origin, 0)?;
        let type_place = records.type_place(origin.schema.field(0).data_type());
        Ok(ReadRecords { origin, type_place, codes, _held: held })
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

/// Numbers what limits count of some records of the last input, as it comes.
fn count_values(table: &Table, limits: &RecordLimits, values: &mut [CountedValues], cancel: Cancel<'_>) -> Result<()> {
    if limits.values.is_empty() {
        return Ok(());
    }
    let frame = Frame::new(&[(table, &limits.derived[..])], cancel);
    for (expr, values) in limits.values.iter().zip(values) {
        for block in &frame.evaluate(expr, cancel) {
            cancel.check();
            values.add(block)?;
        }
    }
    Ok(())
}

impl CountedValues {
    fn new(kept: &MemoryBudget) -> Result<Self> {
        Ok(Self { texts: GrowingNumbers::default(), of_records: Vec::new(), held: kept.hold(0)? })
    }

    /// Adds the values of some records of the last input.
    fn add(&mut self, block: &Vector) -> Result<()> {
        let Self { texts, of_records, held } = self;
        let number = |row: usize| block.shown(row).map_or(NO_VALUE, |text| texts.number(text.as_bytes()));
        if let Some(numbers) = of_records.last_mut() {
            numbers.extend((0..block.len()).map(number));
        }
        let records: usize = of_records.iter().map(Vec::len).sum();
        held.reach(texts.bytes() + size_of::<u32>() * records)
    }

    /// The values in their order, so that the order of records changes nothing.
    fn ordered(self) -> Result<LimitValues> {
        let Self { texts, mut of_records, mut held } = self;
        let mut order: Vec<u32> = (0..texts.count() as u32).collect();
        order.par_sort_unstable_by(|a, b| texts.value(*a).cmp(texts.value(*b)));
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(number, rank)| ranks[*number as usize] = rank);
        let numbers = of_records.par_iter_mut().flatten().filter(|number| **number != NO_VALUE);
        numbers.for_each(|number| *number = ranks[*number as usize]);
        held.add(texts.values().size())?;
        let mut in_order = ValueList::default();
        order.iter().for_each(|number| {
            in_order.push(texts.value(*number));
        });
        Ok(LimitValues { texts: in_order, of_records, held })
    }
}

fn no_id(source: &OpenSource) -> Error {
    Error::usage(format!("`{}` has no column `id` or `unique_id`", source.name()))
        .with_help(format!("say which column holds the ids; its columns are {}", columns_of(source)))
        .with_code(ErrorCode::NoIdColumn)
}
