//! `sameas from-splink`: the settings of a Splink model as a rule file and a model.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use sameas::splink::{SplinkNoteKind, SplinkSettings};
use sameas::{Error, LinkType};

use crate::args::FromSplink;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::{begin_file, one_file};
use crate::terminal::{Stream, say};
use crate::text::{counted, facts, one_line};

/// Runs `sameas from-splink`.
pub fn run(args: &FromSplink) -> CommandResult {
    let json = read(&args.settings)?;
    let settings = if args.skip { SplinkSettings::read_skipping(&json) } else { SplinkSettings::read(&json) }?;
    settings.rules()?;
    let is_new = !args.output.is_dir();
    fs::create_dir_all(&args.output).map_err(|error| Error::io("cannot make the folder", &args.output, error))?;
    if let Err(error) = write_all(args, &settings) {
        if is_new {
            // It is empty, unless somebody else has put something there.
            let _ = fs::remove_dir(&args.output);
        }
        return Err(error.into());
    }
    if !args.quiet {
        say(Stream::Out, &summary(args, &settings))?;
    }
    Ok(Outcome::Done)
}

/// The text of the settings, or a beginning of it that is too long: a device or a pipe may never end.
fn read(path: &Path) -> Result<String, Error> {
    let failed = |error| Error::io("cannot read the settings", path, error);
    let (mut bytes, most) = (Vec::new(), SplinkSettings::MOST_BYTES as u64 + 1);
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(most).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(failed)?;
    if bytes.len() > SplinkSettings::MOST_BYTES {
        // It is refused for its length, and may end within a character.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|error| failed(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// Both files or none.
fn write_all(args: &FromSplink, settings: &SplinkSettings) -> Result<(), Error> {
    let model = settings.model.as_ref().map(|model| ("model.toml", model.to_text()));
    let (mut files, reads) = (Vec::new(), [one_file(&args.settings)]);
    for (name, text) in [("rules.toml", settings.rules_text.clone())].into_iter().chain(model) {
        let path = args.output.join(name);
        let (mut file, unfinished) = begin_file(&path, args.overwrite, &reads)?;
        file.write_all(text.as_bytes()).map_err(|error| Error::io("cannot write", &path, error))?;
        files.push((file, unfinished));
    }
    files.into_iter().try_for_each(|(file, _unfinished)| file.finish())
}

fn summary(args: &FromSplink, settings: &SplinkSettings) -> String {
    let path = |name: &str| one_line(&args.output.join(name).display().to_string());
    let rules = settings.rules().map(|rules| rules.rule_count()).unwrap_or_default();
    let mut rows = vec![("Rules", format!("{}, with {}", path("rules.toml"), counted(rules as u64, "blocking rule")))];
    let model = settings.model.as_ref().map(|model| {
        rows.push((
            "Model",
            format!("{}, with {}", path("model.toml"), counted(model.comparisons.len() as u64, "comparison")),
        ));
        format!(" --model {}", path("model.toml"))
    });
    for note in &settings.notes {
        let name = match note.kind {
            SplinkNoteKind::NotTaken => "Left out",
            SplinkNoteKind::Differs => "Note",
        };
        rows.push((name, one_line(&note.to_string())));
    }
    let command = match settings.link_type {
        LinkType::DedupeOnly => "dedupe INPUT",
        LinkType::LinkOnly => "link INPUT INPUT",
        LinkType::LinkAndDedupe => "link INPUT INPUT --dedupe",
    };
    let model = model.unwrap_or_default();
    rows.push(("Next", format!("sameas {command} --rules {}{model} -o DIR", path("rules.toml"))));
    facts(&rows)
}
