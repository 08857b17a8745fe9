//! The README's ways through the program: every command of these sections is run, and what it says must be what the README
//! shows.

use crate::console::{blocks, difference, steps};
use crate::support::Folder;

const README: &str = include_str!("../../../../README.md");

/// Runs the commands of a section.
fn follow(section: &str, folder: &Folder, at_least: usize) {
    let section = README.split_once(section).expect("the section").1.split("\n## ").next().unwrap_or_default();
    let blocks = blocks(section);
    let steps: Vec<_> = blocks.iter().filter(|block| block.language == "console").flat_map(steps).collect();
    assert!(steps.len() >= at_least, "{} commands", steps.len());
    for step in steps {
        if let Some(difference) = difference(folder, &step) {
            panic!("{difference}");
        }
    }
}

#[test]
fn the_readme_shows_a_complete_run() {
    follow("## A complete run", &Folder::new(), 6);
}

#[test]
fn the_readme_shows_the_whole_way_from_a_spreadsheet() {
    let folder = Folder::new();
    for name in ["kunden.csv", "truth.csv", "rules.toml"] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/customers/");
        folder.write(name, std::fs::read(format!("{path}{name}")).unwrap());
    }
    follow("## From a spreadsheet to clusters", &folder, 6);
}
