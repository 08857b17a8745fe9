//! The clusters that edges join, and what is known of the edges between each two.
//!
//! A link joins two clusters and belongs to the one with more records. There it has its place among the links of this cluster: the
//! one most alike comes first. How alike the two are, times the records of the owner, is what the place depends on, so it stays while
//! the owner grows. What changes with a union are the links of the smaller cluster, and those by which the larger one joins even larger
//! ones.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::mem::take;

use foldhash::fast::FixedState;

use super::likeness::Likeness;
use crate::component::Component;
use crate::rules::Linkage;

/// The edges between two clusters.
#[derive(Clone, Copy, Debug)]
struct ClusterLink {
    /// The clusters, that to which the link belongs first.
    ends: [u32; 2],
    /// The sum of the units of the edges.
    sum: i128,
    /// The least of their units.
    least: i64,
    edges: u64,
}

/// A link at its place among those of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RankedLink {
    owner: u32,
    /// How alike, times the records of the owner.
    likeness: Reverse<Likeness>,
    /// The first record of the other cluster.
    other_first: u32,
    link: u32,
}

/// All links. A cluster has the number of one of its records.
pub(super) struct ClusterLinks {
    linkage: Linkage,
    links: Vec<ClusterLink>,
    /// The link of each two clusters.
    between: HashMap<(u32, u32), u32, FixedState>,
    ranked: BTreeSet<RankedLink>,
    /// The links of each cluster that belong to the other one.
    of_others: BTreeSet<(u32, u32)>,
    sizes: Vec<u64>,
    /// The first record of each cluster.
    first: Vec<u32>,
    /// Clusters to which other links belong than before, or other ones come first.
    changed: Vec<u32>,
}

impl ClusterLinks {
    /// Bytes for each edge, at most: a link, its place, while places are found once more, its entry with the other cluster, and in
    /// a table that has just grown.
    pub(super) const BYTES_OF_EDGE: usize =
        size_of::<ClusterLink>() + 3 * size_of::<RankedLink>() + 2 * size_of::<(u32, u32)>() + 48;

    /// Bytes for each record: the size and the first record of its cluster.
    pub(super) const BYTES_OF_RECORD: usize = size_of::<u64>() + size_of::<u32>();

    /// The clusters with these labels, which are their first records.
    pub(super) fn new(component: &Component<'_>, labels: &[u32], linkage: Linkage) -> Self {
        let mut sizes = vec![0; labels.len()];
        labels.iter().for_each(|label| sizes[*label as usize] += 1);
        let mut links = Self {
            linkage,
            links: Vec::with_capacity(component.size().edges),
            between: HashMap::default(),
            ranked: BTreeSet::new(),
            of_others: BTreeSet::new(),
            sizes,
            first: (0..labels.len() as u32).collect(),
            changed: Vec::new(),
        };
        let edge_units = component.edge_units();
        for edge in component.edges() {
            let ends = edge.ends.map(|end| labels[end as usize]);
            if ends[0] != ends[1] {
                let units = edge_units.count(&edge);
                links.add(ClusterLink { ends, sum: units.into(), least: units, edges: 1 });
            }
        }
        links.rank_all();
        links
    }

    /// Adds the edges between two clusters to those that are known.
    fn add(&mut self, link: ClusterLink) {
        let at = *self.between.entry(both(link.ends)).or_insert(self.links.len() as u32);
        match self.links.get_mut(at as usize) {
            Some(known) => known.add(link),
            None => self.links.push(link),
        }
    }

    fn rank_all(&mut self) {
        let all = 0..self.links.len() as u32;
        for link in all.clone() {
            let ends = self.links[link as usize].ends;
            self.links[link as usize].ends = self.larger_first(ends);
        }
        self.ranked = all.clone().map(|link| self.place(link)).collect();
        self.of_others = all.map(|link| (self.links[link as usize].ends[1], link)).collect();
        self.changed = self.links.iter().map(|link| link.ends[0]).collect();
    }

    /// The clusters that have changed since the last call, each once.
    pub(super) fn take_changed(&mut self) -> Vec<u32> {
        self.changed.sort_unstable();
        self.changed.dedup();
        take(&mut self.changed)
    }

    /// The link of a cluster whose ends are most alike, of those that belong to it, with the cluster at its other end.
    pub(super) fn best(&mut self, owner: u32) -> Option<(Likeness, u32)> {
        loop {
            let least = RankedLink { owner, likeness: Reverse(Likeness::MOST), other_first: 0, link: 0 };
            let RankedLink { link, .. } = *self.ranked.range(least..).next().filter(|ranked| ranked.owner == owner)?;
            let ClusterLink { ends, sum, least, edges } = self.links[link as usize];
            let pairs = self.sizes[ends[0] as usize] * self.sizes[ends[1] as usize];
            match self.linkage {
                Linkage::Average => return Some((Likeness::divided(sum, pairs), ends[1])),
                Linkage::Complete if edges == pairs => return Some((Likeness::whole(least), ends[1])),
                // A pair that is missing is missing for good.
                Linkage::Complete => self.remove(link),
            }
        }
    }

    /// The first record of a cluster.
    pub(super) fn first(&self, cluster: u32) -> u32 {
        self.first[cluster as usize]
    }

    /// Two clusters, the one with more records first, and of equals the one with the lower number.
    pub(super) fn larger_first(&self, [a, b]: [u32; 2]) -> [u32; 2] {
        let rank = |cluster: u32| (Reverse(self.sizes[cluster as usize]), cluster);
        if rank(a) <= rank(b) { [a, b] } else { [b, a] }
    }

    /// Unites two clusters; the first, which has no fewer records, keeps its number.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        if let Some(link) = self.between.get(&both([kept, gone])).copied() {
            self.remove(link);
        }
        let (of_gone, mut open) = (self.links_of(gone), self.links_of_others(kept));
        of_gone.iter().chain(&open).for_each(|link| self.unrank(*link));
        self.sizes[kept as usize] += self.sizes[gone as usize];
        self.first[kept as usize] = self.first(kept).min(self.first(gone));
        for link in of_gone {
            open.push(self.move_end(link, gone, kept));
        }
        open.into_iter().for_each(|link| self.rank(link));
        self.changed.push(kept);
    }

    /// Gives an end of a link to another cluster. Where that one has a link to the same cluster, the two become one: it says which.
    fn move_end(&mut self, link: u32, from: u32, to: u32) -> u32 {
        let moved = self.links[link as usize];
        let other = if moved.ends[0] == from { moved.ends[1] } else { moved.ends[0] };
        self.between.remove(&both(moved.ends));
        if let Some(same) = self.between.get(&both([to, other])).copied() {
            self.unrank(same);
            self.links[same as usize].add(moved);
            return same;
        }
        self.between.insert(both([to, other]), link);
        self.links[link as usize].ends = [to, other];
        link
    }

    /// All links of a cluster.
    fn links_of(&self, cluster: u32) -> Vec<u32> {
        let least = RankedLink { owner: cluster, likeness: Reverse(Likeness::MOST), other_first: 0, link: 0 };
        let own = self.ranked.range(least..).take_while(|ranked| ranked.owner == cluster).map(|ranked| ranked.link);
        own.chain(self.links_of_others(cluster)).collect()
    }

    /// The links of a cluster that belong to others.
    fn links_of_others(&self, cluster: u32) -> Vec<u32> {
        self.of_others.range((cluster, 0)..=(cluster, u32::MAX)).map(|(_, link)| *link).collect()
    }

    fn remove(&mut self, link: u32) {
        self.unrank(link);
        self.between.remove(&both(self.links[link as usize].ends));
    }

    /// Takes a link from its place, if it has one. Sizes are still those that it got it with.
    fn unrank(&mut self, link: u32) {
        let [owner, other] = self.links[link as usize].ends;
        if self.of_others.remove(&(other, link)) {
            self.ranked.remove(&self.place(link));
            self.changed.push(owner);
        }
    }

    /// Gives a link its place.
    fn rank(&mut self, link: u32) {
        let ends = self.links[link as usize].ends;
        let [owner, other] = self.larger_first(ends);
        self.links[link as usize].ends = [owner, other];
        self.ranked.insert(self.place(link));
        self.of_others.insert((other, link));
        self.changed.push(owner);
    }

    /// The place of a link among those of its owner.
    fn place(&self, link: u32) -> RankedLink {
        let ClusterLink { ends: [owner, other], sum, least, .. } = self.links[link as usize];
        let likeness = match self.linkage {
            Linkage::Average => Likeness::divided(sum, self.sizes[other as usize]),
            Linkage::Complete => Likeness::whole(least),
        };
        RankedLink { owner, likeness: Reverse(likeness), other_first: self.first(other), link }
    }
}

impl ClusterLink {
    fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.edges += other.edges;
    }
}

/// Two clusters, whatever their order.
fn both([a, b]: [u32; 2]) -> (u32, u32) {
    (a.min(b), a.max(b))
}
