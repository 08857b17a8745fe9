//! `sameas closure`: all pairs of ids that a path connects.

use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use sameas::closure::ClosureJob;
use sameas::{Costs, Error, Format, Session};

use crate::args::{Closure, session};
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::begin_file;
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, give, say, standard_output};

/// Runs `sameas closure`.
pub fn run(args: &Closure) -> CommandResult {
    let begun = Instant::now();
    let (job, format) = (args.job()?, args.output_format()?);
    let session = session(args.threads, args.memory, &args.on, Costs::shipped()).build()?;
    let bar = Bar::new(args.quiet);
    if args.explain {
        let plan = session.explain_closure(&job, &bar)?;
        drop(bar);
        say(Stream::Out, &report::closure_plan(&plan))?;
        return Ok(Outcome::Done);
    }
    if args.count {
        let closure = session.closure(&job, &bar)?;
        drop(bar);
        give(&format!("{}\n", closure.pairs()))?;
        return Ok(Outcome::Done);
    }
    let to_stdout = args.output == Path::new("-");
    let closure = match to_stdout {
        true => write_to_stdout(&session, &job, format, &bar),
        false => write_to_file(&session, &job, args, format, &bar),
    }?;
    drop(bar);
    if !args.quiet {
        let stream = if to_stdout { Stream::Err } else { Stream::Out };
        let target = (!to_stdout).then_some(&*args.output);
        say(stream, &report::closure_summary(&closure, target, begun.elapsed()))?;
    }
    Ok(Outcome::Done)
}

/// The file is begun before anything is computed: nothing is computed in vain.
fn write_to_file(
    session: &Session,
    job: &ClosureJob,
    args: &Closure,
    format: Format,
    bar: &Bar,
) -> Result<sameas::closure::Closure, Error> {
    let (mut file, _unfinished) = begin_file(&args.output, args.overwrite, std::slice::from_ref(&job.edges))?;
    interrupt::announce("unfinished results are removed");
    let closure = session.closure(job, bar)?;
    closure.write(&mut file, format, &args.output.display().to_string(), bar)?;
    file.finish()?;
    Ok(closure)
}

fn write_to_stdout(
    session: &Session,
    job: &ClosureJob,
    format: Format,
    bar: &Bar,
) -> Result<sameas::closure::Closure, Error> {
    let out = BufWriter::with_capacity(1 << 16, standard_output()?);
    interrupt::announce("the pairs on standard output are not complete");
    let closure = session.closure(job, bar)?;
    closure.write(out, format, "standard output", bar)?;
    Ok(closure)
}
