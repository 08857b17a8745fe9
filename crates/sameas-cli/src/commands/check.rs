//! `sameas check`: mistakes in rules, found without running them.

use sameas::{Doubt, Error, ErrorKind, RuleFile, printable};

use crate::advice;
use crate::args::Check;
use crate::outcome::{CommandResult, Outcome, Stop};
use crate::report;
use crate::terminal::{Stream, complain, say, warn};
use crate::text::counted;

/// Runs `sameas check`. Mistakes in the rules are findings; what keeps us from looking is a failure.
pub fn run(args: &Check) -> CommandResult {
    match check(args) {
        Ok(found) => show(&found),
        Err(error) if error.kind() == ErrorKind::Rules => {
            complain(&advice::text(&error));
            Ok(Outcome::Findings)
        }
        Err(error) => Err(Stop::from(error)),
    }
}

/// What was found in rules that can be run.
struct Checked {
    doubts: Vec<Doubt>,
    /// What is said where there are no mistakes, up to the number of warnings.
    said: String,
    /// What comes after that.
    notes: String,
}

fn check(args: &Check) -> Result<Checked, Error> {
    let rules = args.rules.read()?;
    let described = described(&rules);
    if args.inputs.paths.is_empty() {
        let notes = " Give the inputs as well to have the columns checked.\n".to_owned();
        return Ok(Checked { doubts: rules.check_syntax()?, said: format!("{described}: no mistakes found"), notes });
    }
    let checked = args.limit.session()?.check(&args.rules.with_options(args.inputs.job(rules)?))?;
    let unused = checked.unused_derived.iter();
    let unused = unused.map(|name| format!("Note: no rule uses the derived column `{}`.\n", printable(name)));
    let said = format!("{described}: no mistakes found, and all columns are there");
    Ok(Checked { doubts: checked.doubts, said, notes: format!("\n{}", unused.collect::<String>()) })
}

/// Mistakes come first; without any, warnings do not keep the rules from being good.
fn show(found: &Checked) -> CommandResult {
    let (mistakes, warnings): (Vec<Doubt>, Vec<Doubt>) = found.doubts.iter().cloned().partition(Doubt::is_mistake);
    report::doubts(&mistakes).iter().for_each(|doubt| complain(doubt));
    report::doubts(&warnings).iter().for_each(|doubt| warn(doubt));
    if !mistakes.is_empty() {
        return Ok(Outcome::Findings);
    }
    let warnings = match warnings.len() {
        0 => String::new(),
        number => format!("; {}", counted(number as u64, "warning")),
    };
    say(Stream::Out, &format!("{}{warnings}.{}", found.said, found.notes))?;
    Ok(Outcome::Done)
}

fn described(rules: &RuleFile) -> String {
    let (nevers, rules) = (rules.never_count(), counted(rules.rule_count() as u64, "rule"));
    if nevers == 0 { rules } else { format!("{rules}, {nevers} never") }
}
