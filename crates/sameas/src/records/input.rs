//! What the user gave for one side of a job: files, patterns or standard input, resolved in a fixed order.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Endings that say how a file is packed; they come off first.
const PACKED: [&str; 2] = ["gz", "zst"];
/// Endings that say what a file holds.
const FORMATS: [&str; 8] = ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "parquet", "pq"];

/// One side of a job as the user wrote it: paths, patterns (`data/*.csv`) or `-` for standard input.
///
/// Files keep the order of the arguments, and the files of a pattern are sorted bytewise: this is the order of the rows.
#[derive(Clone, Debug)]
pub struct Input {
    patterns: Vec<PathBuf>,
    delimiter: Option<u8>,
}

impl Input {
    /// An input of one or several paths, patterns or `-`.
    pub fn new<P: Into<PathBuf>>(patterns: impl IntoIterator<Item = P>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect(), delimiter: None }
    }

    /// Sets the delimiter of CSV files, which is otherwise found from each file's header.
    #[must_use]
    pub fn with_delimiter(mut self, delimiter: Option<u8>) -> Self {
        self.delimiter = delimiter;
        self
    }

    /// The delimiter the user gave, if it can be one.
    pub(super) fn delimiter(&self) -> Result<Option<u8>> {
        match self.delimiter {
            Some(byte) if !byte.is_ascii() || matches!(byte, b'"' | b'\n' | b'\r' | 0) => {
                Err(Error::usage("the delimiter must be one ASCII character, and no quote or line break"))
            }
            delimiter => Ok(delimiter),
        }
    }

    /// The places to read, in row order.
    pub(super) fn locations(&self) -> Result<Vec<Location>> {
        let mut all = Vec::new();
        for pattern in &self.patterns {
            all.extend(resolve(pattern)?);
        }
        match all.iter().filter(|place| matches!(place, Location::Stdin)).count() {
            _ if all.is_empty() => Err(Error::usage("no input file given")),
            0 | 1 => Ok(all),
            _ => Err(Error::usage("standard input (`-`) can be given only once")),
        }
    }
}

/// A place that rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// Standard input.
    Stdin,
    /// A file, a named pipe or the like.
    File(PathBuf),
}

impl Location {
    /// What error messages call it.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// What `source_dataset` calls its records: the file name without the endings that say format and packing.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stdin => "stdin".to_owned(),
            Self::File(path) => {
                let name = file_name(path);
                without_ending(without_ending(&name, &PACKED), &FORMATS).to_owned()
            }
        }
    }

    /// The ending that says what the file holds, in lower case.
    pub(super) fn format_ending(&self) -> Option<String> {
        let Self::File(path) = self else { return None };
        let name = file_name(path);
        let (_, ending) = without_ending(&name, &PACKED).rsplit_once('.')?;
        Some(ending.to_ascii_lowercase())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// `name` without one of `endings`; a name that is nothing but an ending stays whole.
fn without_ending<'a>(name: &'a str, endings: &[&str]) -> &'a str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && endings.iter().any(|e| ending.eq_ignore_ascii_case(e)) => stem,
        _ => name,
    }
}

/// A path that exists stands for itself, even if it looks like a pattern.
fn resolve(pattern: &Path) -> Result<Vec<Location>> {
    if pattern == Path::new("-") {
        return Ok(vec![Location::Stdin]);
    }
    if pattern.is_dir() {
        let help = format!("name its files, for example `{}`", pattern.join("*.csv").display());
        return Err(Error::data(format!("{}: is a directory", pattern.display())).with_help(help));
    }
    match pattern.to_str() {
        Some(text) if !pattern.exists() && text.contains(['*', '?', '[']) => matching(text),
        _ if pattern.exists() => Ok(vec![Location::File(pattern.to_owned())]),
        _ => Err(Error::data(format!("{}: no such file", pattern.display()))),
    }
}

/// The files a pattern matches, sorted bytewise; as in a shell, hidden files need a dot in the pattern.
fn matching(pattern: &str) -> Result<Vec<Location>> {
    let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
    let found = glob::glob_with(pattern, options)
        .map_err(|error| Error::usage(format!("{pattern}: not a valid pattern: {}", error.msg)))?;
    let mut paths = Vec::new();
    for entry in found {
        let path = entry.map_err(|error| Error::io("cannot read", &error.path().to_owned(), error.into_error()))?;
        if !path.is_dir() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Error::data(format!("{pattern}: no file matches this pattern")));
    }
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(paths.into_iter().map(Location::File).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            std::fs::write(folder.path().join(name), "id\n").unwrap();
        }
        folder
    }

    fn names(input: &Input) -> Vec<String> {
        let label = |place: Location| match place {
            Location::Stdin => "-".to_owned(),
            Location::File(path) => file_name(&path),
        };
        input.locations().unwrap().into_iter().map(label).collect()
    }

    #[test]
    fn arguments_keep_their_order_and_patterns_are_sorted_bytewise() {
        let dir = folder(&["b.csv", "a.csv", "B.csv", "é.csv", ".hidden.csv", "z.txt"]);
        std::fs::create_dir(dir.path().join("folder.csv")).unwrap();
        let input = Input::new([dir.path().join("z.txt"), dir.path().join("*.csv"), "-".into()]);
        assert_eq!(names(&input), ["z.txt", "B.csv", "a.csv", "b.csv", "é.csv", "-"]);
    }

    #[test]
    fn a_path_that_exists_is_no_pattern() {
        let dir = folder(&["a[1].csv", "a1.csv"]);
        assert_eq!(names(&Input::new([dir.path().join("a[1].csv")])), ["a[1].csv"]);
        assert_eq!(names(&Input::new([dir.path().join("a[0-9].csv")])), ["a1.csv"]);
    }

    #[test]
    fn names_lose_the_endings_of_format_and_packing_only() {
        let name = |path: &str| Location::File(path.into()).name();
        assert_eq!(name("x/people.csv"), "people");
        assert_eq!(name("people.CSV.GZ"), "people");
        assert_eq!(name("people.2024.jsonl.zst"), "people.2024");
        assert_eq!(name("people.dat"), "people.dat");
        assert_eq!(name("people.parquet.csv"), "people.parquet");
        assert_eq!(name(".csv"), ".csv");
        assert_eq!(Location::Stdin.name(), "stdin");
    }

    #[test]
    fn what_cannot_be_resolved_is_an_error() {
        let dir = folder(&["a.csv"]);
        let at = |name: &str| dir.path().join(name);
        let text = |input: Input| input.locations().unwrap_err().to_string();
        let shown = dir.path().display();
        assert_eq!(text(Input::new([at("b.csv")])), format!("{shown}/b.csv: no such file"));
        assert_eq!(text(Input::new([at("b*")])), format!("{shown}/b*: no file matches this pattern"));
        assert_eq!(
            text(Input::new([dir.path()])),
            format!("{shown}: is a directory\n  help: name its files, for example `{shown}/*.csv`")
        );
        assert_eq!(text(Input::new(["-", "-"])), "standard input (`-`) can be given only once");
        assert_eq!(text(Input::new([at("[")])), format!("{shown}/[: not a valid pattern: invalid range pattern"));
        assert_eq!(text(Input::new(Vec::<PathBuf>::new())), "no input file given");
        let bad = Input::new([at("a.csv")]).with_delimiter(Some(b'"')).delimiter();
        assert_eq!(
            bad.unwrap_err().to_string(),
            "the delimiter must be one ASCII character, and no quote or line break"
        );
    }
}
