//! `sameas evaluate`: its options and help.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sameas::evaluate::AnswerKind;

use super::{EscapeFormulas, MemoryLimit, values};

/// Measure a result: against the truth, by labelled pairs, or against another result
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas evaluate --pairs sameas-out/pairs.parquet --truth matches.csv
  sameas evaluate --clusters sameas-out/clusters.parquet --truth clusters.csv --format json
  sameas evaluate --pairs pairs.csv --truth matches.csv --wrong wrong.csv --missed missed.csv
  sameas evaluate --pairs sameas-out/pairs.parquet --labels labels.csv
  sameas evaluate --clusters new/clusters.parquet --against old/clusters.parquet

The truth is a file of id pairs (the first two columns, whatever their names), or of records and
their clusters (columns `id` or `unique_id`, and `cluster` or `cluster_id`). Ids are compared as
text. A truth of clusters without a column `source_dataset` must have ids that are unique over
all inputs. The numbers of candidates and of all pairs come from the `run.json` beside the
result, or that of all pairs from --records.

Labels are pairs that people have judged: columns `unique_id_l`, `unique_id_r` and `judgement`
(same, different or unsure), and if they are a sample `stratum` and `inclusion_probability`.
Precision and recall are then estimated, for the pairs that the sample was drawn from.")]
#[command(group(clap::ArgGroup::new("result").required(true).args(["pairs", "clusters"])))]
#[command(group(clap::ArgGroup::new("measure").required(true).args(["truth", "labels", "against"])))]
pub struct Evaluate {
    /// The pairs to evaluate
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,
    /// The clusters to evaluate: every two records of one cluster count as a pair, and with a truth there are measures of
    /// clusters, too
    #[arg(long, value_name = "FILE")]
    pub clusters: Option<PathBuf>,
    /// The truth
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    /// Pairs that people have judged, where the whole truth is not known
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// The clusters of another result: which of them are the same here, split, merged or otherwise changed
    #[arg(long, value_name = "FILE", requires = "clusters", conflicts_with = "pairs")]
    pub against: Option<PathBuf>,
    /// Encoding of the truth, or of the labels, such as windows-1252, if it is not utf-8
    #[arg(long, value_name = "NAME", conflicts_with = "against")]
    pub encoding: Option<String>,
    /// What the truth holds [default: clusters if it has a column `cluster` or `cluster_id`, else pairs]
    #[arg(long, value_name = "KIND", requires = "truth")]
    pub truth_kind: Option<TruthKind>,
    /// Count a found pair only if the truth knows at least one of its records (for a truth about some records only);
    /// measures of clusters count only records that it knows
    #[arg(long, requires = "truth")]
    pub among: bool,
    /// The result links tables: score pairs across them, the left id first [known from run.json if it is there]
    #[arg(long, conflicts_with = "against")]
    pub link: bool,
    /// Number of records, of each table in a link; known from run.json if it is there
    #[arg(long, value_name = "N", num_args = 1.., value_parser = values::number, requires = "truth")]
    pub records: Vec<u64>,
    /// List the found pairs that are not true in this file, with their match_key: .csv, .parquet or .jsonl
    #[arg(long, value_name = "FILE", requires = "truth")]
    pub wrong: Option<PathBuf>,
    /// List the true pairs that were not found in this file
    #[arg(long, value_name = "FILE", requires = "truth")]
    pub missed: Option<PathBuf>,
    /// Write what each threshold on the score of the pairs would find into this file: .csv, .parquet or .jsonl
    #[arg(long, value_name = "FILE", requires = "pairs", requires = "truth")]
    pub thresholds: Option<PathBuf>,
    /// Replace these files if they are there
    #[arg(long)]
    pub overwrite: bool,
    #[command(flatten)]
    pub escape: EscapeFormulas,
    /// Exit with 1 if F1 is below this
    #[arg(long, value_name = "F1", value_parser = values::share, requires = "truth")]
    pub min_f1: Option<f64>,
    /// How to print the figures: for people or for programs
    #[arg(long, default_value = "table")]
    pub format: ScoreFormat,
    #[command(flatten)]
    pub limit: MemoryLimit,
}

/// What a truth holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TruthKind {
    Pairs,
    Clusters,
}

impl From<TruthKind> for AnswerKind {
    fn from(kind: TruthKind) -> Self {
        match kind {
            TruthKind::Pairs => Self::Pairs,
            TruthKind::Clusters => Self::Clusters,
        }
    }
}

/// How figures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScoreFormat {
    Table,
    Json,
}
