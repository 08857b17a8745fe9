//! Places that files are read from: paths, patterns and standard input, resolved in a fixed order, and what their names say.

use std::path::{Path, PathBuf};

use super::formats::{is_packing, read_as};
use crate::error::{Error, Result};

/// What stands for standard input.
const STDIN: &str = "-";
/// What messages and the record of a run call it.
pub const STDIN_LABEL: &str = "<stdin>";

/// The places that paths, patterns (`data/*.csv`) or `-` for standard input stand for, in row order.
pub(super) fn locations<P: AsRef<Path>>(patterns: impl IntoIterator<Item = P>) -> Result<Vec<Location>> {
    let mut all = Vec::new();
    for pattern in patterns {
        all.extend(resolve(pattern.as_ref())?);
    }
    match all.iter().filter(|place| place.path.is_none()).count() {
        _ if all.is_empty() => Err(Error::usage("no input file given")),
        0 | 1 => Ok(all),
        _ => Err(Error::usage("standard input (`-`) can be given only once")),
    }
}

/// A place that rows come from: a file, a named pipe or the like, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Location {
    /// Nothing for standard input.
    path: Option<PathBuf>,
}

impl Location {
    /// A file.
    pub(super) fn of_file(path: &Path) -> Self {
        Self { path: Some(path.to_owned()) }
    }

    /// Standard input.
    pub(super) fn stdin() -> Self {
        Self { path: None }
    }

    /// The path, unless it is standard input.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What error messages call it.
    pub(super) fn label(&self) -> String {
        self.path.as_ref().map_or_else(|| STDIN_LABEL.to_owned(), |path| path.display().to_string())
    }

    /// What `source_dataset` calls its records: the file name without the endings that say format and packing.
    pub(super) fn name(&self) -> String {
        let Some(path) = &self.path else { return "stdin".to_owned() };
        let name = file_name(path);
        without_ending(unpacked(&name), |ending| read_as(ending).is_some()).to_owned()
    }

    /// The ending that says what the file holds, in lower case.
    pub(super) fn format_ending(&self) -> Option<String> {
        let name = file_name(self.path.as_ref()?);
        let (_, ending) = unpacked(&name).rsplit_once('.')?;
        Some(ending.to_ascii_lowercase())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// `name` without the ending that says how the file is packed, which comes off first.
fn unpacked(name: &str) -> &str {
    without_ending(name, is_packing)
}

/// `name` without its ending, if it is one that `comes_off`; a name that is nothing but an ending stays whole.
fn without_ending(name: &str, comes_off: impl Fn(&str) -> bool) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && comes_off(ending) => stem,
        _ => name,
    }
}

/// A path that exists stands for itself, even if it looks like a pattern.
fn resolve(pattern: &Path) -> Result<Vec<Location>> {
    if pattern == Path::new(STDIN) {
        return Ok(vec![Location::stdin()]);
    }
    if pattern.is_dir() {
        let help = format!("name its files, for example {}", for_shell(&below(pattern)));
        return Err(Error::data(format!("{}: is a directory", pattern.display())).with_help(help));
    }
    match pattern.to_str() {
        Some(text) if !pattern.exists() && text.contains(['*', '?', '[']) => matching(text),
        _ if pattern.exists() => Ok(vec![Location::of_file(pattern)]),
        _ => Err(Error::data(format!("{}: no such file", pattern.display()))),
    }
}

/// Whether what a path or a pattern stands for depends on the current folder.
pub fn is_relative(given: &str) -> bool {
    given != STDIN && Path::new(given).is_relative()
}

/// A relative path or pattern as one that is meant from a folder; nothing where there is no such file.
pub fn found_in(folder: &Path, given: &str) -> Option<PathBuf> {
    if !is_relative(given) {
        return None;
    }
    let place = folder.join(given);
    if place.exists() {
        return Some(place);
    }
    // The name of the folder is no pattern.
    let pattern = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(given);
    resolve(&pattern).is_ok().then_some(pattern)
}

/// The CSV files of a folder, as a pattern.
fn below(folder: &Path) -> String {
    Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join("*.csv").to_string_lossy().into_owned()
}

/// A pattern as an argument that a POSIX shell takes as it is: the library expands it, and all its files are one input.
fn for_shell(pattern: &str) -> String {
    format!("'{}'", pattern.replace('\'', r"'\''"))
}

/// The files a pattern matches, sorted bytewise; as in a shell, hidden files need a dot in the pattern.
fn matching(pattern: &str) -> Result<Vec<Location>> {
    let options = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
    let found = glob::glob_with(pattern, options)
        .map_err(|error| Error::usage(format!("{pattern}: not a valid pattern: {}", error.msg)))?;
    let mut paths = Vec::new();
    for entry in found {
        let path = entry.map_err(|error| {
            let path = error.path().to_owned();
            Error::io("cannot read", &path, error.into())
        })?;
        if !path.is_dir() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Error::data(format!("{pattern}: no file matches this pattern")));
    }
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(paths.iter().map(|path| Location::of_file(path)).collect())
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

    fn names(patterns: &[PathBuf]) -> Vec<String> {
        let name = |place: &Location| place.path().map_or_else(|| "-".to_owned(), file_name);
        locations(patterns).unwrap().iter().map(name).collect()
    }

    #[test]
    fn arguments_keep_their_order_and_patterns_are_sorted_bytewise() {
        let dir = folder(&["b.csv", "a.csv", "B.csv", "é.csv", ".hidden.csv", "z.txt"]);
        std::fs::create_dir(dir.path().join("folder.csv")).unwrap();
        let given = [dir.path().join("z.txt"), dir.path().join("*.csv"), "-".into()];
        assert_eq!(names(&given), ["z.txt", "B.csv", "a.csv", "b.csv", "é.csv", "-"]);
    }

    #[test]
    fn a_path_that_exists_is_no_pattern() {
        let dir = folder(&["a[1].csv", "a1.csv"]);
        assert_eq!(names(&[dir.path().join("a[1].csv")]), ["a[1].csv"]);
        assert_eq!(names(&[dir.path().join("a[0-9].csv")]), ["a1.csv"]);
    }

    #[test]
    fn names_lose_the_endings_of_format_and_packing_only() {
        let name = |path: &str| Location::of_file(Path::new(path)).name();
        assert_eq!(name("x/people.csv"), "people");
        assert_eq!(name("people.CSV.GZ"), "people");
        assert_eq!(name("people.2024.jsonl.zst"), "people.2024");
        assert_eq!(name("people.dat"), "people.dat");
        assert_eq!(name("people.parquet.csv"), "people.parquet");
        assert_eq!(name("edge.facts.gz"), "edge");
        assert_eq!(name(".csv"), ".csv");
        assert_eq!(Location::stdin().name(), "stdin");
    }

    #[test]
    fn relative_paths_and_patterns_are_found_in_a_folder() {
        let dir = folder(&["a.csv", "b.csv"]);
        let odd = dir.path().join("[odd]");
        std::fs::create_dir(&odd).unwrap();
        std::fs::write(odd.join("c.csv"), "id\n").unwrap();
        assert_eq!(found_in(dir.path(), "a.csv"), Some(dir.path().join("a.csv")));
        assert_eq!(found_in(&odd, "c.csv"), Some(odd.join("c.csv")));
        assert_eq!(names(&[found_in(dir.path(), "[ab].csv").unwrap()]), ["a.csv", "b.csv"]);
        assert_eq!(names(&[found_in(&odd, "*.csv").unwrap()]), ["c.csv"]);
        let absolute = dir.path().join("a.csv");
        for given in ["c.csv", "x*.csv", "-", absolute.to_str().unwrap()] {
            assert_eq!(found_in(dir.path(), given), None, "{given}");
        }
        assert!(is_relative("a/*.csv") && !is_relative("-") && !is_relative("/a.csv"));
    }

    #[test]
    fn what_cannot_be_resolved_is_an_error() {
        let dir = folder(&["a.csv"]);
        let at = |name: &str| dir.path().join(name);
        let text = |patterns: &[PathBuf]| locations(patterns).unwrap_err().to_string();
        let shown = dir.path().display();
        assert_eq!(text(&[at("b.csv")]), format!("{shown}/b.csv: no such file"));
        assert_eq!(text(&[at("b*")]), format!("{shown}/b*: no file matches this pattern"));
        assert_eq!(
            text(&[dir.path().to_owned()]),
            format!("{shown}: is a directory\n  help: name its files, for example '{shown}/*.csv'")
        );
        std::fs::create_dir(at("it's [new]")).unwrap();
        assert_eq!(
            text(&[at("it's [new]")]),
            format!(
                "{shown}/it's [new]: is a directory\n  help: name its files, for example '{shown}/it'\\''s [[]new[]]/*.csv'"
            )
        );
        assert_eq!(text(&["-".into(), "-".into()]), "standard input (`-`) can be given only once");
        assert_eq!(text(&[at("[")]), format!("{shown}/[: not a valid pattern: invalid range pattern"));
        assert_eq!(text(&[]), "no input file given");
    }
}
