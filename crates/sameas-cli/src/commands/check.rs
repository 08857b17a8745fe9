//! `sameas check`: mistakes in rules, found without running them.

use sameas::engine::{self, Options};
use sameas::rules::{RuleFile, check_syntax};
use sameas::{Error, ErrorKind};

use crate::args::Check;
use crate::outcome::{Ended, Outcome, Stop};
use crate::terminal::{Stream, complain, say};
use crate::text::counted;

/// Runs `sameas check`. Mistakes in the rules are findings; what keeps us from looking is a failure.
pub fn run(args: &Check) -> Ended {
    match check(args) {
        Ok(said) => say(Stream::Out, &said).map(|()| Outcome::Done),
        Err(error) if error.kind() == ErrorKind::Rules => {
            complain(&error.to_string());
            Ok(Outcome::Findings)
        }
        Err(error) => Err(Stop::from(error)),
    }
}

fn check(args: &Check) -> Result<String, Error> {
    let job = args.rules.read()?;
    let rules = described(&job);
    if args.inputs.paths.is_empty() {
        check_syntax(&job)?;
        return Ok(format!("{rules}: no mistakes found. Give the inputs as well to have the columns checked.\n"));
    }
    let spec = args.inputs.spec(job)?;
    let checked = Options::default().pool()?.install(|| engine::check(&spec))?;
    let unused = checked.unused_derived.iter().map(|name| format!("Note: no rule uses the derived column `{name}`.\n"));
    Ok(format!("{rules}: no mistakes found, and all columns are there.\n{}", unused.collect::<String>()))
}

fn described(job: &RuleFile) -> String {
    let rules = counted(job.rules.len() as u64, "rule");
    if job.nevers.is_empty() { rules } else { format!("{rules}, {} never", job.nevers.len()) }
}
