//! The transitive closure by Warshall's algorithm, over a matrix.

use std::collections::{BTreeMap, BTreeSet};

/// What is meant by the closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClosureKind {
    /// Whether an edge leads both ways.
    pub undirected: bool,
    /// Whether every vertex reaches itself, even without a path.
    pub reflexive: bool,
}

/// All `(x, y)` with a path of at least one edge from `x` to `y`.
pub fn closure<V: Ord + Clone>(edges: &[(V, V)], kind: ClosureKind) -> BTreeSet<(V, V)> {
    let vertices: BTreeSet<&V> = edges.iter().flat_map(|(from, to)| [from, to]).collect();
    let numbers: BTreeMap<&V, usize> = vertices.iter().enumerate().map(|(at, vertex)| (*vertex, at)).collect();
    let mut reaches = vec![vec![false; vertices.len()]; vertices.len()];
    for (from, to) in edges {
        let (from, to) = (numbers[from], numbers[to]);
        reaches[from][to] = true;
        reaches[to][from] |= kind.undirected;
    }
    warshall(&mut reaches);
    let vertices: Vec<&V> = vertices.into_iter().collect();
    let all = (0..vertices.len()).flat_map(|from| (0..vertices.len()).map(move |to| (from, to)));
    all.filter(|(from, to)| reaches[*from][*to] || kind.reflexive && from == to)
        .map(|(from, to)| (vertices[from].clone(), vertices[to].clone()))
        .collect()
}

fn warshall(reaches: &mut [Vec<bool>]) {
    for middle in 0..reaches.len() {
        let onwards = reaches[middle].clone();
        for row in reaches.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&onwards).for_each(|(reached, onward)| *reached |= *onward);
        }
    }
}
