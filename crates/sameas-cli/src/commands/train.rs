//! `sameas train`: learn a model for the comparisons of a job.

use std::io::Write;
use std::path::Path;

use sameas::Error;

use crate::args::{Train, session};
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::begin_file;
use crate::progress::Bar;
use crate::report;
use crate::settings;
use crate::terminal::{Stream, give, say, warn};

/// Runs `sameas train`.
pub fn run(args: &Train) -> CommandResult {
    let job = args.rules.scored(args.inputs.job(args.rules.read()?)?)?;
    let job = if args.combine_dependent { job.with_dependent_combined() } else { job };
    let is_printed = args.output == Path::new("-");
    // Before the work, which would be in vain without it.
    let begin = || begin_file(&args.output, args.overwrite, &args.rules.reads(&job));
    let file = if is_printed { None } else { Some(begin()?) };
    interrupt::announce(if is_printed { "" } else { "the unfinished model is removed" });
    let (costs, warning) = settings::costs();
    warning.iter().for_each(|warning| warn(warning));
    let bar = Bar::new(args.quiet);
    let trained = session(args.threads, args.memory, &args.on, costs).build()?.train(&job, &bar)?;
    drop(bar);
    report::training_warnings(&trained.warnings).iter().for_each(|warning| warn(warning));
    match file {
        Some((mut file, _unfinished)) => {
            let failed = |error| Error::io("cannot write", &args.output, error);
            file.write_all(trained.model.to_text().as_bytes()).map_err(failed)?;
            file.finish()?;
            if !args.quiet {
                say(Stream::Out, &report::model(&trained.model, Some(&args.output)))?;
            }
        }
        None => give(&trained.model.to_text())?,
    }
    Ok(Outcome::Done)
}
