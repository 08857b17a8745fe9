//! `sameas cluster`: its options and help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sameas::clusters::{ClusterPairsJob, ClusterSpec, MethodSpec, OneToSpec, SplitSpec};
use sameas::{Format, Input, Result, RuleFile};

use super::output::TableFormat;
use super::pair_inputs::PairInputs;
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
    #[command(flatten)]
    pairs: PairInputs,
    #[command(flatten)]
    method: ClusterFlags,
    /// Rule file whose [clusters] and [[limit]] say how clusters are made; it needs no rules
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
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
        let job = self.pairs.job()?;
        match &self.rules {
            Some(path) => Ok(job.with_rules(RuleFile::read(path)?)),
            None => Ok(job.with_spec(self.method.spec())),
        }
    }

    /// All that is read.
    pub fn reads(&self, job: &ClusterPairsJob) -> Vec<Input> {
        let record = self.pairs.folder().map(|folder| folder.join("run.json"));
        let others = self.rules.iter().cloned().chain(record).map(|path| Input::files([path]));
        job.files_read().into_iter().chain(others).collect()
    }

    /// The format of the results.
    pub fn output_format(&self) -> Result<Format> {
        self.escape.apply(Format::from(self.format))
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
