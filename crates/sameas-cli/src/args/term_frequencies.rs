//! The options of `sameas term-frequencies`.

use std::path::PathBuf;

use clap::Args;

use super::job::AnyInputs;
use super::output::TableFormat;
use super::values;

/// Count how frequent values are, for jobs over some of the records or over those of another day
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas term-frequencies people.csv --rules people.toml -o frequencies
  sameas link new.csv people.csv --rules people.toml --model model.toml \\
      --term-frequencies surname=frequencies/surname.parquet -o result

Each column that a [[compare]] names as `term_frequency` becomes a file of its name. It has a `value`,
the `count` of its records, and its `frequency`, their share of all records with a value. A job that
reads the file, by --term-frequencies or by `term_frequencies` in [[compare]], gives a value the weight
that it has here, whatever its own records are.")]
pub struct TermFrequencies {
    #[command(flatten)]
    pub inputs: AnyInputs,
    /// A file of rules (TOML), whose comparisons name the columns; may be repeated
    #[arg(long = "rules", value_name = "FILE", required = true)]
    pub rules: Vec<PathBuf>,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Replace the files if they are there
    #[arg(long)]
    pub overwrite: bool,
    /// Format of the files
    #[arg(long, default_value = "parquet")]
    pub format: TableFormat,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory that may be taken, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
