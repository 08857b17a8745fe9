//! The rules of the house that no compiler checks: one meaning per name, a library that keeps to itself, plain words. The
//! files beside this one have those about layers, circles and counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder of the workspace with one of these endings, and their texts.
pub(crate) fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![workspace().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e)) {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no file below {folder}");
    found
}

/// The crates that others can depend on, from the lowest to the highest: so `Cargo.toml` lists them.
pub(crate) fn crates() -> Vec<String> {
    let text = std::fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let listed = text.lines().filter_map(|line| line.split_once(" = { path = \"crates/"));
    listed.map(|(name, _)| name.to_owned()).collect()
}

/// Crates that are no part of the library: the kernels below it, and what is built on it.
const AROUND_THE_LIBRARY: [&str; 3] = ["sameas-kernels", "sameas-testkit", "sameas-cli"];

/// The crates of the library, from the lowest to the highest.
pub(crate) fn library_crates() -> Vec<String> {
    crates().into_iter().filter(|name| !AROUND_THE_LIBRARY.contains(&name.as_str())).collect()
}

/// The files of a crate without its tests, by their places below `src`.
pub(crate) fn sources(name: &str) -> Vec<(PathBuf, String)> {
    sources_below(&format!("crates/{name}/src"))
}

/// The files below a folder of the workspace without tests, by their places there.
pub(crate) fn sources_below(folder: &str) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for (path, mut text) in files(folder, &["rs"]) {
        let path = path.strip_prefix(workspace().join(folder)).unwrap().to_owned();
        // What stands in for CUDA in a build without it has the names of the real thing.
        if is_test(&path) || path.ends_with("no_cuda.rs") {
            continue;
        }
        if let Some(tests) = text.find("#[cfg(test)]\nmod tests {") {
            text.truncate(tests);
        }
        sources.push((path, text));
    }
    sources
}

/// The library without its tests, by places below `crates`.
pub(crate) fn library() -> Vec<(PathBuf, String)> {
    let placed = |name: String| {
        sources(&name).into_iter().map(move |(path, text)| (Path::new(&name).join("src").join(path), text))
    };
    library_crates().into_iter().flat_map(placed).collect()
}

fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let below_tests = path.components().any(|part| part.as_os_str() == "tests");
    below_tests || stem == "testing" || stem == "tests" || stem.ends_with("_tests")
}

/// The lines of a file with their numbers, without comments.
pub(crate) fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

pub(crate) fn none(wrong: &[String], rule: &str) {
    assert!(wrong.is_empty(), "{rule}:\n  {}", wrong.join("\n  "));
}

/// The name of the type that a line defines.
fn type_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().filter(|word| !word.starts_with("pub"));
    let kind = words.next().filter(|word| ["struct", "enum", "trait", "type"].contains(word))?;
    let name = words.next()?.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    // Associated types of traits belong to their trait.
    let is_associated = kind == "type" && line.starts_with(' ');
    (!is_associated).then_some(name)
}

#[test]
fn no_two_types_have_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in library() {
        for (line, text) in code(&text) {
            if let Some(name) = type_name(text) {
                places.entry(name.to_owned()).or_default().push(format!("{}:{line}", path.display()));
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    let wrong: Vec<String> = places.iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    none(&wrong, "a name means one thing");
}

/// Names of types that could stand for anything.
const EMPTY_TYPE_NAMES: &str = "\
    Found Looked LookedAt Which Asked Asker Lesson Chosen Base Needs Standing Way Ways Worked Fit OtherRules Given \
    Normal Tested Together Stretch Watch Wrong";

/// Names of files that say nothing of what is in them.
const EMPTY_FILE_NAMES: &str = "given.rs written.rs normal.rs parts.rs lines.rs looser.rs";

#[test]
fn names_of_types_and_files_say_something() {
    let mut wrong = Vec::new();
    for (path, text) in ["crates", "bench", "fuzz"].iter().flat_map(|folder| files(folder, &["rs"])) {
        let types = code(&text).filter_map(|(line, text)| Some((line, type_name(text)?)));
        let empty = types.filter(|(_, name)| EMPTY_TYPE_NAMES.split(' ').any(|empty| empty == *name));
        wrong.extend(empty.map(|(line, name)| format!("{}:{line} {name}", path.display())));
        if EMPTY_FILE_NAMES.split(' ').any(|name| path.ends_with(name)) {
            wrong.push(path.display().to_string());
        }
    }
    none(&wrong, "a type or a file is called what it is");
}

#[test]
fn modules_have_one_style() {
    let all: Vec<PathBuf> =
        ["crates", "bench", "fuzz"].iter().flat_map(|folder| files(folder, &["rs"])).map(|(path, _)| path).collect();
    let folders: BTreeSet<&Path> = all.iter().filter_map(|path| path.parent()).collect();
    let beside = all.iter().filter(|path| folders.contains(path.with_extension("").as_path()));
    let wrong: Vec<String> = beside.map(|path| path.display().to_string()).collect();
    none(&wrong, "a module with modules is `folder/mod.rs`, and there is no `folder.rs` beside it");
}

/// Where the equality join may be named outside its folder: the list of all paths, their common type, and what makes paths
/// on devices.
const EQUI_JOIN_PLACES: [&str; 3] = [
    "sameas-joins/src/candidates/mod.rs",
    "sameas-joins/src/candidates/path.rs",
    "sameas-engine/src/execute/gpu/path.rs",
];

#[test]
fn the_equality_join_is_no_special_case() {
    let mut wrong = Vec::new();
    let mut named = BTreeSet::new();
    for (path, text) in library() {
        // The second is a test that is not called one.
        if path.starts_with("sameas-joins/src/candidates/equi_join")
            || path.ends_with("work_division/unequal_devices.rs")
        {
            continue;
        }
        let names_it = |text: &str| text.contains("EquiJoin") || text.contains("equi_join::");
        for (line, text) in code(&text).filter(|(_, text)| names_it(text)) {
            match EQUI_JOIN_PLACES.iter().find(|place| path == Path::new(place)) {
                Some(place) => {
                    named.insert(*place);
                }
                None => wrong.push(format!("{}:{line} {}", path.display(), text.trim())),
            }
        }
    }
    none(&wrong, "what is asked about a path is declared by it: nothing but its declaration knows the equality join");
    assert_eq!(named.len(), EQUI_JOIN_PLACES.len(), "only {named:?} name the equality join");
}

#[test]
fn the_library_keeps_to_itself() {
    let forbidden = ["println!", "eprintln!", "print!(", "io::stdout", "io::stderr", "env::var", "set_var"];
    let state = ["Mutex<", "RwLock<", "OnceLock<", "LazyLock<", "AtomicU", "AtomicB", "RefCell<", "Cell<"];
    let mut wrong = Vec::new();
    for (path, text) in library() {
        for (line, text) in code(&text) {
            let is_static = text.contains("static ") && !text.contains("&'static");
            // Memory that a thread computes a measure in, and that no later call reads, is no state.
            let is_scratch = path.starts_with("sameas-measures");
            let is_state = text.contains("thread_local!") || is_static && state.iter().any(|kind| text.contains(kind));
            let keeps_state = is_state && !is_scratch;
            if keeps_state || forbidden.iter().any(|word| text.contains(word)) || names_a_flag(text) {
                wrong.push(format!("{}:{line} {}", path.display(), text.trim()));
            }
        }
    }
    none(&wrong, "the library prints nothing, reads no environment, keeps no global state and knows no option");
}

/// Whether a text in quotes has a command-line option in it, such as `--memory`.
fn names_a_flag(line: &str) -> bool {
    line.split('"')
        .skip(1)
        .step_by(2)
        .any(|quoted| quoted.split("--").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())))
}

/// Words that an international reader stumbles over.
const HARD_WORDS: [&str; 10] =
    ["dear", "dearer", "dearest", "dearly", "anew", "told", "hitherto", "thereof", "so many", "stands so to"];

#[test]
fn plain_words() {
    let mut all = files("crates", &["rs", "md", "cu", "h", "cpp", "toml", "py"]);
    all.extend(files("bench", &["rs", "md", "py"]));
    all.extend(files("fuzz", &["rs", "md"]));
    all.extend(files("docs", &["md", "py"]));
    all.extend(files("scripts", &["py"]));
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        let path = workspace().join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        all.push((path, text));
    }
    let mut wrong = Vec::new();
    for (path, text) in &all {
        // Lists of names for made-up records, results, and this list of words.
        if path.ends_with("door/house.rs")
            || path.components().any(|part| ["words", "results"].iter().any(|n| part.as_os_str() == *n))
        {
            continue;
        }
        for (at, line) in text.lines().enumerate() {
            let words = format!(" {} ", line.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " "));
            if let Some(word) = HARD_WORDS.iter().find(|word| words.contains(&format!(" {word} "))) {
                wrong.push(format!("{}:{} {word}", path.display(), at + 1));
            }
        }
    }
    none(&wrong, "plain words");
}

#[test]
fn every_package_has_one_version() {
    let read = |path: &str| std::fs::read_to_string(workspace().join(path)).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let kernels = format!("\"sameas-cuda=={version};");
    assert!(read("crates/sameas-python/pyproject.toml").contains(&kernels), "the extra `cuda` names another version");
    let paths = read("Cargo.toml")
        .lines()
        .filter(|line| line.contains("path = \"crates/"))
        .map(str::to_owned)
        .collect::<Vec<_>>();
    let wrong: Vec<String> =
        paths.iter().filter(|line| !line.contains(&format!("version = \"{version}\""))).cloned().collect();
    none(&wrong, "crates of the workspace name its version");
}
