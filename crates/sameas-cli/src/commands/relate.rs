//! `sameas relate`: evaluates a Datalog program.

use std::path::Path;

use sameas::datalog::{RelateExplanation, RelateJob};
use sameas::{Costs, Error, Format, Input, Session};

use crate::args::{PlanFormat, Relate, session};
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::{begin_folder, one_file};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say};

/// Where results go unless the user says otherwise.
const OUTPUT: &str = "sameas-out";

/// Runs `sameas relate`.
pub fn run(args: &Relate) -> CommandResult {
    let session = session(args.threads, args.memory, &args.on, Costs::shipped()).build()?;
    let job = job(args, &session)?;
    let bar = Bar::new(args.quiet);
    if args.explain {
        let explanation = session.explain_relate(&job, &bar)?;
        drop(bar);
        show(args, &explanation)?;
        return Ok(Outcome::Done);
    }
    let output = args.output.as_deref().or((!args.analyze).then_some(Path::new(OUTPUT)));
    let explanation = evaluate(&session, &job, args, output, &bar)?;
    drop(bar);
    if args.analyze {
        show(args, &explanation)?;
    } else if !args.quiet {
        say(Stream::Out, &report::related(&explanation, output))?;
    }
    Ok(Outcome::Done)
}

fn job(args: &Relate, session: &Session) -> sameas::Result<RelateJob> {
    let mut job = RelateJob::new(session.read_program(&args.program)?);
    for (relation, path) in &args.inputs {
        let mut input = Input::files([path]);
        if let Some(delimiter) = args.delimiter {
            input = input.with_delimiter(delimiter);
        }
        if args.text {
            input = input.as_plain_text();
        }
        if let Some(encoding) = &args.encoding {
            input = input.with_encoding(encoding)?;
        }
        job = job.with_input(relation, input)?;
    }
    Ok(job)
}

/// The output folder is made before anything is computed: nothing is computed in vain.
fn evaluate(
    session: &Session,
    job: &RelateJob,
    args: &Relate,
    output: Option<&Path>,
    bar: &Bar,
) -> sameas::Result<RelateExplanation> {
    let format = args.escape.apply(Format::from(args.format))?;
    let files = std::iter::once(&args.program).chain(args.inputs.iter().map(|(_, path)| path));
    let reads: Vec<Input> = files.map(|path| one_file(path)).collect();
    let folder = output.map(|path| begin_folder(path, args.overwrite, &reads)).transpose()?;
    if folder.is_some() {
        interrupt::announce("unfinished results are removed");
    }
    let mut found = session.relate(job, bar)?;
    if let Some((folder, _unfinished)) = folder {
        session.write_related(&mut found, folder, format, bar)?;
    }
    let explanation = found.explanation().clone();
    // The system takes the memory back at once when the program ends.
    std::mem::forget(found);
    Ok(explanation)
}

fn show(args: &Relate, explanation: &RelateExplanation) -> CommandResult<()> {
    match args.plan_format {
        PlanFormat::Text => say(Stream::Out, &report::relate_plan(explanation)),
        PlanFormat::Json => {
            let json = serde_json::to_string_pretty(explanation);
            give(&(json.map_err(|error| Error::internal(format!("the plan as JSON: {error}")))? + "\n"))
        }
    }
}
