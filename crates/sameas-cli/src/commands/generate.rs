//! `sameas generate`: dirty records and the truth about them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sameas::{Error, Observer, printable};
use sameas_testkit::generate::{Format, Kind, Options, Summary, generate, partial_files};

use crate::args::{Generate, GenerateFormat, GenerateKind};
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::progress::Bar;
use crate::terminal::{Stream, say};
use crate::text::{count, facts};

/// Runs `sameas generate`.
pub fn run(args: &Generate) -> CommandResult {
    let options = Options {
        kind: match args.kind {
            GenerateKind::People => Kind::People,
            GenerateKind::Publications => Kind::Publications,
            GenerateKind::Cds => Kind::Cds,
        },
        records: args.records,
        duplicates: args.duplicates,
        missing: args.missing,
        two_inputs: args.two_inputs,
        seed: args.seed,
        format: match args.format {
            GenerateFormat::Csv => Format::Csv,
            GenerateFormat::Parquet => Format::Parquet,
        },
    };
    let folders = prepare(&args.output, args.overwrite)?;
    interrupt::announce("unfinished files are removed");
    let (files, new) = (partial_files(&options, &args.output), folders.clone());
    let _unfinished = interrupt::remove_with(move || {
        files.iter().for_each(|file| drop(fs::remove_file(file)));
        remove_empty(&new);
        true
    });
    let bar = Bar::new(args.quiet);
    let made = make(&options, &args.output, &bar).inspect_err(|_| remove_empty(&folders))?;
    drop(bar);
    if !args.quiet {
        say(Stream::Out, &summary(&made))?;
    }
    Ok(Outcome::Done)
}

/// Makes the records that `options` asks for.
pub fn make(options: &Options, folder: &Path, bar: &Bar) -> Result<Summary, Error> {
    bar.begin("generating", Some(options.records), "records");
    let mut before = 0;
    let mut tell = |so_far: u64| {
        bar.advance(so_far - before);
        before = so_far;
        if interrupt::is_wanted() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    };
    generate(options, folder, &mut tell).map_err(|error| Error::io("cannot write into", folder, error))
}

/// Makes the folder and those above it, as far as they are missing, and returns those it made, the innermost first.
fn prepare(folder: &Path, overwrite: bool) -> Result<Vec<PathBuf>, Error> {
    let failed = |error: io::Error| Error::io("cannot use the folder", folder, error);
    let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let made = folder.ancestors().take_while(missing).map(Path::to_path_buf).collect();
    fs::create_dir_all(folder).map_err(failed)?;
    let empty = fs::read_dir(folder).map_err(failed)?.next().is_none();
    if empty || overwrite {
        return Ok(made);
    }
    let message = format!("the folder `{}` is not empty; use --overwrite", folder.display());
    Err(Error::usage(message).with_help("--overwrite replaces the files it writes and leaves others alone"))
}

fn remove_empty(folders: &[PathBuf]) {
    // Fails, as it should, if a folder has other contents.
    folders.iter().for_each(|folder| drop(fs::remove_dir(folder)));
}

fn summary(made: &Summary) -> String {
    let files: Vec<String> = made.files.iter().map(|file| printable(&file.display().to_string())).collect();
    facts(&[
        ("Records", format!("{}, of which {} are copies of another", count(made.records), count(made.duplicates))),
        ("Clusters", count(made.clusters)),
        ("Files", files.join(", ")),
    ])
}
