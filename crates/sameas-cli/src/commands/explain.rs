//! `sameas explain`: the plan of a job.

use sameas::engine::{Options, Prepared};

use crate::args::Explain;
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas explain`.
pub fn run(args: &Explain) -> Ended {
    let spec = args.inputs.spec(args.rules.read()?)?;
    let default = Options::default();
    let options = Options { threads: args.threads.unwrap_or(default.threads), ..default };
    let bar = Bar::new(false);
    let explain = || Prepared::new(&spec, &options, &bar).map(|prepared| prepared.explain());
    let explanation = options.pool()?.install(explain)?;
    drop(bar);
    say(Stream::Out, &report::plan(&explanation, spec.link_type))?;
    Ok(Outcome::Done)
}
