//! Components whose edges are in one list, each divided by itself, on all cores.
//!
//! Rows are numbered component by component. So the edges of some components can be put before those of the components after
//! them, and both parts can be put in order in the same way, at the same time, until there is one component or there are few
//! edges: these are sorted by rows. Nothing is copied, and a component is sorted by itself, not among all edges.
//!
//! **Memory.** Of each component it is known what dividing it takes at most. As long as this is the share of a thread in what
//! is left, components are divided at the same time. The others come one after the other in the end. So there is enough where
//! there is enough for the largest, and threads do not change what fits.
//!
//! **Threads.** A component with more than the share of a thread in all edges keeps one thread busy when the others have long ended.
//! So it comes in the end, too, if all cores can divide it.

use std::mem::take;
use std::ops::Range;

use rayon::prelude::*;
use sameas_core::cancel::{Cancel, or_end};

use crate::component::OpenComponent;
use crate::component_order::ComponentOrder;
use crate::in_place::put_first;
use crate::outcome::ClusterConflict;
use crate::packed::{EdgeLayout, PackedEdge};
use crate::work_memory::{ComponentSize, WorkMemory};

/// So few edges are sorted at once, of whatever components.
const FEW_EDGES: usize = 1 << 12;

/// As many edges as all threads sort together.
const SORTED_BY_ALL: usize = 1 << 16;

/// What is done with each component.
pub(crate) trait ComponentWork: Sync {
    /// Bytes that it takes at most, beside edges and labels.
    fn most_bytes(&self, size: ComponentSize) -> usize;

    /// Divides a component: labels, which are 0, become the first records of clusters, and edges between these are cut.
    fn divide<K: PackedEdge>(
        &self,
        component: OpenComponent<'_, K>,
        labels: &mut [u32],
        memory: &mut WorkMemory<'_>,
    ) -> Result<(), ClusterConflict>;

    /// Whether all cores divide a component that is divided alone.
    fn uses_all_cores(&self) -> bool {
        false
    }

    /// Whether edges of the same rows may repeat. They are cut for the same cause then.
    fn takes_repeated(&self) -> bool {
        false
    }
}

/// How components are divided.
pub(crate) struct Division<'a, W> {
    order: &'a ComponentOrder,
    layout: EdgeLayout,
    work: &'a W,
    cancel: Cancel<'a>,
    /// What a component takes at most that is divided beside others.
    share: usize,
    /// The edges that it has at most, if all cores could divide it.
    most_edges: usize,
}

/// What some components have come to.
#[derive(Default)]
struct LeftToDivide {
    /// The components that are too large to be divided beside others, or that all cores divide, ascending.
    large: Vec<usize>,
    /// The first of the others whose decisions contradict each other.
    conflict: Option<(usize, ClusterConflict)>,
}

impl<'a, W: ComponentWork> Division<'a, W> {
    /// A division of components that have this many edges together.
    pub(crate) fn new(
        order: &'a ComponentOrder,
        layout: EdgeLayout,
        edges: usize,
        work: &'a W,
        cancel: Cancel<'a>,
    ) -> Self {
        let threads = rayon::current_num_threads();
        let share = cancel.budget().map_or(usize::MAX, |budget| budget.room() / threads);
        let most_edges = if work.uses_all_cores() { (edges / threads).max(SORTED_BY_ALL) } else { usize::MAX };
        Self { order, layout, work, cancel, share, most_edges }
    }

    /// Divides all components. The rows of edges and labels are the places of rows in the order; edges may repeat.
    pub(crate) fn all<K: PackedEdge>(&self, edges: &mut [K], labels: &mut [u32]) -> Result<(), ClusterConflict> {
        labels.fill(0);
        let LeftToDivide { large, mut conflict } = self.several(0..self.order.len(), edges, labels);
        for at in large {
            if conflict.as_ref().is_some_and(|(first, _)| *first < at) {
                break;
            }
            let rows = self.rows(at..at + 1);
            let [from, until] = [rows.start, rows.end].map(|place| self.edges_before(edges, place));
            let component = self.component(at, &mut edges[from..until]);
            let labels = &mut labels[rows.start as usize..rows.end as usize];
            let memory = &mut WorkMemory::counted(self.cancel, self.size(at, until - from));
            if let Err(found) = self.work.divide(component, labels, memory) {
                conflict = Some((at, found));
                break;
            }
        }
        conflict.map_or(Ok(()), |(_, conflict)| Err(conflict))
    }

    /// Divides some components, whose edges and labels are given.
    fn several<K: PackedEdge>(&self, some: Range<usize>, edges: &mut [K], labels: &mut [u32]) -> LeftToDivide {
        if some.len() < 2 || edges.len() < FEW_EDGES {
            return self.one_by_one(some, edges, labels);
        }
        self.cancel.check();
        let middle = self.middle(&some);
        let [first, place] = [some.start, middle].map(|at| self.order.starts[at]);
        let edges_before = put_first(edges, |edge| edge.rows(self.layout)[0] < place);
        let (l_edges, r_edges) = edges.split_at_mut(edges_before);
        let (l_labels, r_labels) = labels.split_at_mut((place - first) as usize);
        let (mut left, right) = rayon::join(
            || self.several(some.start..middle, l_edges, l_labels),
            || self.several(middle..some.end, r_edges, r_labels),
        );
        left.large.extend(right.large);
        left.conflict = left.conflict.or(right.conflict);
        left
    }

    /// The component with which the second half of some begins, by their rows.
    fn middle(&self, some: &Range<usize>) -> usize {
        let rows = self.rows(some.clone());
        let half = rows.start + (rows.end - rows.start) / 2;
        let starts = &self.order.starts[some.start + 1..some.end];
        (some.start + 1 + starts.partition_point(|start| *start < half)).min(some.end - 1)
    }

    fn one_by_one<K: PackedEdge>(
        &self,
        some: Range<usize>,
        mut edges: &mut [K],
        mut labels: &mut [u32],
    ) -> LeftToDivide {
        self.cancel.check();
        // One component is only sorted by strength, unless repeated edges must be found.
        if some.len() > 1 || !self.work.takes_repeated() {
            self.sort_by_rows(edges);
        }
        let (mut left, mut held) = (LeftToDivide::default(), self.cancel.hold(0));
        for at in some {
            let rows = self.rows(at..at + 1);
            let edges_before = self.edges_before(edges, rows.end);
            let (own_edges, other_edges) = take(&mut edges).split_at_mut(edges_before);
            let (own_labels, other_labels) = take(&mut labels).split_at_mut(rows.len());
            (edges, labels) = (other_edges, other_labels);
            let size = self.size(at, own_edges.len());
            let most_bytes = self.work.most_bytes(size);
            if most_bytes > self.share || size.edges > self.most_edges {
                left.large.push(at);
                continue;
            }
            // A thread that sorts together with others may divide other components meanwhile: so nothing is held then.
            let component = self.component(at, own_edges);
            or_end(held.reach(most_bytes));
            let memory = &mut WorkMemory::covered(self.cancel, size);
            if let Err(found) = self.work.divide(component, own_labels, memory) {
                left.conflict = Some((at, found));
                break;
            }
        }
        left
    }

    /// A component, of its edges sorted by rows; where these may repeat, in any order.
    fn component<'e, K: PackedEdge>(&'e self, at: usize, edges: &'e mut [K]) -> OpenComponent<'e, K> {
        let edges = if self.work.takes_repeated() { edges } else { self.strongest(edges) };
        sort(edges);
        let rows = self.order.component(at);
        OpenComponent { rows, first: self.order.starts[at], layout: self.layout, edges }
    }

    fn sort_by_rows<K: PackedEdge>(&self, edges: &mut [K]) {
        // To compare edges as they are is far less work than to take rows out of them each time.
        edges.iter_mut().for_each(|edge| *edge = edge.rows_first(self.layout));
        sort(edges);
        edges.iter_mut().for_each(|edge| *edge = edge.rows_last(self.layout));
    }

    /// The strongest edge of each two rows, of edges that are sorted by rows. What is left of the others is not cut.
    fn strongest<'e, K: PackedEdge>(&self, edges: &'e mut [K]) -> &'e mut [K] {
        let mut kept = 0;
        for at in 0..edges.len() {
            let edge = edges[at];
            if kept == 0 || edges[kept - 1].row_order(self.layout) != edge.row_order(self.layout) {
                edges[kept] = edge;
                kept += 1;
            }
        }
        &mut edges[..kept]
    }

    /// The places of the rows of some components.
    fn rows(&self, some: Range<usize>) -> Range<u32> {
        self.order.starts[some.start]..self.order.starts[some.end]
    }

    /// How many edges are of components before a place.
    fn edges_before<K: PackedEdge>(&self, edges: &[K], place: u32) -> usize {
        edges.partition_point(|edge| edge.rows(self.layout)[0] < place)
    }

    fn size(&self, at: usize, edges: usize) -> ComponentSize {
        ComponentSize { first: self.order.starts[at], records: self.order.component(at).len(), edges }
    }
}

/// Sorts edges, many of them on all cores.
fn sort<K: PackedEdge>(edges: &mut [K]) {
    if edges.len() < SORTED_BY_ALL {
        edges.sort_unstable();
    } else {
        edges.par_sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use sameas_core::cancel::catch;
    use sameas_core::error::ErrorCode;
    use sameas_core::memory::MemoryBudget;

    use super::*;
    use crate::cluster::cluster;
    use crate::edges::Edges;
    use crate::outcome::Clusters;
    use crate::rules::{BridgeSplit, ClusterLimit, ClusterMethod, ClusterRules, Counted, Linkage, RowFacts};
    use crate::testing::{clusters, scored, with_decided};

    /// The clusters of edges on eight threads, in this much memory.
    fn within(bytes: usize, edges: Edges, rules: &ClusterRules, facts: &RowFacts) -> Result<Clusters, ClusterConflict> {
        let budget = MemoryBudget::of_relations(bytes);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        let found = pool.install(|| cluster(edges, rules, facts, Cancel::NEVER.within(&budget)));
        assert_eq!(budget.room(), bytes, "all is free again");
        found
    }

    /// A chain of some rows, with weights that repeat.
    fn chain(rows: Range<u32>) -> Vec<(u32, u32, f64)> {
        (rows.start + 1..rows.end).map(|row| (row - 1, row, f64::from(row * 7 % 11))).collect()
    }

    #[test]
    fn little_memory_changes_nothing() {
        let lengths = [3_u32, 40, 2, 700, 5, 90, 1_500, 4];
        let (mut edges, mut rows) = (Vec::new(), 0);
        for length in lengths.repeat(5) {
            edges.extend(chain(rows..rows + length));
            edges.extend((rows + 2..rows + length).map(|row| (row - 2, row, f64::from(row * 5 % 7))));
            rows += length;
        }
        let linkage = |linkage| ClusterMethod::Linkage { linkage, threshold: 1.0 };
        let facts = RowFacts {
            sources: (0..rows).map(|row| row % 2).collect(),
            values: vec![(0..rows).map(|row| row % 5).collect()],
            ..RowFacts::default()
        };
        for method in [
            ClusterMethod::Components,
            ClusterMethod::Optimal,
            linkage(Linkage::Average),
            linkage(Linkage::Complete),
            ClusterMethod::Louvain,
        ] {
            let limits = vec![ClusterLimit { counted: Counted::RecordsOfEach, most: 9 }];
            let split = Some(BridgeSplit { density: 0.2 });
            let rules = ClusterRules { method, limits, split, ..ClusterRules::default() };
            let expected = clusters(scored(rows, &edges), &rules, &facts);
            assert_eq!(within(3 << 20, scored(rows, &edges), &rules, &facts), expected, "{method:?}");
        }
    }

    #[test]
    fn all_cores_divide_a_large_component_alike() {
        const ROWS: u32 = 30_000;
        let far = |steps: u32| (steps..ROWS).map(move |row| (row - steps, row, f64::from(row * 7 % 11)));
        let mut edges: Vec<(u32, u32, f64)> = [1, 2, 5, 9].into_iter().flat_map(far).collect();
        edges.extend_from_within(..9_000);
        let facts = RowFacts {
            values: vec![(0..ROWS).map(|row| row % 50).collect(), (0..ROWS).map(|row| row % 700).collect()],
            forbidden: (0..ROWS / 60).map(|at| [at * 60, at * 60 + 7]).collect(),
            ..RowFacts::default()
        };
        let limit = |counted, most| ClusterLimit { counted, most };
        let limits = vec![limit(Counted::RecordsOfEach, 2), limit(Counted::DifferentValues, 70)];
        for split in [None, Some(BridgeSplit { density: 0.2 })] {
            let limits = limits.clone();
            let rules = ClusterRules { max_size: Some(90), keep_apart: true, limits, split, ..ClusterRules::default() };
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let expected = one.install(|| clusters(scored(ROWS, &edges), &rules, &facts));
            assert!(expected.as_ref().is_ok_and(|found| found.cut.len() > 1_000));
            assert_eq!(within(64 << 20, scored(ROWS, &edges), &rules, &facts), expected, "{split:?}");
        }
    }

    #[test]
    fn the_first_contradiction_is_shown() {
        for lengths in [[3, 9_000], [9_000, 3]] {
            let [first, rows] = [lengths[0], lengths[0] + lengths[1]];
            let edges = scored(rows, &[chain(0..first), chain(first..rows)].concat());
            let edges = with_decided(edges, &[[0, 1], [1, 2], [first, first + 1], [first + 1, first + 2]]);
            let facts = RowFacts { apart: vec![[first, first + 2], [0, 2]], ..RowFacts::default() };
            let found = within(600 << 10, edges, &ClusterRules::default(), &facts);
            assert_eq!(found, Err(ClusterConflict::HeldTogether { chain: vec![0, 1, 2] }));
        }
    }

    #[test]
    fn a_component_that_does_not_fit_is_refused() {
        let methods = [
            (ClusterMethod::Louvain, "Louvain's method of a component with 20000 records and 19999 pairs takes "),
            (ClusterMethod::Optimal, "optimal pairs of a component with 20000 records and 19999 pairs takes "),
        ];
        for (method, message) in methods {
            let rules = ClusterRules { method, ..ClusterRules::default() };
            let facts = RowFacts { sources: (0..20_000).map(|row| row % 2).collect(), ..RowFacts::default() };
            let error = catch(|| Ok(within(1 << 20, scored(20_000, &chain(0..20_000)), &rules, &facts))).unwrap_err();
            assert_eq!(error.code(), ErrorCode::MemoryLimit);
            assert!(error.message().starts_with(message), "{error}");
            assert!(error.message().ends_with(" MiB of 1 MiB are left"), "{error}");
        }
    }
}
