//! How tables are read, beyond which files they are in.

use std::path::PathBuf;

use clap::Args;
use sameas::{Input, Job, Result};

/// What the files are like.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct Reading {
    /// Encoding of CSV files and JSON lines, such as windows-1252, latin1 or utf-16le [default: that of the rule file,
    /// else utf-8]; a file that begins with a byte order mark is read as that says
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Texts that stand for a missing value, with commas between them, as in 'NULL,N/A,-'; may be repeated. Values must
    /// be exactly these: case matters, and nothing is trimmed [default: those of the rule file]
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', allow_hyphen_values = true)]
    pub null: Vec<String>,
    /// A text of white space alone is a missing value too
    #[arg(long)]
    pub blank_is_null: bool,
    /// Leave out records without an id, which are otherwise an error; the results say which they are
    #[arg(long)]
    pub skip_null_ids: bool,
}

/// The columns with the ids of the two tables of a link.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct SideIds {
    /// Column with the ids of the left table, where it has another name than that of --id
    #[arg(long, value_name = "COL")]
    pub id_left: Option<String>,
    /// Column with the ids of the right table
    #[arg(long, value_name = "COL")]
    pub id_right: Option<String>,
}

impl Reading {
    /// Files that are read in this way.
    pub fn input(&self, paths: &[PathBuf], delimiter: Option<u8>) -> Result<Input> {
        let mut input = Input::files(paths);
        if let Some(delimiter) = delimiter {
            input = input.with_delimiter(delimiter);
        }
        if let Some(encoding) = &self.encoding {
            input = input.with_encoding(encoding)?;
        }
        if !self.null.is_empty() {
            input = input.with_null_texts(&self.null);
        }
        Ok(if self.blank_is_null { input.with_blank_as_null(true) } else { input })
    }

    /// The job, with or without the records that have no id.
    pub fn apply(&self, job: Job) -> Job {
        if self.skip_null_ids { job.with_null_ids_skipped() } else { job }
    }
}

impl SideIds {
    /// The job with these ids.
    pub fn apply(&self, job: Job) -> Job {
        let sides = [("left", &self.id_left), ("right", &self.id_right)];
        let given = sides.into_iter().filter_map(|(side, column)| Some((side, column.as_deref()?)));
        given.fold(job, |job, (side, column)| job.with_id_of(side, column))
    }
}
