//! The edges that clusters are made of, in any order: 100 million of them in 1.6 GB.

use rayon::prelude::*;

use crate::edge::Edge;
use crate::packed::{EdgeLayout, PackedEdge, WideEdge};

/// Edges between rows, in any order and with repetitions. An edge of a row with itself says nothing.
#[derive(Clone, Debug)]
pub struct Edges {
    pub(crate) rows: u32,
    pub(crate) rules: u32,
    pub(crate) layout: EdgeLayout,
    pub(crate) packed: PackedEdges,
}

/// As few bytes as rows and rules allow.
#[derive(Clone, Debug)]
pub(crate) enum PackedEdges {
    Narrow(Vec<u128>),
    Wide(Vec<WideEdge>),
}

impl Edges {
    /// No edges yet. Rows and rules are numbered from 0, up to these numbers.
    pub fn new(rows: u32, rules: u32) -> Self {
        let layout = EdgeLayout::new(rows);
        let is_narrow = layout.is_narrow(rules);
        let packed = if is_narrow { PackedEdges::Narrow(Vec::new()) } else { PackedEdges::Wide(Vec::new()) };
        Self { rows, rules, layout, packed }
    }

    /// Makes room for exactly this number of further edges.
    pub fn reserve(&mut self, more: usize) {
        match &mut self.packed {
            PackedEdges::Narrow(edges) => edges.reserve_exact(more),
            PackedEdges::Wide(edges) => edges.reserve_exact(more),
        }
    }

    /// Adds an edge.
    ///
    /// # Panics
    /// If there are fewer rows or rules than it names.
    pub fn push(&mut self, edge: Edge) {
        let (layout, edge) = (self.layout, checked(edge, self.rows, self.rules));
        match &mut self.packed {
            PackedEdges::Narrow(edges) => edges.push(u128::pack(&edge, layout)),
            PackedEdges::Wide(edges) => edges.push(WideEdge::pack(&edge, layout)),
        }
    }

    /// Adds edges of the same rows and rules.
    ///
    /// # Panics
    /// If they are of others.
    pub fn append(&mut self, more: Self) {
        assert_eq!((self.rows, self.rules), (more.rows, more.rules), "edges are between the same rows");
        match (&mut self.packed, more.packed) {
            (PackedEdges::Narrow(edges), PackedEdges::Narrow(more)) => edges.extend(more),
            (PackedEdges::Wide(edges), PackedEdges::Wide(more)) => edges.extend(more),
            (PackedEdges::Narrow(_), PackedEdges::Wide(_)) | (PackedEdges::Wide(_), PackedEdges::Narrow(_)) => {
                unreachable!("rows and rules say how edges are packed")
            }
        }
    }

    /// Adds edges from all threads.
    ///
    /// # Panics
    /// If there are fewer rows or rules than they name.
    pub fn par_extend(&mut self, more: impl IndexedParallelIterator<Item = Edge>) {
        let (layout, rows, rules) = (self.layout, self.rows, self.rules);
        let more = more.map(move |edge| checked(edge, rows, rules));
        match &mut self.packed {
            PackedEdges::Narrow(edges) => edges.par_extend(more.map(|edge| u128::pack(&edge, layout))),
            PackedEdges::Wide(edges) => edges.par_extend(more.map(|edge| WideEdge::pack(&edge, layout))),
        }
    }

    /// How many rows there are, with edges or without.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// How many edges there are, repetitions included.
    pub fn len(&self) -> usize {
        match &self.packed {
            PackedEdges::Narrow(edges) => edges.len(),
            PackedEdges::Wide(edges) => edges.len(),
        }
    }

    /// Whether there is no edge.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the edges take.
    pub fn bytes(&self) -> usize {
        match &self.packed {
            PackedEdges::Narrow(edges) => size_of_val(&edges[..]),
            PackedEdges::Wide(edges) => size_of_val(&edges[..]),
        }
    }
}

/// The edge, if there are the rows and the rule that it names.
fn checked(edge: Edge, rows: u32, rules: u32) -> Edge {
    let ([_, last], rule) = (edge.rows(), edge.rule());
    assert!(last < rows, "there are {rows} rows, and an edge names row {last}");
    assert!(rule < rules, "there are {rules} rules, and an edge names rule {rule}");
    edge
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::EdgeKind;

    #[test]
    fn edges_come_from_one_thread_or_from_all() {
        let edge = |at: u32| Edge::new([at, at + 1], EdgeKind::Scored, Some(f64::from(at)), 0).unwrap();
        for (rows, bytes) in [(1001, 16), (u32::MAX, 24)] {
            let (mut one, mut all) = (Edges::new(rows, 1), Edges::new(rows, 1));
            one.reserve(1000);
            (0..400).for_each(|at| one.push(edge(at)));
            let mut more = Edges::new(rows, 1);
            (400..1000).for_each(|at| more.push(edge(at)));
            one.append(more);
            all.par_extend((0..1000).into_par_iter().map(edge));
            assert_eq!((one.len(), one.bytes()), (1000, 1000 * bytes));
            match (one.packed, all.packed) {
                (PackedEdges::Narrow(one), PackedEdges::Narrow(all)) => assert_eq!(one, all),
                (PackedEdges::Wide(one), PackedEdges::Wide(all)) => assert_eq!(one, all),
                _ => panic!("one layout for the same rows"),
            }
        }
    }

    #[test]
    #[should_panic(expected = "there are 2 rows, and an edge names row 2")]
    fn rows_are_those_there_are() {
        Edges::new(2, 1).push(Edge::new([0, 2], EdgeKind::Certain, None, 0).unwrap());
    }
}
