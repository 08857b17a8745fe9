//! The pass over the edges of a component.
//!
//! Only edges that unite clusters depend on each other, and most edges do not. So edges are taken in batches, the strongest first.
//! All cores look for those of a batch that may unite two clusters, as clusters are when it begins: what is refused or one cluster
//! then, stays so. Those that are left are decided together as far as they do not wait for each other (`rounds`), and then one after
//! the other, each asked again, for clusters have changed meanwhile. What comes of it does not depend on batches: an edge that is left
//! out would have changed nothing.

use rayon::prelude::*;

use super::causes::{self, cut_refused};
use super::counted::Constraints;
use super::refusals::Refusals;
use super::rounds::Claims;
use super::unions::{ClusterUnions, STEP};
use super::values::{FEW_VALUES, may_have_many};
use crate::component::{OpenComponent, open_ends};
use crate::outcome::ClusterConflict;
use crate::packed::PackedEdge;
use crate::work_memory::{ComponentSize, WorkMemory};

/// Edges between two looks at whether the pass is still wanted.
const EDGES_AT_A_TIME: usize = 1 << 16;

/// Edges of a batch that one thread looks at.
const FILTERED_AT_A_TIME: usize = 1 << 10;

/// Of a larger batch more edges are left in vain, because others of it have changed their clusters; of a smaller one threads wait
/// for each other. At first most edges are left in any case.
const BATCHES: BatchSize = BatchSize { before: 8, least: 1 << 12, most: 1 << 19, few: 1 << 10 };

/// How many edges are looked at together.
#[derive(Clone, Copy)]
struct BatchSize {
    /// A batch has one edge for this number of edges before it, between the least and the most.
    before: usize,
    least: usize,
    most: usize,
    /// As many edges are not worth the work of all cores.
    few: usize,
}

impl BatchSize {
    /// Bytes for each edge of a batch, at most: the ends of those that are left, where a list has just grown, or the ends, the clusters
    /// they are in, and what is decided or left of them.
    const BYTES_OF_EDGE: usize = 7 * size_of::<[u32; 2]>();

    fn after(self, edges: usize) -> usize {
        (edges / self.before).clamp(self.least, self.most)
    }
}

/// Bytes that the pass takes at most, beside other components.
pub(crate) fn most_bytes(constraints: &Constraints<'_>, size: ComponentSize) -> usize {
    let places = size.first..size.first + size.records as u32;
    let pairs = constraints.apart_among(places.clone()).len() + constraints.forbidden_among(places).len();
    // Each edge may be between clusters with many values, and so with many records.
    let with_many = size.records / (FEW_VALUES + 1);
    let is_long = with_many >= 2 && constraints.limits.iter().any(may_have_many);
    let long_edges = if is_long { size.edges } else { 0 };
    // Of these clusters and their unions, fewer than twice as many, each two are refused once at most.
    let refusals = pairs + long_edges.min(with_many.saturating_mul(with_many).saturating_mul(2));
    ClusterUnions::least_bytes(constraints, size.records)
        + refusals * Refusals::BYTES_OF_REFUSAL
        + long_edges * causes::BYTES_OF_LONG
}

/// Divides the clusters of a component until no constraint is broken, and cuts edges for that: `labels` are the first records
/// of clusters, before and after it. Edges between clusters are cut before it.
pub(crate) fn constrain<K: PackedEdge>(
    component: &mut OpenComponent<'_, K>,
    constraints: &Constraints<'_>,
    labels: &mut [u32],
    memory: &mut WorkMemory<'_>,
) -> Result<(), ClusterConflict> {
    let unions = constrained(component, constraints, BATCHES, memory)?;
    unions.label(labels);
    Ok(())
}

/// What the pass makes of the edges that are not cut.
fn constrained<'a, 'c: 'a, K: PackedEdge>(
    component: &mut OpenComponent<'c, K>,
    constraints: &'a Constraints<'a>,
    batches: BatchSize,
    memory: &mut WorkMemory<'_>,
) -> Result<ClusterUnions<'a>, ClusterConflict> {
    let mut unions = ClusterUnions::new(component.rows, component.first, constraints, memory);
    unions.unite_decided(&component.view())?;
    if memory.is_alone() {
        offer_batches(&mut unions, component, batches, memory);
    } else {
        let (first, layout) = (component.first, component.layout);
        let open = component.edges.iter().filter_map(|edge| open_ends(*edge, first, layout));
        offer_all(&mut unions, open, 0, memory);
    }
    cut_refused(component, &unions, memory);
    Ok(unions)
}

/// Offers the edges that are left of each batch.
fn offer_batches<K: PackedEdge>(
    unions: &mut ClusterUnions<'_>,
    component: &OpenComponent<'_, K>,
    batches: BatchSize,
    memory: &mut WorkMemory<'_>,
) {
    let (first, layout, cancel) = (component.first, component.layout, memory.cancel());
    let bytes = batches.most.min(component.edges.len()) * BatchSize::BYTES_OF_EDGE
        + component.rows.len() * Claims::BYTES_OF_RECORD;
    memory.reach(STEP, unions.bytes() + bytes);
    let mut claims = Claims::new(component.rows.len());
    let (mut edges, mut left): (&[K], Vec<[u32; 2]>) = (&component.edges[..], Vec::new());
    while !edges.is_empty() {
        let done = component.edges.len() - edges.len();
        let (batch, others) = edges.split_at(batches.after(done).min(edges.len()));
        let known = &*unions;
        let of_batch = batch.par_chunks(FILTERED_AT_A_TIME).flat_map_iter(|some| {
            cancel.check();
            let open = some.iter().filter_map(move |edge| open_ends(*edge, first, layout));
            open.filter(move |ends| known.open(*ends).is_some())
        });
        left.clear();
        left.par_extend(of_batch);
        if let Some(claims) = &mut claims {
            claims.decide(unions, &mut left, batches.few);
        }
        offer_all(unions, left.iter().copied(), bytes, memory);
        edges = others;
    }
}

/// Offers edges one after the other; the bytes are those that somebody else takes meanwhile.
fn offer_all(
    unions: &mut ClusterUnions<'_>,
    edges: impl Iterator<Item = [u32; 2]>,
    bytes: usize,
    memory: &mut WorkMemory<'_>,
) {
    let mut until_look = EDGES_AT_A_TIME;
    for ends in edges {
        unions.offer(ends);
        until_look -= 1;
        if until_look == 0 {
            until_look = EDGES_AT_A_TIME;
            memory.check();
            memory.grow(STEP, unions.bytes() + bytes);
        }
    }
    memory.reach(STEP, unions.bytes() + bytes);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use sameas_core::cancel::Cancel;

    use super::*;
    use crate::edge::{Edge, EdgeKind};
    use crate::outcome::CutCause;
    use crate::packed::EdgeLayout;
    use crate::rules::{ClusterLimit, ClusterRules, Counted, RowFacts};

    /// What a pass has come to.
    struct Passed {
        labels: Vec<u32>,
        /// For each edge its rows, and what has cut it.
        edges: Vec<([u32; 2], Option<CutCause>)>,
        long_questions: u64,
    }

    /// The pass in batches, or one edge after the other.
    fn pass(edges: &[(u32, u32, f64)], rules: &ClusterRules, facts: &RowFacts, batches: Option<BatchSize>) -> Passed {
        let rows: Vec<u32> = (0..facts.values[0].len() as u32).collect();
        let layout = EdgeLayout::new(rows.len() as u32);
        let edge = |l: u32, r: u32, weight: f64| Edge::new([l, r], EdgeKind::Scored, Some(weight), 0).unwrap();
        let mut packed: Vec<u128> = edges.iter().map(|(l, r, w)| u128::pack(&edge(*l, *r, *w), layout)).collect();
        packed.sort_unstable();
        let size = ComponentSize { first: 0, records: rows.len(), edges: packed.len() };
        let mut memory = match batches {
            Some(_) => WorkMemory::counted(Cancel::NEVER, size),
            None => WorkMemory::covered(Cancel::NEVER, size),
        };
        let constraints = Constraints::new(rules, facts);
        let mut component = OpenComponent { rows: &rows, first: 0, layout, edges: &mut packed };
        let unions = constrained(&mut component, &constraints, batches.unwrap_or(BATCHES), &mut memory).unwrap();
        let (long_questions, mut labels) = (unions.long_questions(), vec![0; rows.len()]);
        unions.label(&mut labels);
        let edges = packed.iter().map(|edge| (edge.rows(layout), edge.cause())).collect();
        Passed { labels, edges, long_questions }
    }

    /// The first constraint that refuses the union of the clusters of two rows, as it is defined.
    fn plain_cause(ends: [u32; 2], labels: &[u32], rules: &ClusterRules, facts: &RowFacts) -> Option<CutCause> {
        let [left, right] = ends.map(|end| -> Vec<usize> {
            (0..labels.len()).filter(|row| labels[*row] == labels[end as usize]).collect()
        });
        if rules.max_size.is_some_and(|most| left.len() + right.len() > most as usize) {
            return Some(CutCause::MaxSize);
        }
        let is_in = |rows: &[usize], row: u32| rows.contains(&(row as usize));
        let is_between =
            |[a, b]: &[u32; 2]| is_in(&left, *a) && is_in(&right, *b) || is_in(&left, *b) && is_in(&right, *a);
        if let Some(pair) = facts.forbidden.iter().copied().filter(is_between).min() {
            return Some(CutCause::Forbidden { pair });
        }
        let refused = |limit: &ClusterLimit, values: &[u32]| -> Option<u32> {
            let mut counts = BTreeMap::new();
            left.iter().chain(&right).for_each(|row| *counts.entry(values[*row]).or_insert(0) += 1);
            let of_left: BTreeSet<u32> = left.iter().map(|row| values[*row]).collect();
            match limit.counted {
                Counted::RecordsOfEach => {
                    counts.into_iter().find(|(_, records)| *records > limit.most).map(|(value, _)| value)
                }
                Counted::DifferentValues if counts.len() <= limit.most as usize => None,
                Counted::DifferentValues => counts.into_keys().find(|value| !of_left.contains(value)),
            }
        };
        let mut limits = (0..).zip(rules.limits.iter().zip(&facts.values));
        limits.find_map(|(at, (limit, values))| Some(CutCause::Limit { limit: at, value: refused(limit, values)? }))
    }

    #[test]
    fn batches_change_nothing() {
        const ROWS: u32 = 1_000;
        let mut state = 7_u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        let edges: Vec<(u32, u32, f64)> =
            (0..15_000).map(|_| (draw(ROWS), draw(ROWS), f64::from(draw(50)))).filter(|(l, r, _)| l != r).collect();
        let limit = |counted, most| ClusterLimit { counted, most };
        let limits = vec![limit(Counted::RecordsOfEach, 1), limit(Counted::DifferentValues, 30)];
        let rules = ClusterRules { max_size: Some(80), keep_apart: true, limits, ..ClusterRules::default() };
        let facts = RowFacts {
            values: vec![(0..ROWS).map(|row| row % 400).collect(), (0..ROWS).map(|row| row * 7 % 90).collect()],
            forbidden: (0..60).map(|at| [at * 9, at * 9 + 3]).collect(),
            ..RowFacts::default()
        };
        let found = pass(&edges, &rules, &facts, None);
        for (ends, cause) in &found.edges {
            let [left, right] = ends.map(|end| found.labels[end as usize]);
            let expected = if left == right { None } else { plain_cause(*ends, &found.labels, &rules, &facts) };
            assert_eq!((cause, left == right), (&expected, expected.is_none()), "{ends:?}");
        }
        let places: BTreeSet<usize> = found.edges.iter().filter_map(|(_, cause)| cause.map(CutCause::place)).collect();
        assert_eq!(places, BTreeSet::from([1, 3, 5]));
        assert!(found.long_questions > 100, "{}", found.long_questions);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        for (before, least, most) in [(1, 1, 1), (8, 16, 64), (8, 64, 1 << 12), (8, 1 << 12, 1 << 18)] {
            for few in [0, 10, 1 << 20] {
                let batches = BatchSize { before, least, most, few };
                let again = pool.install(|| pass(&edges, &rules, &facts, Some(batches)));
                assert_eq!(again.labels, found.labels, "batches of {least} to {most}, {few} one after the other");
                assert_eq!(again.edges, found.edges, "batches of {least} to {most}, {few} one after the other");
            }
        }
    }

    #[test]
    fn clusters_with_many_values_are_asked_about_once() {
        const SIDE: u32 = 4_000;
        // Only the first rows of the two sides have a value in common: the highest, at which a search ends.
        let value = |row: u32| if row.is_multiple_of(SIDE) { 9 * SIDE } else { row };
        let chain = |first: u32, weight: f64| (first + 1..first + SIDE / 2).map(move |row| (row - 1, row, weight));
        let between = |rows: u32, weight: f64| (0..20_000).map(move |at| (at * 3 % rows, SIDE + at * 7 % rows, weight));
        let joined = [0, SIDE].map(|first| (first + SIDE / 2 - 1, first + SIDE / 2, 1.0));
        let mut edges: Vec<(u32, u32, f64)> = [0, SIDE].into_iter().flat_map(|first| chain(first, 3.0)).collect();
        edges.extend(between(SIDE / 2, 2.0));
        edges.extend(joined);
        edges.extend([0, SIDE].into_iter().flat_map(|first| chain(first + SIDE / 2, 1.0)));
        edges.extend(between(SIDE, 0.5));
        let limits = vec![ClusterLimit { counted: Counted::RecordsOfEach, most: 1 }];
        let rules = ClusterRules { limits, ..ClusterRules::default() };
        let facts = RowFacts { values: vec![(0..2 * SIDE).map(value).collect()], ..RowFacts::default() };
        for batches in [None, Some(BatchSize { before: 8, least: 64, most: 256, few: 8 }), Some(BATCHES)] {
            let found = pass(&edges, &rules, &facts, batches);
            assert!((0..).zip(&found.labels).all(|(row, label): (u32, &u32)| *label == row - row % SIDE));
            let cause = CutCause::Limit { limit: 0, value: 9 * SIDE };
            let is_cut = |[l, r]: [u32; 2]| (l < SIDE && r >= SIDE).then_some(cause);
            assert!(found.edges.iter().all(|(ends, cause)| *cause == is_cut(*ends)));
            assert_eq!(found.long_questions, 2, "one in the pass, and one for all causes");
        }
    }
}
