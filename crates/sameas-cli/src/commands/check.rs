//! `sameas check`: mistakes in rules, found without running them.

use sameas::{Error, ErrorKind, RuleFile, Session, printable};

use crate::advice;
use crate::args::Check;
use crate::outcome::{Ended, Outcome, Stop};
use crate::terminal::{Stream, complain, say};
use crate::text::counted;

/// Runs `sameas check`. Mistakes in the rules are findings; what keeps us from looking is a failure.
pub fn run(args: &Check) -> Ended {
    match check(args) {
        Ok(said) => say(Stream::Out, &said).map(|()| Outcome::Done),
        Err(error) if error.kind() == ErrorKind::Rules => {
            complain(&advice::text(&error));
            Ok(Outcome::Findings)
        }
        Err(error) => Err(Stop::from(error)),
    }
}

fn check(args: &Check) -> Result<String, Error> {
    let rules = args.rules.read()?;
    let described = described(&rules);
    if args.inputs.paths.is_empty() {
        rules.check_syntax()?;
        return Ok(format!("{described}: no mistakes found. Give the inputs as well to have the columns checked.\n"));
    }
    let unused = Session::new()?.check(&args.inputs.job(rules)?)?;
    let unused = unused.iter().map(|name| format!("Note: no rule uses the derived column `{}`.\n", printable(name)));
    Ok(format!("{described}: no mistakes found, and all columns are there.\n{}", unused.collect::<String>()))
}

fn described(rules: &RuleFile) -> String {
    let (nevers, rules) = (rules.never_count(), counted(rules.rule_count() as u64, "rule"));
    if nevers == 0 { rules } else { format!("{rules}, {nevers} never") }
}
