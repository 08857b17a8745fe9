//! The term frequencies of a job: counted over its records, unless the job or its rules name a table that has them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::job::Job;
use crate::memory::MemoryBudget;
use crate::records::{ContentId, Input};
use crate::rules::{ComparisonRules, NamedFile, RuleSet};
use crate::score::{FrequencyReader, ValueFrequencies};
use crate::threshold::{Check, Sides};
use crate::verify::Program;

/// Where the term frequencies of a comparison are from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TermFrequencyRecord {
    /// The name of the comparison.
    pub comparison: String,
    /// The column whose values have frequencies.
    pub column: String,
    /// The table that gives them, by its path or its name; nothing where they are counted over the records of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// The values with a frequency.
    pub values: u64,
    /// The values of the records that the table lacks, and that are not adjusted.
    #[serde(default)]
    pub lacking: u64,
    /// The 128-bit XXH3 hash of the columns of the table with values and frequencies.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub xxh128: String,
}

impl TermFrequencyRecord {
    /// What is recorded of the frequencies of a comparison.
    pub(super) fn new(comparison: &ComparisonRules, column: &str, of: &ValueFrequencies) -> Self {
        let given = of.source();
        Self {
            comparison: comparison.name.clone(),
            column: column.to_owned(),
            given: given.map(|source| source.name.clone()),
            values: given.map_or_else(|| of.distinct(), |source| source.values),
            lacking: of.lacking(),
            xxh128: given.map(|source| source.xxh128.clone()).unwrap_or_default(),
        }
    }

    /// What identifies the table that gives them.
    pub(crate) fn content(&self) -> Option<ContentId> {
        self.given.as_ref().map(|_| ContentId::new(self.values, &self.xxh128))
    }
}

/// The column of a comparison whose values have frequencies.
pub struct FrequencyColumn {
    pub name: String,
    /// The table that gives them, if there is one.
    pub given: Option<Input>,
    /// What it is called, where it is a file that the rules name.
    pub file: Option<String>,
}

/// The frequencies of the values of a column.
pub(super) struct ReadFrequencies {
    /// The name of the column.
    pub column: String,
    /// The frequencies.
    pub values: ValueFrequencies,
    /// The file that has them, where the rules name one.
    pub file: Option<(String, ContentId)>,
    /// The table that gave them, and its bytes.
    table: Option<(Input, usize)>,
}

/// For each comparison with levels its column with term frequencies, if it has one. What the job names goes before what its
/// rules name.
pub fn frequency_columns(job: &Job) -> Result<Vec<Option<FrequencyColumn>>> {
    let in_rules: Vec<_> = job.rules.term_frequencies().collect();
    let is_named = |column: &str| in_rules.iter().flatten().any(|(name, _)| name.eq_ignore_ascii_case(column));
    // A model may take comparisons together, and then does without frequencies that the rules ask for.
    let completed = job.completed_rules();
    if let Some(column) = job.term_frequencies.keys().find(|column| !is_named(column)) {
        let names: Vec<String> = in_rules.iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
        let help = match &names[..] {
            [] => format!("a comparison asks for them: `term_frequency = \"{column}\"` below `[[compare]]`"),
            names => format!("the columns with term frequencies are: {}", names.join(", ")),
        };
        return Err(Error::usage(format!("no comparison has term frequencies of a column `{column}`")).with_help(help));
    }
    let of_job = |name: &str| {
        let mut all = job.term_frequencies.iter();
        all.find(|(column, _)| column.eq_ignore_ascii_case(name)).map(|(_, input)| input.clone())
    };
    let column = |(name, named): (&str, Option<NamedFile>)| {
        let (given, named) = match of_job(name) {
            Some(given) => (Some(given), None),
            None => (named.as_ref().map(|file| Input::files([&file.place])), named),
        };
        FrequencyColumn { name: name.to_owned(), given, file: named.map(|file| file.name) }
    };
    Ok(completed.term_frequencies().map(|of| of.map(column)).collect())
}

/// Refuses tables of frequencies that cannot be opened or lack a column, before anything large is read.
pub fn check_frequencies(job: &Job, cancel: Cancel<'_>) -> Result<()> {
    for column in frequency_columns(job)?.into_iter().flatten() {
        if let Some(input) = &column.given {
            FrequencyReader::open(input, &column.name, cancel)?;
        }
    }
    Ok(())
}

/// A file with term frequencies that is not there, if there is one.
pub fn missing_frequencies(job: &Job) -> Option<String> {
    let given = frequency_columns(job).ok()?.into_iter().flatten().filter_map(|column| column.given);
    let mut files = given.flat_map(|input| input.given());
    files.find(|path| !path.contains(['*', '?', '[']) && !Path::new(path).exists())
}

/// Whether some comparison needs all records to know how frequent its values are.
pub fn counts_frequencies(job: &Job) -> Result<bool> {
    Ok(frequency_columns(job)?.iter().flatten().any(|column| column.given.is_none()))
}

/// Tables of term frequencies that were read for a job, by column: whoever has them does not read them again.
#[derive(Clone, Debug, Default)]
pub struct KeptFrequencies {
    tables: BTreeMap<String, Input>,
    bytes: usize,
}

impl KeptFrequencies {
    /// Those of comparisons, which do not have them any more. A job has one table for a column: where its rules name several, or
    /// count for some comparisons, none is kept.
    pub(super) fn taken(all: &mut [Option<ReadFrequencies>]) -> Self {
        let is_one = |of: &ReadFrequencies| {
            let mut same = all.iter().flatten().filter(|other| other.column.eq_ignore_ascii_case(&of.column));
            same.all(|other| other.values.source() == of.values.source())
        };
        let are_one: Vec<bool> = all.iter().map(|of| of.as_ref().is_some_and(is_one)).collect();
        let mut kept = Self::default();
        for (of, is_one) in all.iter_mut().zip(are_one) {
            let Some(of) = of else { continue };
            if let Some((table, bytes)) = of.table.take()
                && is_one
                && kept.tables.insert(of.column.clone(), table).is_none()
            {
                kept.bytes += bytes;
            }
        }
        kept
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A job that finds them in memory, whatever it or its rules name.
    pub fn given_to(self, mut job: Job) -> Job {
        job.term_frequencies.retain(|of, _| !self.tables.keys().any(|column| column.eq_ignore_ascii_case(of)));
        job.term_frequencies.extend(self.tables);
        job
    }
}

/// The frequencies of the values of each comparison that asks for them.
pub(super) fn value_frequencies(
    job: &Job,
    rules: &RuleSet,
    program: &Program,
    budget: &MemoryBudget,
    cancel: Cancel<'_>,
) -> Result<Vec<Option<ReadFrequencies>>> {
    let cancel = cancel.within(budget);
    let encoded = &program.encoded;
    // What was read for a comparison before, by its column and the file that the rules name.
    let mut known: Vec<(String, Option<String>, Input)> = Vec::new();
    let of_column = |(rules, column): (&ComparisonRules, Option<FrequencyColumn>)| -> Result<_> {
        let (Some(operands), Some(column)) = (operands_of(rules, program), column) else { return Ok(None) };
        let FrequencyColumn { name, given, file } = column;
        let mut named = None;
        let (values, table) = match given {
            None => (ValueFrequencies::counted(encoded, operands), None),
            Some(input) => {
                let is_it = |(of, in_file, _): &&(String, Option<String>, Input)| {
                    of.eq_ignore_ascii_case(&name) && *in_file == file
                };
                let input = known.iter().find(is_it).map_or(input, |(.., table)| table.clone());
                let reader = FrequencyReader::open(&input, &name, cancel)?;
                let table = reader.read(encoded.domain(operands.left).ty, budget, cancel)?;
                let read = ContentId::new(table.source().values, &table.source().xxh128);
                if input.expected().is_some_and(|expected| !expected.is_of(&read)) {
                    return Err(other_frequencies(&name));
                }
                file.as_ref().map_or(Ok(()), |file| job.check_named_file(file, &read))?;
                let (values, table) = (ValueFrequencies::given(encoded, operands, &table), table.into_input()?);
                known.push((name.clone(), file.clone(), table.0.clone()));
                named = file.map(|file| (file, read));
                (values, Some(table))
            }
        };
        Ok(Some(ReadFrequencies { column: name, values, file: named, table }))
    };
    rules.scoring.comparisons.iter().zip(frequency_columns(job)?).map(of_column).collect()
}

/// Term frequencies of a column that are not as a run has read them.
pub fn other_frequencies(column: &str) -> Error {
    Error::data(format!("the term frequencies of `{column}` are not those of the run"))
        .with_help("run the job again, or bring back the files as they were")
        .with_code(ErrorCode::OtherRecords)
}

/// The operands whose values have term frequencies.
pub(super) fn operands_of(rules: &ComparisonRules, program: &Program) -> Option<Sides<usize>> {
    match program.checks[rules.term_frequency?] {
        Check::Equal { operands, .. } => Some(operands),
        _ => None,
    }
}
