//! The options of `sameas train`.

use std::path::PathBuf;

use clap::Args;

use super::device::DeviceFlags;
use super::job::{AnyInputs, Rules};
use super::values;

/// Learn how much each level of a comparison says about a match, from the records themselves
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas train people.csv --rules people.toml -o model.toml
  sameas dedupe people.csv --rules people.toml --model model.toml -o result
  sameas why people.csv --rules people.toml --model model.toml --pair 17 42

The rule file has a [[compare]] for each comparison. Training needs no known matches: it looks at the
pairs of the rules, or of those in [train], and at how often levels agree by chance.")]
pub struct Train {
    #[command(flatten)]
    pub inputs: AnyInputs,
    #[command(flatten)]
    pub rules: Rules,
    /// File for the model (TOML); - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub output: PathBuf,
    /// Replace the file if it is there
    #[arg(long)]
    pub overwrite: bool,
    /// Take comparisons together that depend on each other: one with conjunctions of the levels of two
    #[arg(long)]
    pub combine_dependent: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory the job may take, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub on: DeviceFlags,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
