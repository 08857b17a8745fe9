//! What has cut each edge: what refuses the union of the two clusters that the pass has left of its ends.
//!
//! No two of these edges depend on each other, so they are looked at on all cores. Where a limit must look at many values of two
//! clusters, it is asked once for all edges between the two.

use rayon::prelude::*;

use super::unions::{ClusterUnions, STEP};
use crate::component::{OpenComponent, open_ends};
use crate::outcome::CutCause;
use crate::packed::PackedEdge;
use crate::work_memory::WorkMemory;

/// Edges that one thread looks at.
const AT_A_TIME: usize = 1 << 12;

/// Bytes for each edge between clusters with many values, at most: two clusters, where a list of them has just grown, and later two
/// clusters with what refuses their union.
pub(super) const BYTES_OF_LONG: usize = 3 * size_of::<[u32; 2]>();

/// Cuts the edges whose ends the pass has left in different clusters.
pub(super) fn cut_refused<K: PackedEdge>(
    component: &mut OpenComponent<'_, K>,
    unions: &ClusterUnions<'_>,
    memory: &mut WorkMemory<'_>,
) {
    let left = cut_some(component, unions, memory, |clusters| unions.cause_at_once(clusters));
    if left > 0 {
        memory.reach(STEP, unions.bytes() + left * BYTES_OF_LONG);
        let answers = LongAnswers::new(component, unions, memory);
        cut_some(component, unions, memory, |clusters| answers.cause(clusters));
    }
}

/// Cuts the edges between clusters of which the cause is known, and says of how many it is not.
fn cut_some<K: PackedEdge>(
    component: &mut OpenComponent<'_, K>,
    unions: &ClusterUnions<'_>,
    memory: &WorkMemory<'_>,
    cause: impl Fn([u32; 2]) -> Option<CutCause> + Sync,
) -> usize {
    let (first, layout, cancel) = (component.first, component.layout, memory.cancel());
    let cut = |edges: &mut [K]| {
        cancel.check();
        let mut left = 0_usize;
        for edge in edges {
            let clusters = open_ends(*edge, first, layout).and_then(|ends| unions.divided(ends));
            match clusters.map(&cause) {
                Some(Some(cause)) => *edge = edge.cut(cause, layout),
                Some(None) => left += 1,
                None => {}
            }
        }
        left
    };
    component.edges.par_chunks_mut(AT_A_TIME).with_min_len(memory.least_at_a_time()).map(cut).sum()
}

/// What limits say of clusters with many values.
struct LongAnswers {
    /// Two clusters with an edge between them, that of its lower row first, ascending.
    clusters: Vec<[u32; 2]>,
    causes: Vec<CutCause>,
}

impl LongAnswers {
    /// The answers for the edges between clusters that are not cut yet.
    fn new<K: PackedEdge>(
        component: &OpenComponent<'_, K>,
        unions: &ClusterUnions<'_>,
        memory: &WorkMemory<'_>,
    ) -> Self {
        let (first, layout, cancel) = (component.first, component.layout, memory.cancel());
        let chunks = component.edges.par_chunks(AT_A_TIME).with_min_len(memory.least_at_a_time());
        let of_edges = chunks.flat_map_iter(|edges| {
            cancel.check();
            edges.iter().filter_map(move |edge| unions.divided(open_ends(*edge, first, layout)?))
        });
        let mut clusters: Vec<[u32; 2]> = of_edges.collect();
        if memory.is_alone() {
            clusters.par_sort_unstable();
        } else {
            clusters.sort_unstable();
        }
        clusters.dedup();
        let answer = |two: &[u32; 2]| {
            cancel.check();
            unions.limit_cause(*two).expect("what the pass has refused is refused for good")
        };
        let causes = clusters.par_iter().with_min_len(memory.least_at_a_time()).map(answer).collect();
        Self { clusters, causes }
    }

    fn cause(&self, clusters: [u32; 2]) -> Option<CutCause> {
        self.clusters.binary_search(&clusters).ok().map(|at| self.causes[at])
    }
}
