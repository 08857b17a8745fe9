//! Numbers that may not rise unnoticed: each is written down once, and compared here with what there is. Who
//! raises one says why.

use std::collections::{BTreeMap, BTreeSet};

use crate::house::{code, files, none, workspace};
use crate::imports::FileNames;
use crate::layers::all_crates;

/// The lines of each crate with its tests, and up to one in a hundred more.
const CRATE_LINES: [(&str, usize); 19] = [
    ("sameas-kernels", 12_800),
    ("sameas-core", 2_900),
    ("sameas-clusters", 6_250),
    ("sameas-measures", 5_850),
    ("sameas-expr", 6_100),
    ("sameas-rules", 20_600),
    ("sameas-device", 2_470),
    ("sameas-records", 24_700),
    ("sameas-entities", 4_060),
    ("sameas-relations", 8_300),
    ("sameas-joins", 23_050),
    ("sameas-engine", 35_000),
    ("sameas-pairs", 3_280),
    ("sameas-datalog", 6_200),
    ("sameas-report", 13_850),
    ("sameas", 7_150),
    ("sameas-testkit", 21_900),
    ("sameas-cli", 18_600),
    ("sameas-python", 10_600),
];

/// What no crate may have: a larger one is two.
const MOST_CRATE_LINES: usize = 35_000;

/// The items at the root of `sameas`: what most programs need. The rest is in its modules.
const ROOT_ITEMS: usize = 60;

/// Functions called `of`, a name that says nothing. There should be none.
const FUNCTIONS_CALLED_OF: usize = 0;

/// The `unsafe` blocks of all files together.
const UNSAFE_BLOCKS: usize = 92;

/// What begins the table of unsafe code in ARCHITECTURE.md.
const TABLE: &str = "| folder | files with their blocks | what for |";

#[test]
fn the_map_has_every_file_with_unsafe_code_and_its_blocks() {
    let (found, written) = (blocks_found(), blocks_written());
    let shown = |blocks: Option<&usize>| blocks.map_or_else(|| "no such file".to_owned(), usize::to_string);
    let wrong: Vec<String> = BTreeSet::from_iter(found.keys().chain(written.keys()))
        .into_iter()
        .filter(|file| found.get(*file) != written.get(*file))
        .map(|file| format!("{file}: {} found, {} in the table", shown(found.get(file)), shown(written.get(file))))
        .collect();
    none(&wrong, "the table of unsafe code in ARCHITECTURE.md has each file, how many blocks it has, and why");
    let blocks: usize = found.values().sum();
    assert_eq!(blocks, UNSAFE_BLOCKS, "another number of unsafe blocks: lower it here, or say why it rises");
}

/// The blocks of each file that has unsafe code; a file may declare some and have no block.
fn blocks_found() -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (path, text) in ["crates", "bench", "fuzz"].iter().flat_map(|folder| files(folder, &["rs"])) {
        let blocks = unsafe_before(" {", &text);
        let is_declared = [" fn", " impl", " extern", " trait", "("].iter().any(|next| unsafe_before(next, &text) > 0);
        if blocks > 0 || is_declared {
            let file = path.strip_prefix(workspace()).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(file, blocks);
        }
    }
    found
}

/// How often the code says `unsafe` with this after it.
fn unsafe_before(next: &str, text: &str) -> usize {
    let wanted = ["unsafe", next].concat();
    code(text).map(|(_, line)| line.matches(&wanted).count()).sum()
}

/// The blocks of each file as ARCHITECTURE.md has them: a row has a folder, some of its files, and a reason.
fn blocks_written() -> BTreeMap<String, usize> {
    let page = std::fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
    let table = page.split(TABLE).nth(1).expect("ARCHITECTURE.md has no table of unsafe code");
    let mut written = BTreeMap::new();
    // The rest of the first line, and the line below it, have no files.
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let ["", folder, listed, reason, ""] = cells[..] else { panic!("not a row of three cells: {row}") };
        assert!(!reason.is_empty(), "no reason: {row}");
        for file in listed.split(", ") {
            let (name, blocks) = file.rsplit_once(' ').unwrap_or_else(|| panic!("no number after {file}"));
            let path = format!("{}/{}", folder.trim_matches('`'), name.trim_matches('`'));
            let earlier = written.insert(path, blocks.parse().unwrap());
            assert!(earlier.is_none(), "{file} is in the table twice");
        }
    }
    written
}

/// What is wrong with a figure: there is more than it says, or so much less that it no longer says anything.
fn compared(what: &str, written: usize, found: usize) -> Option<String> {
    if found > written {
        return Some(format!("{what}: {found}, and {written} is written: do with less, or raise it and say why"));
    }
    let is_far_below = found * 100 < written * 98;
    is_far_below.then(|| format!("{what}: {found}, and {written} is written: lower it"))
}

#[test]
fn a_figure_is_raised_and_lowered_on_purpose() {
    assert_eq!(compared("lines", 100, 100), None);
    assert_eq!(compared("lines", 100, 98), None);
    assert!(compared("lines", 100, 101).unwrap().contains("raise it"));
    assert!(compared("lines", 100, 97).unwrap().contains("lower it"));
}

#[test]
fn crates_grow_on_purpose() {
    let figures = BTreeMap::from(CRATE_LINES);
    let crates = all_crates();
    assert_eq!(Vec::from_iter(figures.keys()), Vec::from_iter(&crates), "each crate has a figure");
    let lines = |name: &str| -> usize {
        let files = files(&format!("crates/{name}"), &["rs", "cu", "h", "cpp", "py", "pyi"]);
        files.iter().map(|(_, text)| text.lines().count()).sum()
    };
    let wrong: Vec<String> = figures
        .iter()
        .filter_map(|(name, written)| compared(&format!("lines of {name}"), *written, lines(name)))
        .collect();
    none(&wrong, "the lines of each crate are written down");
    let large: Vec<String> = CRATE_LINES
        .iter()
        .filter(|(_, lines)| *lines > MOST_CRATE_LINES)
        .map(|(name, lines)| format!("{name}: {lines}"))
        .collect();
    none(&large, "a crate is small enough to be read");
}

#[test]
fn the_door_grows_on_purpose() {
    let root = std::fs::read_to_string(workspace().join("crates/sameas/src/lib.rs")).unwrap();
    let wrong = Vec::from_iter(compared("items at the root of sameas", ROOT_ITEMS, root_items(&root)));
    none(&wrong, "what the library promises is written down");
}

/// The items that the root of a crate gives to everybody; what takes a feature is left out.
fn root_items(root: &str) -> usize {
    let lines: Vec<&str> = code(root).map(|(_, line)| line).collect();
    let mut items = 0;
    for (at, line) in lines.iter().enumerate() {
        let takes_a_feature = at > 0 && lines[at - 1].starts_with("#[cfg(feature");
        if takes_a_feature || !line.starts_with("pub ") {
            continue;
        }
        items += if line.starts_with("pub use ") { imported_items(&lines[at..]) } else { 1 };
    }
    items
}

/// The items of the `use` that begins these lines.
fn imported_items(lines: &[&str]) -> usize {
    let last = lines.iter().position(|line| line.ends_with(';')).expect("a `use` ends");
    let text = lines[..=last].join("\n");
    let names = FileNames::read(&text);
    assert!(names.globs.is_empty(), "the root names each of its items: {text}");
    names.imports.len()
}

#[test]
fn items_of_a_root_are_counted_one_by_one() {
    let root = "// pub mod no;\nmod no;\npub mod one;\n#[cfg(feature = \"x\")]\npub use no::No;\nuse no::No;\n\
        pub use two::{\n    Two,\n    three::{Three, Four as Last},\n};\npub fn five() {}\npub mod six {\n    pub use no::No;\n}\n";
    assert_eq!(root_items(root), 6);
}

#[test]
fn names_say_something() {
    let all = ["crates", "bench", "fuzz"].iter().flat_map(|folder| files(folder, &["rs"]));
    let is_called_of = |line: &str| line.split("fn of").skip(1).any(|rest| rest.starts_with(['(', '<']));
    let called_of = |text: &str| code(text).filter(|(_, line)| is_called_of(line)).count();
    let found: usize = all.map(|(_, text)| called_of(&text)).sum();
    let wrong = Vec::from_iter(compared("functions called `of`", FUNCTIONS_CALLED_OF, found));
    none(&wrong, "the name of a function says what it gives");
}
