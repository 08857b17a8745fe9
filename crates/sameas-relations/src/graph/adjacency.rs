//! The successors of each vertex, as one list with the place where those of each vertex begin.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::{Error, Result};

/// Edges that one thread takes at a time.
const EDGES_AT_A_TIME: usize = 1 << 14;

/// Vertices whose successors one thread sorts at a time.
const VERTICES_AT_A_TIME: usize = 1 << 12;

/// A directed graph: for each vertex its successors, ascending and each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Where the successors of each vertex begin, and the number of edges.
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph of these edges, from the first vertex to the second, of `vertices` vertices. Repeated edges count once.
    pub fn from_pairs(vertices: u32, pairs: &[[u32; 2]], cancel: Cancel<'_>) -> Result<Self> {
        if u32::try_from(pairs.len()).is_err() {
            return Err(Error::data(format!("{} edges are too many: at most {} are possible", pairs.len(), u32::MAX)));
        }
        let _held = cancel.hold(8 * (vertices as usize + pairs.len()));
        let (offsets, targets) = by_source(vertices, pairs, cancel);
        Ok(without_repetitions(&offsets, targets, cancel))
    }

    /// From parts of consecutive vertices: the number of successors of each vertex, and these, ascending and each once.
    pub(super) fn from_rows(lengths: &[Vec<u32>], targets: Vec<Vec<u32>>) -> Self {
        let mut offsets = Vec::with_capacity(1 + lengths.iter().map(Vec::len).sum::<usize>());
        let mut sum = 0;
        offsets.push(sum);
        for length in lengths.iter().flatten() {
            sum += length;
            offsets.push(sum);
        }
        Self { offsets, targets: joined(targets) }
    }

    /// A graph without edges.
    pub fn without_edges(vertices: u32) -> Self {
        Self { offsets: vec![0; vertices as usize + 1], targets: Vec::new() }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    /// The number of edges.
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    /// The successors of a vertex, ascending.
    #[inline]
    pub fn successors(&self, vertex: u32) -> &[u32] {
        &self.targets[self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize]
    }

    /// Where the successors of each vertex begin in [`Self::targets`], and the number of edges.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The successors of all vertices.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Whether there is an edge.
    pub fn has_edge(&self, from: u32, to: u32) -> bool {
        self.successors(from).binary_search(&to).is_ok()
    }

    /// All edges, from the first vertex to the second.
    pub fn pairs(&self) -> impl ParallelIterator<Item = [u32; 2]> + '_ {
        (0..self.vertices())
            .into_par_iter()
            .flat_map_iter(|from| self.successors(from).iter().map(move |to| [from, *to]))
    }

    /// The same edges the other way round.
    pub fn transposed(&self, cancel: Cancel<'_>) -> Result<Self> {
        let _held = cancel.hold(8 * self.targets.len());
        let pairs: Vec<[u32; 2]> = self.pairs().map(|[from, to]| [to, from]).collect();
        Self::from_pairs(self.vertices(), &pairs, cancel)
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.len() + self.targets.len())
    }
}

/// Counting sort by source: the first place of each vertex, and the targets, in any order within a vertex.
fn by_source(vertices: u32, pairs: &[[u32; 2]], cancel: Cancel<'_>) -> (Vec<u32>, Vec<u32>) {
    let places: Vec<AtomicU32> = (0..vertices as usize + 1).map(|_| AtomicU32::new(0)).collect();
    let each = |work: &(dyn Fn(&[u32; 2]) + Sync)| {
        pairs.par_chunks(EDGES_AT_A_TIME).for_each(|chunk| {
            cancel.check();
            chunk.iter().for_each(work);
        });
    };
    each(&|[from, _]| {
        places[*from as usize].fetch_add(1, Relaxed);
    });
    let mut sum = 0;
    let start_of = |place: &AtomicU32| {
        let start = sum;
        sum += place.swap(start, Relaxed);
        start
    };
    let offsets: Vec<u32> = places.iter().map(start_of).collect();
    let targets: Vec<AtomicU32> = (0..pairs.len()).map(|_| AtomicU32::new(0)).collect();
    each(&|[from, to]| targets[places[*from as usize].fetch_add(1, Relaxed) as usize].store(*to, Relaxed));
    (offsets, targets.into_iter().map(AtomicU32::into_inner).collect())
}

/// Sorts the targets of each vertex and keeps each once.
fn without_repetitions(offsets: &[u32], mut targets: Vec<u32>, cancel: Cancel<'_>) -> Graph {
    let groups: Vec<&[u32]> = offsets.windows(2).collect();
    let mut rest = &mut targets[..];
    let mut parts = Vec::new();
    for group in groups.chunks(VERTICES_AT_A_TIME) {
        let len = (group[group.len() - 1][1] - group[0][0]) as usize;
        let (own, after) = rest.split_at_mut(len);
        parts.push((group, own));
        rest = after;
    }
    let sorted: Vec<(Vec<u32>, Vec<u32>)> =
        parts.into_par_iter().map(|(group, own)| distinct_rows(group, own, cancel)).collect();
    let (lengths, targets): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();
    Graph::from_rows(&lengths, targets)
}

/// Lists one after the other; a single one is not copied.
pub(super) fn joined<T: Copy>(mut lists: Vec<Vec<T>>) -> Vec<T> {
    match lists.len() {
        1 => lists.swap_remove(0),
        _ => lists.concat(),
    }
}

/// The number of successors of some vertices, and these, ascending.
fn distinct_rows(group: &[&[u32]], targets: &mut [u32], cancel: Cancel<'_>) -> (Vec<u32>, Vec<u32>) {
    cancel.check();
    let first = group[0][0];
    let (mut lengths, mut kept) = (Vec::with_capacity(group.len()), Vec::with_capacity(targets.len()));
    for range in group {
        let row = &mut targets[(range[0] - first) as usize..(range[1] - first) as usize];
        row.sort_unstable();
        let before = kept.len();
        let mut last = None;
        kept.extend(row.iter().copied().filter(|target| last.replace(*target) != Some(*target)));
        lengths.push((kept.len() - before) as u32);
    }
    (lengths, kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::random_graphs;

    #[test]
    fn successors_are_sorted_and_come_once() {
        for (name, vertices, pairs) in random_graphs(20) {
            let graph = Graph::from_pairs(vertices, &pairs, Cancel::NEVER).unwrap();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(graph.pairs().collect::<Vec<_>>(), expected, "{name}");
            assert_eq!((graph.vertices(), graph.edges()), (vertices, expected.len() as u64));
            let back = graph.transposed(Cancel::NEVER).unwrap();
            assert!(expected.iter().all(|[from, to]| back.has_edge(*to, *from)) && back.edges() == graph.edges());
            assert_eq!(back.transposed(Cancel::NEVER).unwrap(), graph, "{name}");
        }
    }

    #[test]
    fn a_graph_may_be_empty() {
        for vertices in [0, 3] {
            let graph = Graph::from_pairs(vertices, &[], Cancel::NEVER).unwrap();
            assert_eq!((graph.vertices(), graph.edges()), (vertices, 0));
            assert_eq!(graph, Graph::without_edges(vertices));
        }
    }
}
