//! A plan in words.

use std::fmt::Write;

use sameas::engine::Explanation;
use sameas::plan::BranchReport;
use sameas::rules::LinkType;

use super::summary::inputs;
use crate::text::{count, counted, one_line, percent, wrap};

/// What a job would do.
pub fn plan(explanation: &Explanation, link_type: LinkType) -> String {
    let what = match link_type {
        LinkType::DedupeOnly => "Pairs within one table",
        LinkType::LinkOnly => "Pairs across two tables",
        LinkType::LinkAndDedupe => "Pairs within and across two tables",
    };
    let all = explanation.nominal_pairs;
    let mut out = format!("{what}. {}; {}.\n", inputs(&explanation.inputs), counted(all, "possible pair"));
    for (place, branch) in explanation.branches.iter().enumerate() {
        let _ = write!(out, "\n{}", step(place + 1, branch, all));
    }
    let total: u64 = explanation.branches.iter().map(|b| b.candidates).sum();
    let at_most = if explanation.branches.iter().all(|b| b.exact) { "" } else { "at most " };
    let twice = if explanation.branches.len() > 1 { "; a pair counts in each step that looks at it" } else { "" };
    let total = format!("{at_most}{} ({} of all pairs)", counted(total, "candidate"), percent(total, all));
    let _ = writeln!(out, "\nIn all {total}{twice}.");
    for warning in explanation.branches.iter().filter_map(|b| b.warning.as_ref()) {
        let _ = writeln!(out, "\nWarning: {}", wrap(warning, 9, 9));
    }
    out
}

/// One step: how candidates are found, how many there are, what is checked for each.
fn step(number: usize, branch: &BranchReport, all: u64) -> String {
    let join = |conditions: &[String]| conditions.iter().map(|c| one_line(c)).collect::<Vec<_>>().join(" and ");
    let how = match branch.path {
        "equi_join" => format!("Join on {}", join(&branch.on)),
        "set_join" => format!("Join records whose sets overlap: {}", join(&branch.on)),
        "edit_join" => format!("Join records within some edits: {}", join(&branch.on)),
        "jaro_join" => format!("Join records with similar texts: {}", join(&branch.on)),
        "neighbourhood" => format!("Join records near each other: {}", join(&branch.on)),
        _ => "Look at every pair of records".to_owned(),
    };
    let mut out = format!("{number}. {}\n", wrap(&how, 3, 3));
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "     {name:<12}{}", wrap(text, 17, 19));
    };
    let at_most = if branch.exact { "" } else { "at most " };
    line(
        "candidates",
        &format!("{at_most}{} ({} of all pairs)", count(branch.candidates), percent(branch.candidates, all)),
    );
    if let Some([left, right]) = branch.values {
        let values = if left == right { count(left) } else { format!("{} and {}", count(left), count(right)) };
        // Jaro has no index: every value meets every other, though mostly by its signature alone.
        let each = if branch.path == "jaro_join" { ", each compared with every other" } else { "" };
        line("distinct", &format!("{values} values{each}"));
    }
    branch.filters.iter().for_each(|filter| line("only where", &one_line(filter)));
    for (place, check) in branch.checks.iter().enumerate() {
        line(if place == 0 { "then check" } else { "" }, check);
    }
    out
}
