//! `sameas why`: why two records are a pair, or why not.

use std::path::Path;

use sameas::{Error, Job, Result, RunRecord};

use super::report::record_in;
use crate::args::{AnyInputs, Rules, Why};
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas why`.
pub fn run(args: &Why) -> CommandResult {
    let of_run = folder_of_run(args);
    let run = of_run.map(|folder| run_in(folder, args)).transpose()?;
    let job = match &run {
        Some((_, job)) => job.clone(),
        None => args.decided.apply(args.rules.scored(args.inputs.job(args.rules.read()?)?)?),
    };
    let job = if args.records { job.with_all_columns() } else { job };
    let bar = Bar::new(false);
    let (session, ids) = (args.limit.session()?, [&args.pair[0][..], &args.pair[1][..]]);
    let answer = match (of_run, &run) {
        (Some(folder), Some((record, _))) => session.why_in(folder, record, &job, ids, &bar)?,
        _ => session.why(&job, ids, &bar)?,
    };
    drop(bar);
    let more = if of_run.is_none() && answer.match_key.is_none() { OF_RUN } else { "" };
    say(Stream::Out, &(report::pair(&answer, args.full) + more))?;
    Ok(Outcome::Done)
}

/// Where more is known of two records that are no pair.
const OF_RUN: &str = "\nWhether other pairs connect them is known of a run: sameas why FOLDER --pair ID_L ID_R\n";

/// The folder of a run, where that is all that is named.
fn folder_of_run(args: &Why) -> Option<&Path> {
    match &args.inputs.paths[..] {
        [folder] if folder.is_dir() && args.rules.is_without_rules() => Some(folder),
        _ => None,
    }
}

/// The record of the run in a folder, and its job, which says everything.
fn run_in(folder: &Path, args: &Why) -> Result<(RunRecord, Job)> {
    let alone = AnyInputs { paths: args.inputs.paths.clone(), ..AnyInputs::default() };
    if args.inputs != alone || args.rules != Rules::default() || args.decided.file.is_some() {
        return Err(Error::usage(format!("the run in `{}` says itself how its inputs are read", folder.display()))
            .with_help("leave the options for inputs, scores and decisions out, or name the inputs and the rules"));
    }
    let record = record_in(folder)?;
    let spec = record.job.spec.as_ref().ok_or_else(|| {
        Error::data(format!("the record of the run in `{}` does not say how it was made", folder.display()))
            .with_help("name the inputs and the rules")
    })?;
    let job = spec.job(&[])?;
    let job = match &record.scores {
        Some(scores) => scores.resolved(job),
        None => job,
    };
    Ok((record, job))
}
