//! What a run records of its inputs.

use std::fs;

use serde::{Deserialize, Serialize};

use crate::expr::utc;
use crate::records::{ContentId, Input, SkippedRecord, Table};

/// A file of an input, as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputFileRecord {
    /// Its path.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was last changed, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}

impl InputFileRecord {
    /// The record of the file at this path, if it is a plain one.
    fn from_path(path: &str) -> Option<Self> {
        let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self { path: path.to_owned(), bytes: file.len(), modified: file.modified().ok().map(utc) })
    }
}

/// An input of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputRecord {
    /// Its name: the `source_dataset` of its records.
    pub name: String,
    /// The files it was read from.
    pub files: Vec<String>,
    /// Number of records.
    pub rows: u64,
    /// The 128-bit XXH3 hash of the columns that the job reads: their names, types and values.
    #[serde(default)]
    pub xxh128: String,
    /// Number of records that were left out because they have no id; they are not among the rows.
    #[serde(default)]
    pub skipped_records: u64,
    /// The first of them; the file `skipped` of the results has all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_skipped: Vec<SkippedRecord>,
    /// The paths and patterns that were given for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// The delimiter of CSV files, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// The column with the ids, or `row` where rows are numbered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The files, as far as they are plain ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on_disk: Vec<InputFileRecord>,
}

/// Records without an id that the record of a run names.
const FIRST_SKIPPED: usize = 5;

impl InputRecord {
    /// The record of a table that was read from an input, with the name of the column of its ids, and without its hash.
    pub(super) fn new(table: &Table, input: &Input, id: &str) -> Self {
        let files: Vec<String> = table.files.iter().map(|(label, _)| label.clone()).collect();
        let given = input.given();
        let on_disk = if given.is_empty() {
            Vec::new()
        } else {
            files.iter().filter_map(|f| InputFileRecord::from_path(f)).collect()
        };
        let skipped = table.skipped();
        Self {
            name: table.name.clone(),
            files,
            rows: table.rows() as u64,
            xxh128: String::new(),
            skipped_records: skipped.len() as u64,
            first_skipped: (0..skipped.len().min(FIRST_SKIPPED)).map(|at| skipped.get(at)).collect(),
            given,
            delimiter: input.given_delimiter(),
            id: id.to_owned(),
            on_disk,
        }
    }

    /// What identifies its records.
    pub(crate) fn content(&self) -> ContentId {
        ContentId::new(self.rows, &self.xxh128)
    }

    /// The same with the hash of the columns that a job reads.
    pub(super) fn with_hash(&self, hash: u128) -> Self {
        Self { xxh128: format!("{hash:032x}"), ..self.clone() }
    }

    /// The same for some of its records: this many.
    pub(super) fn of_part(&self, rows: u64) -> Self {
        Self { rows, skipped_records: 0, first_skipped: Vec::new(), ..self.clone() }
    }

    /// What a later run knows it by.
    pub(crate) fn name_and_rows(&self) -> (String, u64) {
        (self.name.clone(), self.rows)
    }
}
