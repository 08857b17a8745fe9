//! The command line: commands, options, their help and examples.

mod closure;
mod cluster;
mod decided;
mod device;
mod evaluate;
mod from_splink;
mod functions;
mod install;
mod job;
mod memory;
mod near;
mod output;
mod pair_inputs;
mod parse;
mod profile;
mod read;
mod relate;
mod report;
mod show;
mod sweep;
mod term_frequencies;
mod train;
mod values;
mod version;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use closure::Closure;
pub use cluster::Cluster;
use decided::Decided;
pub use device::{Device, DeviceFlags, Devices, DevicesFormat, Selftest};
pub use evaluate::{Evaluate, ScoreFormat};
pub use from_splink::FromSplink;
pub use functions::{Functions, FunctionsFormat};
pub use install::{Completions, Man};
pub use job::{AnyInputs, Inputs, Planning, Rules, Run, session, tables};
pub use memory::MemoryLimit;
pub use near::Near;
pub use output::{EscapeFormulas, OutputTarget, PlanFormat, ResultTable, format_of};
pub use parse::parse;
pub use profile::Profile;
use read::SideIds;
pub use relate::Relate;
pub use report::Report;
pub use show::Show;
pub use sweep::{Sweep, SweepFormat};
pub use term_frequencies::TermFrequencies;
pub use train::Train;
pub use values::memory as amount_of_memory;

/// Finds the records that mean the same thing: every pair that satisfies a rule, and the clusters those pairs form.
#[derive(Debug, Parser)]
#[command(name = "sameas", version, long_version = version::LONG.as_str(), max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "First steps:
  sameas demo                                                    see it work on made-up people
  sameas profile people.csv                                      what its columns hold, and good keys
  sameas dedupe people.csv --rule \"l.email = r.email\"            duplicates within one table
  sameas link a.csv b.csv --rules rules.toml                     matches between tables
  sameas why people.csv --rules rules.toml --pair 17 42          why a pair matched, or not

Exit codes: 0 done, 1 findings (`check`, `evaluate --min-f1`, `selftest`), 2 failure,
129, 130, 143 interrupted by SIGHUP, SIGINT, SIGTERM.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Dedupe(Dedupe),
    Link(Link),
    Explain(Explain),
    Why(Why),
    Report(Report),
    Show(Show),
    Profile(Profile),
    Relate(Relate),
    Check(Check),
    Functions(Functions),
    Train(Train),
    TermFrequencies(TermFrequencies),
    FromSplink(FromSplink),
    Evaluate(Evaluate),
    Cluster(Cluster),
    Sweep(Sweep),
    Closure(Closure),
    Generate(Generate),
    Demo(Demo),
    Calibrate(Calibrate),
    Devices(Devices),
    Selftest(Selftest),
    Completions(Completions),
    Man(Man),
}

/// Find duplicates within one table
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas dedupe people.csv --rule \"l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.9\"
  sameas dedupe 'data/*.parquet' --rules rules.toml --id customer_no -o result
  sameas dedupe people.csv --rules rules.toml -o pairs.csv         only the pairs, in one file
  zcat people.csv.gz | sameas dedupe - --rules rules.toml -o - --what clusters > clusters.csv")]
pub struct Dedupe {
    /// Files of the table: CSV, JSON lines or Parquet, plain or packed (.gz, .zst); patterns in quotes; - for standard
    /// input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub read: Inputs,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub run: Run,
}

/// Find matches between two tables or more
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas link customers.csv orders.parquet --rule \"l.email = r.mail\"
  sameas link 'left/*.csv' 'right/*.csv' --rules rules.toml -o result
  sameas link a.csv b.csv c.csv --rules rules.toml              every two of three tables
  sameas link a.csv b.csv --rules rules.toml --dedupe           duplicates within each as well

Of two tables, `l` is a record of the first and `r` one of the second. Of more tables, `l` is of the
earlier one in the order given here, and rules see the columns that all of them have.")]
pub struct Link {
    /// Two tables or more, each a file, a pattern in quotes, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Find pairs within each table too, not only across
    #[arg(long)]
    pub dedupe: bool,
    #[command(flatten)]
    pub read: Inputs,
    #[command(flatten)]
    pub sides: SideIds,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub run: Run,
}

/// Show the plan of a job: what is joined, how many pairs that gives, what is checked in which order, and why
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas explain people.csv --rules rules.toml
  sameas explain --link a.csv b.csv --rules rules.toml
  sameas explain people.csv --rules rules.toml --analyze        what really came, beside what was expected
  sameas explain people.csv --rules rules.toml --format json    for programs")]
pub struct Explain {
    #[command(flatten)]
    pub inputs: AnyInputs,
    #[command(flatten)]
    pub rules: Rules,
    /// Run the job, without writing results, and show what came of each join and check: candidates tried and passed, and
    /// time
    #[arg(long)]
    pub analyze: bool,
    /// How to print the plan: for people or for programs
    #[arg(long, default_value = "text")]
    pub format: PlanFormat,
    #[command(flatten)]
    pub near: Near,
    #[command(flatten)]
    pub planning: Planning,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory the job may take, such as 2GB or 512MiB [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub on: DeviceFlags,
}

/// Show, rule by rule, why two records are a pair or why they are not
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas why people.csv --rules rules.toml --pair 17 42
  sameas why people.csv --rules rules.toml --pair 17 42 --records   with the whole records
  sameas why --link a.csv b.csv --rules rules.toml --pair 17 42
  sameas why --link a.csv b.csv --dedupe --rules rules.toml --pair a:17 a:42
  sameas why sameas-out --pair 17 42                                of a run, and what connects the two
  sameas why sameas-out --pair a:17 a:42                            of one table of a link

With several tables an id may have the table's name before it, as `cluster_id` has in the results.
With --dedupe, or more than two tables, it must where several tables have that id; so it must in a
link of two tables where both records are of one of them.")]
pub struct Why {
    #[command(flatten)]
    pub inputs: AnyInputs,
    #[command(flatten)]
    pub rules: Rules,
    /// The ids of the two records; with --link the left one first, or with names, as in a:17 b:42 or a:17 a:42
    #[arg(long, num_args = 2, value_names = ["ID_L", "ID_R"], required = true, allow_hyphen_values = true)]
    pub pair: Vec<String>,
    #[command(flatten)]
    pub decided: Decided,
    /// Show the two whole records side by side, too
    #[arg(long)]
    pub records: bool,
    /// Show long conditions and values in full
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub limit: MemoryLimit,
}

/// Check rules for mistakes, and their columns too if inputs are given
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas check --rules rules.toml
  sameas check people.csv --rules rules.toml

Exit code 1 if there are mistakes.")]
pub struct Check {
    #[command(flatten)]
    pub inputs: AnyInputs,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub limit: MemoryLimit,
}

/// Make up dirty records together with the truth about them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas generate people --records 100000 -o people
  sameas generate publications --records 5000 --two-inputs --format parquet -o papers

Writes `records`, or with --two-inputs `left` and `right`, and `truth.csv` (id, cluster).
One seed always gives the same files.")]
pub struct Generate {
    /// What the records describe: names, addresses, phones and birth dates; titles, authors, venues and
    /// years; or artists, titles and tracks
    pub kind: GenerateKind,
    /// How many records, over both tables if there are two, such as 10000, 50k or 1M
    #[arg(long, value_name = "N", value_parser = values::number)]
    pub records: u64,
    /// Share of records that are dirty copies of another, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = values::share)]
    pub duplicates: f64,
    /// Share of values that are missing besides those that a record lacks anyway, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = values::share)]
    pub missing: f64,
    /// Make two tables to link instead of one
    #[arg(long)]
    pub two_inputs: bool,
    /// The same seed gives the same records
    #[arg(long, value_name = "S", default_value_t = 42)]
    pub seed: u64,
    /// Format of the records
    #[arg(long, default_value = "csv")]
    pub format: GenerateFormat,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Write even if the folder is not empty
    #[arg(long)]
    pub overwrite: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// What made-up records describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GenerateKind {
    People,
    Publications,
    Cds,
}

/// The format of made-up records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GenerateFormat {
    Csv,
    Parquet,
}

/// See it work: 10,000 made-up people, good rules, results, figures and explanations
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas demo
  sameas demo --print-rules > rules.toml

Works in a temporary folder that is removed afterwards.")]
pub struct Demo {
    /// Only print the rule file that the demo uses
    #[arg(long)]
    pub print_rules: bool,
}

/// Measure what predicates cost on this machine, for better plans
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas calibrate
  sameas calibrate --output costs.json

Takes some seconds; leave the machine alone meanwhile. Later runs order their predicates by the
costs in $XDG_CONFIG_HOME/sameas/costs.json or ~/.config/sameas/costs.json, where they go unless
--output says otherwise; without such a file, by costs that come with the program. They change the
speed of a run, never its result.")]
pub struct Calibrate {
    /// The file to write [default: where later runs look for it, in place of one that is there]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file of --output if it is there
    #[arg(long)]
    pub overwrite: bool,
    /// Measure for a moment only: shows that it works, but gives poor costs
    #[arg(long)]
    pub quick: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_every_help_has_an_example() {
        let mut cli = Cli::command();
        cli.clone().debug_assert();
        for command in cli.get_subcommands_mut() {
            let help = command.render_help().to_string();
            assert!(help.contains("Example"), "{help}");
        }
    }

    #[test]
    fn a_device_and_its_memory() {
        let dedupe = ["sameas", "dedupe", "a.csv", "--device", "cuda", "--device-memory", "4GB"];
        let Command::Dedupe(dedupe) = Cli::try_parse_from(dedupe).unwrap().command else { panic!("not dedupe") };
        assert_eq!((dedupe.run.on.device, dedupe.run.on.device_memory), (Device::Cuda, Some(4_000_000_000)));
        let Command::Explain(explain) = Cli::try_parse_from(["sameas", "explain", "a.csv"]).unwrap().command else {
            panic!("not explain")
        };
        assert_eq!((explain.on.device, explain.on.device_memory), (Device::Auto, None));
    }

    #[test]
    fn a_selftest_has_a_seed_cases_and_a_filter() {
        let parsed = |args: &[&str]| match Cli::try_parse_from([&["sameas", "selftest"], args].concat())?.command {
            Command::Selftest(args) => Ok(args),
            _ => panic!("not selftest"),
        };
        let asked = parsed(&["--seed", "7", "--cases", "9", "--filter", "edges/", "--device", "cpu"]).unwrap();
        assert_eq!((asked.seed, asked.cases, asked.filter.as_deref()), (7, 9, Some("edges/")));
        let Err::<_, clap::Error>(_) = parsed(&["--cases", "-1"]) else { panic!("a negative number of cases") };
    }

    #[test]
    fn ids_may_look_like_options() {
        let cli = Cli::try_parse_from(["sameas", "why", "a.csv", "--rule", "x", "--pair", "-1", "--x"]).unwrap();
        let Command::Why(why) = cli.command else { panic!("not why") };
        assert_eq!(why.pair, ["-1", "--x"]);
        assert!(Cli::try_parse_from(["sameas", "why", "a.csv", "--rule", "x", "--pair", "1"]).is_err());
    }
}
