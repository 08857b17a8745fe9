//! A model as a table: what each level of each comparison says.

use std::fmt::Write;
use std::path::Path;

use sameas::{ComparisonModel, LearnedFrom, LevelModel, Model};

use crate::text::{cut, one_line};

/// Characters of a condition that are shown.
const CONDITION: usize = 48;

/// The model, and where it was written.
pub fn model(model: &Model, path: Option<&Path>) -> String {
    let mut out = String::new();
    let from = model.prior_from.as_deref().map_or(String::new(), |from| format!(" ({})", one_line(from)));
    let _ = writeln!(out, "Two random records match with probability {:.3e}{from}\n", model.prior);
    let _ = writeln!(out, "{:CONDITION$}  {:>9}  {:>9}  {:>7}", "Level", "m", "u", "weight");
    model.comparisons.iter().for_each(|comparison| out += &of_comparison(comparison));
    if let Some(path) = path {
        let _ = writeln!(out, "\nWritten to {}", path.display());
    }
    out
}

fn of_comparison(comparison: &ComparisonModel) -> String {
    let mut out = format!("{}\n", one_line(&comparison.name));
    comparison.levels.iter().chain([&comparison.otherwise]).for_each(|level| out += &of_level(level));
    out
}

fn of_level(level: &LevelModel) -> String {
    let when = level.when.as_deref().map_or("else".to_owned(), one_line);
    let weight = (level.m / level.u).log2();
    let note = match (level.m_from, level.u_from) {
        (Some(LearnedFrom::Default), _) => "  m not learned",
        (_, Some(LearnedFrom::Sampled)) => "  u from a sample",
        _ => "",
    };
    let width = CONDITION - 2;
    format!("  {:width$}  {:>9.2e}  {:>9.2e}  {weight:>7.2}{note}\n", cut(&when, width), level.m, level.u)
}
