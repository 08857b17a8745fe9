//! Edges are offered by all cores at the same time, with what comes of offering one after the other.
//!
//! An edge depends on those before it that share one of its two clusters, and on no others. So each edge claims its clusters, and of
//! several claims that of the strongest edge stands. Edges whose two claims stand have nothing left before them: they are decided at the
//! same time. Then the others claim again, until few are left, or most of them wait for one cluster.
//!
//! **The same result.** Say that all edges before some edge have been decided but those that are still open. If one of these changed a
//! cluster of the edge, it would have claimed it, and its claim would stand, as it is stronger. What else changes before the edge is
//! decided concerns other clusters, and so does not matter to it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::iter::Either;
use rayon::prelude::*;

use super::unions::ClusterUnions;

/// The threads from which on all together are faster than one of them that looks at each edge once.
const LEAST_THREADS: usize = 8;

/// Rounds end where fewer than one in this number of edges is decided in one.
const LEAST_DECIDED: usize = 4;

/// The claims of edges.
pub(super) struct Claims {
    /// For each cluster the last round in which it was claimed, all its bits inverted, and the strongest edge that did: what is less
    /// is newer, and then stronger.
    of_cluster: Vec<AtomicU64>,
    round: u32,
}

impl Claims {
    /// Bytes for each record.
    pub(super) const BYTES_OF_RECORD: usize = size_of::<u64>();

    /// No claims, if they make it faster.
    pub(super) fn new(records: usize) -> Option<Self> {
        let of_cluster = || (0..records).into_par_iter().map(|_| AtomicU64::new(u64::MAX)).collect();
        (rayon::current_num_threads() >= LEAST_THREADS).then(|| Self { of_cluster: of_cluster(), round: 0 })
    }

    /// Decides edges, the strongest first, and keeps those that are left: no more than `few`, or many that wait for each other.
    pub(super) fn decide(&mut self, unions: &mut ClusterUnions<'_>, edges: &mut Vec<[u32; 2]>, few: usize) {
        while edges.len() > few {
            let before = edges.len();
            self.round(unions, edges);
            if (before - edges.len()) * LEAST_DECIDED < before {
                break;
            }
        }
    }

    /// Decides the edges whose claims stand, and keeps the others.
    fn round(&mut self, unions: &mut ClusterUnions<'_>, edges: &mut Vec<[u32; 2]>) {
        self.round += 1;
        let (claims, known) = (&*self, &*unions);
        let claimed = edges.par_iter().enumerate().map(|(edge, ends)| {
            let clusters = known.open(*ends)?;
            clusters.iter().for_each(|cluster| claims.claim(*cluster, edge));
            Some(clusters)
        });
        let claimed: Vec<Option<[u32; 2]>> = claimed.collect();
        let stands = |edge: usize, clusters: &[u32; 2]| clusters.iter().all(|cluster| claims.stands(*cluster, edge));
        let both = || claimed.par_iter().zip(&edges[..]).enumerate();
        let open = both().filter_map(|(edge, (clusters, ends))| Some((edge, clusters.as_ref()?, ends)));
        let (decided, left): (Vec<[u32; 2]>, Vec<[u32; 2]>) =
            open.partition_map(
                |(edge, clusters, ends)| {
                    if stands(edge, clusters) { Either::Left(*clusters) } else { Either::Right(*ends) }
                },
            );
        unions.unite_all(&decided);
        *edges = left;
    }

    fn claim(&self, cluster: u32, edge: usize) {
        let (known, claim) = (&self.of_cluster[cluster as usize], self.of_edge(edge));
        // Most claims do not stand, and to look is less work than to write.
        if claim < known.load(Relaxed) {
            known.fetch_min(claim, Relaxed);
        }
    }

    fn stands(&self, cluster: u32, edge: usize) -> bool {
        self.of_cluster[cluster as usize].load(Relaxed) == self.of_edge(edge)
    }

    fn of_edge(&self, edge: usize) -> u64 {
        u64::from(!self.round) << u32::BITS | edge as u64
    }
}
