//! `sameas report`: one HTML file to look at of a run.

use std::io::Write;
use std::path::Path;

use sameas::clusters::ClusterPairsJob;
use sameas::evaluate::SweepRequest;
use sameas::report::{ReportOptions, RunRecords};
use sameas::{Error, Input, Job, LinkType, Result, RunRecord, Session};

use crate::args::Report;
use crate::html::html_report;
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::{begin_file, one_file};
use crate::progress::Bar;
use crate::terminal::{Stream, say};
use crate::text::bytes;

/// The name of a report in the folder of its run.
pub const FILE: &str = "report.html";

/// Runs `sameas report`.
pub fn run(args: &Report) -> CommandResult {
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
    let sweep = args.sweep.then(|| sweep_request(args, &record)).transpose()?;
    let bar = Bar::new(args.quiet);
    let written = write(
        &ReportTarget { path: &target, overwrite: args.overwrite, size: args.size as u64 },
        &ReportedRun { folder: &args.folder, record: &record, job: job.as_ref(), records: None, sweep: sweep.as_ref() },
        &options,
        &session,
        &bar,
    )?;
    drop(bar);
    if !args.quiet {
        say(Stream::Out, &format!("Report   {}, {}\n", target.display(), bytes(written)))?;
    }
    Ok(Outcome::Done)
}

/// Thresholds and ways to make clusters, to be compared on the pairs of a run: all that fit, by what is known.
fn sweep_request(args: &Report, record: &RunRecord) -> Result<SweepRequest> {
    let mut request = SweepRequest::new(ClusterPairsJob::of_run(&args.folder)?);
    request.truth = args.truth.as_ref().map(|truth| Input::files([truth]));
    request.labels = args.labels.as_ref().map(|labels| Input::files([labels]));
    request.across = record.link_type == LinkType::LinkOnly;
    Ok(request)
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

/// The run that a report is of.
pub struct ReportedRun<'a> {
    /// The folder with its results.
    pub folder: &'a Path,
    /// The record in that folder.
    pub record: &'a RunRecord,
    /// The job, if it is known.
    pub job: Option<&'a Job>,
    /// Its records, if the run has kept them.
    pub records: Option<&'a RunRecords>,
    /// What is compared of ways to make clusters, if anything is.
    pub sweep: Option<&'a SweepRequest>,
}

/// Writes the report of the run in a folder, and gives its size. Like results, it appears complete or not at all. Records that
/// are at hand are not read again.
pub fn write(
    target: &ReportTarget<'_>,
    run: &ReportedRun<'_>,
    options: &ReportOptions,
    session: &Session,
    bar: &Bar,
) -> Result<u64> {
    let ReportedRun { folder, record, job, records, sweep } = *run;
    let reads = read_for(run, options);
    let (mut file, _unfinished) = begin_file(target.path, target.overwrite, &reads)?;
    interrupt::announce("the unfinished report is removed");
    let options = match sweep {
        Some(request) => options.clone().with_sweep(session.sweep(request, bar)?),
        None => options.clone(),
    };
    let html = html_report(target.size, &options, bar, |options, observer| match records {
        Some(records) => session.report_on(records, folder, record, options, observer),
        None => session.report(folder, record, job, options, observer),
    })?;
    file.write_all(html.as_bytes()).map_err(|error| Error::io("cannot write", target.path, error))?;
    file.finish()?;
    Ok(html.len() as u64)
}

/// All that a report is made of: the results of the run, what the run has read, the truth, and labels.
fn read_for(run: &ReportedRun<'_>, options: &ReportOptions) -> Vec<Input> {
    let ReportedRun { folder, record, job, sweep, .. } = *run;
    let results = record.files.iter().map(|file| file.name.as_str()).chain(["run.json"]);
    let results = results.map(|name| one_file(&folder.join(name)));
    let of_job = job.map(Job::files_read).unwrap_or_default();
    let of_sweep = sweep.map(SweepRequest::files_read).unwrap_or_default();
    results.chain(of_job).chain(options.truth.clone()).chain(of_sweep).collect()
}

/// The record of the run in a folder.
pub fn record_in(folder: &Path) -> Result<RunRecord> {
    if !folder.is_dir() {
        return Err(Error::usage(format!("there is no folder `{}`", folder.display()))
            .with_help("name the folder that a dedupe or a link has written, such as sameas-out"));
    }
    RunRecord::read(&folder.join("run.json"))
}

/// The job of a run, as far as its record alone can say it: nothing where records have to be given again.
pub fn job_of(record: &RunRecord) -> Result<Option<Job>> {
    let spec = record.job.spec.as_ref().filter(|spec| spec.asks_for().is_empty());
    spec.map(|spec| spec.job(&[])).transpose()
}
