//! Unions in their order: the clusters that are most alike first.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::likeness::Likeness;
use super::links::ClusterLinks;
use crate::component::{Component, label_by_first};
use crate::edge::units;
use crate::rules::Linkage;

/// So few offers are never looked through for those that are no longer valid.
const FEW_OFFERS: usize = 1 << 10;

/// Labels the records of a component by the first record of their cluster.
pub(crate) fn link(component: &Component<'_>, linkage: Linkage, threshold: f64, labels: &mut [u32]) {
    let mut sets = component.decided();
    label_by_first(&mut sets, labels);
    let mut links = ClusterLinks::new(component, labels, linkage);
    let mut offers = Offers::new(&links, labels.len(), Likeness::whole(units(threshold)));
    while let Some([kept, gone]) = offers.pop() {
        links.unite(kept, gone);
        sets.join(kept as usize, gone as usize);
        offers.unite(&links, kept, gone);
    }
    label_by_first(&mut sets, labels);
}

/// Two clusters that may be united.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnionOffer {
    likeness: Likeness,
    /// Their first records, the lower one first.
    pair: [u32; 2],
    /// What the clusters were when the offer was made.
    versions: [u32; 2],
}

impl Ord for UnionOffer {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |offer: &Self| Reverse((offer.pair, offer.versions));
        self.likeness.cmp(&other.likeness).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for UnionOffer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// All offers, the best one first, and some that are no longer valid.
struct Offers {
    heap: BinaryHeap<UnionOffer>,
    /// How often each cluster has changed.
    versions: Vec<u32>,
    threshold: Likeness,
    /// With more offers than this, those that are no longer valid are removed.
    many: usize,
}

impl Offers {
    fn new(links: &ClusterLinks, records: usize, threshold: Likeness) -> Self {
        let mut offers = Self { heap: BinaryHeap::new(), versions: vec![0; records], threshold, many: FEW_OFFERS };
        links.pairs().for_each(|[a, b]| offers.push(links, a, b));
        offers
    }

    fn push(&mut self, links: &ClusterLinks, a: u32, b: u32) {
        let (pair, likeness) = ([a.min(b), a.max(b)], links.likeness(a, b));
        if likeness >= self.threshold {
            let versions = pair.map(|cluster| self.versions[cluster as usize]);
            self.heap.push(UnionOffer { likeness, pair, versions });
        }
        if self.heap.len() > self.many {
            self.remove_invalid();
        }
    }

    /// The two clusters to unite next.
    fn pop(&mut self) -> Option<[u32; 2]> {
        while let Some(offer) = self.heap.pop() {
            if is_valid(&offer, &self.versions) {
                return Some(offer.pair);
            }
        }
        None
    }

    /// Offers a new cluster to all its neighbours.
    fn unite(&mut self, links: &ClusterLinks, kept: u32, gone: u32) {
        self.versions[kept as usize] += 1;
        self.versions[gone as usize] += 1;
        links.neighbours(kept).for_each(|other| self.push(links, kept, other));
    }

    fn remove_invalid(&mut self) {
        let versions = &self.versions;
        self.heap.retain(|offer| is_valid(offer, versions));
        self.many = FEW_OFFERS.max(2 * self.heap.len());
    }
}

fn is_valid(offer: &UnionOffer, versions: &[u32]) -> bool {
    let [a, b] = offer.pair;
    offer.versions == [versions[a as usize], versions[b as usize]]
}
