//! Clusters divided at bridges: edges that alone hold two parts together.
//!
//! **Definition.** The weakest bridge of a cluster is removed at which both parts have two or more records and hold together better
//! than the stated density, which is the share of a part's pairs that have an edge. Then both parts are looked at in the same
//! way, with their own bridges and densities, until no such bridge is left. An edge of a decision is never removed.
//!
//! **Argument.** Without a bridge the bridges of a part are those that it had before: each edge is on a cycle or not, and cycles
//! do not contain bridges. In a depth-first search all that is below a bridge is one of its sides, so the records and edges
//! of both sides are known from one search, and after a cut from a subtraction for each bridge above it.
//!
//! **Cost.** For m edges of a cluster and the density d O(m / d): one search, and for each cut a look at the bridges of the part
//! that is cut. Both of its sides are dense, so a part of n records that is cut has at least d n^2 / 4 - n edges, and fewer than n cuts
//! look at fewer than n bridges each. No recursion.

mod parts_of_cluster;
mod search;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::component::{Component, OpenComponent};
use crate::division::ComponentWork;
use crate::outcome::ClusterConflict;
use crate::packed::PackedEdge;
use crate::rules::BridgeSplit;
use crate::work_memory::{ComponentSize, WorkMemory};
use parts_of_cluster::{ClusterPart, cut_bridges};
use search::{Bridge, BridgeTree};

/// Bytes that a search takes at most.
pub(crate) fn most_bytes(size: ComponentSize) -> usize {
    size.edges * BridgeTree::BYTES_OF_EDGE + size.records * (BridgeTree::BYTES_OF_RECORD + ClusterPart::BYTES_OF_RECORD)
}

/// Divides the clusters of a component: `labels` are the first records of clusters, before and after it. Gives the places of the
/// edges at which it divides them.
pub(crate) fn split_at_bridges(
    component: &Component<'_>,
    split: BridgeSplit,
    labels: &mut [u32],
    memory: &mut WorkMemory<'_>,
) -> Vec<usize> {
    memory.reach("the split at bridges", most_bytes(component.size()));
    let tree = BridgeTree::new(component, labels);
    let cut = cut_bridges(ClusterPart::all(&tree), split.density, memory);
    let mut is_cut = vec![false; labels.len()];
    cut.iter().for_each(|bridge| is_cut[bridge.below as usize] = true);
    tree.label(&is_cut, labels);
    cut.iter().map(|bridge| bridge.place as usize).collect()
}

/// Counts the edges of components that alone hold two parts of two or more records together; decisions are left out.
#[derive(Default)]
pub(crate) struct BridgeCount {
    pub(crate) bridges: AtomicU64,
}

impl ComponentWork for BridgeCount {
    fn most_bytes(&self, size: ComponentSize) -> usize {
        most_bytes(size)
    }

    fn divide<K: PackedEdge>(
        &self,
        component: OpenComponent<'_, K>,
        labels: &mut [u32],
        memory: &mut WorkMemory<'_>,
    ) -> Result<(), ClusterConflict> {
        memory.reach("counting the bridges", most_bytes(component.view().size()));
        let tree = BridgeTree::new(&component.view(), labels);
        let in_part = |(whole, bridges): &(Bridge, Vec<Bridge>)| {
            let is_between_several = |bridge: &&Bridge| bridge.records >= 2 && whole.records - bridge.records >= 2;
            bridges.iter().filter(is_between_several).count() as u64
        };
        self.bridges.fetch_add(tree.clusters().iter().map(in_part).sum(), Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::outcome::{Clusters, CutCause, CutEdge};
    use crate::rules::{BridgeSplit, ClusterRules, RowFacts};
    use crate::testing::{clusters, scored, with_decided};

    fn rules(density: f64) -> ClusterRules {
        ClusterRules { split: Some(BridgeSplit { density }), ..ClusterRules::default() }
    }

    fn split(rows: u32, edges: &[(u32, u32, f64)], density: f64) -> Clusters {
        clusters(scored(rows, edges), &rules(density), &RowFacts::default()).unwrap()
    }

    /// Two triangles, and the edge between them.
    const TRIANGLES: [(u32, u32, f64); 7] =
        [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (3, 4, 1.0), (3, 5, 1.0), (4, 5, 1.0), (2, 3, 2.0)];

    #[test]
    fn triangles_are_cut_at_their_bridge() {
        let two = split(6, &TRIANGLES, 0.5);
        assert_eq!(two.first_rows, [0, 0, 0, 3, 3, 3]);
        assert_eq!(two.cut, [CutEdge { rows: [2, 3], cause: CutCause::Bridge }]);
        let decided = with_decided(scored(6, &TRIANGLES), &[[2, 3]]);
        let one = clusters(decided, &rules(0.5), &RowFacts::default()).unwrap();
        assert_eq!((one.first_rows, one.cut), (vec![0; 6], vec![]));
    }

    #[test]
    fn parts_are_dense_and_have_two_records() {
        let chain = |records: u32| -> Vec<(u32, u32, f64)> { (1..records).map(|at| (at - 1, at, 1.0)).collect() };
        assert_eq!(split(3, &chain(3), 0.5).first_rows, [0, 0, 0]);
        assert_eq!(split(4, &chain(4), 0.5).first_rows, [0, 0, 2, 2]);
        // Four in a row have half of their pairs, three two thirds.
        assert_eq!(split(6, &chain(6), 0.5).first_rows, [0, 0, 0, 3, 3, 3]);
        assert_eq!(split(6, &chain(6), 0.4).first_rows, [0, 0, 2, 2, 4, 4]);
        assert_eq!(split(9, &chain(9), 0.5).first_rows, [0; 9]);
    }

    #[test]
    fn the_weakest_bridge_goes_first() {
        let chain = [(0, 1, 3.0), (1, 2, 2.0), (2, 3, 1.0), (3, 4, 2.0)];
        assert_eq!(split(5, &chain, 0.25).first_rows, [0, 0, 0, 3, 3]);
        let chain = [(0, 1, 3.0), (1, 2, 1.0), (2, 3, 2.0), (3, 4, 2.0)];
        assert_eq!(split(5, &chain, 0.25).first_rows, [0, 0, 2, 2, 2]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let chain: Vec<(u32, u32, f64)> = (1..200_000).map(|at| (at - 1, at, 1.0)).collect();
        assert_eq!(split(200_000, &chain, 0.1).first_rows, vec![0; 200_000]);
    }
}
