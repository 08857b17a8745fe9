//! Inputs with all columns that can be shown, and without ids: what a person looks at before there are rules.

use std::collections::BTreeSet;

use arrow_schema::SchemaRef;

use super::dataset_input::DatasetInput;
use super::open::{OpenedInputs, check_records};
use super::read_table::read_table;
use super::shared::Dataset;
use super::wanted_columns::readable_columns;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::records::Table;

/// An input with all columns that can be shown.
pub struct WholeInput {
    /// What its source calls it.
    pub given_name: String,
    /// All its columns, those that cannot be shown among them.
    pub schema: SchemaRef,
    /// Its records, with their columns in the order of the schema.
    pub table: Table,
}

impl WholeInput {
    /// Reads the inputs of a job within a budget. Its rules do not matter, and neither do ids: records need none.
    pub fn read(job: &Job, budget: &MemoryBudget, progress: Progress<'_>) -> Result<Vec<Self>> {
        let OpenedInputs { sources, names, .. } = OpenedInputs::open(job, progress.cancel().within(budget))?;
        progress.begin(&Stage::Reading, None);
        let (mut known, mut tables) = (Vec::new(), Vec::new());
        for (source, name) in sources.into_iter().zip(names) {
            let columns = readable_columns(&source, None);
            known.push((source.name().to_owned(), source.schema().clone()));
            tables.push(read_table(source, &columns, name, budget, progress)?);
        }
        check_records(&tables)?;
        let input = |((given_name, schema), table): ((String, SchemaRef), Table)| Self { given_name, schema, table };
        Ok(known.into_iter().zip(tables).map(input).collect())
    }
}

impl Dataset {
    /// Its inputs with all columns that can be shown. What it has is not read again.
    #[doc(hidden)]
    pub fn whole_inputs(&self, progress: Progress<'_>, cancel: Cancel<'_>) -> Result<Vec<WholeInput>> {
        let shown = |input: &DatasetInput| input.shown_columns().map(str::to_owned).collect();
        let columns: Vec<BTreeSet<String>> = self.inputs().iter().map(shown).collect();
        let tables = self.tables_with(&columns, progress, cancel)?;
        let whole = |(table, input): (Table, &DatasetInput)| {
            let (given_name, schema) = (input.given_name.clone(), input.schema.clone());
            Ok(WholeInput { table: table.in_order_of(&schema)?, given_name, schema })
        };
        tables.into_iter().zip(self.inputs()).map(whole).collect()
    }
}
