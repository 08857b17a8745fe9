//! Layers only point down: a crate depends on crates before it, a room of a crate imports rooms before it, and the program
//! and the Python package are built on the front door alone.

use std::collections::BTreeSet;

use crate::house::{code, crates, library_crates, none, sources, workspace};

/// Crates that are one room: their root is to them what `mod.rs` is to a room. Others list their rooms there, in order.
pub(crate) const OF_ONE_ROOM: [&str; 5] =
    ["sameas-clusters", "sameas-measures", "sameas-expr", "sameas-device", "sameas"];

/// What no crate depends on. It has no rooms either.
pub(crate) const ON_TOP: &str = "sameas-python";

/// All crates by name.
pub(crate) fn all_crates() -> BTreeSet<String> {
    crates().into_iter().chain([ON_TOP.to_owned()]).collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path)).unwrap()
}

/// The crates of the workspace that a manifest names as dependencies, of tests too.
fn dependencies(manifest: &str) -> Vec<String> {
    let (mut found, mut is_among_them) = (Vec::new(), false);
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_among_them = line.ends_with("dependencies]");
        } else if is_among_them && line.starts_with("sameas") {
            found.push(line.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect());
        }
    }
    found
}

fn dependencies_of(name: &str) -> Vec<String> {
    dependencies(&read(&format!("crates/{name}/Cargo.toml")))
}

#[test]
fn a_manifest_names_its_dependencies() {
    let manifest = "[features]\nsameas-x = []\n[dependencies]\nrayon.workspace = true\nsameas-core.workspace = true\n\n\
        [target.'cfg(unix)'.dependencies]\nsameas = { workspace = true }\n[dev-dependencies]\nsameas-expr = \"1\"\n\n[lints]\n";
    assert_eq!(dependencies(manifest), ["sameas-core", "sameas", "sameas-expr"]);
}

#[test]
fn a_crate_depends_on_crates_before_it() {
    let crates = crates();
    let mut wrong = Vec::new();
    for (place, name) in crates.iter().enumerate() {
        // The tests of a crate may want features of their own.
        let allowed = &crates[..=place];
        wrong.extend(
            dependencies_of(name)
                .iter()
                .filter(|used| !allowed.contains(used))
                .map(|used| format!("{name} uses {used}")),
        );
    }
    none(&wrong, "a crate depends only on those before it in [workspace.dependencies]");
}

#[test]
fn every_crate_has_its_place() {
    let folders = std::fs::read_dir(workspace().join("crates")).unwrap();
    let folders: BTreeSet<String> = folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(folders, all_crates(), "[workspace.dependencies] lists all crates but {ON_TOP}");
}

#[test]
fn the_program_uses_the_front_door() {
    for (name, allowed) in [("sameas-cli", "sameas-testkit"), (ON_TOP, "sameas-cli")] {
        let used = dependencies_of(name);
        assert_eq!(used, ["sameas", allowed], "{name} is built on the front door alone");
    }
}

/// The rooms of a crate in their order, as its root lists them.
fn rooms(name: &str) -> Vec<String> {
    let root = read(&format!("crates/{name}/src/lib.rs"));
    let listed = root.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    listed.map(str::to_owned).collect()
}

#[test]
fn a_room_imports_rooms_before_it() {
    let mut wrong = Vec::new();
    for name in library_crates().iter().filter(|name| !OF_ONE_ROOM.contains(&name.as_str())) {
        let rooms = rooms(name);
        let place = |room: &str| rooms.iter().position(|other| other == room);
        for (path, text) in sources(name) {
            let first = path.iter().next().unwrap().to_str().unwrap();
            let own = first.strip_suffix(".rs").unwrap_or(first);
            if own == "lib" {
                continue;
            }
            let own = place(own).unwrap_or_else(|| panic!("{name}: its root does not list the room {own}"));
            for (line, text) in code(&text) {
                let above = used_rooms(text).into_iter().filter(|used| place(used).is_some_and(|used| used > own));
                wrong.extend(above.map(|used| format!("{name}/src/{}:{line} uses {used}", path.display())));
            }
        }
    }
    none(&wrong, "a room imports only those before it in lib.rs");
}

/// What a line names of its own crate.
fn used_rooms(line: &str) -> Vec<String> {
    let names = line.split("crate::").skip(1);
    names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}
