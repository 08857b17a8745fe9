//! `sameas cluster`: its options and help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sameas::clusters::{ClusterPairsJob, ClusterSpec, MethodSpec, OneToSpec, PairColumnNames, SplitSpec};
use sameas::{Error, Format, Input, Result, RuleFile};

use super::output::TableFormat;
use super::{EscapeFormulas, values};

/// Make clusters of pairs of any origin, with scores or without
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas cluster pairs.csv -o clusters
  sameas cluster sameas-out --method louvain -o clusters       of the pairs of a run, by its folder
  sameas cluster pairs.parquet --threshold 0.9 --one-to --records a.csv b.csv -o clusters
  sameas cluster pairs.csv --decided judged.csv --keep-apart never.csv -o clusters
  sameas cluster pairs.csv --threshold 0.8,0.9,0.95 -o clusters   a column for each threshold

Pairs are columns `unique_id_l` and `unique_id_r` (or `id_l` and `id_r`), with `source_dataset_l` and
`source_dataset_r` where records have sources, and if they are there a score, `match_key` and
`certain`. The result is `clusters` (each record once), `cut` (the pairs whose records are in
different clusters, and why) and run.json.")]
pub struct Cluster {
    /// Files of pairs: CSV, JSON lines or Parquet, plain or packed (.gz, .zst); patterns in quotes; - for standard
    /// input; or the folder of a run
    #[arg(value_name = "PAIRS", required = true)]
    pairs: Vec<PathBuf>,
    #[command(flatten)]
    columns: ClusterColumns,
    /// All records: those without a pair are clusters of their own, and limits count their values. Each file is a source
    /// where pairs name sources and records do not
    #[arg(long, value_name = "FILE", num_args = 1..)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    method: ClusterFlags,
    /// Rule file whose [clusters] and [[limit]] say how clusters are made; it needs no rules
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
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
    /// Folder for the results
    #[arg(short, long, value_name = "DIR", default_value = "sameas-out")]
    pub output: PathBuf,
    /// Replace earlier results in the folder
    #[arg(long)]
    pub overwrite: bool,
    /// Format of the results
    #[arg(long, default_value = "parquet")]
    format: TableFormat,
    #[command(flatten)]
    escape: EscapeFormulas,
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

/// What columns are called.
#[derive(Debug, Args)]
struct ClusterColumns {
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

/// How clusters are made, where no rule file says it.
#[derive(Debug, Args)]
struct ClusterFlags {
    /// Leave out pairs with a lower score; several thresholds, with commas between them, give components alone
    #[arg(long, value_name = "T", value_delimiter = ',', allow_hyphen_values = true, conflicts_with = "rules")]
    threshold: Vec<f64>,
    /// What makes clusters of pairs [default: components]
    #[arg(long, conflicts_with = "rules")]
    method: Option<ClusterMethodName>,
    /// How alike two clusters must be to become one, for the methods average and complete
    #[arg(long, value_name = "T", allow_hyphen_values = true, conflicts_with = "rules")]
    least: Option<f64>,
    /// The most records of a cluster
    #[arg(long, value_name = "N", conflicts_with = "rules")]
    max_size: Option<u32>,
    /// At most one record of each source in a cluster
    #[arg(long, value_name = "one", num_args = 0..=1, require_equals = true, default_missing_value = "one",
          value_parser = ["one"], conflicts_with_all = ["rules", "one_to_many"])]
    one_to: Option<String>,
    /// At most one record of each source but this one
    #[arg(long, value_name = "SOURCE", conflicts_with = "rules")]
    one_to_many: Option<String>,
    /// Divide clusters in the end: at pairs that alone hold two parts together
    #[arg(long, conflicts_with = "rules", requires = "density")]
    split: Option<SplitName>,
    /// The share of their pairs that both parts must have for a split, from 0 to 1
    #[arg(long, value_name = "SHARE", conflicts_with = "rules", requires = "split")]
    density: Option<f64>,
}

/// What makes clusters of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ClusterMethodName {
    Components,
    Optimal,
    Average,
    Complete,
    Louvain,
}

/// Where clusters are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SplitName {
    Bridges,
}

impl Cluster {
    /// The job that was asked for.
    pub fn job(&self) -> Result<ClusterPairsJob> {
        let mut job = match &self.pairs[..] {
            [folder] if folder.is_dir() => ClusterPairsJob::of_run(folder)?,
            files => ClusterPairsJob::new(self.input(files)?),
        };
        job.columns = self.columns.names()?;
        (job.id, job.source) = (self.columns.id.clone(), self.columns.source.clone());
        job = match &self.rules {
            Some(path) => job.with_rules(RuleFile::read(path)?),
            None => job.with_spec(self.method.spec()),
        };
        for records in &self.records {
            job = job.with_records(self.input(std::slice::from_ref(records))?);
        }
        if let Some(path) = &self.keep_apart {
            job = job.with_kept_apart(self.input(std::slice::from_ref(path))?);
        }
        match &self.decided {
            Some(path) => Ok(job.with_decided(self.input(std::slice::from_ref(path))?)),
            None => Ok(job),
        }
    }

    /// All that is read.
    pub fn reads(&self, job: &ClusterPairsJob) -> Vec<Input> {
        let mut reads = job.files_read();
        reads.extend(self.rules.iter().map(|path: &PathBuf| Input::files([path])));
        if let [folder] = &self.pairs[..]
            && folder.is_dir()
        {
            reads.push(Input::files([folder.join("run.json")]));
        }
        reads
    }

    /// The format of the results.
    pub fn output_format(&self) -> Result<Format> {
        self.escape.apply(Format::from(self.format))
    }

    fn input(&self, paths: &[PathBuf]) -> Result<Input> {
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

impl ClusterColumns {
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

impl ClusterFlags {
    fn spec(&self) -> ClusterSpec {
        let many = self.one_to_many.clone().map(OneToSpec::Many);
        ClusterSpec {
            thresholds: self.threshold.clone(),
            method: self.method.map_or(MethodSpec::Components, ClusterMethodName::spec),
            least: self.least,
            max_size: self.max_size,
            one_to: many.or(self.one_to.as_ref().map(|_| OneToSpec::One)),
            split: self.split.map(|SplitName::Bridges| SplitSpec::Bridges),
            density: self.density,
            ..ClusterSpec::default()
        }
    }
}

impl ClusterMethodName {
    fn spec(self) -> MethodSpec {
        match self {
            Self::Components => MethodSpec::Components,
            Self::Optimal => MethodSpec::Optimal,
            Self::Average => MethodSpec::Average,
            Self::Complete => MethodSpec::Complete,
            Self::Louvain => MethodSpec::Louvain,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    fn spec(args: &[&str]) -> ClusterSpec {
        let parsed = Cli::try_parse_from([&["sameas", "cluster", "pairs.csv"], args].concat()).unwrap();
        let Command::Cluster(args) = parsed.command else { panic!("not cluster") };
        args.job().unwrap().spec
    }

    #[test]
    fn flags_are_a_spec() {
        assert!(spec(&[]).is_default());
        assert_eq!(spec(&["--threshold", "0.8,0.9"]).thresholds, [0.8, 0.9]);
        assert_eq!(spec(&["--threshold", "-3.5"]).thresholds, [-3.5]);
        assert_eq!(spec(&["--one-to"]).one_to, Some(OneToSpec::One));
        assert_eq!(spec(&["--one-to=one"]).one_to, Some(OneToSpec::One));
        assert_eq!(spec(&["--one-to-many", "a"]).one_to, Some(OneToSpec::Many("a".into())));
        let linkage = spec(&["--method", "average", "--least", "0.5", "--max-size", "9"]);
        assert_eq!((linkage.method, linkage.least, linkage.max_size), (MethodSpec::Average, Some(0.5), Some(9)));
        let split = spec(&["--split", "bridges", "--density", "0.3"]);
        assert_eq!((split.split, split.density), (Some(SplitSpec::Bridges), Some(0.3)));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        for wrong in [
            &["--rules", "c.toml", "--max-size", "3"][..],
            &["--one-to", "--one-to-many", "a"],
            &["--split", "bridges"],
            &["--density", "0.3"],
            &["--id", "no"],
        ] {
            let args = [&["sameas", "cluster", "pairs.csv"], wrong].concat();
            assert!(Cli::try_parse_from(args).is_err(), "{wrong:?}");
        }
    }
}
