//! Random cases: tables and rules from a seed, made so that most of them find something.

mod atoms;
mod expressions;
mod from_bytes;
mod rules;
mod similarity;
mod tables;
mod values;

use crate::case::{Case, JobKind, Table};
use crate::rng::Rng;
use rules::Author;
use tables::Pools;

pub use from_bytes::{case_of_bytes, expressions_of_bytes};

/// The case of a seed.
pub fn case(seed: u64) -> Case {
    case_from(&mut Rng::new(seed))
}

/// A case from a stream of random numbers.
pub fn case_from(rng: &mut Rng) -> Case {
    let kind = *rng.pick(&[JobKind::Dedupe, JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe]);
    let pools = Pools::new(rng);
    let mut tables = vec![random_table(rng, &pools, false)];
    if kind != JobKind::Dedupe {
        // Types belong to a use: one side of a link may hold as text what the other holds as numbers.
        let ages_as_text = kind == JobKind::Link && rng.percent(25);
        tables.push(random_table(rng, &pools, ages_as_text));
    }
    let job = Author::new(rng, &pools, kind).job();
    Case { tables, job }
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
