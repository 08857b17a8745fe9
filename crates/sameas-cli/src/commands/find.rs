//! `sameas dedupe` and `sameas link`: find the pairs.

use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use sameas::entities::ResultTables;
use sameas::report::{ReportOptions, RunRecords};
use sameas::{Error, Format, Input, Job, LinkType, RunRecord};

use crate::allocator;
use crate::args::{Dedupe, Link, OutputTarget, ResultTable, Rules, Run, tables};
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::{begin_file, begin_folder, one_file};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say, standard_output};

/// Runs `sameas dedupe`.
pub fn dedupe(args: &Dedupe, arguments: Vec<OsString>) -> CommandResult {
    check_no_page(&args.inputs, &args.run)?;
    let job = args.read.job(args.rules.read()?, &[&args.inputs], LinkType::DedupeOnly)?;
    find(args.rules.scored(job)?.with_command(texts(arguments)), &args.rules, &args.run)
}

/// Runs `sameas link`.
pub fn link(args: &Link, arguments: Vec<OsString>) -> CommandResult {
    check_no_page(&args.inputs, &args.run)?;
    let link_type = if args.dedupe { LinkType::LinkAndDedupe } else { LinkType::LinkOnly };
    let job = args.read.job(args.rules.read()?, &tables(&args.inputs)?, link_type)?;
    find(args.sides.apply(args.rules.scored(job)?).with_command(texts(arguments)), &args.rules, &args.run)
}

/// What is to be done.
struct Work<'a> {
    job: &'a Job,
    run: &'a Run,
    /// All that is read for it.
    reads: &'a [Input],
    bar: &'a Bar,
}

fn find(job: Job, rules: &Rules, run: &Run) -> CommandResult {
    let target = run.output.target()?;
    if run.near.amount.is_some() && !matches!(target, OutputTarget::Folder(..)) {
        return Err(Error::usage("--near needs an output folder")
            .with_help("near pairs go to a file beside the pairs: name a folder with --output")
            .into());
    }
    let job = run.decided.apply(job);
    let mut reads = rules.reads(&job);
    let of_job = reads.len();
    reads.extend(run.planning.statistics.as_deref().map(one_file));
    check_report(&reads, run, &target)?;
    if matches!(target, OutputTarget::Folder(..)) {
        // Statistics may be of the very results that are replaced.
        reads.truncate(of_job);
    }
    let job = run.apply(job)?;
    let bar = Bar::new(run.quiet);
    let work = Work { job: &job, run, reads: &reads, bar: &bar };
    let (record, records) = match &target {
        OutputTarget::Folder(path, format) => to_folder(&work, path, *format)?,
        OutputTarget::File(path, format, table) => (to_file(&work, path, *format, *table)?, None),
        OutputTarget::Stdout(format, table) => (to_stdout(&work, *format, *table)?, None),
    };
    let reported = match &target {
        OutputTarget::Folder(folder, _) => report_of(&job, records.as_ref(), run, folder, &bar)?,
        _ => None,
    };
    drop(bar);
    if !run.quiet {
        // Standard output belongs to the results, if they go there.
        let stream = if matches!(target, OutputTarget::Stdout(..)) { Stream::Err } else { Stream::Out };
        let reported = reported.map_or(String::new(), |path| format!("Report       {}\n", path.display()));
        say(stream, &(report::summary(&record, Some(&target)) + &reported))?;
    }
    Ok(Outcome::Done)
}

/// Refuses a report that could not be written, before anything is computed.
fn check_report(reads: &[Input], run: &Run, target: &OutputTarget) -> sameas::Result<()> {
    let Some(path) = &run.report else { return Ok(()) };
    if !matches!(target, OutputTarget::Folder(..)) {
        return Err(Error::usage("--report needs an output folder")
            .with_help("a report is made of all results: name a folder with --output"));
    }
    let Some(path) = path else { return Ok(()) };
    // Begun and given up: a file that is there, or a folder that is not, is known now.
    begin_file(path, run.output.overwrite, reads).map(drop)
}

/// A file after `--report` is an input. A page cannot be one: its name was meant for the report.
fn check_no_page(inputs: &[PathBuf], run: &Run) -> sameas::Result<()> {
    let is_page = |path: &&PathBuf| path.extension().is_some_and(|name| name.eq_ignore_ascii_case("html"));
    match inputs.iter().find(is_page).filter(|_| matches!(run.report, Some(None))) {
        Some(path) => Err(Error::usage(format!("the input {} is an HTML page", path.display()))
            .with_help(format!("to write the report there: --report={}", path.display()))),
        None => Ok(()),
    }
}

/// The size of a report that nobody has said.
const REPORT_BYTES: u64 = 10_000_000;

/// Writes the report that was asked for, and gives its path. It is the one that `sameas report` makes of the folder; records that
/// the run has kept are not read again.
fn report_of(
    job: &Job,
    records: Option<&RunRecords>,
    run: &Run,
    folder: &Path,
    bar: &Bar,
) -> sameas::Result<Option<PathBuf>> {
    let Some(path) = &run.report else { return Ok(None) };
    // The results of the run are gone, and the report reads what it needs of them.
    allocator::give_back();
    let path = path.clone().unwrap_or_else(|| folder.join(super::report::FILE));
    let target = super::report::ReportTarget { path: &path, overwrite: run.output.overwrite, size: REPORT_BYTES };
    let options = ReportOptions::default().with_folder(&folder.display().to_string());
    let (session, record) = (run.session().build()?, super::report::record_in(folder)?);
    let reported = super::report::ReportedRun { folder, record: &record, job: Some(job), records, sweep: None };
    super::report::write(&target, &reported, &options, &session, bar)?;
    Ok(Some(path))
}

/// The command line, for the record of the run.
fn texts(arguments: Vec<OsString>) -> Vec<String> {
    arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// What becomes of an interrupted run.
const REMOVED: &str = "unfinished results are removed";
const GOES_ON: &str = "unfinished results are removed; the same command goes on from here";

/// The output folder is made before anything is computed: nothing is computed in vain. What does not fit the memory goes
/// there too, since there must be space for the results.
fn to_folder(work: &Work<'_>, path: &Path, format: Format) -> sameas::Result<(RunRecord, Option<RunRecords>)> {
    let Work { job, run, reads, bar } = *work;
    let (folder, _unfinished) = begin_folder(path, run.output.overwrite, reads)?;
    interrupt::announce(if run.output.resume { GOES_ON } else { REMOVED });
    let session = run.session().keep_records(run.report.is_some()).spill_folder(folder.path()).build()?;
    let mut found = if run.output.resume { session.resume(job, &folder, bar)? } else { session.run(job, bar)? };
    found.write(folder, format, bar)?;
    match run.report {
        // The report needs the records, and the memory of the rest.
        Some(_) => Ok((found.record(), found.into_records())),
        None => Ok((ended(found), None)),
    }
}

/// As for a folder, the file is begun before anything is computed.
fn to_file(work: &Work<'_>, path: &Path, format: Format, table: ResultTable) -> sameas::Result<RunRecord> {
    let Work { job, run, reads, bar } = *work;
    let (mut file, _unfinished) = begin_file(path, run.output.overwrite, reads)?;
    interrupt::announce(REMOVED);
    let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut found = run.session().keep_records(false).spill_folder(beside).build()?.run(job, bar)?;
    write(&mut found, &mut file, format, (table, run.output.tables()), &path.display().to_string(), bar)?;
    file.finish()?;
    Ok(ended(found))
}

fn to_stdout(work: &Work<'_>, format: Format, table: ResultTable) -> sameas::Result<RunRecord> {
    let Work { job, run, bar, .. } = *work;
    // Before the work, which would be in vain without it.
    let out = BufWriter::with_capacity(1 << 16, standard_output()?);
    interrupt::announce(match table {
        ResultTable::Pairs => "the pairs on standard output are not complete",
        ResultTable::Clusters => "the clusters on standard output are not complete",
        ResultTable::Entities => "the entities on standard output are not complete",
        ResultTable::Records => "the records on standard output are not complete",
    });
    let mut found = run.session().keep_records(false).build()?.run(job, bar)?;
    write(&mut found, out, format, (table, run.output.tables()), "standard output", bar)?;
    Ok(ended(found))
}

/// The record of a run whose results are written. Its memory is left to the system, which takes it back at once when the
/// program ends; freeing gigabytes piece by piece takes longer than writing small results.
fn ended(found: sameas::Run) -> RunRecord {
    let record = found.record();
    std::mem::forget(found);
    record
}

/// Writes one table; `name` is what messages call the writer.
fn write(
    found: &mut sameas::Run,
    out: impl Write + Send,
    format: Format,
    table: (ResultTable, ResultTables),
    name: &str,
    bar: &Bar,
) -> sameas::Result<()> {
    let (table, tables) = table;
    match table {
        ResultTable::Pairs => found.write_pairs(out, format, name, bar),
        ResultTable::Clusters => found.write_clusters(out, format, name, bar),
        ResultTable::Entities => found.write_record_table(out, tables.entities(), format, name, bar),
        ResultTable::Records => found.write_record_table(out, tables.records(), format, name, bar),
    }
}
