//! Bridges: every edge is taken away to see whether its ends stay connected.

use super::case::{Strength, WeightedEdge};
use super::partition::{components, sets};

/// The clusters of edges, the strongest first, divided at bridges; the density is in quarters.
pub(super) fn split(rows: usize, edges: &[WeightedEdge], density: i64) -> Vec<usize> {
    let mut edges = edges.to_vec();
    while let Some(at) = weakest(rows, &edges, density) {
        edges.remove(at);
    }
    components(rows, &edges)
}

/// The weakest bridge that is to be removed.
fn weakest(rows: usize, edges: &[WeightedEdge], density: i64) -> Option<usize> {
    (0..edges.len()).rev().find(|at| {
        let mut others = edges.to_vec();
        let bridge = others.remove(*at);
        let labels = components(rows, &others);
        let [a, b] = bridge.rows;
        let parts = sets(&labels);
        let is_dense = |row: usize| parts.iter().any(|part| part.contains(&row) && is_dense(part, &others, density));
        bridge.strength != Strength::Decided && labels[a] != labels[b] && is_dense(a) && is_dense(b)
    })
}

fn is_dense(part: &[usize], edges: &[WeightedEdge], density: i64) -> bool {
    let inside = edges.iter().filter(|edge| part.contains(&edge.rows[0])).count() as i64;
    let records = part.len() as i64;
    records >= 2 && 4 * 2 * inside > density * records * (records - 1)
}
