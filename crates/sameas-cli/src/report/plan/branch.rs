//! One branch of a plan: how its candidates are found, how many there are, why this way, and what is checked of them.

use std::fmt::Write;

use sameas::BranchReport;

use super::checks::checks;
use super::numbers::{duration, of_one_core};
use super::values;
use crate::text::{count, one_line, percent, wrap};

/// A branch, its number, and what it does to `all` pairs.
pub fn branch(number: usize, report: &BranchReport, all: u64) -> String {
    let start = format!("{number}. ");
    let mut out = format!("{start}{}\n", wrap(&join(report), start.len(), start.len()));
    for (name, text) in facts(report, all) {
        let _ = writeln!(out, "     {name:<13}{}", wrap(&text, 18, 20));
    }
    out + &checks(&report.steps)
}

/// What is joined.
fn join(report: &BranchReport) -> String {
    let on: Vec<String> = report.on.iter().map(|condition| one_line(condition)).collect();
    let on = on.join(" and ");
    match report.path {
        "equi_join" => format!("Join on {on}"),
        "set_join" => format!("Join records whose sets overlap: {on}"),
        "edit_join" => format!("Join records within some edits: {on}"),
        "jaro_join" => format!("Join records with similar texts: {on}"),
        "neighbourhood" => format!("Join records near each other: {on}"),
        _ => "Look at every pair of records".to_owned(),
    }
}

/// Everything but the checks. Names of rules may well have commas.
fn facts(report: &BranchReport, all: u64) -> Vec<(&'static str, String)> {
    let mut facts = vec![("rules", report.rules.join("; ")), ("candidates", candidates(report, all))];
    if let Some(pairs) = report.pairs {
        let share = percent(pairs, report.candidates.unwrap_or_default());
        facts.push(("pairs", format!("{} ({share} of the candidates)", count(pairs))));
    }
    facts.push(("time", time(report)));
    facts.push(("why", report.why.clone()));
    facts.extend(report.values.map(|of| ("distinct", distinct(report.path, of))));
    facts.extend(report.filters.iter().map(|filter| ("filter", format!("only records with {}", one_line(filter)))));
    facts.extend(report.changes.iter().map(|change| ("changed", change.clone())));
    if counts_begin_late(report) {
        facts.push(("", "the checks below are in the new order, and so counted from the change on".into()));
    }
    facts.extend(report.settled.iter().map(|rule| ("then", format!("every candidate satisfies {rule}"))));
    facts
}

/// A number of candidates.
pub fn number_of(candidates: u64, exact: bool) -> String {
    let about = if exact { "" } else { "about " };
    format!("{about}{}", count(candidates))
}

/// Those that came beside those that were expected.
fn candidates(report: &BranchReport, all: u64) -> String {
    let expected = number_of(report.estimated_candidates, report.exact);
    match report.candidates {
        None => format!("{expected} ({} of all pairs)", percent(report.estimated_candidates, all)),
        Some(seen) => {
            let share = percent(seen, all);
            let told = if seen == report.estimated_candidates { "as".into() } else { expected };
            format!("{} ({share} of all pairs), {told} expected", count(seen))
        }
    }
}

fn time(report: &BranchReport) -> String {
    let expected = of_one_core(report.estimated_seconds);
    report.seconds.map_or(expected.clone(), |seen| format!("{} by the clock, {expected} expected", duration(seen)))
}

fn distinct(path: &str, of: [u64; 2]) -> String {
    // Jaro has no index: every value meets every other, though mostly by its signature alone.
    let each = if path == "jaro_join" { ", each compared with every other" } else { "" };
    format!("{}{each}", values(of))
}

/// Checks that nothing stands above see every candidate, unless they came into their order while it ran.
fn counts_begin_late(report: &BranchReport) -> bool {
    let seen = report.steps.iter().filter(|step| step.depth == 0).filter_map(|step| step.tried).max();
    !report.changes.is_empty() && seen.is_some() && seen < report.candidates
}
