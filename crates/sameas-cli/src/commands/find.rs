//! `sameas dedupe` and `sameas link`: find the pairs.

use std::slice;

use sameas::engine::{JobSpec, OutputTarget, execute};
use sameas::rules::LinkType;

use crate::args::{Dedupe, Link, Run};
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas dedupe`.
pub fn dedupe(args: &Dedupe) -> Ended {
    find(&args.read.spec(args.rules.read()?, &[&args.inputs], LinkType::DedupeOnly), &args.run)
}

/// Runs `sameas link`.
pub fn link(args: &Link) -> Ended {
    let link_type = if args.dedupe { LinkType::LinkAndDedupe } else { LinkType::LinkOnly };
    let sides = [slice::from_ref(&args.left), slice::from_ref(&args.right)];
    find(&args.read.spec(args.rules.read()?, &sides, link_type), &args.run)
}

fn find(spec: &JobSpec, run: &Run) -> Ended {
    let target = run.target();
    let options = run.options()?;
    let bar = Bar::new(run.quiet);
    let record = execute(spec, &options, &target, &bar)?;
    drop(bar);
    if !run.quiet {
        // Standard output belongs to the pairs, if they go there.
        let stream = if matches!(target, OutputTarget::Stdout) { Stream::Err } else { Stream::Out };
        say(stream, &report::summary(&record, &target))?;
    }
    Ok(Outcome::Done)
}
