//! Inputs and rules brought together: columns first, then the rules, then the rows that the rules need.

use arrow_schema::{Schema, SchemaRef};

use super::compile::compile_rules;
use super::dataset_input::{DatasetInput, InputSettings};
use super::findings::known_before_reading;
use super::id_columns::{asked, asked_by_job, id_column};
use super::input_names::unambiguous;
use super::input_record::InputRecord;
use super::known_records::check_known;
use super::layout::RecordLayout;
use super::read_table::read_table;
use super::shared::Dataset;
use super::tables::{InputTables, Keep};
use super::wanted_columns::{readable_columns, wanted_columns};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::{Held, MemoryBudget};
use crate::observer::{Progress, Stage};
use crate::records::{Input, MissingIds, OpenSource, RowIds, Table, row_ids};
use crate::rules::{LinkType, RuleSet};

/// The inputs of a job, or of a part of its records: their columns are known, and nothing is read.
pub struct OpenedInputs {
    /// Each read as the job says.
    pub inputs: Vec<Input>,
    pub sources: Vec<OpenSource>,
    pub names: Vec<String>,
}

/// The inputs of a job, read.
struct ReadInputs {
    tables: Vec<Table>,
    /// The ids of each table.
    ids: Vec<RowIds>,
    /// What else is known of where each table is from.
    origins: Vec<TableOrigin>,
    /// The memory of the ids.
    held: Vec<Held>,
}

/// What is read of an input.
pub(super) struct WantedOfInput {
    /// The places of columns.
    pub columns: Vec<usize>,
    /// Which of these has the ids; none for row numbers.
    pub id: Option<usize>,
    /// The name of that column.
    id_column: Option<String>,
}

/// Where a table is from.
pub(super) struct TableOrigin {
    input: Input,
    said: InputSettings,
    given_name: String,
    schema: SchemaRef,
    /// The column with the ids; none for row numbers.
    id_column: Option<String>,
}

impl Dataset {
    /// Reads the inputs of a job within a budget, and compiles its rules against their columns. Columns that these do not read
    /// are read where all are to be kept, or where the job asks for them.
    #[doc(hidden)]
    pub fn open(job: &Job, keep: Keep, budget: &MemoryBudget, progress: Progress<'_>) -> Result<(Self, RuleSet)> {
        let inputs = OpenedInputs::open(job, progress.cancel().within(budget))?;
        let rules = inputs.compile(job, budget)?;
        progress.doubts(&rules.doubts);
        let wanted = (!job.all_columns && keep != Keep::Always).then_some(&rules);
        let read = inputs.read(job, wanted, budget, progress)?;
        check_known(job, &rules, &read.tables, &read.id_columns())?;
        Ok((read.into_dataset(job.link_type, keep, budget), rules))
    }

    /// Reads all columns of the inputs of a job within a budget, to be kept. The job needs no rules; those that it has must fit.
    #[doc(hidden)]
    pub fn open_whole(job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Self> {
        let inputs = OpenedInputs::open(job, progress.cancel().within(budget))?;
        let rules = match inputs.compile(job, budget) {
            Err(error) if error.code() == ErrorCode::NoRules => None,
            rules => Some(rules?),
        };
        let read = inputs.read(job, None, budget, progress)?;
        if let Some(rules) = rules {
            check_known(job, &rules, &read.tables, &read.id_columns())?;
        }
        Ok(read.into_dataset(job.link_type, Keep::Always, budget))
    }

    /// Compiles the rules of another job over the same inputs against their columns. The inputs of the job are not looked at;
    /// if they must have other records than these, it is refused.
    #[doc(hidden)]
    pub fn compile(&self, job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<RuleSet> {
        self.check_kind(job)?;
        self.check_ids(job)?;
        let inputs = self.inputs();
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        let schemas: Vec<&Schema> = inputs.iter().map(|input| input.schema.as_ref()).collect();
        let mut rules = compile_rules(job, &schemas, &names, budget)?;
        let id = inputs.first().and_then(|input| input.id_column.as_deref());
        rules.doubts.extend(known_before_reading(&rules, id));
        // Some of the records of a job are not all of them.
        if self.subset_of().is_none() {
            self.check_expected(job, &rules, progress, progress.cancel().within(budget))?;
        }
        Ok(rules)
    }
}

impl OpenedInputs {
    pub fn open(job: &Job, cancel: Cancel<'_>) -> Result<Self> {
        let inputs = resolved_inputs(job)?;
        let sources = inputs.iter().map(|input| input.open_until(cancel)).collect::<Result<Vec<OpenSource>>>()?;
        Ok(Self { names: names_of(&sources), inputs, sources })
    }

    /// The rules of the job against the columns of the inputs.
    pub fn compile(&self, job: &Job, budget: &MemoryBudget) -> Result<RuleSet> {
        let mut rules = compile_rules(job, &schemas_of(&self.sources), &self.names, budget)?;
        let ids = self.id_columns(job)?;
        rules.doubts.extend(known_before_reading(&rules, ids.first().and_then(Option::as_deref)));
        Ok(rules)
    }

    /// The columns with the ids; none for row numbers.
    pub fn id_columns(&self, job: &Job) -> Result<Vec<Option<String>>> {
        let asked = asked(job, &given_names_of(&self.sources), &self.names)?;
        let of_input = |(source, asked): (&OpenSource, Option<String>)| {
            let id = id_column(asked.as_deref(), source.name(), source.schema())?;
            Ok(id.map(|id| source.schema().field(id).name().clone()))
        };
        self.sources.iter().zip(asked).map(of_input).collect()
    }

    /// The columns that rules want, or all that can be shown, and the ids.
    pub(super) fn wanted(&self, job: &Job, by: Option<&RuleSet>) -> Result<Vec<WantedOfInput>> {
        let asked = asked(job, &given_names_of(&self.sources), &self.names)?;
        let of_input = |(side, source): (usize, &OpenSource)| {
            let id = id_column(asked[side].as_deref(), source.name(), source.schema())?;
            let columns = match by {
                None => readable_columns(source, id),
                Some(rules) => wanted_columns(rules, side, source, id),
            };
            let id_column = id.map(|id| source.schema().field(id).name().clone());
            Ok(WantedOfInput { id: id.and_then(|id| columns.iter().position(|at| *at == id)), columns, id_column })
        };
        self.sources.iter().enumerate().map(of_input).collect()
    }

    /// Reads the columns that rules want, or all that can be shown, and the ids.
    fn read(
        self,
        job: &Job,
        wanted_by: Option<&RuleSet>,
        budget: &MemoryBudget,
        progress: Progress<'_>,
    ) -> Result<ReadInputs> {
        let cancel = progress.cancel().within(budget);
        let asked_by_job = asked_by_job(job, &given_names_of(&self.sources), &self.names)?;
        let missing = missing_ids(job);
        let mut wanted = self.wanted(job, wanted_by)?.into_iter();
        let (mut tables, mut ids, mut held, mut origins) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        progress.begin(&Stage::Reading, None);
        for (side, ((source, name), input)) in self.sources.into_iter().zip(self.names).zip(self.inputs).enumerate() {
            let Some(wanted) = wanted.next() else { break };
            let said = InputSettings { options: job.inputs[side].options().clone(), id: asked_by_job[side].is_some() };
            origins.push(TableOrigin::new(input, said, &source, &wanted));
            let mut table = read_table(source, &wanted.columns, name, budget, progress)?;
            let of_table = row_ids(&mut table, wanted.id, missing, cancel)?;
            held.push(budget.hold(of_table.bytes() + table.skipped().bytes())?);
            ids.push(of_table);
            tables.push(table);
        }
        check_records(&tables)?;
        Ok(ReadInputs { tables, ids, origins, held })
    }
}

impl ReadInputs {
    /// The columns that the ids are from; none for row numbers.
    fn id_columns(&self) -> Vec<Option<String>> {
        self.origins.iter().map(|origin| origin.id_column.clone()).collect()
    }

    fn into_dataset(self, link_type: LinkType, keep: Keep, budget: &MemoryBudget) -> Dataset {
        let Self { tables, ids, origins, held } = self;
        let layout = RecordLayout::for_link_type(link_type, tables.iter().map(|table| table.rows() as u32).collect());
        let known = tables.iter().zip(ids).zip(origins);
        let inputs: Vec<DatasetInput> = known.map(|((table, ids), origin)| origin.input(table, ids)).collect();
        let tables = InputTables::new(keep, inputs.len(), Some(tables));
        Dataset::new(layout, inputs, tables, budget, held)
    }
}

impl TableOrigin {
    /// Of an input that is about to be read.
    pub fn new(input: Input, said: InputSettings, source: &OpenSource, wanted: &WantedOfInput) -> Self {
        let (given_name, schema) = (source.name().to_owned(), source.schema().clone());
        Self { input, said, given_name, schema, id_column: wanted.id_column.clone() }
    }

    /// What is known of the input now that its table is read.
    pub fn input(self, table: &Table, ids: RowIds) -> DatasetInput {
        let Self { input: source, said, given_name, schema, id_column } = self;
        let record = InputRecord::new(table, &source, id_column.as_deref().unwrap_or("row"));
        let (name, skipped) = (table.name.clone(), table.skipped());
        DatasetInput { name, given_name, schema, source, said, ids, id_column, skipped, record }
    }
}

/// What a job says of records without an id.
pub(super) fn missing_ids(job: &Job) -> MissingIds {
    match job.skip_null_ids.or(job.rules.skip_null_ids) {
        Some(true) => MissingIds::Skip,
        _ => MissingIds::Refuse,
    }
}

/// Refuses more records than can be numbered.
pub(super) fn check_records(tables: &[Table]) -> Result<()> {
    let rows: u64 = tables.iter().map(|t| t.rows() as u64).sum();
    if rows >= u64::from(u32::MAX) {
        let most = u32::MAX - 1;
        return Err(Error::data(format!("the inputs have {rows} records in all; at most {most} are possible")));
    }
    Ok(())
}

/// The inputs of a job, read as it says.
fn resolved_inputs(job: &Job) -> Result<Vec<Input>> {
    if job.link_type != LinkType::DedupeOnly && job.inputs.len() < 2 {
        let given = if job.inputs.is_empty() { "none was" } else { "1 was" };
        return Err(Error::usage(format!("a link needs two inputs, and {given} given")));
    }
    job.resolved_inputs()
}

/// The columns of each input.
fn schemas_of(sources: &[OpenSource]) -> Vec<&Schema> {
    sources.iter().map(|source| source.schema().as_ref()).collect()
}

/// The names that inputs have been given.
fn given_names_of(sources: &[OpenSource]) -> Vec<&str> {
    sources.iter().map(OpenSource::name).collect()
}

/// The names of the inputs, by which no two records are called the same.
fn names_of(sources: &[OpenSource]) -> Vec<String> {
    unambiguous(&given_names_of(sources))
}
