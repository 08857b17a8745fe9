//! `sameas calibrate`: what predicates cost on this machine.

use std::fs;
use std::io::Write;
use std::path::Path;

use sameas::plan::Calibration;
use sameas::{Costs, Error, Observer, printable};

use crate::args::Calibrate;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::begin_file;
use crate::progress::Bar;
use crate::settings;
use crate::terminal::{Stream, say};
use crate::text::{facts, table};

/// Runs `sameas calibrate`.
pub fn run(args: &Calibrate) -> CommandResult {
    let user = settings::costs_file();
    let Some(path) = args.output.clone().or_else(|| user.clone()) else {
        return Err(Error::usage("there is no folder for settings: neither XDG_CONFIG_HOME nor HOME is set")
            .with_help("say where to write with --output")
            .into());
    };
    // The file where later runs look is there to be written again.
    let overwrite = args.overwrite || args.output.is_none();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_dir() {
        // Begun and given up: a file that may not be replaced is known before anything is measured.
        drop(begin_file(&path, overwrite, &[])?);
    }
    let found = measure(args.quick)?;
    fs::create_dir_all(folder).map_err(|error| Error::io("cannot make the folder", folder, error))?;
    write(&found.costs, &path, overwrite)?;
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

/// Costs appear complete or not at all.
fn write(costs: &Costs, path: &Path, overwrite: bool) -> Result<(), Error> {
    let (mut file, _unfinished) = begin_file(path, overwrite, &[])?;
    let text =
        serde_json::to_string_pretty(costs).map_err(|error| Error::internal(format!("costs as JSON: {error}")))?;
    writeln!(file, "{text}").map_err(|error| Error::io("cannot write", path, error))?;
    file.finish()
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
