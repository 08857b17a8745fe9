//! Unions in their order: the clusters that are most alike first.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::likeness::Likeness;
use super::links::ClusterLinks;
use crate::component::{Component, label_by_first};
use crate::edge::units;
use crate::rules::Linkage;
use crate::work_memory::{ComponentSize, WorkMemory};

/// So few offers are never looked through for those that are no longer valid.
const FEW_OFFERS: usize = 1 << 10;

/// Unions between two looks at whether they are still wanted.
const UNIONS_AT_A_TIME: usize = 1 << 8;

/// Bytes for each record beside links: offers in a heap that has just grown, a version, a set.
const BYTES_OF_RECORD: usize = 4 * size_of::<UnionOffer>() + size_of::<u32>() + 3 * size_of::<usize>();

/// Bytes that it takes at most.
pub(crate) fn most_bytes(size: ComponentSize) -> usize {
    let few = 2 * FEW_OFFERS.min(8 * size.edges) * size_of::<UnionOffer>();
    few + size.edges * ClusterLinks::BYTES_OF_EDGE + size.records * (ClusterLinks::BYTES_OF_RECORD + BYTES_OF_RECORD)
}

/// Labels the records of a component by the first record of their cluster.
pub(crate) fn link(
    component: &Component<'_>,
    linkage: Linkage,
    threshold: f64,
    labels: &mut [u32],
    memory: &mut WorkMemory<'_>,
) {
    let step = match linkage {
        Linkage::Average => "average linkage",
        Linkage::Complete => "complete linkage",
    };
    memory.reach(step, most_bytes(component.size()));
    let mut sets = component.decided();
    label_by_first(&mut sets, labels);
    let mut links = ClusterLinks::new(component, labels, linkage);
    let mut offers = Offers::new(labels.len(), Likeness::whole(units(threshold)));
    offers.renew(&mut links);
    let mut unions = 0_usize;
    while let Some(clusters) = offers.pop() {
        unions += 1;
        if unions.is_multiple_of(UNIONS_AT_A_TIME) {
            memory.check();
        }
        let [kept, gone] = links.larger_first(clusters);
        sets.join(kept as usize, gone as usize);
        links.unite(kept, gone);
        offers.renew(&mut links);
    }
    label_by_first(&mut sets, labels);
}

/// Two clusters that may be united: the best that one of them offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnionOffer {
    likeness: Likeness,
    /// Their first records, the lower one first.
    pair: [u32; 2],
    /// The one that offers, and the other.
    clusters: [u32; 2],
    /// How often the one that offers had changed.
    version: u32,
}

impl Ord for UnionOffer {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |offer: &Self| Reverse((offer.pair, offer.clusters, offer.version));
        self.likeness.cmp(&other.likeness).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for UnionOffer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The offers of all clusters, the best one first, and some that are no longer valid.
struct Offers {
    heap: BinaryHeap<UnionOffer>,
    /// How often each cluster has changed.
    versions: Vec<u32>,
    threshold: Likeness,
    /// With more offers than this, those that are no longer valid are removed.
    many: usize,
}

impl Offers {
    fn new(records: usize, threshold: Likeness) -> Self {
        Self { heap: BinaryHeap::new(), versions: vec![0; records], threshold, many: FEW_OFFERS }
    }

    /// The two clusters to unite next.
    fn pop(&mut self) -> Option<[u32; 2]> {
        while let Some(offer) = self.heap.pop() {
            if is_valid(&offer, &self.versions) {
                return Some(offer.clusters);
            }
        }
        None
    }

    /// Replaces the offers of clusters that have changed.
    fn renew(&mut self, links: &mut ClusterLinks) {
        for cluster in links.take_changed() {
            let version = &mut self.versions[cluster as usize];
            *version += 1;
            let Some((likeness, other)) = links.best(cluster) else { continue };
            if likeness >= self.threshold {
                let (a, b) = (links.first(cluster), links.first(other));
                let (pair, clusters) = ([a.min(b), a.max(b)], [cluster, other]);
                self.heap.push(UnionOffer { likeness, pair, clusters, version: *version });
            }
        }
        if self.heap.len() > self.many {
            let versions = &self.versions;
            self.heap.retain(|offer| is_valid(offer, versions));
            self.many = FEW_OFFERS.max(2 * self.heap.len());
        }
    }
}

fn is_valid(offer: &UnionOffer, versions: &[u32]) -> bool {
    offer.version == versions[offer.clusters[0] as usize]
}
