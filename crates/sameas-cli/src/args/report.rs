//! `sameas report`: its options and help.

use std::path::PathBuf;

use clap::Args;

use super::values;

/// Make one HTML file to look at of a run: rules, scores, clusters, data, plan and examples
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas report sameas-out                                      writes sameas-out/report.html
  sameas report sameas-out -o people.html --mask surname --mask birth_date
  sameas report sameas-out --truth truth.csv --size 5MB
  sameas report sameas-out --truth truth.csv --sweep            which threshold, which clusters

The file needs no network and no server: open it in a browser. It holds values of your records,
except of columns that --mask names, whose values are replaced by codes: equal values have equal
codes. What does not fit its size is sampled, and the report says so. The inputs are read again and
must be as they were; where a file is gone, the report is made without values.")]
pub struct Report {
    /// The folder that a run has written
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The file to write [default: report.html in the folder]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    pub overwrite: bool,
    /// A column whose values are masked; may be repeated. Columns that are derived from it are masked, too
    #[arg(long, value_name = "COLUMN")]
    pub mask: Vec<String>,
    /// The size that the file may have, such as 10MB or 500kB
    #[arg(long, value_name = "SIZE", default_value = "10MB", value_parser = values::memory)]
    pub size: usize,
    /// The truth, pairs or clusters, to show precision and recall
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    /// Compare thresholds and ways to make clusters of the pairs, as `sameas sweep DIR` does
    #[arg(long)]
    pub sweep: bool,
    /// Pairs that people have judged, to compare these by, where the whole truth is not known
    #[arg(long, value_name = "FILE", requires = "sweep", conflicts_with = "truth")]
    pub labels: Option<PathBuf>,
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
