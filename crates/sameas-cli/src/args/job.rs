//! The options that several commands share: inputs, rules, and how to run.

use std::path::PathBuf;

use clap::Args;
use sameas::{
    Costs, Error, Input, Job, LinkType, Model, Result, RuleFile, RunRecord, Session, SessionBuilder, Strategy,
};

use super::decided::Decided;
use super::device::DeviceFlags;
use super::near::Near;
use super::output::Output;
use super::read::{Reading, SideIds};
use super::values;
use crate::output_files::one_file;
use crate::settings;

/// How tables are read.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct Inputs {
    /// Column with the ids [default: id, else unique_id]; `row` numbers the rows
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
    /// Delimiter of CSV files [default: found from the header]; `tab` for tabs
    #[arg(long, value_name = "C", value_parser = values::delimiter)]
    pub delimiter: Option<u8>,
    #[command(flatten)]
    pub reading: Reading,
}

/// What the inputs of `explain`, `why` and `check` are.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct AnyInputs {
    /// Files of one table as for `dedupe`; with --link two tables or more, one each
    #[arg(value_name = "INPUT")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub link: LinkFlags,
    #[command(flatten)]
    pub read: Inputs,
    #[command(flatten)]
    pub sides: SideIds,
}

/// What the pairs are made of.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct LinkFlags {
    /// The inputs are tables to link [default: what the rule file says, else one table to dedupe]
    #[arg(long)]
    pub link: bool,
    /// With --link: pairs within each table too
    #[arg(long, requires = "link")]
    pub dedupe: bool,
}

/// The rules of a job.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct Rules {
    /// A file of rules (TOML); may be repeated
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A rule, such as "l.email = r.email"; may be repeated, and comes after those of files
    #[arg(long = "rule", value_name = "EXPR")]
    pub exprs: Vec<String>,
    /// The model by which the comparisons of the rules are scored: a file that `sameas train` has written
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// A file with the term frequencies of a column, in place of those that are counted over the records: as `sameas
    /// term-frequencies` writes it, or with columns `value` and `frequency` or `count`; may be repeated
    #[arg(long, value_name = "COLUMN=FILE", value_parser = values::column_file)]
    pub term_frequencies: Vec<(String, PathBuf)>,
    /// Look at all pairs of records where the threshold of a score is so low that nothing else finds every pair above it
    #[arg(long)]
    pub all_pairs: bool,
}

/// How a job runs and where its results go.
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    pub output: Output,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Memory the job may take, such as 2GB or 512MiB; beyond it joins are built in parts and results sorted on disk
    /// [default: 75 % of what is available]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub on: DeviceFlags,
    /// Refuse to run if more candidate pairs than this would have to be looked at, such as 500k, 100M or 1e9
    #[arg(long, value_name = "N", value_parser = values::number)]
    pub max_pairs: Option<u64>,
    #[command(flatten)]
    pub near: Near,
    #[command(flatten)]
    pub decided: Decided,
    /// Also write a report to look at, one HTML file: report.html in the output folder, or --report=FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option)]
    pub report: Option<Option<PathBuf>>,
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
    fn strategy(&self) -> Strategy {
        let named = Strategy::NAMED.iter().find(|(name, _)| *name == self.plan);
        named.map_or(Strategy::Full, |(_, strategy)| *strategy)
    }

    /// The earlier run whose statistics are used.
    fn earlier_run(&self) -> Result<Option<RunRecord>> {
        self.statistics.as_deref().map(RunRecord::read).transpose()
    }

    /// The job, planned in this way.
    pub fn apply(&self, job: Job) -> Result<Job> {
        let job = job.with_strategy(self.strategy());
        Ok(match self.earlier_run()? {
            Some(earlier) => job.with_statistics(earlier),
            None => job,
        })
    }

    /// What evaluations cost: as the user has measured it, else as it comes with the program.
    pub fn costs(&self) -> Costs {
        let (costs, warning) = settings::costs();
        warning.iter().for_each(|warning| crate::terminal::warn(warning));
        costs
    }
}

impl Rules {
    /// Reads the files and adds the rules of the command line.
    pub fn read(&self) -> Result<RuleFile> {
        if self.is_without_rules() {
            return Err(Error::usage("no rules given").with_help(
                "write one, as in --rule \"l.email = r.email\", or name a file of them, as in --rules rules.toml",
            ));
        }
        let mut rules = RuleFile::read_all(&self.files)?;
        self.exprs.iter().for_each(|expr| rules.add_rule_from(expr, "--rule"));
        Ok(rules)
    }

    /// Whether no rules are given.
    pub fn is_without_rules(&self) -> bool {
        self.files.is_empty() && self.exprs.is_empty()
    }

    /// All files that a job by these rules reads, with what the program itself reads for it.
    pub fn reads(&self, job: &Job) -> Vec<Input> {
        let (model, costs) = (self.model.as_deref(), settings::costs_file());
        let others = model.into_iter().chain(costs.as_deref()).map(one_file);
        job.files_read().into_iter().chain(others).collect()
    }

    /// The job with the model that was named.
    pub fn scored(&self, job: Job) -> Result<Job> {
        let job = self.with_options(job);
        Ok(match &self.model {
            Some(path) => job.with_model(Model::read(path)?),
            None => job,
        })
    }

    /// The job with everything that belongs to its scores, but for the model.
    pub fn with_options(&self, job: Job) -> Job {
        let job = if self.all_pairs { job.with_all_pairs() } else { job };
        let tables = self.term_frequencies.iter();
        tables.fold(job, |job, (column, path)| job.with_term_frequencies(column, one_file(path)))
    }
}

impl Inputs {
    /// The job of a dedupe (one group of paths) or a link (one for each table).
    pub fn job(&self, rules: RuleFile, groups: &[&[PathBuf]], link_type: LinkType) -> Result<Job> {
        let input = |paths: &&[PathBuf]| self.reading.input(paths, self.delimiter);
        let inputs = groups.iter().map(input).collect::<Result<Vec<Input>>>()?;
        let job = match link_type {
            LinkType::DedupeOnly => Job::dedupe(inputs[0].clone()),
            LinkType::LinkOnly => Job::link_all(inputs),
            LinkType::LinkAndDedupe => Job::link_and_dedupe_all(inputs),
        };
        let job = self.reading.apply(job.with_rules(rules));
        Ok(match &self.id {
            Some(id) => job.with_id(id),
            None => job,
        })
    }
}

impl AnyInputs {
    /// The job: what the flags say, else what the rule file says, else a dedupe.
    pub fn job(&self, rules: RuleFile) -> Result<Job> {
        let link_type = match (self.link.link, self.link.dedupe) {
            (true, true) => LinkType::LinkAndDedupe,
            (true, false) => LinkType::LinkOnly,
            _ => rules.link_type.unwrap_or(LinkType::DedupeOnly),
        };
        match (link_type, &self.paths[..]) {
            (_, []) => Err(Error::usage("no input given").with_help("name the files that hold the records")),
            (LinkType::DedupeOnly, paths) => self.read.job(rules, &[paths], link_type).map(|job| self.sides.apply(job)),
            (_, paths) => self.read.job(rules, &tables(paths)?, link_type).map(|job| self.sides.apply(job)),
        }
    }
}

/// The paths of a link: each is a table.
pub fn tables(paths: &[PathBuf]) -> Result<Vec<&[PathBuf]>> {
    if paths.len() < 2 {
        return Err(Error::usage("a link needs two inputs, and 1 was given").with_help(
            "each path is a table, and there may be more than two; several files of one go into one pattern in quotes, such \
             as 'left/*.csv'",
        ));
    }
    Ok(paths.chunks(1).collect())
}

/// Threads, memory and devices of a command.
pub fn session(threads: Option<usize>, memory: Option<usize>, on: &DeviceFlags, costs: Costs) -> SessionBuilder {
    let mut builder = Session::builder().device(on.device.into()).device_options(on.options()).costs(costs);
    if let Some(threads) = threads {
        builder = builder.threads(threads);
    }
    if let Some(memory) = memory {
        builder = builder.memory(memory);
    }
    builder
}

impl Run {
    /// The threads, memory and devices to run with.
    pub fn session(&self) -> SessionBuilder {
        session(self.threads, self.memory, &self.on, self.planning.costs())
    }

    /// The job with the limits and the way of planning that were given.
    pub fn apply(&self, job: Job) -> Result<Job> {
        let job = self.near.apply(self.planning.apply(job)?).with_tables(self.output.tables());
        Ok(match self.max_pairs {
            Some(most) => job.with_max_candidates(most),
            None => job,
        })
    }
}
