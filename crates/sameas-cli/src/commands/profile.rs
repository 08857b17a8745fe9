//! `sameas profile`: what the inputs hold, before there are rules.

use sameas::{Error, LinkType, RuleFile, Session};

use crate::args::{PlanFormat, Profile};
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say, warn};

/// Runs `sameas profile`.
pub fn run(args: &Profile) -> CommandResult {
    let job = args.inputs.job(RuleFile::default())?;
    if job.link_type == LinkType::DedupeOnly && args.inputs.paths.len() > 1 {
        warn(&format!("{} files are read as one table; with --link each is a table", args.inputs.paths.len()));
    }
    let mut builder = Session::builder();
    if let Some(threads) = args.threads {
        builder = builder.threads(threads);
    }
    if let Some(memory) = args.memory {
        builder = builder.memory(memory);
    }
    let bar = Bar::new(false);
    let profile = builder.build()?.profile(&job, &bar)?;
    drop(bar);
    match args.format {
        PlanFormat::Text if args.print_rules => give(&report::first_rules(&profile)),
        PlanFormat::Text => say(Stream::Out, &report::profile(&profile)),
        PlanFormat::Json => {
            let json = serde_json::to_string_pretty(&profile);
            give(&(json.map_err(|error| Error::internal(format!("the profile as JSON: {error}")))? + "\n"))
        }
    }?;
    Ok(Outcome::Done)
}
