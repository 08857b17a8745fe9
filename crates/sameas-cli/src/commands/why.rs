//! `sameas why`: why two records are a pair, or why not.

use std::path::Path;

use sameas::{Error, Job, Result};

use super::report::record_in;
use crate::args::{AnyInputs, Rules, Why};
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas why`.
pub fn run(args: &Why) -> CommandResult {
    let job = job(args)?;
    let job = if args.records { job.with_all_columns() } else { job };
    let bar = Bar::new(false);
    let answer = args.limit.session()?.why(&job, [&args.pair[0], &args.pair[1]], &bar)?;
    drop(bar);
    say(Stream::Out, &report::pair(&answer, args.full))?;
    Ok(Outcome::Done)
}

/// The job that is asked about: that of a run, where its folder is all that is named, or that of inputs and rules.
fn job(args: &Why) -> Result<Job> {
    match &args.inputs.paths[..] {
        [folder] if folder.is_dir() && args.rules.is_without_rules() => job_in(folder, args),
        _ => Ok(args.decided.apply(args.rules.scored(args.inputs.job(args.rules.read()?)?)?)),
    }
}

/// The job of the run in a folder, which says everything.
fn job_in(folder: &Path, args: &Why) -> Result<Job> {
    let alone = AnyInputs { paths: args.inputs.paths.clone(), ..AnyInputs::default() };
    if args.inputs != alone || args.rules != Rules::default() || args.decided.file.is_some() {
        return Err(Error::usage(format!("the run in `{}` says itself how its inputs are read", folder.display()))
            .with_help("leave the options for inputs, scores and decisions out, or name the inputs and the rules"));
    }
    let record = record_in(folder)?;
    let scores = record.scores;
    let spec = record.job.spec.ok_or_else(|| {
        Error::data(format!("the record of the run in `{}` does not say how it was made", folder.display()))
            .with_help("name the inputs and the rules")
    })?;
    let job = spec.job(&[])?;
    Ok(match scores {
        Some(scores) => scores.resolved(job),
        None => job,
    })
}
