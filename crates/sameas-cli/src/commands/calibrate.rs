//! `sameas calibrate`: what predicates cost on this machine.

use sameas::{Calibration, Costs, Error, Observer, printable};

use crate::args::Calibrate;
use crate::outcome::{Ended, Outcome};
use crate::progress::Bar;
use crate::settings;
use crate::terminal::{Stream, say};
use crate::text::{facts, table};

/// Runs `sameas calibrate`.
pub fn run(args: &Calibrate) -> Ended {
    let user = settings::costs_file();
    let Some(path) = args.output.clone().or_else(|| user.clone()) else {
        return Err(Error::usage("there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set")
            .with_help("say where to write with --output")
            .into());
    };
    let found = measure(args.quick)?;
    found.costs.write(&path)?;
    let used = match user {
        Some(user) if user == path => "later runs order their predicates by them".to_owned(),
        Some(user) => format!("later runs use them if they lie in {}", printable(&user.display().to_string())),
        None => "no later run will find them".to_owned(),
    };
    let where_to = facts(&[
        ("Device", found.costs.device.clone()),
        ("Written to", printable(&path.display().to_string())),
        ("Used by", used),
    ]);
    say(Stream::Out, &format!("{}\n{where_to}", shown(&found)))?;
    Ok(Outcome::Done)
}

fn measure(quick: bool) -> Result<Calibration, Error> {
    let (bar, mut before) = (Bar::new(false), 0);
    let found = Costs::calibrate(quick, &mut |done, total| {
        if done == 1 {
            bar.begin("measuring", Some(total as u64), "predicates");
        }
        bar.advance((done - before) as u64);
        before = done;
    });
    drop(bar);
    found
}

/// Nanoseconds by measure and length of the texts: the most expensive that was met, which is what the measure itself takes.
fn shown(found: &Calibration) -> String {
    let heads = found.lengths().into_iter().map(|length| length.to_string());
    let mut rows: Vec<Vec<String>> = vec![std::iter::once("Characters".to_owned()).chain(heads).collect()];
    for (name, cells) in found.nanoseconds() {
        rows.push(std::iter::once(name.to_owned()).chain(cells.into_iter().map(nanoseconds)).collect());
    }
    format!("Nanoseconds a pair, at most\n\n{}", table(&rows))
}

fn nanoseconds(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}
