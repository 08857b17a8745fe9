//! The way from a spreadsheet's export to evaluated clusters, as the README tells it: every command of that section is run,
//! and what it says must be what the README shows.

use crate::support::Folder;

const README: &str = include_str!("../../../../README.md");
const SECTION: &str = "## From a spreadsheet to clusters";

/// A command and what it says. A line `...` stands for any number of lines.
struct Step {
    command: String,
    shown: Vec<String>,
}

/// The commands of the section.
fn steps() -> Vec<Step> {
    let section = README.split_once(SECTION).expect("the section").1.split("\n## ").next().unwrap_or_default();
    let mut steps: Vec<Step> = Vec::new();
    for block in section.split("```console\n").skip(1) {
        for line in block.split("\n```").next().unwrap_or_default().lines() {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { command: command.to_owned(), shown: Vec::new() }),
                (None, Some(step)) => step.shown.push(line.to_owned()),
                (None, None) => panic!("a block begins without a command: {line}"),
            }
        }
    }
    steps
}

/// The arguments of a command; quotes are as in a shell.
fn arguments(command: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in command.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => all.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    all.push(word);
    all
}

/// What does not depend on the machine.
fn comparable(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let differs = ["Time ", "Note         no GPU"].iter().any(|start| line.starts_with(start));
    (!differs).then_some(line)
}

/// Whether lines are those that are shown.
fn fits(said: &[&str], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((&"...", rest)) => (0..=said.len()).any(|skipped| fits(&said[skipped..], rest)),
        Some((line, rest)) => said.first() == Some(line) && fits(&said[1..], rest),
    }
}

#[test]
fn the_readme_shows_the_whole_way() {
    let folder = Folder::new();
    for name in ["kunden.csv", "truth.csv", "rules.toml"] {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/customers/");
        folder.write(name, std::fs::read(format!("{path}{name}")).unwrap());
    }
    let steps = steps();
    assert!(steps.len() >= 6, "{} commands", steps.len());
    for step in steps {
        let arguments = arguments(step.command.strip_prefix("sameas ").expect("a command of the program"));
        let said = folder.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let text = format!("{}{}", said.out, said.err);
        let lines: Vec<&str> = text.lines().filter_map(comparable).collect();
        let shown: Vec<&str> = step.shown.iter().filter_map(|line| comparable(line)).collect();
        assert!(
            fits(&lines, &shown),
            "$ {}\n{text}\n(exit {:?}); the README shows\n{}",
            step.command,
            said.code,
            shown.join("\n")
        );
    }
}
