//! Random small graphs, with ties, repetitions and negative weights, and what is asked about them.

use sameas_testkit::oracle::clusters::{ClusterCase, Limit, Method, Strength, WeightedEdge};
use sameas_testkit::rng::Rng;

/// The case of a seed; its method is chosen by others.
pub(super) fn case(seed: u64) -> ClusterCase {
    let rng = &mut Rng::new(seed);
    let rows = rng.between(2, 11) as usize;
    let edges = edges(rng, rows);
    let sources = (0..rows).map(|_| rng.below(3)).collect();
    let max_size = rng.percent(25).then(|| rng.between(1, 6) as usize);
    let forbidden = if rng.percent(40) { pairs(rng, rows, 4) } else { Vec::new() };
    let apart = if rng.percent(25) { pairs(rng, rows, 2) } else { Vec::new() };
    let limits = (0..rng.below(3)).map(|_| limit(rng, rows)).collect();
    let threshold = rng.percent(30).then(|| rng.between(-4, 6));
    let density = rng.percent(40).then(|| rng.between(1, 3));
    let case = ClusterCase {
        rows,
        edges,
        threshold,
        method: Method::Components,
        max_size,
        forbidden,
        apart,
        sources,
        limits,
        density,
    };
    if rng.percent(20) { of_sources(rng, case) } else { case }
}

/// The same with two sources, which optimal pairs need.
pub(super) fn of_two_sources(mut case: ClusterCase) -> ClusterCase {
    case.sources.iter_mut().for_each(|source| *source = (*source).min(1));
    case.limits.retain(|limit| !limit.is_of_sources);
    case
}

/// Edges in any order, some of them more than once.
fn edges(rng: &mut Rng, rows: usize) -> Vec<WeightedEdge> {
    let ties = rng.percent(30);
    let (has_decided, has_unscored) = (rng.percent(35), rng.percent(30));
    let (dense, lowest) = (rng.percent(40), if rng.percent(40) { -8 } else { 0 });
    let many = if dense { rows * rows / 2 } else { rows + rows / 2 };
    let edge = |rng: &mut Rng| {
        let (a, b) = (rng.below(rows), rng.below(rows));
        let quarters = if ties { 4 * rng.between(0, 1) } else { rng.between(lowest, 12) };
        let strength = match rng.below(100) {
            0..6 if has_decided => Strength::Decided,
            6..16 => Strength::Certain,
            _ => Strength::Other,
        };
        let is_unscored = has_unscored && rng.percent(25) || strength == Strength::Decided;
        WeightedEdge {
            rows: [a.min(b), a.max(b)],
            strength,
            quarters: (!is_unscored).then_some(quarters),
            rule: rng.below(3),
        }
    };
    (0..many).map(|_| edge(rng)).collect()
}

fn pairs(rng: &mut Rng, rows: usize, most: i64) -> Vec<[usize; 2]> {
    (0..rng.between(1, most)).map(|_| [rng.below(rows), rng.below(rows)]).collect()
}

fn limit(rng: &mut Rng, rows: usize) -> Limit {
    let values = (0..rows).map(|_| rng.percent(70).then(|| rng.below(4) as u32)).collect();
    Limit { values, most: rng.between(1, 3) as usize, counts_values: rng.percent(50), is_of_sources: false }
}

/// The case with one record of each source, or of all but one.
fn of_sources(rng: &mut Rng, mut case: ClusterCase) -> ClusterCase {
    let repeated = rng.percent(50).then(|| rng.below(3));
    let value = |source: &usize| (Some(*source) != repeated).then_some(*source as u32);
    let values = case.sources.iter().map(value).collect();
    case.limits.insert(0, Limit { values, most: 1, counts_values: false, is_of_sources: true });
    case
}
