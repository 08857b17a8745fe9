//! What people have decided about pairs.

use std::path::PathBuf;

use clap::Args;
use sameas::Job;

use crate::output_files::one_file;

/// What people have decided about pairs.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct Decided {
    /// A file of judgements: pairs that are the `same` are pairs of the result, whatever the rules say; pairs that are
    /// `different` are not, and are kept apart
    #[arg(long = "decided", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

impl Decided {
    /// The job with these decisions.
    pub fn apply(&self, job: Job) -> Job {
        match &self.file {
            Some(path) => job.with_decisions(one_file(path)),
            None => job,
        }
    }
}
