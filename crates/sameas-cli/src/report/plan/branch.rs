//! One branch of a plan: how its candidates are found, how many there are, why this way, and what is checked of them.

use std::fmt::Write;

use sameas::plan::{AccessPath, BranchRecord, RevisionRecord};
use sameas::printable;

use super::checks::checks;
use super::numbers::{duration, of_one_core};
use super::place::{place, scoring};
use super::prose::{join, reason, revision};
use super::values;
use crate::text::{count, names, one_line, percent, wrap};

/// A branch, its number, and what it does to `all` pairs.
pub fn branch(number: usize, report: &BranchRecord, all: u64) -> String {
    let start = format!("{number}. ");
    let mut out = format!("{start}{}\n", wrap(&join(report), start.len(), start.len()));
    for (name, text) in facts(report, all) {
        let _ = writeln!(out, "     {name:<13}{}", wrap(&text, 18, 20));
    }
    out + &checks(&report.steps)
}

/// Everything but the checks. Names of rules may well have commas.
fn facts(report: &BranchRecord, all: u64) -> Vec<(&'static str, String)> {
    let mut facts = vec![("rules", names(&report.rules, "; ")), ("candidates", candidates(report, all))];
    if let Some(pairs) = report.pairs {
        let share = percent(pairs, report.candidates.unwrap_or_default());
        facts.push(("pairs", format!("{} ({share} of the candidates)", count(pairs))));
    }
    facts.push(("time", time(report)));
    facts.extend(report.scoring.iter().map(|of| ("scores", scoring(of, report.pairs))));
    facts.push(("why", reason(&report.reason)));
    facts.extend(report.values.map(|of| ("distinct", distinct(report.path, of))));
    facts.extend(
        report.filters.iter().map(|filter| ("filter", format!("only records with {}", one_line(&filter.to_string())))),
    );
    facts.extend(report.revisions.iter().map(|change| ("changed", revision(change))));
    if counts_begin_late(report) {
        facts.push(("", "the checks below are in the new order, and counted from the change on".into()));
    }
    facts.extend(report.place.iter().filter_map(|at| place(at, report.path)).map(|text| ("place", text)));
    facts.extend(report.settled.iter().map(|rule| ("then", format!("every candidate satisfies {}", printable(rule)))));
    facts
}

/// A number of candidates.
pub fn number_of(candidates: u64, exact: bool) -> String {
    let about = if exact { "" } else { "about " };
    format!("{about}{}", count(candidates))
}

/// Those that were counted, with those that were expected.
fn candidates(report: &BranchRecord, all: u64) -> String {
    let expected = number_of(report.estimated_candidates, report.exact);
    match report.candidates {
        None => format!("{expected} ({} of all pairs)", percent(report.estimated_candidates, all)),
        Some(seen) => {
            let share = percent(seen, all);
            let expected = if seen == report.estimated_candidates { "as".into() } else { expected };
            format!("{} ({share} of all pairs), {expected} expected", count(seen))
        }
    }
}

fn time(report: &BranchRecord) -> String {
    let expected = of_one_core(report.estimated_seconds);
    report.seconds.map_or(expected.clone(), |seen| format!("{} by the clock, {expected} expected", duration(seen)))
}

fn distinct(path: AccessPath, of: [u64; 2]) -> String {
    // Jaro has no index: every value meets every other, though mostly by its signature alone.
    let each = if path == AccessPath::JaroJoin && !of.contains(&0) { ", each compared with every other" } else { "" };
    format!("{}{each}", values(of))
}

/// A check at the top of the tree sees every candidate, unless it came into its place while the branch ran.
fn counts_begin_late(report: &BranchRecord) -> bool {
    let seen = report.steps.iter().filter(|step| step.depth == 0).filter_map(|step| step.tried).max();
    let reordered = |change: &RevisionRecord| matches!(change, RevisionRecord::ChecksReordered { .. });
    report.revisions.iter().any(reordered) && seen.is_some() && seen < report.candidates
}
