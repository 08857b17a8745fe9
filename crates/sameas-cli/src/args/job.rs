//! The options that several commands share: inputs, rules, and how to run.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sameas::engine::{History, JobSpec, Options, OutputTarget};
use sameas::output::Format;
use sameas::plan::Strategy;
use sameas::plan::cost::Costs;
use sameas::records::Input;
use sameas::rules::{Job, LinkType};
use sameas::{Error, Result};

use super::device::DeviceFlags;
use super::values;

/// How tables are read.
#[derive(Debug, Args)]
pub struct Inputs {
    /// Column with the ids [default: id, else unique_id]; `row` numbers the rows
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
    /// Delimiter of CSV files [default: found from the header]; `tab` for tabs
    #[arg(long, value_name = "C", value_parser = values::delimiter)]
    pub delimiter: Option<u8>,
}

/// What the inputs of `explain`, `why` and `check` are.
#[derive(Debug, Args)]
pub struct AnyInputs {
    /// Files of one table as for `dedupe`; with --link the left and the right table
    #[arg(value_name = "INPUT")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub link: LinkFlags,
    #[command(flatten)]
    pub read: Inputs,
}

/// What the pairs are made of.
#[derive(Debug, Args)]
pub struct LinkFlags {
    /// The inputs are two tables to link [default: what the rule file says, else one table to dedupe]
    #[arg(long)]
    pub link: bool,
    /// With --link: pairs within each table too
    #[arg(long, requires = "link")]
    pub dedupe: bool,
}

/// The rules of a job.
#[derive(Debug, Args)]
pub struct Rules {
    /// A file of rules (TOML); may be repeated
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A rule, such as "l.email = r.email"; may be repeated, and comes after those of files
    #[arg(long = "rule", value_name = "EXPR")]
    pub exprs: Vec<String>,
}

/// How a job runs and where its results go.
#[derive(Debug, Args)]
pub struct Run {
    /// Folder for the results, or - to write the pairs as CSV to standard output
    #[arg(short, long, value_name = "DIR", default_value = "sameas-out")]
    pub output: PathBuf,
    /// Replace earlier results in the folder
    #[arg(long)]
    pub overwrite: bool,
    /// Format of the results
    #[arg(long, default_value = "parquet")]
    pub format: TableFormat,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory the job may take, such as 2GB or 512MiB; beyond it joins are built in parts and results sorted on disk
    /// [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub on: DeviceFlags,
    /// Refuse to run if more candidate pairs than this would have to be looked at
    #[arg(long, value_name = "N")]
    pub max_pairs: Option<u64>,
    #[command(flatten)]
    pub planning: Planning,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// How a job is planned.
#[derive(Debug, Args)]
pub struct Planning {
    /// For experiments: plan without some of what the planner knows. The result is the same, only the time differs
    #[arg(long, value_name = "STRATEGY", default_value = "full", hide_default_value = true, value_parser = values::strategy())]
    pub plan: String,
    /// Plan with what an earlier run over the same records has seen: the run.json it wrote
    #[arg(long, value_name = "FILE")]
    pub statistics: Option<PathBuf>,
}

impl Planning {
    /// The strategy of that name.
    pub fn strategy(&self) -> Strategy {
        let named = Strategy::NAMED.iter().find(|(name, _)| *name == self.plan);
        named.map_or(Strategy::Full, |(_, strategy)| *strategy)
    }

    /// What an earlier run has seen.
    pub fn history(&self) -> Result<Option<History>> {
        self.statistics.as_deref().map(History::read).transpose()
    }

    /// What evaluations cost: as the user has measured it, else as it comes with the program.
    pub fn costs(&self) -> Costs {
        let (costs, warning) = Costs::of_user();
        warning.iter().for_each(|warning| crate::terminal::warn(warning));
        costs
    }
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    Parquet,
    Csv,
    Json,
}

impl Rules {
    /// Reads the files and adds the rules of the command line.
    pub fn read(&self) -> Result<Job> {
        if self.files.is_empty() && self.exprs.is_empty() {
            return Err(Error::usage("no rules given").with_help(
                "write one, as in --rule \"l.email = r.email\", or name a file of them, as in --rules rules.toml",
            ));
        }
        let mut job = Job::default();
        for file in &self.files {
            job.extend(Job::read(file)?)?;
        }
        self.exprs.iter().for_each(|expr| job.add_rule(expr));
        Ok(job)
    }
}

impl Inputs {
    /// The job of a dedupe (one group of paths) or a link (two).
    pub fn spec(&self, job: Job, groups: &[&[PathBuf]], link_type: LinkType) -> JobSpec {
        let input = |paths: &&[PathBuf]| Input::new(paths.iter()).with_delimiter(self.delimiter);
        JobSpec { job, inputs: groups.iter().map(input).collect(), link_type, id: self.id.clone() }
    }
}

impl AnyInputs {
    /// The job: what the flags say, else what the rule file says, else a dedupe.
    pub fn spec(&self, job: Job) -> Result<JobSpec> {
        let link_type = match (self.link.link, self.link.dedupe) {
            (true, true) => LinkType::LinkAndDedupe,
            (true, false) => LinkType::LinkOnly,
            _ => job.link_type.unwrap_or(LinkType::DedupeOnly),
        };
        match (link_type, &self.paths[..]) {
            (_, []) => Err(Error::usage("no input given").with_help("name the files that hold the records")),
            (LinkType::DedupeOnly, paths) => Ok(self.read.spec(job, &[paths], link_type)),
            (_, [_, _]) => Ok(self.read.spec(job, &[&self.paths[..1], &self.paths[1..]], link_type)),
            (_, paths) => Err(Error::usage(format!("a link needs two inputs, and {} given", were(paths.len())))
                .with_help("several files of one side go into one pattern in quotes, such as 'left/*.csv'")),
        }
    }
}

fn were(number: usize) -> String {
    if number == 1 { "1 was".into() } else { format!("{number} were") }
}

impl Run {
    /// How to run.
    pub fn options(&self) -> Result<Options> {
        let default = Options::default();
        Ok(Options {
            threads: self.threads.unwrap_or(default.threads),
            memory: self.memory.unwrap_or(default.memory),
            device: self.on.device.into(),
            device_options: self.on.options(),
            drivers: sameas::device::Drivers::default(),
            max_pairs: self.max_pairs,
            strategy: self.planning.strategy(),
            costs: self.planning.costs(),
            history: self.planning.history()?,
        })
    }

    /// Where the results go.
    pub fn target(&self) -> OutputTarget {
        if self.output == Path::new("-") {
            return OutputTarget::Stdout;
        }
        OutputTarget::Folder { path: self.output.clone(), overwrite: self.overwrite, format: self.format.into() }
    }
}

impl From<TableFormat> for Format {
    fn from(format: TableFormat) -> Self {
        match format {
            TableFormat::Parquet => Self::Parquet,
            TableFormat::Csv => Self::Csv,
            TableFormat::Json => Self::Json,
        }
    }
}
