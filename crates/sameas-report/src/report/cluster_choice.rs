//! Which clusters a report shows: the largest, the least cohesive, and those that one pair holds together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::bridges::{bridges, neighbours};
use super::facts::ReportClusterSize;
use super::members::ClusterMembers;
use super::pair_reader::ReportedPair;
use crate::cancel::Cancel;

/// Clusters of each kind that are shown.
const SHOWN: usize = 24;

/// Records of a cluster that are drawn.
pub const MOST_DRAWN: usize = 120;

/// A pair inside a cluster.
#[derive(Clone, Copy, Debug)]
pub struct ClusterEdge {
    /// The pair.
    pub pair: ReportedPair,
    /// If the cluster falls apart without it, the size of the smaller part.
    pub smaller_part: Option<u32>,
}

/// What is known of a cluster whose pairs were read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusterBridges {
    /// The number of its bridges.
    pub bridges: u32,
    /// The size of the smaller part that the worst of them leaves.
    pub worst: Option<u32>,
}

/// The pairs inside clusters, cluster by cluster.
pub struct ClusterEdges {
    edges: Vec<ClusterEdge>,
    /// Where the pairs of each cluster are, by its first record.
    places: BTreeMap<u32, (usize, usize)>,
    /// What bridges there are.
    pub bridges: BTreeMap<u32, ClusterBridges>,
}

impl ClusterEdges {
    /// Looks for bridges among the pairs inside clusters, which must be complete.
    pub fn new(mut pairs: Vec<ReportedPair>, members: &ClusterMembers, cancel: Cancel<'_>) -> Self {
        let root = |pair: &ReportedPair| members.roots[pair.left as usize];
        pairs.par_sort_unstable_by_key(|pair| (root(pair), pair.left, pair.right));
        let clusters: Vec<&[ReportedPair]> = pairs.chunk_by(|a, b| root(a) == root(b)).collect();
        let of_cluster = |pairs: &&[ReportedPair]| {
            cancel.check();
            with_bridges(pairs)
        };
        let found: Vec<Vec<ClusterEdge>> = clusters.par_iter().map(of_cluster).collect();
        let mut all =
            Self { edges: Vec::with_capacity(pairs.len()), places: BTreeMap::new(), bridges: BTreeMap::new() };
        for edges in found {
            let cluster = root(&edges[0].pair);
            let parts = edges.iter().filter_map(|edge| edge.smaller_part);
            let known = ClusterBridges { bridges: parts.clone().count() as u32, worst: parts.max() };
            all.bridges.insert(cluster, known);
            all.places.insert(cluster, (all.edges.len(), all.edges.len() + edges.len()));
            all.edges.extend(edges);
        }
        all
    }

    /// The pairs of a cluster; none where they were not read.
    pub fn in_cluster(&self, cluster: u32) -> &[ClusterEdge] {
        self.places.get(&cluster).map_or(&[], |(from, to)| &self.edges[*from..*to])
    }
}

fn with_bridges(pairs: &[ReportedPair]) -> Vec<ClusterEdge> {
    let (nodes, edges) = local(pairs);
    let found = bridges(nodes.len(), &edges);
    pairs.iter().zip(found).map(|(pair, smaller_part)| ClusterEdge { pair: *pair, smaller_part }).collect()
}

/// The records of pairs, ascending, and the pairs as places among them.
fn local(pairs: &[ReportedPair]) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut nodes: Vec<u32> = pairs.iter().flat_map(|pair| [pair.left, pair.right]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let place = |record: u32| nodes.partition_point(|node| *node < record) as u32;
    let edges = pairs.iter().map(|pair| (place(pair.left), place(pair.right))).collect();
    (nodes, edges)
}

/// Clusters worth looking at, by their first records, the most remarkable first.
#[derive(Default)]
pub struct ClusterChoice {
    /// The largest.
    pub largest: Vec<u32>,
    /// Those with the smallest share of possible pairs.
    pub least_cohesive: Vec<u32>,
    /// Those that one pair holds together.
    pub bridged: Vec<u32>,
    /// Clusters in which one pair joins two groups of two records or more.
    pub with_bridge: u64,
}

impl ClusterChoice {
    /// The largest and the least cohesive clusters.
    pub fn by_size(members: &ClusterMembers, pairs: &[u64], possible: &[u64]) -> Self {
        let size = |root: &u32| members.sizes[*root as usize];
        let largest = most(members.clusters_from(2).map(|root| (Reverse(size(&root)), root)));
        // Shares as fractions over one denominator: floats of equal shares are equal, too.
        let share = |root: u32| pairs[root as usize] as f64 / possible[root as usize].max(1) as f64;
        let loose = members.clusters_from(3).filter(|root| pairs[*root as usize] < possible[*root as usize]);
        let least =
            most(loose.map(|root| (share(root).to_bits(), Reverse(size(&root)), root)).map(|(a, b, c)| ((a, b), c)));
        Self { largest, least_cohesive: least, ..Self::default() }
    }

    /// Adds those that one pair holds together.
    pub fn add_bridged(&mut self, edges: &ClusterEdges, members: &ClusterMembers) {
        let of = |least: u32| {
            let worst = edges.bridges.iter().filter_map(|(root, known)| Some((*root, known.worst?)));
            worst.filter(move |(root, worst)| *worst >= least && members.sizes[*root as usize] >= 3)
        };
        self.with_bridge = of(2).count() as u64;
        let least = if self.with_bridge > 0 { 2 } else { 1 };
        let size = |root: u32| members.sizes[root as usize];
        self.bridged = most(of(least).map(|(root, worst)| ((Reverse(worst), Reverse(size(root))), root)));
    }

    /// All of them, each once: the first of each kind first.
    pub fn all(&self) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        let kinds = [&self.largest, &self.least_cohesive, &self.bridged];
        let by_place = (0..SHOWN).flat_map(|at| kinds.iter().filter_map(move |kind| kind.get(at)).copied());
        by_place.filter(|root| seen.insert(*root)).collect()
    }
}

/// The clusters with the least keys, in their order.
fn most<K: Ord>(keyed: impl Iterator<Item = (K, u32)>) -> Vec<u32> {
    let mut best: BTreeSet<(K, u32)> = BTreeSet::new();
    for one in keyed {
        best.insert(one);
        if best.len() > SHOWN {
            best.pop_last();
        }
    }
    best.into_iter().map(|(_, root)| root).collect()
}

/// The records of a cluster that are drawn: all of them, or those nearest to its worst bridge, or else to the record with
/// the most pairs.
pub fn drawn_records(members_of: &[u32], edges: &[ClusterEdge]) -> Vec<u32> {
    if members_of.len() <= MOST_DRAWN {
        return members_of.to_vec();
    }
    let pairs: Vec<ReportedPair> = edges.iter().map(|edge| edge.pair).collect();
    let (nodes, local_edges) = local(&pairs);
    if nodes.is_empty() {
        return members_of[..MOST_DRAWN].to_vec();
    }
    let neighbours = neighbours(nodes.len(), &local_edges);
    let worst = edges.iter().enumerate().filter(|(_, edge)| edge.smaller_part.is_some_and(|part| part > 1));
    let worst = worst.max_by_key(|(at, edge)| (edge.smaller_part, Reverse(*at)));
    let start = match worst {
        Some((at, _)) => vec![local_edges[at].0, local_edges[at].1],
        None => (0..nodes.len() as u32)
            .max_by_key(|node| (neighbours.list(*node as usize).len(), Reverse(*node)))
            .into_iter()
            .collect(),
    };
    let (mut seen, mut queue, mut next) = (vec![false; nodes.len()], start, 0);
    queue.iter().for_each(|node| seen[*node as usize] = true);
    while next < queue.len() && queue.len() < MOST_DRAWN {
        let here = queue[next];
        next += 1;
        for (other, _) in neighbours.list(here as usize) {
            if !std::mem::replace(&mut seen[*other as usize], true) {
                queue.push(*other);
            }
        }
    }
    queue.truncate(MOST_DRAWN);
    queue.into_iter().map(|node| nodes[node as usize]).collect()
}

/// Clusters by size: each size up to 20, then ranges.
pub fn sizes(members: &ClusterMembers) -> Vec<ReportClusterSize> {
    let mut classes: BTreeMap<(u64, u64), (u64, u64)> = BTreeMap::new();
    for root in members.clusters_from(1) {
        let size = u64::from(members.sizes[root as usize]);
        let class = classes.entry(class_of(size)).or_default();
        *class = (class.0 + 1, class.1 + size);
    }
    let size = |((least, most), (clusters, records))| ReportClusterSize { least, most, clusters, records };
    classes.into_iter().map(size).collect()
}

/// The range of sizes that a size is counted in: 21 to 50, 51 to 100, 101 to 200, 201 to 500, and so on.
fn class_of(size: u64) -> (u64, u64) {
    if size <= 20 {
        return (size, size);
    }
    let ends = (0..18).flat_map(|power| [2, 5, 10].map(|digit| digit * 10_u64.pow(power)));
    let mut from = 20;
    for end in ends.filter(|end| *end > 20) {
        if size <= end {
            return (from + 1, end);
        }
        from = end;
    }
    (from + 1, u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(left: u32, right: u32) -> ReportedPair {
        ReportedPair { left, right, rule: 0, score: f64::NAN, loosened: 0 }
    }

    #[test]
    fn sizes_are_counted_in_ranges() {
        assert_eq!(
            [1, 20, 21, 50, 51, 100, 101, 1000].map(class_of),
            [(1, 1), (20, 20), (21, 50), (21, 50), (51, 100), (51, 100), (101, 200), (501, 1000)]
        );
    }

    #[test]
    fn a_large_cluster_is_drawn_around_its_worst_bridge() {
        // Two stars of 200 records each, whose centres are a pair.
        let star = |centre: u32| (1..200).map(move |at| pair(centre, centre + at));
        let mut pairs: Vec<ReportedPair> = star(0).chain(star(200)).collect();
        pairs.push(pair(0, 200));
        pairs.sort_unstable_by_key(|pair| (pair.left, pair.right));
        let drawn = drawn_records(&(0..400).collect::<Vec<_>>(), &with_bridges(&pairs));
        assert_eq!(drawn.len(), MOST_DRAWN);
        assert_eq!(drawn[..2], [0, 200]);
        // Without pairs, the first ones.
        assert_eq!(drawn_records(&(0..400).collect::<Vec<_>>(), &[]), (0..MOST_DRAWN as u32).collect::<Vec<_>>());
    }
}
