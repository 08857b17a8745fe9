//! An input of a job as a value: where its records are found again, how they are read, and which they were.

use std::path::Path;
use std::slice::Iter;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result};
use crate::records::{ContentId, Input, ReadOptions, SourceDescription, found_in};

/// An input of a job as a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct InputSpec {
    /// Where its records are found again: in files, or by asking whoever gave them.
    pub source: SourceDescription,
    /// How they are read.
    #[serde(default)]
    pub options: ReadOptions,
    /// The records that were read of it, if they were; others are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentId>,
}

impl InputSpec {
    /// That of an input which is read in this way.
    pub(super) fn new(input: &Input, mut options: ReadOptions) -> Self {
        // No text stands for a missing value, or nothing was said of that: the same, where no rules say more.
        options.null = options.null.filter(|texts| !texts.is_empty());
        Self { source: input.description(), options, content: input.expected().cloned() }
    }

    /// The name of the records, if they have to be asked for.
    pub fn asks_for(&self) -> Option<&str> {
        self.source.records()
    }

    /// Where its files are that are named by relative paths, if they are in this folder: their paths are absolute then.
    pub(super) fn found_in(&self, folder: &Path) -> Self {
        let SourceDescription::Files { given } = &self.source else { return self.clone() };
        let place =
            |given: &String| found_in(folder, given).and_then(|place| place.into_os_string().into_string().ok());
        let given = given.iter().map(|given| place(given).unwrap_or_else(|| given.clone())).collect();
        Self { source: SourceDescription::Files { given }, ..self.clone() }
    }

    /// The input again; records that have to be asked for are the next of those that were given. Files are looked for in
    /// this folder first, if there is one.
    pub(super) fn input(&self, given: &mut Iter<'_, Input>, folder: Option<&Path>) -> Result<Input> {
        let input = match self.source.records() {
            Some(name) => records(name, given.next())?,
            None => Input::files(folder.map_or_else(|| self.clone(), |folder| self.found_in(folder)).source.given()),
        };
        Ok(input.with_options(self.options.clone()).expecting(self.content.clone()))
    }
}

fn records(name: &str, given: Option<&Input>) -> Result<Input> {
    let input = given.ok_or_else(|| not_given(name))?;
    let description = input.description();
    match description.records() {
        Some(own) if own == name => Ok(input.clone()),
        Some(other) => Err(Error::usage(format!("the records `{name}` are asked for, and `{other}` are given"))
            .with_help("give the records in the order in which the job names them, and by these names")),
        None => {
            let given = description.given().join(", ");
            Err(Error::usage(format!("the records `{name}` are asked for, and `{given}` is given"))
                .with_help("give the records themselves: those of a file have other types"))
        }
    }
}

/// Records that somebody gave to a job, and that are not here.
pub(super) fn not_given(name: &str) -> Error {
    Error::usage(format!("the records `{name}` were given to the job, and have to be given again"))
        .with_help("they are in no file: only the program that has them can give them")
        .with_code(ErrorCode::RecordsNotGiven)
}
