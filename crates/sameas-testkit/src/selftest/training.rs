//! Questions about training: u is the share of a level among all pairs, and m is what a further round would leave as it is.

use std::sync::Arc;

use sameas::Model;
use sameas::score::{ComparisonModel, LearnedFrom};
use sameas_engine::plan::Strategy;

use super::Settings;
use super::check::{Check, Sessions};
use super::compare::is_mistake;
use super::engine::job;
use super::seeded_cases::scored_case_of;
use super::variant::by_seed;
use crate::case::{Case, Rule};
use crate::oracle::training::{Belief, level_counts, level_share, next_belief, rule_pairs};

/// Standard errors that a share of a sample may be off by.
const ERRORS: f64 = 7.0;

/// What m may change by in a round after the last.
const CHANGE: f64 = 1e-6;

/// What numbers that were computed in another order may be off by, as a part of them.
const TOLERANCE: f64 = 1e-9;

/// A question for each of some seeds.
pub fn checks(settings: &Settings) -> Vec<Check> {
    let (device, sessions) = (settings.device, Arc::new(Sessions::default()));
    let check = |seed: u64| {
        let sessions = Arc::clone(&sessions);
        let ask = Box::new(move |_| {
            let (case, folder) = (case_of(seed), tempfile::tempdir().map_err(|error| error.to_string())?);
            let job = job(&case, seed, folder.path())?;
            let trained = [0, 1].map(|more| {
                let session = sessions.open(&by_seed(device, seed + more, Strategy::Full))?;
                session.train(&job, &()).map(|trained| trained.model)
            });
            let [first, second] = trained.map(|model| model.map_err(|error| error.to_string()));
            match (first, second) {
                (Err(error), Err(_)) if is_mistake(&error) => Ok(()),
                (first, second) if first == second => is_learned(&case, &first?),
                (first, second) => Err(format!("two models of one table: {first:?} and {second:?}")),
            }
            .map_err(|error| format!("{case}\n{error}"))
        });
        Check { name: format!("seed {seed}"), seed, ask }
    };
    (settings.seed..settings.seed + settings.cases.div_ceil(12)).map(check).collect()
}

/// A case with one rule, which a model is learned from, and nothing that says how many records match.
fn case_of(seed: u64) -> Case {
    let mut case = scored_case_of(seed);
    let first = case.job.scoring.as_ref().map(|scoring| scoring.comparisons[0].levels[0].when.clone());
    if case.job.rules.is_empty() {
        case.job.rules.extend(first.map(Rule::new));
    }
    case.job.rules.truncate(1);
    case.job.rules[0].is_certain = false;
    case
}

fn is_learned(case: &Case, model: &Model) -> Result<(), String> {
    for (comparison, counts) in model.comparisons.iter().zip(level_counts(case)) {
        is_counted(comparison, &counts)?;
    }
    let pairs = rule_pairs(case);
    match model.passes.first() {
        None if pairs.is_empty() => return Ok(()),
        Some(pass) if pass.pairs == pairs.len() as u64 => {}
        other => return Err(format!("the rule has {} pairs, and its pass is {other:?}", pairs.len())),
    }
    let pass = &model.passes[0];
    let is_active = |of: &ComparisonModel| !pass.without.contains(&of.name);
    // A pass with less than half a match teaches nothing, and the model has not what it was left with.
    let is_unlearned = |of: &ComparisonModel| of.outcomes().all(|level| level.m_from == Some(LearnedFrom::Unseen));
    if model.comparisons.iter().any(|of| is_active(of) && is_unlearned(of)) {
        return Ok(());
    }
    let is_active: Vec<bool> = model.comparisons.iter().map(is_active).collect();
    let u: Vec<Vec<f64>> = model.comparisons.iter().map(|of| of.outcomes().map(|level| level.u).collect()).collect();
    let m = model.comparisons.iter().map(|of| of.outcomes().map(|level| Some(level.m)).collect()).collect();
    let before = Belief { matches: pass.matches, m };
    let after = next_belief(&pairs, &is_active, &u, &before);
    if pass.has_converged { is_unchanged(&before, &after, &is_active) } else { Ok(()) }
}

/// Whether u is what the oracle counts, or near it where it is from a sample.
fn is_counted(comparison: &ComparisonModel, counts: &[u64]) -> Result<(), String> {
    let pairs = counts.iter().sum();
    for (level, count) in comparison.outcomes().zip(counts) {
        let is_right = match (level.u_from, level.u_error) {
            (Some(LearnedFrom::Counted), None) => is_near(level.u, level_share(*count, pairs), TOLERANCE),
            // A sample has every pair many times, or never: half a pair of it is less than half a pair of all.
            (Some(LearnedFrom::Sampled), Some(_)) if *count == 0 => level.u <= level_share(0, pairs),
            (Some(LearnedFrom::Sampled), Some(error)) => (level.u - level_share(*count, pairs)).abs() <= ERRORS * error,
            _ => false,
        };
        if !is_right {
            let name = &comparison.name;
            return Err(format!("{name}: {count} of {pairs} pairs have a level, and u is {level:?}"));
        }
    }
    Ok(())
}

fn is_near(given: f64, expected: f64, part: f64) -> bool {
    (given - expected).abs() <= part * expected
}

/// Whether a further round changes nothing of what it learns.
fn is_unchanged(before: &Belief, after: &Belief, is_active: &[bool]) -> Result<(), String> {
    let is_unmoved = |a: f64, b: f64| (a - b).abs() <= CHANGE;
    let active = before.m.iter().zip(&after.m).zip(is_active).filter(|(_, is_active)| **is_active);
    let mut learned = active.flat_map(|((before, after), _)| before.iter().zip(after));
    let is_same =
        learned.all(|(before, after)| before.zip(*after).is_none_or(|(before, after)| is_unmoved(before, after)));
    match is_same && is_unmoved(before.matches, after.matches) {
        true => Ok(()),
        false => Err(format!("{before:?} has converged, and after another round it is {after:?}")),
    }
}
