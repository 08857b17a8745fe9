//! Random cases: tables and rules from a seed, made so that most of them find something; random graphs, programs over
//! relations, and jobs with entities.

mod atoms;
pub mod entities;
mod expressions;
mod from_bytes;
pub mod graphs;
pub mod programs;
mod rules;
mod scores;
mod similarity;
mod sums;
mod tables;
mod values;

use crate::case::{Case, JobKind, Table};
use crate::rng::Rng;
use rules::Author;
use tables::Pools;

pub use from_bytes::{case_of_bytes, expressions_of_bytes};
pub use scores::scored_case;

/// The case of a seed.
pub fn case(seed: u64) -> Case {
    case_from(&mut Rng::new(seed))
}

/// A case from a stream of random numbers.
pub fn case_from(rng: &mut Rng) -> Case {
    let kind = *rng.pick(&[JobKind::Dedupe, JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe]);
    let pools = Pools::new(rng);
    let number = tables_of(rng, kind);
    // Types belong to a use: one side of a link may hold as text what the other holds as numbers.
    let ages_as_text = kind == JobKind::Link && number == 2 && rng.percent(25);
    let tables = (0..number).map(|table| random_table(rng, &pools, ages_as_text && table == 1)).collect();
    let job = Author::new(rng, &pools, kind, number).job();
    Case { tables, job }
}

/// One table for a dedupe; for a link two, and for every third up to five.
fn tables_of(rng: &mut Rng, kind: JobKind) -> usize {
    match kind {
        JobKind::Dedupe => 1,
        _ if rng.percent(33) => rng.between(3, 5) as usize,
        _ => 2,
    }
}

/// A table of mostly a few dozen rows, sometimes of an edge's number or of a few hundred.
fn random_table(rng: &mut Rng, pools: &Pools, ages_as_text: bool) -> Table {
    let rows = match rng.below(40) {
        0 => rng.between(66, 270) as usize,
        1..=6 => *rng.pick(&[0, 1, 2, 31, 32, 33, 65]),
        _ => rng.between(4, 32) as usize,
    };
    pools.table(rng, rows, ages_as_text)
}

#[cfg(test)]
mod tests;
