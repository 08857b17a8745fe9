//! The rules of the house that no compiler checks: layers that only point down, one meaning per name, a library that
//! keeps to itself, and a program that uses its front door.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder of the workspace with one of these endings, and their texts.
fn files(folder: &str, endings: &[&str]) -> Vec<(PathBuf, String)> {
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

/// The library without its tests.
fn library() -> Vec<(PathBuf, String)> {
    let mut all = files("crates/sameas/src", &["rs"]);
    // What stands in for CUDA in a build without it has the names of the real thing.
    all.retain(|(path, _)| !is_test(path) && !path.ends_with("device/no_cuda.rs"));
    all.iter_mut().for_each(|(_, text)| {
        if let Some(tests) = text.find("#[cfg(test)]\nmod tests {") {
            text.truncate(tests);
        }
    });
    all
}

fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let below_tests = path.components().any(|part| part.as_os_str() == "tests");
    below_tests || stem == "testing" || stem == "tests" || stem.ends_with("_tests")
}

/// The rooms in their order, as `lib.rs` lists them.
fn rooms() -> Vec<String> {
    let text = std::fs::read_to_string(workspace().join("crates/sameas/src/lib.rs")).unwrap();
    let list = text.split("\nrooms! {").nth(1).and_then(|rest| rest.split('}').next()).unwrap();
    let mut rooms = vec!["error".to_owned()];
    rooms.extend(list.split_whitespace().map(str::to_owned));
    rooms.push("api".to_owned());
    rooms
}

/// The room that a file of the library belongs to; none for `lib.rs`.
fn room_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix(workspace().join("crates/sameas/src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    let room = first.strip_suffix(".rs").unwrap_or(first);
    (room != "lib").then(|| room.to_owned())
}

/// The lines of a file with their numbers, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn none(wrong: &[String], rule: &str) {
    assert!(wrong.is_empty(), "{rule}:\n  {}", wrong.join("\n  "));
}

#[test]
fn layers_only_point_down() {
    let rooms = rooms();
    let place = |room: &str| rooms.iter().position(|other| other == room);
    let mut wrong = Vec::new();
    for (path, text) in library() {
        let Some(own) = room_of(&path) else { continue };
        let own = place(&own).unwrap_or_else(|| panic!("{}: the room {own} is not in the list", path.display()));
        for (line, text) in code(&text) {
            for used in text.split("crate::").skip(1) {
                let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if place(&name).is_some_and(|used| used > own) {
                    wrong.push(format!("{}:{line} uses {name}", path.display()));
                }
            }
        }
    }
    none(&wrong, "a room imports only those before it in lib.rs");
}

#[test]
fn no_two_types_have_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in library() {
        for (line, text) in code(&text) {
            let words: Vec<&str> = text.split_whitespace().filter(|word| !word.starts_with("pub")).collect();
            if let [kind, name, ..] = words[..]
                && ["struct", "enum", "trait", "type"].contains(&kind)
                // Associated types of traits belong to their trait.
                && !(kind == "type" && text.starts_with(' '))
            {
                let name: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
                places.entry(name).or_default().push(format!("{}:{line}", path.display()));
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    let wrong: Vec<String> = places.iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    none(&wrong, "a name means one thing");
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
            let is_scratch = room_of(&path).is_some_and(|room| room == "measure");
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

#[test]
fn the_program_uses_the_front_door() {
    let mut wrong = Vec::new();
    let program = files("crates/sameas-cli/src", &["rs"]);
    for (path, text) in program.into_iter().chain(files("crates/sameas-python/src", &["rs"])) {
        for (line, text) in code(&text) {
            let inside = text.split("sameas::").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
            // Functions of the door are lower case too; a room is followed by a path.
            if inside && text.split("sameas::").skip(1).any(|rest| rest.trim_start_matches(is_word).starts_with("::")) {
                wrong.push(format!("{}:{line} {}", path.display(), text.trim()));
            }
        }
    }
    none(&wrong, "the program and the Python package are built on the front door alone");
}

fn is_word(c: char) -> bool {
    c.is_ascii_lowercase() || c == '_'
}

/// The most lines that the README may have.
const README_LINES: usize = 250;

#[test]
fn the_readme_is_short() {
    let lines = std::fs::read_to_string(workspace().join("README.md")).unwrap().lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines; what is longer belongs in the guide");
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
