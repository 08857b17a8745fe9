//! The README's way through the program: every command of its run is run, and what it says must be what the README shows.
//! The guide goes further, and is followed by `guide`.

use crate::console::{blocks, difference, steps};
use crate::support::Folder;

const README: &str = include_str!("../../../../README.md");

#[test]
fn the_readme_shows_a_complete_run() {
    let section =
        README.split_once("## A complete run").expect("the section").1.split("\n## ").next().unwrap_or_default();
    let (blocks, folder) = (blocks(section), Folder::new());
    let steps: Vec<_> = blocks.iter().filter(|block| block.language == "console").flat_map(steps).collect();
    assert!(steps.len() >= 5, "{} commands", steps.len());
    for step in steps {
        if let Some(difference) = difference(&folder, &step) {
            panic!("{difference}");
        }
    }
    // What it shows of the rules is in the rules.
    let rules = folder.read("rules.toml");
    for line in blocks.iter().filter(|block| block.language == "toml").flat_map(|block| block.text.lines()) {
        let line = line.split(" # ").next().unwrap_or_default().trim_end();
        assert!(rules.lines().any(|of| of == line), "`{line}` is not in the rules of the demo");
    }
}
