//! `sameas why`: why two records are a pair, or why not.

use sameas::engine::{Options, why};

use crate::args::Why;
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas why`.
pub fn run(args: &Why) -> Ended {
    let spec = args.inputs.spec(args.rules.read()?)?;
    let bar = Bar::new(false);
    let answer = Options::default().pool()?.install(|| why(&spec, [&args.pair[0], &args.pair[1]], &bar))?;
    drop(bar);
    say(Stream::Out, &report::pair(&answer))?;
    Ok(Outcome::Done)
}
