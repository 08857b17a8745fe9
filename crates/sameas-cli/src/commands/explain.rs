//! `sameas explain`: the plan of a job, and with `--analyze` what came of it.

use sameas::Error;
use sameas::engine::{Options, Prepared, analyze};

use crate::args::{Explain, PlanFormat};
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas explain`.
pub fn run(args: &Explain) -> Ended {
    let spec = args.inputs.spec(args.rules.read()?)?;
    let default = Options::default();
    let options = Options {
        threads: args.threads.unwrap_or(default.threads),
        memory: args.memory.unwrap_or(default.memory),
        device: args.on.device.into(),
        device_options: args.on.options(),
        strategy: args.planning.strategy(),
        costs: args.planning.costs(),
        history: args.planning.history()?,
        ..default
    };
    let bar = Bar::new(false);
    let explanation = if args.analyze {
        analyze(&spec, &options, &bar)?
    } else {
        options.pool()?.install(|| Prepared::new(&spec, &options, &bar).map(|prepared| prepared.explain()))?
    };
    drop(bar);
    let text = match args.format {
        PlanFormat::Text => report::plan(&explanation, spec.link_type),
        PlanFormat::Json => {
            let json = serde_json::to_string_pretty(&explanation);
            json.map_err(|error| Error::internal(format!("the plan as JSON: {error}")))? + "\n"
        }
    };
    say(Stream::Out, &text)?;
    Ok(Outcome::Done)
}
