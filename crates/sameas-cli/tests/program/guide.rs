//! The guide: every block of its pages is run, checked or, for Python, left to `docs/test_python_blocks.py`.
//!
//! The blocks of a page share a folder. A block with a title is a file; `console` has commands and what they say; `toml`
//! without a title is a part of a rule file; `rust` is a part of an example of the library, which other tests run. `sh` is
//! for installing, and runs nothing of the program.

use std::path::PathBuf;

use crate::console::{Block, blocks, difference, steps};
use crate::support::Folder;

/// What the commands of `sh` blocks may begin with.
const INSTALLERS: [&str; 7] = ["cargo ", "curl ", "docker ", "git ", "pip ", "python ", "scripts/"];

/// Pages about files of the repository, and the folders of these files.
const FOLDERS: [(&str, &str); 1] = [("spreadsheet.md", "examples/customers")];

fn repository() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect()
}

fn docs() -> PathBuf {
    repository().join("docs")
}

/// The folder in which a page is followed, with the files that the page is about.
fn folder_of(page: &str) -> Folder {
    let folder = Folder::new();
    for (_, files) in FOLDERS.iter().filter(|(of, _)| *of == page) {
        for entry in std::fs::read_dir(repository().join(files)).unwrap() {
            let path = entry.unwrap().path();
            folder.write(&path.file_name().unwrap().to_string_lossy(), std::fs::read(&path).unwrap());
        }
    }
    folder
}

/// The pages: their names and texts.
fn pages() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(docs()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// What is wrong with a block.
fn wrong_with(block: &Block, folder: &Folder) -> Vec<String> {
    if let Some(title) = block.title.as_ref().filter(|_| block.language != "console") {
        folder.write(title, &block.text);
    }
    match block.language.as_str() {
        "console" => steps(block).iter().filter_map(|step| difference(folder, step)).collect(),
        // Shown for the mistakes in it.
        "toml" if block.title.as_deref() == Some("wrong.toml") => Vec::new(),
        "toml" => wrong_with_rules(block, folder).into_iter().collect(),
        "sh" => block.text.lines().filter(|line| !is_installation(line)).map(|l| format!("not run: {l}")).collect(),
        "csv" | "datalog" | "json" if block.title.is_some() => Vec::new(),
        "rust" if !is_in_an_example(block) => vec!["no example of the library has these lines".to_owned()],
        "python" | "pycon" | "rust" | "text" => Vec::new(),
        other => vec![format!("a block of `{other}`, which no test runs")],
    }
}

fn is_installation(line: &str) -> bool {
    INSTALLERS.iter().any(|start| line.starts_with(start))
}

/// Whether the lines of a block follow each other in an example of the library, however they are indented there.
fn is_in_an_example(block: &Block) -> bool {
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    let examples = std::fs::read_dir(repository().join("crates/sameas/examples")).unwrap();
    let mut texts = examples.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    texts.any(|text| lines(&text).contains(&lines(&block.text)))
}

/// Rules are read, and their conditions too. A model is not a rule file.
fn wrong_with_rules(block: &Block, folder: &Folder) -> Option<String> {
    folder.write("block.toml", &block.text);
    let said = folder.run(&["check", "--rules", "block.toml"]);
    (said.code != Some(0)).then(|| said.out + &said.err)
}

#[test]
fn every_block_of_the_guide_is_true() {
    let mut wrong = Vec::new();
    let pages = pages();
    assert!(pages.len() >= 10, "{} pages", pages.len());
    for (name, text) in &pages {
        let folder = folder_of(name);
        for block in blocks(text) {
            let all = wrong_with(&block, &folder);
            wrong.extend(all.into_iter().map(|what| format!("docs/{name}:{}\n{what}", block.line)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_page_of_functions_is_the_list_of_the_program() {
    let page = Folder::new().ok(&["functions", "--format", "markdown"]).out;
    let path = docs().join("functions.md");
    let stale = std::fs::read_to_string(path).unwrap_or_default() != page;
    assert!(!stale, "write it again: sameas functions --format markdown > docs/functions.md");
}

#[test]
fn every_page_is_in_the_navigation() {
    let settings = std::fs::read_to_string(docs().join("../mkdocs.yml")).unwrap();
    for (name, _) in pages() {
        assert!(settings.contains(&format!(": {name}")), "mkdocs.yml does not name docs/{name}");
    }
}
