//! The command line of `functions`.

use clap::{Args, ValueEnum};

/// List the functions and operators of the rule language, or explain one of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas functions                     all of them, in groups
  sameas functions jaro_winkler        one of them: meaning, nulls, an example and its result
  sameas functions '||'                operators in quotes
  sameas functions --format json       for programs")]
pub struct Functions {
    /// The function or operator to explain
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// How to print it: for people, for programs or as a page
    #[arg(long, default_value = "text")]
    pub format: FunctionsFormat,
}

/// How functions are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FunctionsFormat {
    Text,
    Json,
    Markdown,
}
