//! `sameas show`: its options and help.

use std::path::PathBuf;

use clap::Args;

use super::{MemoryLimit, values};

/// Print the records of a cluster side by side, with their differences marked
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas show r7317                                the cluster with this id, or of this record
  sameas show people:17 --in result                of several tables, with the table's name
  sameas show r7317 --records 100 --full           more records, long values in full")]
pub struct Show {
    /// The id of a cluster, or of a record in it
    #[arg(value_name = "CLUSTER", allow_hyphen_values = true)]
    pub cluster: String,
    /// The folder that a run has written
    #[arg(long = "in", value_name = "DIR", default_value = "sameas-out")]
    pub folder: PathBuf,
    /// Records that are shown at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = values::number)]
    pub records: u64,
    /// Show long values in full
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub limit: MemoryLimit,
}
