//! Louvain's method: for every move the modularity of all rows is computed again, as an exact fraction.

use std::collections::BTreeMap;

use super::case::WeightedEdge;
use super::counted::Counted;
use super::partition::{components, sets};

/// The communities of a component whose first nodes are these groups of rows.
pub(super) fn communities(
    component: &[usize],
    edges: &[WeightedEdge],
    counted: &Counted,
    mut nodes: Vec<Vec<usize>>,
) -> Vec<Vec<usize>> {
    let weights = Weights::new(edges, counted);
    while let Some(found) = moved(&nodes, edges, &weights) {
        nodes = found;
    }
    connected(component, edges, &nodes)
}

/// Divides communities that no path of their edges connects.
fn connected(component: &[usize], edges: &[WeightedEdge], communities: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let is_within =
        |edge: &&WeightedEdge| communities.iter().any(|rows| edge.rows.iter().all(|row| rows.contains(row)));
    let within: Vec<WeightedEdge> = edges.iter().filter(is_within).copied().collect();
    let last = component.iter().max().copied().unwrap_or(0);
    let labels = components(last + 1, &within);
    sets(&labels).into_iter().filter(|set| component.contains(&set[0])).collect()
}

/// One level: the communities of nodes, by their first rows; nothing where no node moves.
fn moved(nodes: &[Vec<usize>], edges: &[WeightedEdge], weights: &Weights) -> Option<Vec<Vec<usize>>> {
    let mut community: Vec<usize> = (0..nodes.len()).collect();
    let mut has_moved = false;
    loop {
        let mut moves = false;
        for node in 0..nodes.len() {
            let best = best_place(node, &community, nodes, edges, weights);
            moves |= best != community[node];
            community[node] = best;
        }
        if !moves {
            break;
        }
        has_moved = true;
    }
    let rows_of = |at: usize| -> Vec<usize> {
        let members = (0..nodes.len()).filter(|node| community[*node] == at);
        let mut rows: Vec<usize> = members.flat_map(|node| nodes[node].clone()).collect();
        rows.sort_unstable();
        rows
    };
    let mut found: Vec<Vec<usize>> = (0..nodes.len()).map(rows_of).filter(|rows| !rows.is_empty()).collect();
    found.sort();
    has_moved.then_some(found)
}

/// Where a node makes the modularity largest: where it is, with a neighbour, or alone.
fn best_place(
    node: usize,
    community: &[usize],
    nodes: &[Vec<usize>],
    edges: &[WeightedEdge],
    weights: &Weights,
) -> usize {
    let value = |place: usize| {
        let mut tried = community.to_vec();
        tried[node] = place;
        weights.modularity(&tried, nodes)
    };
    let joins = |a: usize, b: usize| {
        let is_between = |[l, r]: [usize; 2]| {
            nodes[a].contains(&l) && nodes[b].contains(&r) || nodes[a].contains(&r) && nodes[b].contains(&l)
        };
        edges.iter().any(|edge| is_between(edge.rows))
    };
    let mut near: Vec<usize> =
        (0..nodes.len()).filter(|other| *other != node && joins(node, *other)).map(|other| community[other]).collect();
    near.sort_unstable();
    near.dedup();
    let is_alone = (0..nodes.len()).all(|other| other == node || community[other] != community[node]);
    let empty = (0..nodes.len()).find(|place| !community.contains(place)).filter(|_| !is_alone);
    let mut best = (community[node], value(community[node]));
    for place in near.into_iter().chain(empty) {
        let value = value(place);
        if value > best.1 {
            best = (place, value);
        }
    }
    best.0
}

/// The weights of all pairs of rows.
struct Weights {
    /// For each two rows the positive and the negative part.
    pairs: Vec<([usize; 2], i128, i128)>,
}

impl Weights {
    fn new(edges: &[WeightedEdge], counted: &Counted) -> Self {
        let part = |edge: &WeightedEdge| {
            let quarters = i128::from(counted.quarters(edge));
            (edge.rows, quarters.max(0), (-quarters).max(0))
        };
        Self { pairs: edges.iter().map(part).collect() }
    }

    /// The modularity, times what makes it a whole number: twice the positive and twice the negative sum.
    fn modularity(&self, community: &[usize], nodes: &[Vec<usize>]) -> i128 {
        let mut place = BTreeMap::new();
        for (rows, community) in nodes.iter().zip(community) {
            place.extend(rows.iter().map(|row| (*row, *community)));
        }
        let (mut inside, mut positive, mut negative) = (0_i128, vec![0_i128; nodes.len()], vec![0_i128; nodes.len()]);
        for ([l, r], more, less) in &self.pairs {
            let (l, r) = (place[l], place[r]);
            if l == r {
                inside += 2 * (more - less);
            }
            for end in [l, r] {
                positive[end] += more;
                negative[end] += less;
            }
        }
        let squares = |degrees: &[i128]| -> i128 { degrees.iter().map(|degree| degree * degree).sum() };
        let (all_positive, all_negative): (i128, i128) = (positive.iter().sum(), negative.iter().sum());
        // Where there are no such edges, their squares are 0, and any number may stand for their sum.
        let (by_positive, by_negative) = (all_positive.max(1), all_negative.max(1));
        inside * by_positive * by_negative - squares(&positive) * by_negative + squares(&negative) * by_positive
    }
}
