//! Depth-first searches over the clusters of a component, and the bridges that they find.

use crate::component::Component;
use crate::edge::EdgeKind;

/// What no record or edge is called.
const NONE: u32 = u32::MAX;

/// A bridge that may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bridge {
    /// The record at its lower end, as the search sees it.
    pub(super) below: u32,
    /// The places of all that is below it in the order of the search: from this on, and up to the other.
    pub(super) from: u32,
    pub(super) until: u32,
    /// The records below it, and the edges between them, as far as they are of its part.
    pub(super) records: u64,
    pub(super) edges: u64,
    /// Its place among the edges of the component: the highest is the weakest.
    pub(super) place: u32,
}

/// What a search has found.
pub(super) struct BridgeTree {
    /// Records in the order in which they were found: all that is below one follows it.
    order: Vec<u32>,
    /// The place of each record there.
    place: Vec<u32>,
    /// The record from which each was found.
    parent: Vec<u32>,
    /// The edges of each record that lead inside its cluster, with the other ends.
    adjacent: Vec<Adjacent>,
    starts: Vec<usize>,
    /// The edge by which each record was found.
    edge_to: Vec<u32>,
    /// How many edges are decisions: these come first.
    decided: u32,
}

#[derive(Clone, Copy)]
struct Adjacent {
    record: u32,
    edge: u32,
}

impl BridgeTree {
    /// Bytes for each edge: it is known at both ends.
    pub(super) const BYTES_OF_EDGE: usize = 2 * size_of::<Adjacent>();

    /// Bytes for each record, at most: four numbers, where its edges begin and which comes next, all that is below it, and a bridge
    /// in two lists that have just grown.
    pub(super) const BYTES_OF_RECORD: usize =
        4 * size_of::<u32>() + 3 * size_of::<usize>() + size_of::<FoundBelow>() + 4 * size_of::<Bridge>();

    /// Searches the clusters that have these labels.
    pub(super) fn new(component: &Component<'_>, labels: &[u32]) -> Self {
        let records = labels.len();
        let mut starts = vec![0; records + 1];
        for (_, edge) in component.edges_within(labels) {
            edge.ends.iter().for_each(|end| starts[*end as usize + 1] += 1);
        }
        (0..records).for_each(|record| starts[record + 1] += starts[record]);
        let mut next = starts.clone();
        let mut adjacent = vec![Adjacent { record: NONE, edge: NONE }; starts[records]];
        for (at, edge) in component.edges_within(labels) {
            let [a, b] = edge.ends;
            for [from, to] in [[a, b], [b, a]] {
                adjacent[next[from as usize]] = Adjacent { record: to, edge: at as u32 };
                next[from as usize] += 1;
            }
        }
        drop(next);
        let decided = component.edges().take_while(|edge| edge.kind == EdgeKind::DecidedTogether).count();
        let none = vec![NONE; records];
        let mut tree = Self {
            order: Vec::with_capacity(records),
            place: none.clone(),
            parent: none.clone(),
            adjacent,
            edge_to: none,
            decided: decided as u32,
            starts: starts.clone(),
        };
        (0..records as u32).for_each(|root| tree.search(root, &mut starts));
        tree
    }

    /// Finds all that a record reaches, unless it was found itself. `next` are the edges to follow next.
    fn search(&mut self, root: u32, next: &mut [usize]) {
        if self.place[root as usize] != NONE {
            return;
        }
        self.find(root, NONE, NONE);
        let mut at = root;
        loop {
            let edge = next[at as usize];
            if edge < self.starts[at as usize + 1] {
                next[at as usize] += 1;
                let Adjacent { record, edge } = self.adjacent[edge];
                if self.place[record as usize] == NONE {
                    self.find(record, at, edge);
                    at = record;
                }
            } else if at == root {
                return;
            } else {
                at = self.parent[at as usize];
            }
        }
    }

    fn find(&mut self, record: u32, parent: u32, edge: u32) {
        self.place[record as usize] = self.order.len() as u32;
        self.order.push(record);
        self.parent[record as usize] = parent;
        self.edge_to[record as usize] = edge;
    }

    /// For each cluster all its records and edges, and its bridges in the order of the search.
    pub(super) fn clusters(&self) -> Vec<(Bridge, Vec<Bridge>)> {
        let below = self.below();
        let mut clusters: Vec<(Bridge, Vec<Bridge>)> = Vec::new();
        for record in &self.order {
            let found = below[*record as usize];
            if self.parent[*record as usize] == NONE {
                clusters.push((found.side, Vec::new()));
            } else if found.lowest == found.side.from && found.side.place >= self.decided {
                clusters.last_mut().expect("a root comes first").1.push(found.side);
            }
        }
        clusters
    }

    /// For each record all that is below it.
    fn below(&self) -> Vec<FoundBelow> {
        let mut below: Vec<FoundBelow> = (0..self.order.len()).map(|record| self.without_others(record)).collect();
        for record in self.order.iter().rev() {
            let found = below[*record as usize];
            if let Some(parent) = below.get_mut(self.parent[*record as usize] as usize) {
                parent.side.until = parent.side.until.max(found.side.until);
                parent.side.records += found.side.records;
                parent.ends += found.ends;
                parent.lowest = parent.lowest.min(found.lowest);
            }
        }
        for found in &mut below {
            // Every edge below it has both ends there. So has every edge of a cluster; of a bridge one end is there.
            found.side.edges = found.ends / 2;
        }
        below
    }

    /// What is known of a record by its own edges.
    fn without_others(&self, record: usize) -> FoundBelow {
        let (from, edges) = (self.place[record], &self.adjacent[self.starts[record]..self.starts[record + 1]]);
        let others = edges.iter().filter(|adjacent| adjacent.edge != self.edge_to[record]);
        let lowest = others.map(|adjacent| self.place[adjacent.record as usize]).min();
        let (below, place) = (record as u32, self.edge_to[record]);
        let side = Bridge { below, from, until: from + 1, records: 1, edges: 0, place };
        FoundBelow { side, ends: edges.len() as u64, lowest: lowest.map_or(from, |lowest| lowest.min(from)) }
    }

    /// Labels each record by the first record of its part, where some records are cut from those above them.
    pub(super) fn label(&self, is_cut: &[bool], labels: &mut [u32]) {
        // First the topmost record of each part, then the first.
        for record in &self.order {
            let parent = self.parent[*record as usize];
            let is_top = parent == NONE || is_cut[*record as usize];
            labels[*record as usize] = if is_top { *record } else { labels[parent as usize] };
        }
        let mut first = vec![NONE; labels.len()];
        for (record, label) in labels.iter_mut().enumerate() {
            let first = &mut first[*label as usize];
            *first = (*first).min(record as u32);
            *label = *first;
        }
    }
}

/// A record and all that is below it.
#[derive(Clone, Copy)]
struct FoundBelow {
    side: Bridge,
    /// Ends of edges.
    ends: u64,
    /// The lowest place that an edge leads to, but for the edge by which the record was found.
    lowest: u32,
}
