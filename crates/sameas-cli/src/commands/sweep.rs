//! `sameas sweep`: thresholds and ways to make clusters, compared.

use crate::args::{Sweep, SweepFormat};
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say};

/// Runs `sameas sweep`.
pub fn run(args: &Sweep) -> CommandResult {
    let request = args.request()?;
    let bar = Bar::new(args.quiet);
    let table = args.session()?.sweep(&request, &bar)?;
    drop(bar);
    match args.format {
        SweepFormat::Table => say(Stream::Out, &report::sweep(&table)),
        SweepFormat::Json => give(&report::sweep_json(&table)),
        SweepFormat::Csv => give(&report::sweep_csv(&table)),
    }?;
    Ok(Outcome::Done)
}
