//! `sameas explain`: the plan of a job, and with `--analyze` what came of it.

use sameas::Error;

use crate::args::{Explain, PlanFormat, session};
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say};

/// Runs `sameas explain`.
pub fn run(args: &Explain) -> CommandResult {
    let job = args.near.apply(args.planning.apply(args.rules.scored(args.inputs.job(args.rules.read()?)?)?)?);
    let session = session(args.threads, args.memory, &args.on, args.planning.costs()).build()?;
    let bar = Bar::new(false);
    let explanation = if args.analyze { session.analyze(&job, &bar)? } else { session.explain(&job, &bar)? };
    drop(bar);
    match args.format {
        PlanFormat::Text => say(Stream::Out, &report::plan(&explanation, job.link_type)),
        PlanFormat::Json => {
            let json = serde_json::to_string_pretty(&explanation);
            give(&(json.map_err(|error| Error::internal(format!("the plan as JSON: {error}")))? + "\n"))
        }
    }?;
    Ok(Outcome::Done)
}
