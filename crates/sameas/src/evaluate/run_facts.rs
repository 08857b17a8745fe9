//! What an evaluation reads of the `run.json` of the run that gave a result.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::engine::RunRecord;
use crate::error::{Error, Result};
use crate::rules::LinkType;

/// What an evaluation needs to know of a run.
#[derive(Clone, Debug)]
pub struct RunFacts {
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// All pairs of records there are.
    pub nominal_pairs: u64,
    /// Pairs that were looked at.
    pub candidates: u64,
    input_names: Vec<String>,
}

impl RunFacts {
    /// Reads the `run.json` next to a result, if there is one.
    pub fn beside(result: &Path) -> Result<Option<Self>> {
        let path = result.with_file_name("run.json");
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Error::io("cannot read", &path, error))?,
        };
        let record = RunRecord::parse(&text, &path)
            .map_err(|error| error.with_help("move the file away, or evaluate a copy of the result elsewhere"))?;
        Ok(Some(Self::of(record)))
    }

    /// The facts of a record.
    pub fn of(record: RunRecord) -> Self {
        Self {
            link_type: record.link_type,
            nominal_pairs: record.nominal_pairs,
            candidates: record.candidates,
            input_names: record.inputs.into_iter().map(|input| input.name).collect(),
        }
    }

    /// The names of the inputs, the left one first.
    pub fn input_names(&self) -> Vec<String> {
        self.input_names.clone()
    }
}
