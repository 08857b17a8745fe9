//! `sameas dedupe` and `sameas link`: find the pairs.

use std::io::BufWriter;
use std::slice;

use sameas::{Error, Format, Job, LinkType, OutputFolder, RunRecord};

use crate::args::{Dedupe, Link, OutputTarget, Run};
use crate::interrupt;
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say, standard_output};

/// Runs `sameas dedupe`.
pub fn dedupe(args: &Dedupe) -> Ended {
    find(args.read.job(args.rules.read()?, &[&args.inputs], LinkType::DedupeOnly), &args.run)
}

/// Runs `sameas link`.
pub fn link(args: &Link) -> Ended {
    let link_type = if args.dedupe { LinkType::LinkAndDedupe } else { LinkType::LinkOnly };
    let sides = [slice::from_ref(&args.left), slice::from_ref(&args.right)];
    find(args.read.job(args.rules.read()?, &sides, link_type), &args.run)
}

fn find(job: Job, run: &Run) -> Ended {
    let target = run.target();
    let job = run.apply(job)?;
    let bar = Bar::new(run.quiet);
    let record = match &target {
        OutputTarget::Folder(path, format) => {
            let folder = OutputFolder::create(path, run.overwrite)?;
            folder.protect_inputs(&job.inputs)?;
            interrupt::announce(if run.resume { GOES_ON } else { "unfinished results are removed" });
            let partial = folder.partial_results();
            let _unfinished = interrupt::remove_with(move || partial.remove());
            to_folder(&job, run, folder, *format, &bar)
        }
        OutputTarget::Stdout if run.resume => Err(Error::usage("--resume needs an output folder")
            .with_help("name one with --output, in place of standard output")),
        OutputTarget::Stdout if run.near.amount.is_some() => Err(Error::usage("--near needs an output folder")
            .with_help("near pairs go to a file beside the pairs: name a folder with --output")),
        OutputTarget::Stdout => to_stdout(&job, run, &bar),
    }?;
    drop(bar);
    if !run.quiet {
        // Standard output belongs to the pairs, if they go there.
        let stream = if matches!(target, OutputTarget::Stdout) { Stream::Err } else { Stream::Out };
        say(stream, &report::summary(&record, &target))?;
    }
    Ok(Outcome::Done)
}

/// What becomes of an interrupted run that can be resumed.
const GOES_ON: &str = "unfinished results are removed; the same command goes on from here";

/// The output folder is made before anything is computed: nothing is computed in vain. What does not fit the memory goes
/// there too, since there must be space for the results.
fn to_folder(job: &Job, run: &Run, folder: OutputFolder, format: Format, bar: &Bar) -> sameas::Result<RunRecord> {
    let session = run.session().spill_folder(folder.path()).build()?;
    let mut found = if run.resume { session.resume(job, &folder, bar)? } else { session.run(job, bar)? };
    found.write(folder, format, bar)?;
    Ok(found.record())
}

fn to_stdout(job: &Job, run: &Run, bar: &Bar) -> sameas::Result<RunRecord> {
    // Before the work, which would be in vain without it.
    let out = BufWriter::with_capacity(1 << 16, standard_output()?);
    interrupt::announce("the pairs on standard output are not complete");
    let mut found = run.session().build()?.run(job, bar)?;
    found.write_pairs(out, Format::Csv, "standard output", bar)?;
    Ok(found.record())
}
