//! A model as a table: what each level of each comparison says, and how sure that is.

use std::fmt::Write;
use std::path::Path;

use sameas::Model;
use sameas::score::{ComparisonModel, LearnedFrom, LevelModel, TrainingPass};

use super::training::training_warnings;
use crate::text::{count, cut, one_line, wrap};

/// Characters of a condition that are shown.
const CONDITION: usize = 48;

/// The model, and where it was written; without a file, what should be known about it too.
pub fn model(model: &Model, path: Option<&Path>) -> String {
    let mut out = String::new();
    let from = model.prior_from.as_deref().map_or(String::new(), |from| format!(" ({})", one_line(from)));
    let _ = writeln!(out, "Two random records match with probability {:.3e}{from}\n", model.prior);
    let has_evidence =
        model.comparisons.iter().flat_map(ComparisonModel::outcomes).any(|level| level.m_pairs.is_some());
    let evidence = if has_evidence { format!("  {:>6}  {:>9}", "error", "matches") } else { String::new() };
    let _ = writeln!(out, "{:CONDITION$}  {:>9}  {:>9}  {:>7}{evidence}", "Level", "m", "u", "weight");
    model.comparisons.iter().for_each(|comparison| out += &of_comparison(comparison, has_evidence));
    model.passes.iter().filter_map(sampled_pass).for_each(|said| out += &format!("\n{}\n", wrap(&said, 0, 0)));
    if let Some(path) = path {
        let _ = writeln!(out, "\nWritten to {}", path.display());
    } else {
        let warnings = training_warnings(&model.warnings);
        warnings.iter().for_each(|warning| out += &format!("\nWarning: {}\n", wrap(warning, 9, 9)));
    }
    out
}

/// What is said of a pass that has looked at a sample of its pairs.
fn sampled_pass(pass: &TrainingPass) -> Option<String> {
    let (pairs, every) = (count(pass.pairs), count((1.0 / pass.sampled?).round() as u64));
    let rule = cut(&one_line(&pass.rule), CONDITION);
    Some(format!(
        "`{rule}` was learned from a sample, {pairs} pairs or one in {every}: all of them would have taken longer than the \
         rest of the job. The errors take that into account."
    ))
}

fn of_comparison(comparison: &ComparisonModel, has_evidence: bool) -> String {
    let null = comparison.null_share.filter(|share| *share > 0.0).map(null_for).unwrap_or_default();
    let mut out = format!("{}{null}\n", one_line(&comparison.name));
    comparison.outcomes().for_each(|level| out += &of_level(level, has_evidence));
    out
}

/// For how many pairs a comparison says nothing. The share is of a sample, so that it has no more digits.
fn null_for(share: f64) -> String {
    match 100.0 * share {
        percent if percent < 0.1 => " (null for under 0.1 % of pairs)".to_owned(),
        percent => format!(" (null for {percent:.1} % of pairs)"),
    }
}

fn of_level(level: &LevelModel, has_evidence: bool) -> String {
    let when = level.when.as_deref().map_or("else".to_owned(), one_line);
    let weight = (level.m / level.u).log2();
    let error = level.weight_error.map_or(String::new(), |error| format!("{error:.2}"));
    let matches = level.m_pairs.map_or(String::new(), |pairs| count(pairs.round() as u64));
    let evidence = if has_evidence { format!("  {error:>6}  {matches:>9}") } else { String::new() };
    let note = match (level.m_from, level.u_from) {
        (Some(LearnedFrom::Default), _) => "  m not learned",
        (Some(LearnedFrom::Unseen), _) => "  not seen",
        (Some(LearnedFrom::Certain), _) => "  m from certain pairs",
        (_, Some(LearnedFrom::Sampled)) => "  u from a sample",
        _ => "",
    };
    let width = CONDITION - 2;
    let when = cut(&when, width);
    format!("  {when:width$}  {:>9.2e}  {:>9.2e}  {weight:>7.2}{evidence}{note}\n", level.m, level.u)
}
