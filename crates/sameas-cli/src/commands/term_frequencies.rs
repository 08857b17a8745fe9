//! `sameas term-frequencies`: how frequent values are, as files for other jobs.

use std::fs;
use std::path::PathBuf;

use sameas::score::ColumnFrequencies;
use sameas::{Error, Format, Job, Result, RuleFile, Session};

use crate::args::TermFrequencies;
use crate::interrupt;
use crate::outcome::{CommandResult, Outcome};
use crate::output_files::begin_file;
use crate::progress::Bar;
use crate::report;
use crate::terminal::{Stream, say};

/// Runs `sameas term-frequencies`.
pub fn run(args: &TermFrequencies) -> CommandResult {
    let job = args.inputs.job(RuleFile::read_all(&args.rules)?)?;
    let is_new = !args.output.is_dir();
    fs::create_dir_all(&args.output).map_err(|error| Error::io("cannot make the folder", &args.output, error))?;
    match write_all(args, &job) {
        Ok(written) if args.quiet => drop(written),
        Ok(written) => say(Stream::Out, &report::counted_frequencies(&written))?,
        Err(error) => {
            if is_new {
                // It is empty, unless somebody else has put something there.
                let _ = fs::remove_dir(&args.output);
            }
            return Err(error.into());
        }
    }
    Ok(Outcome::Done)
}

/// All files or none.
fn write_all(args: &TermFrequencies, job: &Job) -> Result<Vec<(ColumnFrequencies, PathBuf)>> {
    let (format, reads) = (Format::from(args.format), job.files_read());
    let names = file_names(&job.rules.term_frequency_columns(), format.extension());
    let paths: Vec<PathBuf> = names.iter().map(|name| args.output.join(name)).collect();
    // Before the work, which would be in vain without them.
    let begun = paths.iter().map(|path| begin_file(path, args.overwrite, &reads));
    let mut files = begun.collect::<Result<Vec<_>>>()?;
    interrupt::announce("unfinished files are removed");
    let session = session(args)?;
    let bar = Bar::new(args.quiet);
    let counted = session.term_frequencies(job, &bar)?;
    for ((of, path), (file, _)) in counted.iter().zip(&paths).zip(&mut files) {
        session.write_term_frequencies(of, file, format, path)?;
    }
    drop(bar);
    for (file, _unfinished) in files {
        file.finish()?;
    }
    Ok(counted.into_iter().zip(paths).collect())
}

fn session(args: &TermFrequencies) -> Result<Session> {
    let mut builder = Session::builder();
    if let Some(threads) = args.threads {
        builder = builder.threads(threads);
    }
    if let Some(memory) = args.memory {
        builder = builder.memory(memory);
    }
    builder.build()
}

/// The files of columns: their names, without what file systems do not take, each once.
fn file_names(columns: &[String], ending: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for column in columns {
        let plain: String = column.chars().map(in_file_name).collect();
        let (mut name, mut number) = (format!("{plain}.{ending}"), 2);
        while names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            name = format!("{plain} {number}.{ending}");
            number += 1;
        }
        names.push(name);
    }
    names
}

fn in_file_name(c: char) -> char {
    if c.is_alphanumeric() || matches!(c, '_' | '-' | ' ') { c } else { '_' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_a_file_of_its_name() {
        let columns = ["surname", "Straße", "a/b", "a:b", "../A_B"].map(str::to_owned);
        let expected = ["surname.csv", "Straße.csv", "a_b.csv", "a_b 2.csv", "___A_B.csv"];
        assert_eq!(file_names(&columns, "csv"), expected);
    }
}
