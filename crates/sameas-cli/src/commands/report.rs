//! `sameas report`: one HTML file to look at of a run.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use sameas::{Error, Input, Job, LinkType, Model, ReportOptions, Result, RuleFile, RunRecord, Session};

use crate::args::{Cli, Command, Inputs, Report, Rules, tables};
use crate::html::html_report;
use crate::interrupt;
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::terminal::{Stream, say};
use crate::text::bytes;
use crate::written::{begin_file, one_file};

/// The name of a report in the folder of its run.
pub const FILE: &str = "report.html";

/// Runs `sameas report`.
pub fn run(args: &Report) -> Ended {
    let record = record_in(&args.folder)?;
    let target = args.output.clone().unwrap_or_else(|| args.folder.join(FILE));
    let mut builder = Session::builder();
    if let Some(threads) = args.threads {
        builder = builder.threads(threads);
    }
    if let Some(memory) = args.memory {
        builder = builder.memory(memory);
    }
    let session = builder.build()?;
    let mut options = ReportOptions::default().with_folder(&args.folder.display().to_string());
    for column in &args.mask {
        options = options.with_mask(column);
    }
    if let Some(truth) = &args.truth {
        options = options.with_truth(Input::files([truth]));
    }
    let job = job_of(&record)?;
    let bar = Bar::new(args.quiet);
    let written = write(
        &ReportTarget { path: &target, overwrite: args.overwrite, size: args.size as u64 },
        (&args.folder, &record),
        job.as_ref(),
        &options,
        (&session, &bar),
    )?;
    drop(bar);
    if !args.quiet {
        say(Stream::Out, &format!("Report   {}, {}\n", target.display(), bytes(written)))?;
    }
    Ok(Outcome::Done)
}

/// Where a report goes.
pub struct ReportTarget<'a> {
    /// The file.
    pub path: &'a Path,
    /// Whether it may replace an earlier one.
    pub overwrite: bool,
    /// The size it may have.
    pub size: u64,
}

/// Writes the report of the run in a folder, and gives its size. Like results, it appears complete or not at all.
pub fn write(
    target: &ReportTarget<'_>,
    (folder, record): (&Path, &RunRecord),
    job: Option<&Job>,
    options: &ReportOptions,
    (session, bar): (&Session, &Bar),
) -> Result<u64> {
    let reads = read_for((folder, record), job, options);
    let (mut file, _unfinished) = begin_file(target.path, target.overwrite, &reads)?;
    interrupt::announce("the unfinished report is removed");
    let html = html_report(target.size, options, bar, |options, observer| {
        session.report((folder, record), job, options, observer)
    })?;
    file.write_all(html.as_bytes()).map_err(|error| Error::io("cannot write", target.path, error))?;
    file.finish()?;
    Ok(html.len() as u64)
}

/// All that a report is made of: the results of the run, what the run has read, and the truth.
fn read_for((folder, record): (&Path, &RunRecord), job: Option<&Job>, options: &ReportOptions) -> Vec<Input> {
    let results = record.files.iter().map(|file| file.name.as_str()).chain(["run.json"]);
    let results = results.map(|name| one_file(&folder.join(name)));
    let of_job = job.map(Job::files_read).unwrap_or_default();
    results.chain(of_job).chain(options.truth.clone()).collect()
}

/// The record of the run in a folder.
pub fn record_in(folder: &Path) -> Result<RunRecord> {
    if !folder.is_dir() {
        return Err(Error::usage(format!("there is no folder `{}`", folder.display()))
            .with_help("name the folder that a dedupe or a link has written, such as sameas-out"));
    }
    RunRecord::read(&folder.join("run.json"))
}

/// The job that a run was asked to do: by its command, with the rules and the model that it had then.
pub fn job_of(record: &RunRecord) -> Result<Option<Job>> {
    let Ok(cli) = Cli::try_parse_from(record.job.command.iter().map(OsString::from)) else { return Ok(None) };
    match cli.command {
        Command::Dedupe(args) => {
            job(record, (&args.read, &args.rules), &[&args.inputs], LinkType::DedupeOnly).map(Some)
        }
        Command::Link(args) => {
            let link_type = if args.dedupe { LinkType::LinkAndDedupe } else { LinkType::LinkOnly };
            let job = job(record, (&args.read, &args.rules), &tables(&args.inputs)?, link_type)?;
            Ok(Some(args.sides.apply(job)))
        }
        _ => Ok(None),
    }
}

fn job(
    record: &RunRecord,
    (read, rules): (&Inputs, &Rules),
    groups: &[&[PathBuf]],
    link_type: LinkType,
) -> Result<Job> {
    let mut file = RuleFile::of_texts(&record.job.rule_files)?;
    rules.add_expressions(&mut file);
    let job = read.job(file, groups, link_type)?;
    let job = if rules.all_pairs { job.with_all_pairs() } else { job };
    Ok(match &record.job.model {
        Some(text) => job.with_model(Model::parse(text, "the model in run.json")?),
        None => job,
    })
}
