//! `sameas profile`: its options and help.

use clap::Args;

use super::{AnyInputs, PlanFormat, values};

/// Look at inputs before writing rules: what their columns hold, and which keys would join their records
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas profile people.csv
  sameas profile --link customers.csv orders.parquet            keys between two tables
  sameas profile people.csv --print-rules > rules.toml          a rule file to begin with
  sameas profile people.csv --format json                       for programs

For each column: missing and different values, the most frequent ones, formats and patterns (9 is a
digit, A a capital letter, a another one; four letters stand for four or more), and what to do about
them. Then the keys that would join the records, as they are written in a rule, each with the exact
number of pairs that it would give to look at.")]
pub struct Profile {
    #[command(flatten)]
    pub inputs: AnyInputs,
    /// How to print the profile: for people or for programs
    #[arg(long, default_value = "text")]
    pub format: PlanFormat,
    /// Print a rule file to begin with instead: the best keys, with a similarity beside them
    #[arg(long, conflicts_with = "format")]
    pub print_rules: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory that may be taken, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
}
