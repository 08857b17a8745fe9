//! `sameas train`: learn a model for the comparisons of a job.

use std::io::Write;
use std::path::Path;

use sameas::{Error, ResultFile};

use crate::args::{Train, session};
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::settings;
use crate::terminal::{Stream, give, say, warn};

/// Runs `sameas train`.
pub fn run(args: &Train) -> Ended {
    let job = args.rules.scored(args.inputs.job(args.rules.read()?)?)?;
    let is_printed = args.output == Path::new("-");
    let file = if is_printed { None } else { Some(ResultFile::create(&args.output, args.overwrite)?) };
    let (costs, warning) = settings::costs();
    warning.iter().for_each(|warning| warn(warning));
    let bar = Bar::new(args.quiet);
    let trained = session(args.threads, args.memory, &args.on, costs).build()?.train(&job, &bar)?;
    drop(bar);
    trained.warnings.iter().for_each(|warning| warn(warning));
    match file {
        Some(mut file) => {
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
