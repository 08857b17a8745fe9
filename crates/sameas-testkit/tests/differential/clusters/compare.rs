//! One case to the engine and to the oracle.

use rayon::{ThreadPool, ThreadPoolBuilder};
use sameas_clusters::{
    BridgeSplit, ClusterConflict, ClusterLimit, ClusterMethod, ClusterRules, Clusters, Counted, CutCause, Edge,
    EdgeKind, Edges, Linkage, NO_VALUE, OneTo, RowFacts, cluster,
};
use sameas_core::cancel::Cancel;
use sameas_testkit::oracle::clusters::{Cause, ClusterCase, Limit, Method, Strength, WeightedEdge, clusters};

/// One thread, and four.
pub(super) struct Pools([ThreadPool; 2]);

impl Pools {
    pub(super) fn new() -> Self {
        Self([1, 4].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()))
    }
}

/// What a case was like.
pub(super) enum Outcome {
    Contradictory,
    /// Why edges were cut.
    Cut(Vec<Cause>),
}

/// Compares the answers: with one thread and the edges as they are, with four and the edges the other way round.
pub(super) fn check(seed: u64, case: &ClusterCase, pools: &Pools) -> Outcome {
    let (rules, facts) = (rules(case), facts(case));
    rules.check(3).or_else(|_| rules.check(2)).unwrap();
    let [one, four] = &pools.0;
    let found = one.install(|| cluster(edges(case, case.edges.iter()), &rules, &facts, Cancel::NEVER));
    let again = four.install(|| cluster(edges(case, case.edges.iter().rev()), &rules, &facts, Cancel::NEVER));
    assert_eq!(found, again, "seed {seed}: {case:#?}");
    match (found, clusters(case)) {
        (Err(conflict), None) => {
            assert!(is_true(&conflict, case), "seed {seed}: {conflict:?} in {case:#?}");
            Outcome::Contradictory
        }
        (Ok(found), Some(expected)) => {
            let first_rows: Vec<usize> = found.first_rows.iter().map(|row| *row as usize).collect();
            assert_eq!(first_rows, expected.first_rows, "seed {seed}: {case:#?}");
            assert_eq!(causes(&found, case), expected.cut, "seed {seed}: {case:#?}");
            let is_together = |[a, b]: &[usize; 2]| a != b && first_rows[*a] == first_rows[*b];
            let decided = |pair: &[usize; 2]| is_held(case, *pair);
            assert!(!case.apart.iter().any(is_together), "seed {seed}");
            assert!(!case.forbidden.iter().any(|pair| is_together(pair) && !decided(pair)), "seed {seed}");
            Outcome::Cut(expected.cut.into_iter().map(|(_, cause)| cause).collect())
        }
        (found, expected) => panic!("seed {seed}: {found:?}, and expected was {expected:?}, of {case:#?}"),
    }
}

fn edges<'a>(case: &ClusterCase, all: impl Iterator<Item = &'a WeightedEdge>) -> Edges {
    let mut edges = Edges::new(case.rows as u32, 3);
    for edge in all {
        let kind = match edge.strength {
            Strength::Decided => EdgeKind::DecidedTogether,
            Strength::Certain => EdgeKind::Certain,
            Strength::Other => EdgeKind::Scored,
        };
        let weight = edge.quarters.map(|quarters| quarters as f64 / 4.0);
        edges.push(Edge::new(edge.rows.map(|row| row as u32), kind, weight, edge.rule as u32).unwrap());
    }
    edges
}

fn rules(case: &ClusterCase) -> ClusterRules {
    let quarters = |quarters: i64| quarters as f64 / 4.0;
    let linkage = |linkage, threshold| ClusterMethod::Linkage { linkage, threshold: quarters(threshold) };
    let limit = |limit: &Limit| ClusterLimit {
        counted: if limit.counts_values { Counted::DifferentValues } else { Counted::RecordsOfEach },
        most: limit.most as u32,
    };
    ClusterRules {
        threshold: case.threshold.map(quarters),
        method: match case.method {
            Method::Components => ClusterMethod::Components,
            Method::Optimal => ClusterMethod::Optimal,
            Method::Average(threshold) => linkage(Linkage::Average, threshold),
            Method::Complete(threshold) => linkage(Linkage::Complete, threshold),
            Method::Louvain => ClusterMethod::Louvain,
        },
        max_size: case.max_size.map(|most| most as u32),
        keep_apart: !case.forbidden.is_empty(),
        one_to: case.limits.iter().find(|limit| limit.is_of_sources).map(|limit| one_to(case, limit)),
        limits: case.limits.iter().filter(|limit| !limit.is_of_sources).map(limit).collect(),
        split: case.density.map(|density| BridgeSplit { density: quarters(density) }),
    }
}

/// Which source may repeat: the one without a value.
fn one_to(case: &ClusterCase, limit: &Limit) -> OneTo {
    let repeated = (0..case.rows).find(|row| limit.values[*row].is_none());
    repeated.map_or(OneTo::One, |row| OneTo::Many { repeated: case.sources[row] as u32 })
}

fn facts(case: &ClusterCase) -> RowFacts {
    let pairs =
        |pairs: &[[usize; 2]]| -> Vec<[u32; 2]> { pairs.iter().map(|pair| pair.map(|row| row as u32)).collect() };
    let values = |limit: &Limit| -> Vec<u32> { limit.values.iter().map(|value| value.unwrap_or(NO_VALUE)).collect() };
    RowFacts {
        sources: case.sources.iter().map(|source| *source as u32).collect(),
        values: case.limits.iter().filter(|limit| !limit.is_of_sources).map(values).collect(),
        forbidden: pairs(&case.forbidden),
        apart: pairs(&case.apart),
    }
}

/// Cut edges as the oracle gives them.
fn causes(found: &Clusters, case: &ClusterCase) -> Vec<([usize; 2], Cause)> {
    let limits_of_sources = case.limits.iter().filter(|limit| limit.is_of_sources).count();
    let pair = |pair: [u32; 2]| pair.map(|row| row as usize);
    let cause = |cause: CutCause| match cause {
        CutCause::Method => Cause::Method,
        CutCause::MaxSize => Cause::MaxSize,
        CutCause::DecidedApart { pair: apart } => Cause::Apart(pair(apart)),
        CutCause::Forbidden { pair: forbidden } => Cause::Forbidden(pair(forbidden)),
        CutCause::OneTo { source } => Cause::Limit(0, source),
        CutCause::Limit { limit, value } => Cause::Limit(limit as usize + limits_of_sources, value),
        CutCause::Bridge => Cause::Bridge,
    };
    let mut cut: Vec<([usize; 2], Cause)> = found.cut.iter().map(|edge| (pair(edge.rows), cause(edge.cause))).collect();
    cut.sort_unstable();
    cut
}

/// Whether decisions hold two rows together.
fn is_held(case: &ClusterCase, [a, b]: [usize; 2]) -> bool {
    let mut held = vec![a];
    let mut next = 0;
    while next < held.len() {
        let row = held[next];
        next += 1;
        for edge in case.edges.iter().filter(|edge| edge.strength == Strength::Decided && edge.rows.contains(&row)) {
            held.extend(edge.rows.into_iter().filter(|row| !held.contains(row)).collect::<Vec<usize>>());
        }
    }
    held.contains(&b)
}

/// Whether decisions contradict each other, or a limit, as it is said.
fn is_true(conflict: &ClusterConflict, case: &ClusterCase) -> bool {
    let is_decided = |[a, b]: [usize; 2]| {
        let rows = [a.min(b), a.max(b)];
        case.edges.iter().any(|edge| edge.strength == Strength::Decided && edge.rows == rows)
    };
    let rows_of = |rows: &[u32]| -> Vec<usize> { rows.iter().map(|row| *row as usize).collect() };
    match conflict {
        ClusterConflict::HeldTogether { chain } => {
            let chain = rows_of(chain);
            let (first, last) = (chain[0], chain[chain.len() - 1]);
            let is_apart = case.apart.contains(&[first, last]) || case.apart.contains(&[last, first]);
            is_apart && chain.windows(2).all(|two| is_decided([two[0], two[1]]))
        }
        ClusterConflict::TooMany { rows, .. } => {
            let rows = rows_of(rows);
            rows.len() > 1 && rows.windows(2).all(|two| is_held(case, [two[0], two[1]]))
        }
    }
}
