//! One component: its rows, numbered from zero, and its edges, the strongest first. Each pair of rows is there once, unless what
//! divides it takes repeated edges.
//!
//! While it is divided, an edge that is cut stays in its place. It is between clusters then, and nobody looks at such an edge again
//! but for its rows.

use sameas_core::disjoint_sets::DisjointSets;

use crate::edge::{EdgeKind, ONE, units};
use crate::outcome::CutCause;
use crate::packed::{EdgeLayout, PackedEdge, PackedSlice};
use crate::work_memory::ComponentSize;

/// The rows and edges of a component.
#[derive(Clone, Copy)]
pub(crate) struct Component<'a> {
    /// Its rows, ascending. Edges call them by their places in this list.
    pub(crate) rows: &'a [u32],
    /// The number of its first row in `packed`.
    pub(crate) first: u32,
    pub(crate) layout: EdgeLayout,
    pub(crate) packed: PackedSlice<'a>,
}

/// An edge between two rows of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LocalEdge {
    /// The places of its rows, ascending.
    pub(crate) ends: [u32; 2],
    pub(crate) kind: EdgeKind,
    pub(crate) weight: Option<f64>,
}

impl Component<'_> {
    /// How many records it has.
    pub(crate) fn records(&self) -> usize {
        self.rows.len()
    }

    /// How large it is.
    pub(crate) fn size(&self) -> ComponentSize {
        ComponentSize { first: self.first, records: self.records(), edges: self.packed.len() }
    }

    /// Its edges, the strongest first.
    pub(crate) fn edges(&self) -> impl Iterator<Item = LocalEdge> + Clone {
        (0..self.packed.len()).map(move |at| {
            let edge = self.packed.edge(self.layout, at);
            LocalEdge { ends: edge.rows().map(|row| row - self.first), kind: edge.kind(), weight: edge.weight() }
        })
    }

    /// The edges inside clusters, with their places among all.
    pub(crate) fn edges_within(&self, labels: &[u32]) -> impl Iterator<Item = (usize, LocalEdge)> {
        self.edges().enumerate().filter(move |(_, edge)| {
            let [a, b] = edge.ends;
            labels[a as usize] == labels[b as usize]
        })
    }

    /// The records in sets that decisions hold together, each by its first record.
    pub(crate) fn decided(&self) -> DisjointSets {
        let mut sets = single_records(self.records());
        for edge in self.edges().take_while(|edge| edge.kind == EdgeKind::DecidedTogether) {
            let [a, b] = edge.ends;
            sets.join(a as usize, b as usize);
        }
        sets
    }

    /// What its edges count in sums.
    pub(crate) fn edge_units(&self) -> EdgeUnits {
        let mut range = None;
        for units in self.edges().filter_map(|edge| edge.weight).map(units) {
            let (least, most) = range.unwrap_or((units, units));
            range = Some((units.min(least), units.max(most)));
        }
        let (lightest, heaviest) = range.unwrap_or((ONE, ONE));
        EdgeUnits { certain: heaviest.max(ONE), unscored: lightest }
    }
}

/// A component that is being divided.
pub(crate) struct OpenComponent<'a, K> {
    pub(crate) rows: &'a [u32],
    pub(crate) first: u32,
    pub(crate) layout: EdgeLayout,
    pub(crate) edges: &'a mut [K],
}

impl<K: PackedEdge> OpenComponent<'_, K> {
    /// The component as it is now.
    pub(crate) fn view(&self) -> Component<'_> {
        Component { rows: self.rows, first: self.first, layout: self.layout, packed: K::slice(&self.edges[..]) }
    }

    /// The places of the rows of an edge.
    fn ends(&self, edge: usize) -> [u32; 2] {
        self.edges[edge].rows(self.layout).map(|row| row - self.first)
    }

    /// Cuts an edge.
    pub(crate) fn cut(&mut self, edge: usize, cause: CutCause) {
        self.edges[edge] = self.edges[edge].cut(cause, self.layout);
    }

    /// Cuts all edges between clusters.
    pub(crate) fn cut_between(&mut self, labels: &[u32], cause: CutCause) {
        for edge in 0..self.edges.len() {
            let [a, b] = self.ends(edge);
            if labels[a as usize] != labels[b as usize] {
                self.cut(edge, cause);
            }
        }
    }
}

/// The places of the rows of an edge in the component with this first row, unless it is cut.
pub(crate) fn open_ends<K: PackedEdge>(edge: K, first: u32, layout: EdgeLayout) -> Option<[u32; 2]> {
    edge.cause().is_none().then(|| edge.rows(layout).map(|row| row - first))
}

/// What edges without a weight count in sums: a certain or decided one as much as the heaviest edge of its component, and
/// at least 1; any other as much as the lightest. Where no edge has a weight, each counts 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeUnits {
    certain: i64,
    unscored: i64,
}

impl EdgeUnits {
    /// What an edge counts, in units.
    pub(crate) fn count(&self, edge: &LocalEdge) -> i64 {
        match (edge.weight, edge.kind) {
            (Some(weight), _) => units(weight),
            (None, EdgeKind::Scored) => self.unscored,
            (None, EdgeKind::Certain | EdgeKind::DecidedTogether) => self.certain,
        }
    }
}

/// Each record in a set of its own.
pub(crate) fn single_records(records: usize) -> DisjointSets {
    let mut sets = DisjointSets::default();
    for _ in 0..records {
        sets.add();
    }
    sets
}

/// Labels each record by the first one of its set.
pub(crate) fn label_by_first(sets: &mut DisjointSets, labels: &mut [u32]) {
    for (record, label) in labels.iter_mut().enumerate() {
        *label = sets.root(record) as u32;
    }
}
