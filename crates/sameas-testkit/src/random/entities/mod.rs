//! Random jobs with entities: few values and small clusters, so that ties, nulls and conflicts are frequent.
//!
//! - `items` are values of any type, `columns` the columns of inputs; `expressions` are about columns that every job has;
//! - `section` is an `[entity]` section; `mistakes` are lines of one that must be refused.

mod columns;
mod expressions;
mod items;
mod mistakes;
mod section;

use crate::case::JobKind;
use crate::entities::{EntityCase, EntityInput, EntityPair, PairSource, WithColumns};
use crate::rng::Rng;

pub use mistakes::{Mistake, mistake};

/// The job of a seed.
pub fn entity_case(seed: u64) -> EntityCase {
    let rng = &mut Rng::new(seed ^ 0x656e_7469_7479);
    let kind = *rng.pick(&[JobKind::Dedupe, JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe]);
    let number = if kind == JobKind::Dedupe { 1 } else { *rng.pick(&[2, 2, 2, 3]) };
    let rows: Vec<usize> = (0..number).map(|_| rows(rng)).collect();
    let source = *rng.pick(&[PairSource::Scored, PairSource::Links]);
    let pairs = pairs(rng, kind, &rows, source);
    let mut inputs = columns::inputs(rng, &rows);
    if source == PairSource::Links {
        columns::add_links(&mut inputs, &pairs);
    }
    let mut case = EntityCase {
        kind,
        inputs,
        source,
        pairs,
        nulls: if rng.percent(60) { vec!["N/A".to_owned(), "-".to_owned()] } else { Vec::new() },
        blank_is_null: rng.percent(40),
        derives: expressions::derives(rng),
        section: None,
        with: WithColumns::All,
    };
    case.section = rng.percent(85).then(|| section::section(rng, &case));
    case.with = with(rng, &case.inputs);
    case
}

/// The number of records of an input: mostly a few, sometimes none.
fn rows(rng: &mut Rng) -> usize {
    match rng.below(20) {
        0 => 0,
        1 => rng.between(12, 30) as usize,
        _ => rng.between(1, 9) as usize,
    }
}

/// Pairs that a job of this kind may have, each once and the earlier row first.
fn pairs(rng: &mut Rng, kind: JobKind, rows: &[usize], source: PairSource) -> Vec<EntityPair> {
    let inputs: Vec<usize> = rows.iter().enumerate().flat_map(|(at, rows)| vec![at; *rows]).collect();
    let mut pairs: Vec<EntityPair> = Vec::new();
    for _ in 0..if inputs.is_empty() { 0 } else { rng.below(inputs.len() * 2) } {
        let near = rng.percent(60);
        let a = rng.below(inputs.len());
        let b = if near { (a + rng.below(4)).min(inputs.len() - 1) } else { rng.below(inputs.len()) };
        let found = [a.min(b), a.max(b)];
        let is_compared = kind != JobKind::Link || inputs[a] != inputs[b];
        if a != b && is_compared && !pairs.iter().any(|pair| pair.rows == found) {
            let score = (source == PairSource::Scored).then(|| score(rng));
            pairs.push(EntityPair { rows: found, score });
        }
    }
    pairs
}

/// Few scores, so that sums are often equal; some are beyond what counts.
fn score(rng: &mut Rng) -> f64 {
    match rng.below(12) {
        0 => 5000.0,
        1 => -5000.0,
        2 => 1.0 / 3.0,
        _ => rng.between(-2, 8) as f64 / 4.0,
    }
}

fn with(rng: &mut Rng, inputs: &[EntityInput]) -> WithColumns {
    let all = inputs.iter().flat_map(|input| input.columns.iter().filter(|c| c.name != input.columns[input.id].name));
    let mut names: Vec<String> = all.map(|column| column.name.clone()).collect();
    names.sort();
    names.dedup();
    if names.is_empty() || rng.percent(40) {
        return WithColumns::All;
    }
    let (first, second) = (rng.below(names.len()), rng.below(names.len()));
    let chosen = if first == second { vec![first] } else { vec![first, second] };
    WithColumns::Named(chosen.into_iter().map(|at| names[at].clone()).collect())
}
