//! No large circle of files: files that import each other, directly or by way of others, can only be read together.
//!
//! A file imports what its `use`s and paths lead to, in the file that defines it: re-exports are followed. A re-export
//! is an import too, so the list of a folder's modules is no place for what these modules need.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::house::{none, sources_below};
use crate::imports::FileNames;
use crate::layers::{OF_ONE_ROOM, ON_TOP, all_crates};

/// Files that a circle has at most; all of them are of one room.
const MOST_FILES: usize = 4;

/// Crates beside the library and the program.
const BESIDE: [&str; 2] = ["bench", "fuzz"];

#[test]
fn no_large_circle_of_files() {
    let mut wrong = Vec::new();
    let folders = all_crates().into_iter().map(|name| format!("crates/{name}"));
    for folder in folders.chain(BESIDE.map(str::to_owned)) {
        let sources = sources_below(&format!("{folder}/src"));
        let has_library = sources.iter().any(|(path, _)| path == Path::new("lib.rs"));
        let files = sources.iter().map(|(path, text)| (module_of(path, has_library), text.as_str()));
        let is_one_room = OF_ONE_ROOM.iter().chain(&[ON_TOP]).any(|name| folder == format!("crates/{name}"));
        let circles = wrong_circles(&FileGraph::new(files), is_one_room);
        wrong.extend(circles.into_iter().map(|circle| format!("{folder}: {circle}")));
    }
    none(&wrong, "a circle of files is small, and within a room");
}

/// The module of a file of a crate, as `records/read`; nothing for its root, which is `lib.rs` where it is a library.
fn module_of(path: &Path, is_library: bool) -> String {
    let inside = path.with_extension("");
    let parts: Vec<&str> = inside.iter().map(|part| part.to_str().unwrap()).collect();
    match parts.as_slice() {
        ["lib"] => String::new(),
        ["main"] if !is_library => String::new(),
        [folder @ .., "mod"] => folder.join("/"),
        all => all.join("/"),
    }
}

fn room_of(module: &str) -> &str {
    module.split('/').next().unwrap_or(module)
}

/// What breaks the rule, with every import in it.
fn wrong_circles(graph: &FileGraph<'_>, is_one_room: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for circle in graph.circles() {
        let rooms: BTreeSet<&str> = circle.iter().copied().map(room_of).collect();
        if circle.len() > MOST_FILES || rooms.len() > 1 && !is_one_room {
            let imports = graph.imports_within(&circle).join("\n    ");
            wrong.push(format!("{} files, {MOST_FILES} are allowed:\n    {imports}", circle.len()));
        }
    }
    wrong
}

/// What a path leads to, by module.
enum PathTarget {
    Module(String),
    /// Something that the file of a module defines.
    Item(String),
    /// Something of another crate, which an import here has a name for.
    OtherCrate,
}

/// Files by their modules, and which of them each imports, with a path that leads there.
struct FileGraph<'a> {
    files: BTreeMap<String, FileNames<'a>>,
    imports: BTreeMap<String, BTreeMap<String, String>>,
}

impl<'a> FileGraph<'a> {
    fn new(texts: impl Iterator<Item = (String, &'a str)>) -> Self {
        let files = texts.map(|(module, text)| (module, FileNames::read(text))).collect();
        let mut graph = Self { files, imports: BTreeMap::new() };
        graph.imports = graph.files.keys().map(|module| (module.clone(), graph.imports_of(module))).collect();
        graph
    }

    fn imports_of(&self, module: &str) -> BTreeMap<String, String> {
        let names = &self.files[module];
        let mut found = BTreeMap::new();
        let mut add = |target: Option<PathTarget>, by: String| match target {
            Some(PathTarget::Item(file)) if file != module => {
                found.entry(file).or_insert(by);
            }
            _ => {}
        };
        for path in &names.paths {
            add(self.find(module, path, STEPS), path.join("::"));
        }
        for glob in &names.globs {
            if let Some(PathTarget::Module(of)) = self.find(module, glob, 0) {
                names.words.iter().for_each(|word| add(self.named(&of, word, true, STEPS), (*word).to_owned()));
            }
        }
        found
    }

    /// What a path in a module leads to; nothing where it leads to another crate.
    fn find(&self, module: &str, path: &[&str], steps: usize) -> Option<PathTarget> {
        let mut at = module.to_owned();
        for (place, name) in path.iter().enumerate() {
            match *name {
                "crate" => at.clear(),
                "self" => {}
                "super" => at.truncate(at.rfind('/').unwrap_or(0)),
                name => match self.named(&at, name, place + 1 == path.len(), steps) {
                    Some(PathTarget::Module(module)) => at = module,
                    Some(PathTarget::OtherCrate) => return None,
                    Some(item) => return Some(item),
                    // What a macro defines, unless it is the first name of a path to another crate.
                    None => return (place > 0).then_some(PathTarget::Item(at)),
                },
            }
        }
        Some(PathTarget::Module(at))
    }

    /// What a module calls by a name. The last name of a path may be that of a module and of a function in it: then it
    /// is the function's.
    fn named(&self, module: &str, name: &str, is_last: bool, steps: usize) -> Option<PathTarget> {
        let names = self.files.get(module)?;
        let child = if module.is_empty() { name.to_owned() } else { format!("{module}/{name}") };
        if self.files.contains_key(&child) && !(is_last && names.imports.contains_key(name)) {
            return Some(PathTarget::Module(child));
        }
        if names.defines.contains(name) {
            return Some(PathTarget::Item(module.to_owned()));
        }
        let steps = steps.checked_sub(1)?;
        if let Some(path) = names.imports.get(name) {
            return Some(self.find(module, path, steps).unwrap_or(PathTarget::OtherCrate));
        }
        names.globs.iter().find_map(|glob| match self.find(module, glob, 0)? {
            PathTarget::Module(of) if of != module => self.named(&of, name, is_last, steps),
            _ => None,
        })
    }

    /// Files that reach each other.
    fn circles(&self) -> Vec<Vec<&str>> {
        let modules: Vec<&str> = self.imports.keys().map(String::as_str).collect();
        let numbers: BTreeMap<&str, usize> = modules.iter().enumerate().map(|(at, module)| (*module, at)).collect();
        let edges: Vec<Vec<usize>> = self
            .imports
            .values()
            .map(|imports| imports.keys().filter_map(|file| numbers.get(file.as_str()).copied()).collect())
            .collect();
        let reached: Vec<Vec<bool>> = (0..edges.len()).map(|from| reached(&edges, from)).collect();
        let meet = |one: usize, other: usize| reached[one][other] && reached[other][one];
        let circle = |of: usize| -> Vec<usize> { (0..edges.len()).filter(|other| meet(of, *other)).collect() };
        // Each once, by its first file.
        let circles = (0..edges.len()).map(circle).enumerate().filter(|(of, circle)| circle.first() == Some(of));
        circles.map(|(_, circle)| circle.into_iter().map(|at| modules[at]).collect()).collect()
    }

    fn imports_within(&self, circle: &[&str]) -> Vec<String> {
        let imports = circle.iter().flat_map(|file| self.imports[*file].iter().map(move |import| (file, import)));
        let within = imports.filter(|(_, (to, _))| circle.contains(&to.as_str()));
        let shown = |module: &str| if module.is_empty() { "lib.rs".to_owned() } else { module.to_owned() };
        within.map(|(from, (to, path))| format!("{} -> {} ({path})", shown(from), shown(to))).collect()
    }
}

/// How many imports may lead to each other. One that leads to itself is given up, and `use a::*` follows none to `a`.
const STEPS: usize = 16;

/// The places that edges lead to from a place.
fn reached(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
    let (mut reached, mut open) = (vec![false; edges.len()], vec![from]);
    while let Some(at) = open.pop() {
        for next in &edges[at] {
            if !std::mem::replace(&mut reached[*next], true) {
                open.push(*next);
            }
        }
    }
    reached
}

fn graph<'a>(texts: &[(&str, &'a str)]) -> FileGraph<'a> {
    FileGraph::new(texts.iter().map(|(module, text)| ((*module).to_owned(), *text)))
}

fn imports(graph: &FileGraph<'_>, module: &str) -> Vec<String> {
    graph.imports[module].keys().cloned().collect()
}

#[test]
fn imports_lead_to_the_file_that_defines_the_item() {
    let graph = graph(&[
        ("", "pub use low::Low;"),
        ("low", "mod facts; mod least; pub use facts::*; pub use least::least; made! { Made }"),
        ("low/facts", "pub struct Low; pub enum Fact { A }"),
        ("low/least", "pub fn least() {}"),
        ("high", "mod a; mod b; mod c;"),
        ("high/a", "use crate::low::{Fact, Made, least}; use std::fmt::Debug; fn f(x: crate::Low) {}"),
        ("high/b", "use super::a; use crate::low; fn g() { a::f(low::least()); }"),
        ("high/c", "use crate::low::*; fn h() -> Fact { Fact::A }"),
    ]);
    assert_eq!(imports(&graph, "high/a"), ["low", "low/facts", "low/least"]);
    assert_eq!(imports(&graph, "high/b"), ["high/a", "low/least"]);
    assert_eq!(imports(&graph, "high/c"), ["low/facts"]);
    assert!(imports(&graph, "low/facts").is_empty());
}

#[test]
fn the_root_of_a_crate_names_rooms_of_others_and_itself() {
    let graph = graph(&[
        ("", "extern crate self as room; use other::low; mod a; mod b; pub use b::B; pub struct Top;"),
        ("a", "use crate::low::Low; use crate::room::{B, Top}; fn f(low: crate::low::Low) {}"),
        ("b", "use std::fmt; pub struct B; impl fmt::Debug for B {}"),
    ]);
    assert_eq!(imports(&graph, "a"), ["", "b"]);
    assert_eq!(imports(&graph, ""), ["b"]);
    assert!(imports(&graph, "b").is_empty());
}

#[test]
fn a_file_has_a_module() {
    let modules = ["lib.rs", "main.rs", "read/mod.rs", "read/csv.rs"].map(|file| module_of(Path::new(file), true));
    assert_eq!(modules, ["", "main", "read", "read/csv"]);
    assert_eq!(module_of(Path::new("main.rs"), false), "");
}

#[test]
fn a_circle_is_found_with_what_closes_it() {
    let three = [("r/a", "use super::b::B;"), ("r/b", "use super::c::C;"), ("r/c", "fn f() { super::d::f() }")];
    let with = |last: &[(&str, &'static str)]| graph(&[&[("", ""), ("r", "mod a;")][..], &three, last].concat());
    let closed = [("r/d", "use crate::r::a::A;")];
    assert_eq!(with(&closed).circles(), [["r/a", "r/b", "r/c", "r/d"]]);
    assert!(wrong_circles(&with(&closed), false).is_empty());
    assert!(with(&[("r/d", "use super::e::E;")]).circles().is_empty());

    let five = with(&[("r/d", "use super::e::E;"), ("r/e", "use super::a::A;")]);
    assert!(wrong_circles(&five, true)[0].contains("r/c -> r/d (super::d::f)"));
}

#[test]
fn a_circle_stays_within_its_room() {
    let two = graph(&[("", ""), ("r", "use crate::s::S;"), ("s", "use crate::r::R;")]);
    assert_eq!(wrong_circles(&two, false).len(), 1);
    assert!(wrong_circles(&two, true).is_empty());
}

#[test]
fn a_list_of_modules_is_no_place_for_what_they_need() {
    let list = graph(&[("r", "mod a; pub use a::A; pub struct R;"), ("r/a", "use super::R; pub struct A;")]);
    assert_eq!(list.circles(), [["r", "r/a"]]);
}
