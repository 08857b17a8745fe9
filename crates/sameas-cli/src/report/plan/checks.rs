//! The tree of checks of a branch as a table: each check indented under the one that passes it its candidates, with
//! what is expected of it, or what was counted.

use std::fmt::Write;

use sameas::plan::StepRecord;

use super::numbers::{each, share, short};
use crate::text::{self, count, names, one_line};

/// Blanks before the table.
const MARGIN: usize = 5;

/// Blanks between columns.
const GAP: usize = 2;

/// Blanks for each check above.
const INDENT: usize = 2;

/// Blanks more for a check's later lines: more than for the checks below it, which they might be taken for.
const HANGING: usize = 4;

/// A check has at least this room in its line, at any depth.
const LEAST: usize = 20;

/// The columns next to the checks before a run, and after it.
const PLANNED: [&str; 2] = ["expected", "cost"];
const SEEN: [&str; 5] = ["tried", "passed", "share", "expected", "time"];

/// The table; nothing, where nothing is checked.
pub fn checks(steps: &[StepRecord]) -> String {
    if steps.is_empty() {
        return String::new();
    }
    let ran = steps.iter().any(|step| step.tried.is_some());
    let mut rows = vec![Row::heading(if ran { &SEEN } else { &PLANNED })];
    rows.extend(steps.iter().map(|step| Row::for_step(step, if ran { seen(step) } else { planned(step) })));
    let columns = 0..rows[0].cells.len();
    let width = |column: usize| rows.iter().map(|row| row.cells[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.map(|column| width(column) + GAP).collect();
    let room = text::width().saturating_sub(MARGIN + widths.iter().sum::<usize>());
    let lines: Vec<Vec<String>> = rows.iter().map(|row| row.lines(room)).collect();
    let first = lines.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (row, lines) in rows.iter().zip(&lines) {
        let _ = writeln!(out, "{:MARGIN$}{:first$}{}", "", lines[0], row.cells_in(&widths));
        for line in &lines[1..] {
            let _ = writeln!(out, "{:MARGIN$}{line}", "");
        }
    }
    out
}

/// A line of the table, or several, where its text is long.
struct Row {
    indent: usize,
    check: String,
    /// The rules that hold where it passes.
    then: String,
    cells: Vec<String>,
}

impl Row {
    fn heading(cells: &[&str]) -> Self {
        let cells = cells.iter().map(|cell| (*cell).to_owned()).collect();
        Self { indent: 0, check: "check".into(), then: String::new(), cells }
    }

    fn for_step(step: &StepRecord, cells: Vec<String>) -> Self {
        let table = if step.table { " (looked up)" } else { "" };
        let then = if step.rules.is_empty() { String::new() } else { format!("-> {}", names(&step.rules, "; ")) };
        Self {
            indent: INDENT * step.depth,
            check: format!("{}{table}", one_line(&step.check.to_string())),
            then,
            cells,
        }
    }

    /// The text with its indent, in lines of at most `room` characters where that leaves the text enough.
    fn lines(&self, room: usize) -> Vec<String> {
        let room = room.saturating_sub(self.indent).max(LEAST);
        let fits = |text: &str| text.chars().count() <= room;
        let whole = format!("{} {}", self.check, self.then).trim_end().to_owned();
        if fits(&whole) {
            return vec![" ".repeat(self.indent) + &whole];
        }
        let mut lines = if fits(&self.check) { vec![self.check.clone()] } else { broken(&self.check, room - HANGING) };
        lines.extend(broken(&self.then, room - HANGING));
        let blanks = |place: usize| self.indent + if place == 0 { 0 } else { HANGING };
        lines.iter().enumerate().map(|(place, line)| format!("{}{line}", " ".repeat(blanks(place)))).collect()
    }

    fn cells_in(&self, widths: &[usize]) -> String {
        self.cells.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect()
    }
}

/// A text in lines of at most `room` characters, broken between words. Nothing but blanks is lost.
fn broken(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        for (place, piece) in pieces(word, room).iter().enumerate() {
            let between = if place == 0 { " " } else { "" };
            match lines.last_mut() {
                Some(line) if line.chars().count() + between.len() + piece.chars().count() <= room => {
                    *line = format!("{line}{between}{piece}");
                }
                _ => lines.push(piece.clone()),
            }
        }
    }
    lines
}

/// A word; if it is longer than a line, its pieces, which end after signs, or where a line is full.
fn pieces(word: &str, room: usize) -> Vec<String> {
    if word.chars().count() <= room {
        return vec![word.to_owned()];
    }
    let parts = word.split_inclusive([',', '(', '|', '=']).map(|part| part.chars().collect::<Vec<char>>());
    parts.flat_map(|part| part.chunks(room).map(|piece| piece.iter().collect()).collect::<Vec<String>>()).collect()
}

/// What should pass, in brackets where that is a share of all candidates: it has led to the order of checks.
fn planned(step: &StepRecord) -> Vec<String> {
    let expected = step.passes.map_or_else(|| format!("({})", share(step.holds)), share);
    vec![expected, each(step.nanoseconds)]
}

/// A share of all candidates would not compare with what passed of those that were tried.
fn seen(step: &StepRecord) -> Vec<String> {
    let (tried, passed) = (step.tried.unwrap_or_default(), step.passed.unwrap_or_default());
    // Of none, no share passes.
    let part = if tried == 0 { String::new() } else { share(passed as f64 / tried as f64) };
    let expected = step.passes.map_or_else(|| "?".into(), share);
    // A device does not measure the time of a check.
    vec![count(tried), count(passed), part, expected, step.seconds.map_or_else(|| "?".into(), short)]
}
