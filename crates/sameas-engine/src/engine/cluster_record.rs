//! What a run's clusters look like: how many there are of each size, and whether one of them is out of proportion.
//!
//! A few wrong pairs do little harm to a list of pairs, but clusters are chains: one loose rule can join thousands of records
//! that no rule joins directly. Such a cluster is far larger than all others. So a cluster is *out of proportion* where it
//! holds at least 1 % of all records and is more than 50 times as large as the others are on average. Both are needed: in a
//! table of many copies (citations of few papers) large clusters are meant, and there the others are large too; and in a
//! large table some cluster is always much larger than a pair.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::record::RuleRecord;
use crate::cluster::{CutCause, CutEdge};

/// Clusters of about the same size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClusterSizeRecord {
    /// The least number of records they have.
    pub least: u64,
    /// The most they may have.
    pub most: u64,
    /// How many clusters that are.
    pub clusters: u64,
    /// The records in them.
    pub records: u64,
}

/// The largest cluster of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LargestCluster {
    /// Its `cluster_id`.
    pub cluster_id: String,
    /// The number of its records.
    pub records: u64,
    /// The average size of the other clusters of two or more records, or 1 if there are none.
    pub average_of_others: f64,
    /// Where it is out of proportion: what made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_proportion: Option<ClusterCause>,
}

/// What a cluster that is out of proportion is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClusterCause {
    /// The pairs in it.
    pub pairs: u64,
    /// How many of them have each rule as their `match_key`, the rule with most of them first; rules without are left out.
    pub rules: Vec<RulePairs>,
    /// The ids of one of the pairs of the first of these rules, as `Session::why` takes them.
    pub example: [String; 2],
}

/// Pairs of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RulePairs {
    /// The rule.
    pub name: String,
    /// Pairs that have it as their `match_key`.
    pub pairs: u64,
}

/// The clusters at one of several thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ThresholdClusters {
    /// The threshold.
    pub threshold: f64,
    /// The column of `clusters` that has them.
    pub column: String,
    /// Clusters, single records included.
    pub clusters: u64,
    /// Clusters of two or more records.
    pub clusters_of_two_or_more: u64,
    /// The records of the largest.
    pub largest: u64,
}

impl ThresholdClusters {
    /// Those of a column.
    pub fn new(threshold: f64, column: &str, facts: &ClusterFacts) -> Self {
        Self {
            threshold,
            column: column.to_owned(),
            clusters: facts.clusters,
            clusters_of_two_or_more: facts.of_two_or_more,
            largest: facts.largest.map_or(0, |(_, records)| records),
        }
    }
}

/// The pairs between clusters, by what has cut them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CutRecord {
    /// All of them.
    pub pairs: u64,
    /// Those that the method has not put together.
    pub method: u64,
    /// Those whose clusters would have been too large.
    pub max_size: u64,
    /// Those that somebody has decided.
    pub decided: u64,
    /// Those whose clusters have a pair that a `never` forbids.
    pub never: u64,
    /// Those whose clusters have a record of one source each.
    pub one_to: u64,
    /// Those whose clusters would have exceeded a limit.
    pub limit: u64,
    /// Those at which a cluster was divided.
    pub bridge: u64,
    /// The pairs inside components that were looked at for what a `never` forbids, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_apart: Option<u64>,
}

impl CutRecord {
    /// Counts edges between clusters by their causes.
    pub fn count(cut: &[CutEdge]) -> Self {
        let mut counts = [0; CutCause::NAMES.len()];
        cut.iter().for_each(|edge| counts[edge.cause.place()] += 1);
        let [method, max_size, decided, never, one_to, limit, bridge] = counts;
        Self { pairs: cut.len() as u64, method, max_size, decided, never, one_to, limit, bridge, kept_apart: None }
    }
}

/// A cluster is out of proportion only if it holds one of this number of records.
const ONE_IN: u64 = 100;

/// A cluster is out of proportion only if it is more than this many times as large as the others on average.
const TIMES: f64 = 50.0;

/// The sizes of all clusters.
#[derive(Clone, Debug)]
pub struct ClusterFacts {
    /// Clusters, single records included.
    pub clusters: u64,
    /// Clusters of two or more records.
    pub of_two_or_more: u64,
    /// By size.
    pub sizes: Vec<ClusterSizeRecord>,
    /// The first record of the largest cluster and its size.
    pub largest: Option<(u32, u64)>,
    records: u64,
    /// Records in clusters of two or more.
    clustered: u64,
}

impl ClusterFacts {
    /// The clusters in which each record has this first one.
    pub fn count(roots: &[u32]) -> Self {
        let mut others = vec![0_u32; roots.len()];
        let linked = roots.iter().enumerate().filter(|(record, root)| *record != **root as usize);
        linked.for_each(|(_, root)| others[*root as usize] += 1);
        let chunks = roots.par_chunks(CHUNK).zip(others.par_chunks(CHUNK)).enumerate();
        let counts = chunks.map(|(chunk, (roots, others))| ClusterCounts::count(chunk * CHUNK, roots, others));
        let counts = counts.reduce(ClusterCounts::default, ClusterCounts::and);
        let by_size = counts.by_size.iter().enumerate().filter(|(_, (clusters, _))| *clusters > 0);
        let [(single, _), ..] = counts.by_size;
        let clusters = counts.by_size.iter().map(|(clusters, _)| clusters).sum();
        Self {
            clusters,
            of_two_or_more: clusters - single,
            sizes: by_size.map(|(class, (clusters, records))| size_record(class, *clusters, *records)).collect(),
            largest: counts.largest,
            records: roots.len() as u64,
            clustered: roots.len() as u64 - single,
        }
    }

    /// The average size of the clusters of two or more records but for the largest.
    pub fn average_of_others(&self) -> f64 {
        match (self.of_two_or_more, self.largest) {
            (2.., Some((_, largest))) => (self.clustered - largest) as f64 / (self.of_two_or_more - 1) as f64,
            _ => 1.0,
        }
    }

    /// The first record of the largest cluster, if that is out of proportion.
    pub fn out_of_proportion(&self) -> Option<u32> {
        let (root, size) = self.largest?;
        let is_large = size * ONE_IN >= self.records && size as f64 > TIMES * self.average_of_others();
        is_large.then_some(root)
    }
}

/// Records whose clusters are counted at a time.
const CHUNK: usize = 1 << 17;

/// The clusters of some first records.
#[derive(Clone, Copy, Default)]
struct ClusterCounts {
    /// By class of size, clusters and the records in them.
    by_size: [(u64, u64); CLASSES],
    /// The first record of the largest, the first of several, and its size.
    largest: Option<(u32, u64)>,
}

impl ClusterCounts {
    /// The clusters whose first record is one of those from `first` on, where each has this first record and as many others.
    fn count(first: usize, roots: &[u32], others: &[u32]) -> Self {
        let mut counts = Self::default();
        for (at, (root, others)) in roots.iter().zip(others).enumerate() {
            if *root as usize == first + at {
                counts.add(*root, u64::from(*others) + 1);
            }
        }
        counts
    }

    fn add(&mut self, root: u32, size: u64) {
        let class = &mut self.by_size[class_of(size)];
        *class = (class.0 + 1, class.1 + size);
        if self.largest.is_none_or(|(_, largest)| size > largest) {
            self.largest = Some((root, size));
        }
    }

    /// With those of later first records.
    fn and(mut self, later: Self) -> Self {
        for (mine, other) in self.by_size.iter_mut().zip(later.by_size) {
            *mine = (mine.0 + other.0, mine.1 + other.1);
        }
        if later.largest.map(|(_, size)| size) > self.largest.map(|(_, size)| size) {
            self.largest = later.largest;
        }
        self
    }
}

/// The rules by the number of their pairs, the most first; rules without pairs are left out.
pub(super) fn rules_by_pairs(rules: &[RuleRecord], pairs: &[u64]) -> Vec<RulePairs> {
    let all = rules.iter().zip(pairs).filter(|(_, pairs)| **pairs > 0);
    let mut all: Vec<RulePairs> =
        all.map(|(rule, pairs)| RulePairs { name: rule.name.clone(), pairs: *pairs }).collect();
    all.sort_by_key(|rule| std::cmp::Reverse(rule.pairs));
    all
}

/// Classes of sizes: 1, 2, 3, 4, 5 to 9, 10 to 99, and so on to all records there can be.
const CLASSES: usize = 14;

fn class_of(size: u64) -> usize {
    match size {
        1..=4 => size as usize - 1,
        5..=9 => 4,
        _ => 4 + size.ilog10() as usize,
    }
}

fn size_record(class: usize, clusters: u64, records: u64) -> ClusterSizeRecord {
    let (least, most) = match class {
        0..=3 => (class as u64 + 1, class as u64 + 1),
        4 => (5, 9),
        _ => (10_u64.pow(class as u32 - 4), 10_u64.pow(class as u32 - 3) - 1),
    };
    ClusterSizeRecord { least, most, clusters, records }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first records of clusters of these sizes.
    fn roots(sizes: &[u32]) -> Vec<u32> {
        let mut roots = Vec::new();
        for size in sizes {
            let root = roots.len() as u32;
            roots.extend((0..*size).map(|_| root));
        }
        roots
    }

    fn facts(sizes: &[u32]) -> ClusterFacts {
        ClusterFacts::count(&roots(sizes))
    }

    #[test]
    fn clusters_are_counted_by_size() {
        let facts = facts(&[1, 1, 2, 12, 5, 1000, 9, 10]);
        assert_eq!((facts.clusters, facts.of_two_or_more, facts.largest), (8, 6, Some((21, 1000))));
        let shown: Vec<_> = facts.sizes.iter().map(|s| [s.least, s.most, s.clusters, s.records]).collect();
        assert_eq!(shown, [[1, 1, 2, 2], [2, 2, 1, 2], [5, 9, 2, 14], [10, 99, 2, 22], [1000, 9999, 1, 1000]]);
        assert_eq!(facts.average_of_others(), 38.0 / 5.0);
        assert_eq!(class_of(u64::from(u32::MAX)), CLASSES - 1);
    }

    #[test]
    fn a_cluster_is_out_of_proportion_among_small_ones_only() {
        let with = |large: &[u32], pairs: usize, singles: usize| {
            facts(&[large, &vec![2; pairs], &vec![1; singles]].concat()).out_of_proportion()
        };
        // A chain through a table of people.
        assert_eq!(with(&[6118], 10_000, 23_882), Some(0));
        // Two of them.
        assert_eq!(with(&[4000, 5000], 10_000, 20_000), Some(4000));
        // Everything is one.
        assert_eq!(with(&[5000], 0, 0), Some(0));
        // Citations: clusters of all sizes are meant.
        let citations = [238, 191, 120, 90, 60, 50, 45, 40, 30, 30, 25, 20, 20, 15, 10, 9, 8, 7, 6, 5, 4, 3, 2, 2, 2];
        assert_eq!(facts(&citations).out_of_proportion(), None);
        // Large, but a small part of the records.
        assert_eq!(with(&[150], 100, 20_000), None);
        // A few copies in a small table.
        assert_eq!(with(&[40], 20, 20), None);
        assert_eq!((with(&[], 0, 0), with(&[], 3, 5)), (None, None));
    }

    #[test]
    fn rules_come_by_their_share() {
        let rule = |name: &str| RuleRecord {
            name: name.into(),
            named: true,
            when: String::new(),
            alone: 0,
            marginal: 0,
            cumulative: 0,
        };
        let rules = rules_by_pairs(&[rule("a"), rule("b"), rule("c")], &[5, 0, 9]);
        assert_eq!(rules.iter().map(|r| (&r.name[..], r.pairs)).collect::<Vec<_>>(), [("c", 9), ("a", 5)]);
    }
}
