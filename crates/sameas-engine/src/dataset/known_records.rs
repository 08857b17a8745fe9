//! Whether the records of a job are those that a run has read before.

use super::shared::Dataset;
use super::wanted_columns::wanted_names;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::observer::Progress;
use crate::records::{ContentId, Table};
use crate::rules::RuleSet;

/// Refuses records that are not those that an input must have. `id_columns` has the column with the ids of each table.
pub fn check_known(job: &Job, rules: &RuleSet, tables: &[Table], id_columns: &[Option<String>]) -> Result<()> {
    for (at, (table, input)) in tables.iter().zip(&job.inputs).enumerate() {
        let Some(expected) = input.expected() else { continue };
        if !expected.is_of(&content_read(rules, at, table, id_columns[at].as_deref())?) {
            return Err(other_records(&table.name));
        }
    }
    Ok(())
}

impl Dataset {
    /// Refuses a job whose inputs must have other records than these, as far as its rules read them.
    #[doc(hidden)]
    pub fn check_expected(&self, job: &Job, rules: &RuleSet, progress: Progress<'_>, cancel: Cancel<'_>) -> Result<()> {
        if !job.expects_records() {
            return Ok(());
        }
        let found = self.input_records(rules, progress, cancel)?;
        let mut inputs = job.inputs.iter().zip(&found);
        match inputs.find(|(input, found)| input.expected().is_some_and(|expected| !expected.is_of(&found.content()))) {
            Some((_, found)) => Err(other_records(&found.name)),
            None => Ok(()),
        }
    }
}

/// Records that are not those that a run has read.
fn other_records(input: &str) -> Error {
    Error::data(format!("the records of `{input}` are not those that the run has read"))
        .with_help("run the job again, or bring back the records as they were")
        .with_code(ErrorCode::OtherRecords)
}

/// What identifies the records of an input by the columns that rules read, whatever else was read of it.
fn content_read(rules: &RuleSet, at: usize, table: &Table, id: Option<&str>) -> Result<ContentId> {
    let names = wanted_names(rules, at);
    let is_read = |name: &str| Some(name) == id || names.contains(name);
    let fields = table.schema.fields().iter().enumerate();
    let places: Vec<usize> = fields.filter(|(_, field)| is_read(field.name())).map(|(place, _)| place).collect();
    Ok(ContentId::from_table(&table.with_columns(&places)?))
}
