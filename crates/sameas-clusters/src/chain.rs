//! The strongest chain of edges between two rows, and what is left of it without its weakest edge.
//!
//! A chain is as strong as its weakest edge. Edges are compared as in their order (`edge`), but for their rows: by kind, weight
//! and rule. Of equally strong chains the one with the fewest edges counts, and of these the one with the lowest rows, from its
//! start on. So the order of the given edges changes nothing.
//!
//! Added from the strongest on, edges connect the two rows at last by the weakest edge that they cannot do without. A search
//! from one end over all edges that are as strong says how far each row is from there, and the chain goes from the other end
//! to ever nearer rows.
//!
//! **Cost.** For m edges O(m log m), and memory that grows with m alone.

use sameas_core::disjoint_sets::DisjointSets;
use sameas_core::numbering::ByNumber;

use crate::edge::{Edge, EdgeKind};

/// How far a row is that no search has reached.
const UNREACHED: u32 = u32::MAX;

/// A chain of edges between two rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrongestChain {
    /// The places of its edges among those that were given, from the first row to the second.
    pub edges: Vec<usize>,
    /// The place of its weakest edge in the chain; of several that of the last in the order of edges.
    pub weakest: usize,
    /// The rows that the first row reaches without the weakest edge, and those that the second reaches, themselves included;
    /// nothing where another chain connects the two.
    pub parts: Option<[usize; 2]>,
}

/// The strongest chain between two different rows, if edges connect them.
pub fn strongest_chain(edges: &[Edge], ends: [u32; 2]) -> Option<StrongestChain> {
    let graph = EdgeGraph::new(edges);
    let [from, to] = [graph.place(ends[0])?, graph.place(ends[1])?];
    let strength = graph.strength_between(from, to)?;
    let chain = graph.shortest(from, to, strength);
    let weakest = (0..chain.len()).max_by_key(|at| order_of(&edges[chain[*at]]))?;
    let parts = graph.parts_without(chain[weakest], from, to);
    Some(StrongestChain { edges: chain, weakest, parts })
}

/// The place of the strongest of some edges, if there are any.
pub fn strongest_edge(edges: &[Edge]) -> Option<usize> {
    (0..edges.len()).min_by_key(|at| order_of(&edges[*at]))
}

/// What edges are compared by, whatever their rows: the least is the strongest.
type ChainStrength = (EdgeKind, u64, u32);

fn strength_of(edge: &Edge) -> ChainStrength {
    (edge.kind(), edge.place(), edge.rule())
}

/// What edges are ordered by.
fn order_of(edge: &Edge) -> (ChainStrength, [u32; 2]) {
    (strength_of(edge), edge.rows())
}

/// Edges with the rows that they have, which are called by their places among these.
struct EdgeGraph<'a> {
    edges: &'a [Edge],
    /// The rows of edges, ascending.
    rows: Vec<u32>,
    /// The rows of each edge.
    ends: Vec<[u32; 2]>,
    /// The edges at each row: the other row, and the place of the edge.
    neighbours: ByNumber<(u32, u32)>,
}

impl<'a> EdgeGraph<'a> {
    fn new(edges: &'a [Edge]) -> Self {
        let mut rows: Vec<u32> = edges.iter().flat_map(Edge::rows).collect();
        rows.sort_unstable();
        rows.dedup();
        let place = |row: u32| rows.partition_point(|other| *other < row) as u32;
        let ends: Vec<[u32; 2]> = edges.iter().map(|edge| edge.rows().map(place)).collect();
        let both = |([a, b], edge): (&[u32; 2], u32)| [(*a as usize, (*b, edge)), (*b as usize, (*a, edge))];
        let neighbours = ByNumber::new(ends.iter().zip(0..).flat_map(both), rows.len());
        Self { edges, rows, ends, neighbours }
    }

    fn place(&self, row: u32) -> Option<u32> {
        self.rows.binary_search(&row).ok().map(|place| place as u32)
    }

    /// How strong the strongest chain is.
    fn strength_between(&self, from: u32, to: u32) -> Option<ChainStrength> {
        let mut strongest_first: Vec<usize> = (0..self.edges.len()).collect();
        strongest_first.sort_unstable_by_key(|at| order_of(&self.edges[*at]));
        let mut sets = DisjointSets::default();
        self.rows.iter().for_each(|_| {
            sets.add();
        });
        let found = strongest_first.into_iter().find(|at| {
            let [a, b] = self.ends[*at];
            sets.join(a as usize, b as usize);
            sets.root(from as usize) == sets.root(to as usize)
        });
        found.map(|at| strength_of(&self.edges[at]))
    }

    /// The shortest chain of edges that are at least as strong, which there is; of several the one with the lowest rows.
    fn shortest(&self, from: u32, to: u32, strength: ChainStrength) -> Vec<usize> {
        let is_strong = |edge: usize| strength_of(&self.edges[edge]) <= strength;
        let far = self.distances(to, is_strong);
        let (mut chain, mut row) = (Vec::new(), from);
        while far[row as usize] > 0 {
            let edges = self.neighbours.list(row as usize).iter();
            let nearer = edges
                .filter(|(other, edge)| far[*other as usize] == far[row as usize] - 1 && is_strong(*edge as usize));
            let next = nearer.min_by_key(|(other, edge)| (*other, strength_of(&self.edges[*edge as usize])));
            let (other, edge) = next.expect("a row that is reached has a nearer one");
            chain.push(*edge as usize);
            row = *other;
        }
        chain
    }

    /// How many rows each of two reaches without an edge, if they do not reach each other.
    fn parts_without(&self, left_out: usize, from: u32, to: u32) -> Option<[usize; 2]> {
        // The edge may be there more than once.
        let is_left = |edge: usize| self.ends[edge] != self.ends[left_out];
        let far = self.distances(from, is_left);
        let reached = |far: &[u32]| far.iter().filter(|far| **far != UNREACHED).count();
        (far[to as usize] == UNREACHED).then(|| [reached(&far), reached(&self.distances(to, is_left))])
    }

    /// How many edges each row is away from one, over some of the edges.
    fn distances(&self, start: u32, is_followed: impl Fn(usize) -> bool) -> Vec<u32> {
        let mut far = vec![UNREACHED; self.rows.len()];
        far[start as usize] = 0;
        let (mut queue, mut next) = (vec![start], 0);
        while let Some(row) = queue.get(next).copied() {
            next += 1;
            for (other, edge) in self.neighbours.list(row as usize) {
                if far[*other as usize] == UNREACHED && is_followed(*edge as usize) {
                    far[*other as usize] = far[row as usize] + 1;
                    queue.push(*other);
                }
            }
        }
        far
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(of: &[(u32, u32, f64)]) -> Vec<Edge> {
        of.iter().map(|(l, r, weight)| Edge::new([*l, *r], EdgeKind::Scored, Some(*weight), 0).unwrap()).collect()
    }

    fn chain(of: &[(u32, u32, f64)], ends: [u32; 2]) -> StrongestChain {
        strongest_chain(&edges(of), ends).unwrap()
    }

    #[test]
    fn the_weakest_edge_of_the_strongest_chain_is_as_strong_as_can_be() {
        let of = [(10, 20, 0.9), (20, 30, 0.7), (30, 40, 0.8), (10, 40, 0.6), (40, 50, 0.9)];
        assert_eq!(chain(&of, [10, 40]), StrongestChain { edges: vec![0, 1, 2], weakest: 1, parts: None });
        assert_eq!(chain(&of, [40, 10]).edges, [2, 1, 0]);
        let parts = Some([2, 3]);
        assert_eq!(
            chain(&[of[0], of[1], of[2], of[4]], [10, 50]),
            StrongestChain { edges: vec![0, 1, 2, 3], weakest: 1, parts }
        );
        assert_eq!(strongest_chain(&edges(&of[..1]), [10, 30]), None);
        assert_eq!(strongest_chain(&edges(&[of[0], of[2]]), [10, 30]), None);
        assert_eq!((strongest_edge(&edges(&of)), strongest_edge(&[])), (Some(0), None));
    }

    #[test]
    fn equally_strong_chains_are_short_and_of_low_rows() {
        let square = [(1, 4, 0.5), (4, 9, 0.5), (1, 3, 0.5), (3, 9, 0.5), (9, 12, 0.5)];
        assert_eq!(chain(&square, [1, 9]).edges, [2, 3]);
        assert_eq!(chain(&square, [1, 12]), StrongestChain { edges: vec![2, 3, 4], weakest: 2, parts: Some([4, 1]) });
        let certain = Edge::new([1, 9], EdgeKind::Certain, None, 0).unwrap();
        assert_eq!(strongest_chain(&[edges(&square), vec![certain]].concat(), [1, 9]).unwrap().edges, [5]);
    }

    /// Strength, length and rows of a chain.
    type TriedChain = (Option<ChainStrength>, usize, Vec<u32>);

    /// All chains that go on from the last of some rows, none of which comes twice.
    fn try_all(
        edges: &[Edge],
        to: u32,
        rows: &mut Vec<u32>,
        weakest: Option<ChainStrength>,
        all: &mut Vec<TriedChain>,
    ) {
        let row = rows[rows.len() - 1];
        if row == to {
            all.push((weakest, rows.len(), rows.clone()));
            return;
        }
        for edge in edges.iter().filter(|edge| edge.rows().contains(&row)) {
            let [a, b] = edge.rows();
            let other = if a == row { b } else { a };
            if !rows.contains(&other) {
                rows.push(other);
                try_all(edges, to, rows, weakest.max(Some(strength_of(edge))), all);
                rows.pop();
            }
        }
    }

    #[test]
    fn no_other_chain_is_better() {
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut connected = 0;
        for _ in 0..2_000 {
            let count = draw(14);
            let some: Vec<(u32, u32, f64)> = (0..count)
                .map(|_| (draw(7) as u32, draw(7) as u32, draw(4) as f64 - 1.0))
                .filter(|(l, r, _)| l != r)
                .collect();
            let all = edges(&some);
            let mut tried = Vec::new();
            try_all(&all, 6, &mut vec![0], None, &mut tried);
            let found = strongest_chain(&all, [0, 6]);
            let rows = found.as_ref().map(|found| {
                let mut rows = vec![0];
                for at in &found.edges {
                    let [a, b] = all[*at].rows();
                    rows.push(a + b - rows[rows.len() - 1]);
                }
                rows
            });
            assert_eq!(rows, tried.into_iter().min().map(|(_, _, rows)| rows), "{some:?}");
            if let Some(found) = found {
                connected += 1;
                let weakest = all[found.edges[found.weakest]].rows();
                let others: Vec<Edge> = all.iter().copied().filter(|edge| edge.rows() != weakest).collect();
                assert_eq!(found.parts.is_none(), strongest_chain(&others, [0, 6]).is_some(), "{some:?}");
            }
        }
        assert!(connected > 300, "{connected}");
    }
}
