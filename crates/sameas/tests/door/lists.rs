//! The lists of CONTRIBUTING.md are complete: the files that it lists for an example are those that name it. And pages
//! that everybody reads stay short.

use std::collections::BTreeSet;

use crate::house::{code, files, none, workspace};

/// What CONTRIBUTING.md must have a list for. Other sections may have one too.
const KINDS: [&str; 6] = ["a measure", "an access path", "a clustering", "a source", "a format", "a kernel"];

/// Where examples are looked for: folders, and the endings of files in them.
const PLACES: [(&str, &[&str]); 5] = [
    ("crates", &["rs", "cu", "h", "py", "case"]),
    ("bench", &["rs", "py"]),
    ("fuzz", &["rs", "dict"]),
    ("docs", &["md"]),
    ("report/src", &["ts", "tsx"]),
];

/// Pages beside these folders.
const PAGES: [&str; 2] = ["README.md", "CHANGELOG.md"];

/// The most lines of pages that are read from beginning to end.
const MOST_LINES: [(&str, usize); 2] = [("ARCHITECTURE.md", 350), ("README.md", 250)];

#[test]
fn pages_to_read_are_short() {
    for (page, most) in MOST_LINES {
        let lines = read(page).lines().count();
        assert!(lines <= most, "{page} has {lines} lines, and {most} is the most: details belong elsewhere");
    }
}

#[test]
fn contributing_lists_all_files_of_its_examples() {
    let sections = sections(&read("CONTRIBUTING.md"));
    let missing = KINDS.iter().filter(|kind| sections.iter().all(|section| section.kind != **kind));
    none(&missing.map(|kind| format!("adding {kind}")).collect::<Vec<_>>(), "CONTRIBUTING.md has lists of files");
    let all = all_files();
    let wrong: Vec<String> = sections.iter().flat_map(|section| section.mistakes(&all)).collect();
    none(&wrong, "CONTRIBUTING.md lists the files that name its examples");
}

/// A section of CONTRIBUTING.md about adding something.
struct Section {
    kind: String,
    /// The names of its example.
    names: Vec<String>,
    /// Files, and folders whose names end with a slash.
    listed: BTreeSet<String>,
}

impl Section {
    fn new(text: &str) -> Self {
        let example = text.lines().find(|line| line.starts_with("Example: ")).unwrap_or_default();
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        Self {
            kind: text.lines().next().unwrap_or_default().to_owned(),
            names: quoted(example).map(str::to_owned).collect(),
            listed: rows.filter_map(|row| quoted(row).next()).map(str::to_owned).collect(),
        }
    }

    fn mistakes(&self, all: &[(String, String)]) -> Vec<String> {
        let named = |name: &String| all.iter().any(|(_, text)| names(text, name));
        let found: BTreeSet<&str> = all
            .iter()
            .filter(|(_, text)| self.names.iter().any(|name| names(text, name)))
            .map(|(path, _)| path.as_str())
            .collect();
        let nowhere = self.names.iter().filter(|name| !named(name)).map(|name| format!("no file names {name}"));
        let left_out = found.iter().filter(|file| !self.listed.iter().any(|entry| covers(entry, file)));
        let too_much = self.listed.iter().filter(|entry| !found.iter().any(|file| covers(entry, file)));
        nowhere
            .chain(left_out.map(|file| format!("{file} is not listed")))
            .chain(too_much.map(|entry| format!("{entry} is listed and names none of {:?}", self.names)))
            .map(|mistake| format!("adding {}: {mistake}", self.kind))
            .collect()
    }
}

/// Whether an entry of a list is this file, or a folder that it is in.
fn covers(entry: &str, file: &str) -> bool {
    entry == file || entry.ends_with('/') && file.starts_with(entry)
}

/// The sections that have an example.
fn sections(page: &str) -> Vec<Section> {
    let texts = page.split("\n## ").filter_map(|section| section.strip_prefix("Adding "));
    texts.map(Section::new).filter(|section| !section.names.is_empty()).collect()
}

/// What is between backquotes in a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Every file that may have to do with an example: its path, and what it says by its path and its code.
fn all_files() -> Vec<(String, String)> {
    let found = PLACES.iter().flat_map(|(folder, endings)| files(folder, endings)).map(|(path, text)| {
        let path = path.strip_prefix(workspace()).unwrap().to_str().unwrap().replace('\\', "/");
        (path, text)
    });
    let pages = PAGES.iter().map(|page| ((*page).to_owned(), read(page)));
    let all = found.chain(pages).filter(|(path, _)| !is_test(path));
    all.map(|(path, text)| (path.clone(), said(&path, &text))).collect()
}

/// Tests name examples for other reasons. The test kit is for what is new too.
fn is_test(path: &str) -> bool {
    let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    let below_tests = path.contains("/tests/") && !path.starts_with("crates/sameas-testkit/");
    below_tests || stem == "tests" || stem == "testing" || stem.ends_with("_tests")
}

/// The path of a file and its code, without comments and tests.
fn said(path: &str, text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code(text).map(|(_, line)| line);
    std::iter::once(path).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Whether a text has this name, and not only as a part of a longer one.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

fn read(page: &str) -> String {
    std::fs::read_to_string(workspace().join(page)).unwrap()
}

#[test]
fn a_list_is_compared_with_the_code() {
    let page = "# Page\n\n## Adding a thing\n\nExample: `thing`, `Thing`.\n\n| file |\n|---|\n| `a.rs` | x |\n\
                | `b/` | `c.rs` |\n\n## Adding nothing\n\nNo list.\n";
    let sections = sections(page);
    assert_eq!((sections.len(), sections[0].kind.as_str()), (1, "a thing"));
    let all = |files: &[(&str, &str)]| -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), said(path, text))).collect()
    };
    let listed = [("a.rs", "thing()"), ("b/c.rs", "Thing"), ("e.rs", "// thing\nsomething")];
    assert_eq!(sections[0].mistakes(&all(&listed)), Vec::<String>::new());
    let others = [listed[0], listed[1], ("d.rs", "things // thing")];
    assert_eq!(sections[0].mistakes(&all(&others)), ["adding a thing: d.rs is not listed"]);
    let mistakes = sections[0].mistakes(&all(&[("b/c.rs", "thing")]));
    assert!(mistakes[0].ends_with("no file names Thing"), "{mistakes:?}");
    assert!(mistakes[1].contains("a.rs is listed and names none"), "{mistakes:?}");
    assert_eq!(mistakes.len(), 2);
}
