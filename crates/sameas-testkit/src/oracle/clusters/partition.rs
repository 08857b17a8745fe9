//! Sets of rows, and labels: for each row the first row of its set.

use super::case::{Strength, WeightedEdge};

/// The components of edges, by relabelling until nothing changes.
pub(super) fn components(rows: usize, edges: &[WeightedEdge]) -> Vec<usize> {
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.rows[0], edge.rows[1])).collect();
    crate::oracle::cluster::clusters(rows, &pairs)
}

/// The rows of each label, by their first rows.
pub(super) fn sets(labels: &[usize]) -> Vec<Vec<usize>> {
    let rows_of = |label: usize| (0..labels.len()).filter(|row| labels[*row] == label).collect();
    (0..labels.len()).map(rows_of).filter(|rows: &Vec<usize>| !rows.is_empty()).collect()
}

/// Labels the rows of sets.
pub(super) fn label(sets: &[Vec<usize>], labels: &mut [usize]) {
    for set in sets {
        let first = *set.iter().min().expect("a set has a row");
        set.iter().for_each(|row| labels[*row] = first);
    }
}

/// The rows of a component in sets that decisions hold together, by their first rows.
pub(super) fn decided_groups(component: &[usize], edges: &[WeightedEdge]) -> Vec<Vec<usize>> {
    let decided: Vec<WeightedEdge> = edges.iter().filter(|edge| edge.strength == Strength::Decided).copied().collect();
    let last = component.iter().max().copied().unwrap_or(0);
    let labels = components(last + 1, &decided);
    sets(&labels).into_iter().filter(|set| component.contains(&set[0])).collect()
}
