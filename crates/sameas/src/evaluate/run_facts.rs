//! What `run.json` tells of the run that gave a result.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::error::{Error, Result};

/// What an evaluation needs to know of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct RunFacts {
    /// `dedupe_only`, `link_only` or `link_and_dedupe`.
    pub link_type: String,
    /// All pairs of records there are.
    pub nominal_pairs: u64,
    /// Pairs that were looked at.
    pub candidates: u64,
    inputs: Vec<InputFacts>,
}

#[derive(Clone, Debug, Deserialize)]
struct InputFacts {
    name: String,
}

impl RunFacts {
    /// Reads the `run.json` that lies in the folder of a result, if there is one.
    pub fn beside(result: &Path) -> Result<Option<Self>> {
        let path = result.with_file_name("run.json");
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Error::io("cannot read", &path, error))?,
        };
        let facts = serde_json::from_str(&text);
        facts.map(Some).map_err(|error| {
            Error::data(format!("{}: not the record of a run: {error}", path.display()))
                .with_help("move the file away, or evaluate a copy of the result elsewhere")
        })
    }

    /// The names of the inputs, the left one first.
    pub fn input_names(&self) -> Vec<String> {
        self.inputs.iter().map(|input| input.name.clone()).collect()
    }
}
