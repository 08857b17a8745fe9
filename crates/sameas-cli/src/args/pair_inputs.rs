//! Pairs of any origin, and what is read beside them: options of `cluster` and `sweep`.

use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;
use sameas::clusters::{ClusterPairsJob, PairColumnNames};
use sameas::{Error, Input, Result};

use super::values;

/// Pairs and their records.
#[derive(Debug, Args)]
pub struct PairInputs {
    /// Files of pairs: CSV, JSON lines or Parquet, plain or packed (.gz, .zst); patterns in quotes; - for standard
    /// input; or the folder of a run
    #[arg(value_name = "PAIRS", required = true)]
    pairs: Vec<PathBuf>,
    #[command(flatten)]
    columns: PairColumns,
    /// All records: those without a pair are clusters of their own, and limits count their values. Each file is a source
    /// where pairs name sources and records do not
    #[arg(long, value_name = "FILE", num_args = 1..)]
    records: Vec<PathBuf>,
    /// Pairs that must not be in one cluster, with the columns of pairs
    #[arg(long, value_name = "FILE")]
    keep_apart: Option<PathBuf>,
    /// Judgements: pairs that are the same stay together, pairs that are different apart
    #[arg(long, value_name = "FILE")]
    decided: Option<PathBuf>,
    /// Delimiter of CSV files [default: found from the header]; `tab` for tabs
    #[arg(long, value_name = "C", value_parser = values::delimiter)]
    delimiter: Option<u8>,
    /// Encoding of CSV files and JSON lines, such as windows-1252, if it is not utf-8
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
}

/// What columns are called.
#[derive(Debug, Args)]
struct PairColumns {
    /// Columns with the two ids of a pair
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1)]
    columns: Vec<String>,
    /// Columns with the two sources of a pair
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1)]
    source_columns: Vec<String>,
    /// Column with the score [default: match_probability, else match_weight, else score]
    #[arg(long, value_name = "COL")]
    score: Option<String>,
    /// Column with the rule of a pair [default: match_key]
    #[arg(long, value_name = "COL")]
    match_key: Option<String>,
    /// Column that says which pairs are certain, whatever their score [default: certain]
    #[arg(long, value_name = "COL")]
    certain: Option<String>,
    /// Column of the records with their ids [default: id, else unique_id]
    #[arg(long, value_name = "COL", requires = "records")]
    id: Option<String>,
    /// Column of the records with their sources [default: source_dataset]
    #[arg(long, value_name = "COL", requires = "records")]
    source: Option<String>,
}

impl PairInputs {
    /// The components of these pairs.
    pub fn job(&self) -> Result<ClusterPairsJob> {
        let mut job = match self.folder() {
            Some(folder) => ClusterPairsJob::of_run(folder)?,
            None => ClusterPairsJob::new(self.input(&self.pairs)?),
        };
        job.columns = self.columns.names()?;
        (job.id, job.source) = (self.columns.id.clone(), self.columns.source.clone());
        for records in &self.records {
            job = job.with_records(self.input(slice::from_ref(records))?);
        }
        if let Some(path) = &self.keep_apart {
            job = job.with_kept_apart(self.input(slice::from_ref(path))?);
        }
        match &self.decided {
            Some(path) => Ok(job.with_decided(self.input(slice::from_ref(path))?)),
            None => Ok(job),
        }
    }

    /// The folder of the run that the pairs are from.
    pub fn folder(&self) -> Option<&Path> {
        match &self.pairs[..] {
            [folder] if folder.is_dir() => Some(folder),
            _ => None,
        }
    }

    /// Some files, read as all others.
    pub fn input(&self, paths: &[PathBuf]) -> Result<Input> {
        let mut input = Input::files(paths);
        if let Some(delimiter) = self.delimiter {
            input = input.with_delimiter(delimiter);
        }
        match &self.encoding {
            Some(encoding) => input.with_encoding(encoding),
            None => Ok(input),
        }
    }
}

impl PairColumns {
    fn names(&self) -> Result<PairColumnNames> {
        Ok(PairColumnNames {
            ids: two("--columns", &self.columns)?,
            sources: two("--source-columns", &self.source_columns)?,
            score: self.score.clone(),
            match_key: self.match_key.clone(),
            certain: self.certain.clone(),
        })
    }
}

fn two(option: &str, names: &[String]) -> Result<Option<[String; 2]>> {
    match names {
        [] => Ok(None),
        [first, second] => Ok(Some([first.clone(), second.clone()])),
        other => Err(Error::usage(format!("{option} takes two columns, and {} were given", other.len()))
            .with_help(format!("write for example {option} left,right"))),
    }
}
