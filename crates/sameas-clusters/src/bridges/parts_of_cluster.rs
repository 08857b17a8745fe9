//! The parts of clusters, and the bridges at which they are cut.

use super::search::{Bridge, BridgeTree};
use crate::work_memory::WorkMemory;

/// A part of a cluster that is still to be looked at.
pub(super) struct ClusterPart {
    records: u64,
    edges: u64,
    /// Its bridges, in the order of the search.
    bridges: Vec<Bridge>,
}

impl ClusterPart {
    /// Bytes for each record, at most: a part with its bridge, in lists that have just grown.
    pub(super) const BYTES_OF_RECORD: usize = 2 * (size_of::<Self>() + size_of::<Bridge>()) + size_of::<u32>();

    /// Clusters that nothing has divided yet.
    pub(super) fn all(tree: &BridgeTree) -> Vec<Self> {
        let clusters = tree.clusters().into_iter();
        clusters.map(|(all, bridges)| Self { records: all.records, edges: all.edges, bridges }).collect()
    }

    /// The weakest bridge with a dense part on both sides.
    fn weakest(&self, density: f64) -> Option<usize> {
        let is_wanted = |bridge: &Bridge| {
            let (records, edges) = (self.records - bridge.records, self.edges - bridge.edges - 1);
            is_dense(bridge.records, bridge.edges, density) && is_dense(records, edges, density)
        };
        let wanted = self.bridges.iter().enumerate().filter(|(_, bridge)| is_wanted(bridge));
        wanted.max_by_key(|(_, bridge)| bridge.place).map(|(at, _)| at)
    }

    /// Cuts it at one of its bridges: gives what is below, and keeps the rest.
    fn cut(&mut self, at: usize) -> (Bridge, Self) {
        let cut = self.bridges.remove(at);
        // What is below a bridge follows it in the order of the search.
        let below = self.bridges[at..].iter().take_while(|bridge| bridge.from < cut.until).count();
        let bridges: Vec<Bridge> = self.bridges.drain(at..at + below).collect();
        for above in self.bridges[..at].iter_mut().filter(|bridge| bridge.until > cut.from) {
            above.records -= cut.records;
            above.edges -= cut.edges + 1;
        }
        self.records -= cut.records;
        self.edges -= cut.edges + 1;
        (cut, Self { records: cut.records, edges: cut.edges, bridges })
    }
}

/// All bridges at which parts are cut.
pub(super) fn cut_bridges(mut open: Vec<ClusterPart>, density: f64, memory: &WorkMemory<'_>) -> Vec<Bridge> {
    let mut all = Vec::new();
    while let Some(mut part) = open.pop() {
        while let Some(at) = part.weakest(density) {
            memory.check();
            let (bridge, below) = part.cut(at);
            all.push(bridge);
            open.push(below);
        }
    }
    all
}

/// Whether two or more records hold together better than a density says.
fn is_dense(records: u64, edges: u64, density: f64) -> bool {
    let pairs = records as f64 * (records as f64 - 1.0);
    records >= 2 && 2.0 * edges as f64 > density * pairs
}
