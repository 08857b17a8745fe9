//! `sameas why`: why two records are a pair, or why not.

use crate::args::Why;
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas why`.
pub fn run(args: &Why) -> Ended {
    let job = args.rules.scored(args.inputs.job(args.rules.read()?)?)?;
    let job = if args.records { job.with_all_columns() } else { job };
    let bar = Bar::new(false);
    let answer = args.limit.session()?.why(&job, [&args.pair[0], &args.pair[1]], &bar)?;
    drop(bar);
    say(Stream::Out, &report::pair(&answer, args.full))?;
    Ok(Outcome::Done)
}
