//! `sameas relate`: its options and help.

use std::path::PathBuf;

use clap::Args;

use super::output::TableFormat;
use super::{DeviceFlags, EscapeFormulas, PlanFormat, values};

/// Evaluate a Datalog program: relations that follow from tables by rules that refer to each other
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas relate paths.dl --input edge=edges.csv -o result
  sameas relate paths.dl --input edge='edges/*.parquet' --format parquet -o result
  sameas relate paths.dl --input edge=edges.csv --explain       strata, rules and join orders
  sameas relate paths.dl --input edge=edges.csv --analyze       tuples and time of each round

A program declares relations, and says by rules what is in them:
  .decl edge(x: number, y: number)
  .decl path(x: number, y: number)
  .input edge
  .output path
  path(x, y) :- edge(x, y).
  path(x, z) :- path(x, y), edge(y, z), x != z.

Columns are of type number (64-bit integers) or symbol (texts), at most four. The columns of an
input are those of its relation in their order, whatever their names. Files that end in .facts have
tabs between values and no names of columns, as for Soufflé. Files that end in .txt, .edges,
.edgelist, .el or .dat are plain text, without names either. A body has atoms, !atoms, comparisons
(=, !=, <, <=, >, >=) and counts, as in n = count : { edge(x, _) }. Each relation of .output becomes
a file of its name, sorted.")]
pub struct Relate {
    /// The file of the program
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,
    /// The file of a relation: CSV, JSON lines or Parquet, plain or packed (.gz, .zst); a pattern in quotes; - for
    /// standard input; may be repeated
    #[arg(long = "input", value_name = "NAME=FILE", value_parser = relation_file)]
    pub inputs: Vec<(String, PathBuf)>,
    /// Read the files as plain text, whatever they end in: white space between values, or tabs alone where texts are
    /// declared and the first line has one; no names of columns. With --delimiter, it alone is between values
    #[arg(long)]
    pub text: bool,
    /// Delimiter of CSV files [default: found from the header]; `tab` for tabs
    #[arg(long, value_name = "C", value_parser = values::delimiter)]
    pub delimiter: Option<u8>,
    /// Encoding of CSV files and JSON lines, such as windows-1252, if it is not utf-8
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Folder for the results [default: sameas-out; none with --analyze]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace earlier results in the folder
    #[arg(long)]
    pub overwrite: bool,
    /// Format of the results
    #[arg(long, default_value = "csv")]
    pub format: TableFormat,
    #[command(flatten)]
    pub escape: EscapeFormulas,
    /// Show strata, rules and the order of joins instead of evaluating the program
    #[arg(long, conflicts_with_all = ["analyze", "output"])]
    pub explain: bool,
    /// Show what was done, too: the order of joins, and tuples and time of each round
    #[arg(long)]
    pub analyze: bool,
    /// How --explain and --analyze print: for people or for programs
    #[arg(long, default_value = "text")]
    pub plan_format: PlanFormat,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory that may be taken, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub on: DeviceFlags,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// `edge=edges.csv`.
fn relation_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => {
            Ok((name.trim().to_owned(), PathBuf::from(file)))
        }
        _ => Err("not a relation and its file; write for example edge=edges.csv".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_and_its_file() {
        assert_eq!(relation_file("edge=a=b.csv"), Ok(("edge".into(), "a=b.csv".into())));
        assert!(relation_file("edges.csv").is_err() && relation_file("=a").is_err() && relation_file("a=").is_err());
    }
}
