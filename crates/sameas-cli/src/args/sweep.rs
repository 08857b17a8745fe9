//! `sameas sweep`: its options and help.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use sameas::clusters::ClusterSpec;
use sameas::evaluate::{AnswerKind, SweepMethod, SweepRequest};
use sameas::{Error, Input, Result, RuleFile, Session};

use super::evaluate::TruthKind;
use super::pair_inputs::PairInputs;
use super::values;

/// Compare thresholds and ways to make clusters, on pairs that are read once
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas sweep sameas-out --truth truth.csv                     all that fits the pairs of a run
  sameas sweep sameas-out --labels labels.csv --methods components,average
  sameas sweep pairs.csv --thresholds 0.5..0.95 --step 0.05     how clusters change, without truth
  sameas sweep pairs.csv --thresholds 0.8,0.9 --truth truth.csv --format csv > sweep.csv

Pairs are those of `sameas cluster`, the truth and labels those of `sameas evaluate`. Each row is
what these two give for its threshold and its method: components, one_to_one (components with
one_to), optimal, average and complete (with the threshold as least), louvain, bridges (components
with a split). Without --methods, these are all that fit: one_to_one and optimal for two sources,
average and complete for pairs with scores. `clusters` counts those of two or more records;
--format csv and json have all figures.")]
pub struct Sweep {
    #[command(flatten)]
    pairs: PairInputs,
    /// Thresholds on the score, with commas between them, or from..to with --step [default: the tenths of the scores]
    #[arg(long, value_name = "T", value_delimiter = ',', allow_hyphen_values = true, value_parser = threshold_range)]
    thresholds: Vec<ThresholdRange>,
    /// The step between the thresholds of from..to
    #[arg(long, value_name = "S", requires = "thresholds")]
    step: Option<f64>,
    /// Methods, with commas between them [default: all that fit]
    #[arg(long, value_name = "METHOD", value_delimiter = ',', value_parser = methods())]
    methods: Vec<String>,
    /// The truth: pairs, or clusters
    #[arg(long, value_name = "FILE", conflicts_with = "labels")]
    truth: Option<PathBuf>,
    /// What the truth holds [default: clusters if it has a column `cluster` or `cluster_id`, else pairs]
    #[arg(long, value_name = "KIND", requires = "truth")]
    truth_kind: Option<TruthKind>,
    /// Count a found pair only if the truth knows at least one of its records (for a truth about some records only)
    #[arg(long, requires = "truth")]
    among: bool,
    /// Pairs that people have judged, where the whole truth is not known
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// The pairs link two tables: score pairs across them, the left id first [known of the run of a link]
    #[arg(long)]
    link: bool,
    /// The most records of a cluster, in all rows
    #[arg(long, value_name = "N", conflicts_with = "rules")]
    max_size: Option<u32>,
    /// Rule file whose [[limit]]s and constraints of [clusters] hold for all rows; it needs no rules
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The share of their pairs that both parts must have where the method `bridges` divides a cluster [default: 0.3]
    #[arg(long, value_name = "SHARE")]
    density: Option<f64>,
    /// How to print the figures: for people or for programs
    #[arg(long, default_value = "table")]
    pub format: SweepFormat,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,
    /// Memory that may be taken, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    memory: Option<usize>,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// How the rows of a sweep are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    Table,
    Json,
    Csv,
}

/// A threshold, or several with a step between them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ThresholdRange {
    from: f64,
    to: Option<f64>,
}

/// More thresholds than these are a mistake in the step.
const MOST_THRESHOLDS: f64 = 10_000.0;

impl Sweep {
    /// What was asked for.
    pub fn request(&self) -> Result<SweepRequest> {
        let mut job = self.pairs.job()?;
        job = match &self.rules {
            Some(path) => job.with_rules(RuleFile::read(path)?),
            None => job.with_spec(ClusterSpec { max_size: self.max_size, ..ClusterSpec::default() }),
        };
        // Of a run it is known which table each side is from.
        let is_link = self.link || job.sides.is_some();
        if self.link {
            job.sides.get_or_insert_with(|| ["left", "right"].map(str::to_owned));
        }
        let read = |path: &Option<PathBuf>| -> Result<Option<Input>> {
            path.as_ref().map(|path| self.pairs.input(std::slice::from_ref(path))).transpose()
        };
        let mut request = SweepRequest::new(job);
        (request.truth, request.labels) = (read(&self.truth)?, read(&self.labels)?);
        request.truth_kind = self.truth_kind.map(AnswerKind::from);
        (request.among_known, request.across) = (self.among, is_link);
        request.thresholds = self.thresholds()?;
        let named = |name: &String| SweepMethod::ALL.into_iter().find(|method| method.name() == name);
        request.methods = self.methods.iter().filter_map(named).collect();
        request.density = self.density.unwrap_or(request.density);
        Ok(request)
    }

    /// Threads and memory.
    pub fn session(&self) -> Result<Session> {
        let mut builder = Session::builder();
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        if let Some(memory) = self.memory {
            builder = builder.memory(memory);
        }
        builder.build()
    }

    fn thresholds(&self) -> Result<Vec<f64>> {
        let all: Result<Vec<Vec<f64>>> = self.thresholds.iter().map(|range| range.thresholds(self.step)).collect();
        Ok(all?.concat())
    }
}

impl ThresholdRange {
    /// All of them; each in as few decimals as those that were given.
    fn thresholds(self, step: Option<f64>) -> Result<Vec<f64>> {
        let Self { from, to } = self;
        let Some(to) = to else { return Ok(vec![from]) };
        let help = "write for example --thresholds 0.5..0.9 --step 0.1";
        let Some(step) = step else {
            return Err(Error::usage(format!("the thresholds {from:?}..{to:?} have no step")).with_help(help));
        };
        let steps = (to - from) / step;
        // What is no number is not in it either.
        if !(step > 0.0 && step.is_finite() && (0.0..MOST_THRESHOLDS).contains(&steps)) {
            let message = format!(
                "the step {step:?} does not lead from {from:?} to {to:?}, in {MOST_THRESHOLDS} thresholds at most"
            );
            return Err(Error::usage(message).with_help(help));
        }
        let scale = 10_f64.powi(decimals(from).max(decimals(step)));
        let threshold = |at: u32| {
            let exact = from + f64::from(at) * step;
            let rounded = (exact * scale).round() / scale;
            // There are more decimals than a number can be scaled by.
            if rounded.is_finite() { rounded } else { exact }
        };
        // The last one is reached also where the step is not quite what was written.
        let last = (steps + 1e-9).floor() as u32;
        Ok((0..=last).map(threshold).collect())
    }
}

/// Decimals of a number as it is written.
fn decimals(number: f64) -> i32 {
    number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32)
}

/// `0.5`, or `0.5..0.9`.
fn threshold_range(text: &str) -> std::result::Result<ThresholdRange, String> {
    let number = |text: &str| match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("not a threshold; write for example 0.8, or 0.5..0.9".to_owned()),
    };
    match text.split_once("..") {
        Some((from, to)) => Ok(ThresholdRange { from: number(from)?, to: Some(number(to)?) }),
        None => Ok(ThresholdRange { from: number(text)?, to: None }),
    }
}

/// The names of methods.
fn methods() -> PossibleValuesParser {
    SweepMethod::ALL.map(SweepMethod::name).into()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    fn request(args: &[&str]) -> Result<SweepRequest> {
        let parsed = Cli::try_parse_from([&["sameas", "sweep", "pairs.csv"], args].concat()).unwrap();
        let Command::Sweep(args) = parsed.command else { panic!("not sweep") };
        args.request()
    }

    #[test]
    fn thresholds_are_numbers_and_ranges() {
        let thresholds = |args: &[&str]| request(args).unwrap().thresholds;
        assert!(thresholds(&[]).is_empty());
        assert_eq!(thresholds(&["--thresholds", "0.9,-3.5"]), [0.9, -3.5]);
        assert_eq!(thresholds(&["--thresholds", "0.5..0.8", "--step", "0.1"]), [0.5, 0.6, 0.7, 0.8]);
        assert_eq!(thresholds(&["--thresholds", "-4..5,9", "--step", "2.5"]), [-4.0, -1.5, 1.0, 3.5, 9.0]);
        assert_eq!(thresholds(&["--thresholds", "0.7..0.7", "--step", "0.1"]), [0.7]);
        assert_eq!(thresholds(&["--thresholds", "1e-320..1", "--step", "0.5"]), [1e-320, 0.5, 1.0]);
        assert_eq!(thresholds(&["--thresholds", "1e9..1e9", "--step", "1e-300"]), [1e9]);
        for wrong in [
            &["--thresholds", "0.5..0.9"][..],
            &["--thresholds", "0.9..0.5", "--step", "0.1"],
            &["--thresholds", "0..1", "--step", "0"],
            &["--thresholds", "0..1", "--step", "1e-9"],
            &["--thresholds", "0..1", "--step", "inf"],
        ] {
            assert!(request(wrong).unwrap_err().help().is_some_and(|help| help.contains("--step 0.1")), "{wrong:?}");
        }
    }

    #[test]
    fn methods_have_names_and_what_does_not_fit_together_is_refused() {
        let found = request(&["--methods", "louvain,one_to_one", "--max-size", "5", "--link"]).unwrap();
        assert_eq!(found.methods, [SweepMethod::Louvain, SweepMethod::OneToOne]);
        assert_eq!((found.job.spec.max_size, found.across, found.density), (Some(5), true, 0.3));
        assert_eq!(found.job.sides, Some(["left", "right"].map(str::to_owned)));
        for wrong in [
            &["--methods", "best"][..],
            &["--thresholds", "high"],
            &["--step", "0.1"],
            &["--truth", "t.csv", "--labels", "l.csv"],
            &["--among"],
            &["--rules", "c.toml", "--max-size", "3"],
        ] {
            assert!(Cli::try_parse_from([&["sameas", "sweep", "pairs.csv"], wrong].concat()).is_err(), "{wrong:?}");
        }
    }
}
