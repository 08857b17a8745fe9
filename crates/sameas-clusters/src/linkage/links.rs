//! The clusters that edges join, and what is known of the edges between each two.

use std::collections::BTreeMap;

use super::likeness::Likeness;
use crate::component::Component;
use crate::rules::Linkage;

/// The edges between two clusters.
#[derive(Clone, Copy, Debug)]
struct LinkSum {
    /// The sum of their units.
    sum: i128,
    /// The least of their units.
    least: i64,
    edges: u64,
}

/// For each cluster those that edges join it with. A cluster is called by its first record.
pub(super) struct ClusterLinks {
    linkage: Linkage,
    of_cluster: Vec<BTreeMap<u32, LinkSum>>,
    sizes: Vec<u64>,
}

impl ClusterLinks {
    /// The clusters with these labels, which are their first records.
    pub(super) fn new(component: &Component<'_>, labels: &[u32], linkage: Linkage) -> Self {
        let mut sizes = vec![0; labels.len()];
        labels.iter().for_each(|label| sizes[*label as usize] += 1);
        let mut links = Self { linkage, of_cluster: vec![BTreeMap::new(); labels.len()], sizes };
        let edge_units = component.edge_units();
        for edge in component.edges() {
            let [a, b] = edge.ends.map(|end| labels[end as usize]);
            if a != b {
                let units = edge_units.count(&edge);
                let link = LinkSum { sum: units.into(), least: units, edges: 1 };
                add(&mut links.of_cluster[a as usize], b, link);
                add(&mut links.of_cluster[b as usize], a, link);
            }
        }
        if linkage == Linkage::Complete {
            links.remove_incomplete();
        }
        links
    }

    /// All pairs of clusters that edges join, the lower one first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let all = self.of_cluster.iter().enumerate();
        all.flat_map(|(a, others)| others.keys().map(move |b| [a as u32, *b]).filter(|[a, b]| a < b))
    }

    /// The clusters that edges join with one.
    pub(super) fn neighbours(&self, cluster: u32) -> impl Iterator<Item = u32> {
        self.of_cluster[cluster as usize].keys().copied()
    }

    /// How alike two clusters are that edges join.
    pub(super) fn likeness(&self, a: u32, b: u32) -> Likeness {
        let link = &self.of_cluster[a as usize][&b];
        match self.linkage {
            Linkage::Average => Likeness::average(link.sum, self.pairs_of(a, b)),
            Linkage::Complete => Likeness::whole(link.least),
        }
    }

    /// Unites two clusters; the first keeps its name.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        let mut links = std::mem::take(&mut self.of_cluster[kept as usize]);
        let mut more = std::mem::take(&mut self.of_cluster[gone as usize]);
        links.remove(&gone);
        more.remove(&kept);
        if more.len() > links.len() {
            std::mem::swap(&mut more, &mut links);
        }
        more.into_iter().for_each(|(other, link)| add(&mut links, other, link));
        self.sizes[kept as usize] += self.sizes[gone as usize];
        links.retain(|other, link| {
            let is_possible = self.linkage == Linkage::Average || link.edges == self.pairs_of(kept, *other);
            let theirs = &mut self.of_cluster[*other as usize];
            theirs.remove(&gone);
            if is_possible {
                theirs.insert(kept, *link);
            } else {
                theirs.remove(&kept);
            }
            is_possible
        });
        self.of_cluster[kept as usize] = links;
    }

    fn pairs_of(&self, a: u32, b: u32) -> u64 {
        self.sizes[a as usize] * self.sizes[b as usize]
    }

    /// What decisions hold together may be joined with a part of another cluster.
    fn remove_incomplete(&mut self) {
        let sizes = &self.sizes;
        for (cluster, links) in self.of_cluster.iter_mut().enumerate() {
            links.retain(|other, link| link.edges == sizes[cluster] * sizes[*other as usize]);
        }
    }
}

/// Adds the edges between two clusters to those that are known.
fn add(links: &mut BTreeMap<u32, LinkSum>, other: u32, more: LinkSum) {
    links
        .entry(other)
        .and_modify(|link| {
            link.sum += more.sum;
            link.least = link.least.min(more.least);
            link.edges += more.edges;
        })
        .or_insert(more);
}
