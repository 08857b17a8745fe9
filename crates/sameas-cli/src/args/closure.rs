//! `sameas closure`: its options and help.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sameas::closure::{ClosureJob, ClosureMethod};
use sameas::{Error, Format, Input, Result};

use super::output::TableFormat;
use super::{DeviceFlags, EscapeFormulas, format_of, values};

/// Find all pairs of ids that a path of pairs connects: the transitive closure
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas closure edges.csv -o closure.parquet
  sameas closure roads.txt.gz --count                        only how many there are
  sameas closure links.parquet --columns from,to --undirected -o closure.csv
  sameas closure edges.csv --explain                         which way is taken, and why

The pairs are the first two columns of a table (CSV, JSON lines, Parquet), or plain text: two ids a
line, with white space or commas between them, comments behind # or %, no names of columns. Files
that end in .txt, .edges, .edgelist, .el or .dat are plain text, and so are those that end in .facts,
with tabs between ids. The result is sorted by the first id and then by the second: numbers by value,
texts by their bytes. It never has to fit the memory.")]
#[command(group(clap::ArgGroup::new("wanted").args(["count", "output", "explain"])))]
pub struct Closure {
    /// Files of pairs, plain or packed (.gz, .zst); patterns in quotes; - for standard input
    #[arg(value_name = "EDGES", required = true)]
    edges: Vec<PathBuf>,
    /// Columns with the two ids of a pair [default: the first two]; in plain text their numbers, as in 1,3
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1)]
    columns: Vec<String>,
    /// Read the files as plain text, whatever they end in; with --delimiter, it alone is between ids
    #[arg(long)]
    text: bool,
    /// Delimiter of CSV files [default: found from the header]; `tab` for tabs
    #[arg(long, value_name = "C", value_parser = values::delimiter)]
    delimiter: Option<u8>,
    /// Pairs lead both ways
    #[arg(long)]
    undirected: bool,
    /// Every id is connected with itself, too
    #[arg(long)]
    reflexive: bool,
    /// Only print how many pairs there are
    #[arg(long)]
    pub count: bool,
    /// File for the pairs, by its ending .csv, .parquet or .jsonl; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub output: PathBuf,
    /// Format on standard output [default: csv]
    #[arg(long, conflicts_with_all = ["count", "explain"])]
    format: Option<TableFormat>,
    #[command(flatten)]
    escape: EscapeFormulas,
    /// Replace the file if it is there
    #[arg(long)]
    pub overwrite: bool,
    /// Print how the closure would be found, and why, and what is expected of it
    #[arg(long)]
    pub explain: bool,
    /// How to find it: bits over the condensed graph, or the fixpoint of rules over relations. The result is the same
    #[arg(long, default_value = "auto")]
    method: Method,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory that may be taken, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub on: DeviceFlags,
    /// Print nothing but errors and what was asked for
    #[arg(short, long)]
    pub quiet: bool,
}

/// How a closure is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    Auto,
    Fixpoint,
    BitRows,
}

impl Closure {
    /// The job that was asked for.
    pub fn job(&self) -> Result<ClosureJob> {
        let mut input = Input::files(&self.edges);
        if let Some(delimiter) = self.delimiter {
            input = input.with_delimiter(delimiter);
        }
        if self.text {
            input = input.as_plain_text();
        }
        let job = ClosureJob::new(input).with_method(match self.method {
            Method::Auto => ClosureMethod::Auto,
            Method::Fixpoint => ClosureMethod::Fixpoint,
            Method::BitRows => ClosureMethod::BitRows,
        });
        let job = if self.undirected { job.undirected() } else { job };
        let job = if self.reflexive { job.reflexive() } else { job };
        match &self.columns[..] {
            [] => Ok(job),
            [first, second] => Ok(job.with_columns(first, second)),
            other => Err(Error::usage(format!("--columns takes two columns, and {} were given", other.len()))
                .with_help("write for example --columns from,to")),
        }
    }

    /// The format of the file, or of standard output.
    pub fn output_format(&self) -> Result<Format> {
        let asked = self.format.map(Format::from);
        if self.output != Path::new("-") {
            let by_ending = format_of(&self.output)?;
            return match asked {
                Some(other) if other != by_ending => {
                    let message =
                        format!("`{}` ends like another format than the one of --format", self.output.display());
                    Err(Error::usage(message).with_help("leave --format out: the ending of a file says it"))
                }
                _ => self.escape.apply(by_ending),
            };
        }
        if asked == Some(Format::Parquet) && std::io::stdout().is_terminal() {
            return Err(Error::usage("Parquet is not for a terminal")
                .with_help("send it to a file, as in -o closure.parquet, or use --format csv"));
        }
        self.escape.apply(asked.unwrap_or(Format::Csv))
    }
}
