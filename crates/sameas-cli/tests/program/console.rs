//! Blocks of a Markdown page, and a shell in which the page's commands are run as a reader would.

use std::process::{Command, Stdio};

use crate::support::{Folder, Said, program};

/// A fenced block of a page.
#[derive(Debug)]
pub struct Block {
    /// What it is written in: `console`, `toml`, ...
    pub language: String,
    /// The name of the file that it shows, if it shows one: `title="rules.toml"`.
    pub title: Option<String>,
    pub text: String,
    /// The number of its first line.
    pub line: usize,
}

/// A command and what it says. A line `...` stands for any number of lines.
pub struct Step {
    pub command: String,
    pub shown: Vec<String>,
}

/// The blocks of a page, in order.
pub fn blocks(page: &str) -> Vec<Block> {
    let (mut all, mut open): (Vec<Block>, Option<Block>) = (Vec::new(), None);
    for (at, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(info), None) => open = Some(opened(info, at + 2)),
            (Some(_), Some(_)) => all.extend(open.take()),
            (None, Some(block)) => block.text.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end: {open:?}");
    all
}

fn opened(info: &str, line: usize) -> Block {
    let language = info.split(' ').next().unwrap_or_default().to_owned();
    let title = info.split_once("title=\"").map(|(_, rest)| rest.split('"').next().unwrap_or_default().to_owned());
    Block { language, title, text: String::new(), line }
}

/// The commands of a block of the language `console`. A command may go on in lines that begin with `> `.
pub fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step { command: command.to_owned(), shown: Vec::new() }),
            (None, Some(step)) => step.shown.push(line.to_owned()),
            (None, None) => panic!("line {}: a block begins without a command: {line}", block.line),
        }
    }
    steps
}

/// Runs a command in a shell that finds this program as `sameas`, with the costs that come with it.
pub fn in_shell(folder: &Folder, command: &str) -> Said {
    let mut path = program().parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}; }} 2>&1")]).env("PATH", path).env("XDG_CONFIG_HOME", "none");
    Said::from(shell.current_dir(folder.path("")).stdin(Stdio::null()).output().unwrap())
}

/// What does not depend on the machine: without lines about it, times, and how wide a column of times is.
fn comparable(line: &str) -> Option<String> {
    let differs = ["Time ", "Note         no GPU"].iter().any(|start| line.starts_with(start));
    (!differs).then(|| without_times(line))
}

/// The words of a line, each time such as `about 12 ms` as one and the same.
fn without_times(line: &str) -> String {
    let (mut all, mut words) = (Vec::new(), line.split_whitespace().peekable());
    while let Some(word) = words.next() {
        let is_time = is_number(word) && words.peek().is_some_and(|unit| is_unit(unit));
        if !is_time {
            all.push(word);
            continue;
        }
        words.next();
        all.pop_if(|before| ["about", "under"].contains(before));
        all.push("TIME");
    }
    all.join(" ")
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches('<');
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',')
}

fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 7] = ["ns", "ms", "s", "second", "seconds", "minutes", "hours"];
    UNITS.contains(&word.trim_end_matches(['.', ',', ';']))
}

/// Whether lines are those that are shown.
fn fits(said: &[String], shown: &[String]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((line, rest)) if line == "..." => (0..=said.len()).any(|skipped| fits(&said[skipped..], rest)),
        Some((line, rest)) => said.first() == Some(line) && fits(&said[1..], rest),
    }
}

/// What is wrong with what a page shows of a command, if anything.
pub fn difference(folder: &Folder, step: &Step) -> Option<String> {
    let said = in_shell(folder, &step.command);
    let lines: Vec<String> = said.out.lines().filter_map(comparable).collect();
    let shown: Vec<String> = step.shown.iter().filter_map(|line| comparable(line)).collect();
    let text =
        || format!("$ {}\n{}(exit {:?}); the page shows\n{}", step.command, said.out, said.code, shown.join("\n"));
    (!fits(&lines, &shown)).then(text)
}
