//! `sameas show`: the records of a cluster.

use super::report::{job_of, record_in};
use crate::args::Show;
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas show`.
pub fn run(args: &Show) -> CommandResult {
    let record = record_in(&args.folder)?;
    let job = job_of(&record)?;
    let bar = Bar::new(false);
    let most = usize::try_from(args.records).unwrap_or(usize::MAX).max(1);
    let shown = args.limit.session()?.cluster(&args.folder, &record, job.as_ref(), &args.cluster, most, &bar)?;
    drop(bar);
    say(Stream::Out, &report::cluster(&shown, args.full))?;
    Ok(Outcome::Done)
}
