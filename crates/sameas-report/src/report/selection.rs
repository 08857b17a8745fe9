//! Which records, clusters and pairs are looked at, so that a report stays within its size.

use std::collections::{BTreeMap, HashSet};

use super::cluster_choice::{ClusterChoice, ClusterEdges, drawn_records};
use super::explained::{PairKind, PairToExplain};
use super::members::ClusterMembers;
use super::pair_counts::PairTotals;
use super::pair_reader::ReportedPair;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::records::stats::{SEED, sample_rows};

/// How much is looked at, by the size of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportLimits {
    /// Records in the report.
    pub records: usize,
    /// Pairs in the sample of the result.
    pub pairs: usize,
    /// Near pairs of all conditions together.
    pub near: usize,
    /// Pairs with the lowest scores.
    pub weakest: usize,
}

/// Pairs inside clusters that are held in memory, at most.
const MOST_EDGES: u64 = 2_000_000;

/// What such a pair takes while bridges are looked for, about: in the list of pairs, in that of its cluster, and in the graph.
const EDGE_BYTES: usize = 200;

/// What a record of a report takes, and an explained pair, about: values, texts of conditions, and tables that are made of them.
const RECORD_BYTES: usize = 4 << 10;
const PAIR_BYTES: usize = 16 << 10;

/// Records and explained pairs that always find room.
const LEAST: usize = 1_000;

/// Clusters of more records are not taken into the report at random.
const MOST_AT_RANDOM: u32 = 50;

impl ReportLimits {
    /// For a report of this many bytes that is made within a memory limit. More may be looked at than there is room for: what
    /// a record takes is known only when it is written.
    pub fn new(bytes: u64, memory: usize) -> Self {
        let share = |of: u64, least: u64, most: u64| (bytes / of).clamp(least, most) as usize;
        let fits = |each: usize| (memory / each).max(LEAST);
        Self {
            records: share(25, 100, 100_000).min(fits(RECORD_BYTES)),
            pairs: share(1_000, 50, 20_000).min(fits(PAIR_BYTES)),
            near: share(5_000, 25, 5_000),
            weakest: share(100_000, 10, 100),
        }
    }

    /// How many pairs of each rule are sampled, where rules have this many: equally many, and what one rule does not
    /// need goes to the others.
    pub fn of_rules(&self, pairs: &[u64]) -> Vec<usize> {
        let mut wanted = vec![0_usize; pairs.len()];
        let mut left = self.pairs;
        let mut open: Vec<usize> = (0..pairs.len()).filter(|rule| pairs[*rule] > 0).collect();
        open.sort_by_key(|rule| pairs[*rule]);
        for (at, rule) in open.iter().enumerate() {
            let share = left / (open.len() - at);
            wanted[*rule] = share.min(pairs[*rule].min(usize::MAX as u64) as usize);
            left -= wanted[*rule];
        }
        wanted
    }
}

/// The clusters whose pairs are read.
pub struct WantedClusters {
    /// By first record.
    pub wanted: Vec<bool>,
    /// Some of the clusters of two records or more, in the order in which they go into the report.
    pub at_random: Vec<u32>,
    /// Clusters of three records or more, and those of them whose pairs are read.
    pub of_three: [u64; 2],
    /// The memory of these pairs.
    _held: Held,
}

impl WantedClusters {
    /// Those that are remarkable, some at random, and as many others as memory is for.
    pub fn new(
        members: &ClusterMembers,
        totals: &PairTotals,
        choice: &ClusterChoice,
        limits: &ReportLimits,
        budget: &MemoryBudget,
    ) -> Result<Self> {
        let small: Vec<u32> =
            members.clusters_from(2).filter(|root| members.sizes[*root as usize] <= MOST_AT_RANDOM).collect();
        let places = sample_rows(small.len() as u32, limits.records / 2, SEED);
        let at_random: Vec<u32> = places.into_iter().map(|place| small[place as usize]).collect();
        let most = MOST_EDGES.min((budget.room() / 2 / EDGE_BYTES) as u64);
        let (mut wanted, mut room) = (vec![false; members.len()], most);
        let others = members.clusters_from(3);
        for root in choice.all().into_iter().chain(at_random.iter().copied()).chain(others) {
            let pairs = totals.by_cluster[root as usize];
            if !wanted[root as usize] && pairs <= room {
                room -= pairs;
                wanted[root as usize] = true;
            }
        }
        let read = members.clusters_from(3).filter(|root| wanted[*root as usize]).count() as u64;
        let of_three = [members.clusters_from(3).count() as u64, read];
        let held = budget.hold((most - room) as usize * EDGE_BYTES)?;
        Ok(Self { wanted, at_random, of_three, _held: held })
    }
}

/// Records in the order in which they go into the report, each once.
pub struct RecordQueue {
    most: usize,
    seen: HashSet<u32>,
    /// The records.
    pub records: Vec<u32>,
}

impl RecordQueue {
    /// For this many records.
    pub fn new(most: usize) -> Self {
        Self { most, seen: HashSet::new(), records: Vec::new() }
    }

    /// Whether it has room for this many more.
    pub fn has_room(&self, more: usize) -> bool {
        self.records.len() + more <= self.most
    }

    /// Adds a record, if there is room.
    pub fn add(&mut self, record: u32) {
        if self.has_room(1) && self.seen.insert(record) {
            self.records.push(record);
        }
    }
}

/// The records of some clusters, by first record.
pub fn members_of(members: &ClusterMembers, clusters: &HashSet<u32>) -> BTreeMap<u32, Vec<u32>> {
    let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (record, root) in members.roots.iter().enumerate().filter(|(_, root)| clusters.contains(root)) {
        all.entry(*root).or_default().push(record as u32);
    }
    all
}

/// The records that go into a report: of remarkable clusters, of pairs, of clusters at random, and others at random. Gives
/// the records of the remarkable clusters that are drawn, too.
pub fn choose_records(
    members: &ClusterMembers,
    choice: &ClusterChoice,
    edges: &ClusterEdges,
    wanted: &WantedClusters,
    pairs: &[PairToExplain],
    limits: &ReportLimits,
) -> (Vec<u32>, BTreeMap<u32, Vec<u32>>) {
    let mut queue = RecordQueue::new(limits.records);
    let remarkable = choice.all();
    let clusters: HashSet<u32> = remarkable.iter().chain(&wanted.at_random).copied().collect();
    let of_cluster = members_of(members, &clusters);
    let mut drawn: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    // Pairs must find room, too.
    let mut for_clusters = RecordQueue::new(limits.records * 2 / 5);
    for root in &remarkable {
        let records = drawn_records(&of_cluster[root], edges.in_cluster(*root));
        if for_clusters.has_room(records.len()) {
            records.iter().for_each(|record| for_clusters.add(*record));
            drawn.insert(*root, records);
        }
    }
    for_clusters.records.into_iter().for_each(|record| queue.add(record));
    for asked in pairs {
        if queue.has_room(2) {
            [asked.pair.left, asked.pair.right].into_iter().for_each(|record| queue.add(record));
        }
    }
    for root in &wanted.at_random {
        let records = &of_cluster[root];
        if queue.has_room(records.len()) {
            records.iter().for_each(|record| queue.add(*record));
        }
    }
    let others = sample_rows(members.len() as u32, limits.records, SEED + 1);
    others.into_iter().for_each(|record| queue.add(record));
    (queue.records, drawn)
}

/// Pairs of records of drawn clusters that are no pairs, a few of each.
pub fn together(
    members: &ClusterMembers,
    drawn: &BTreeMap<u32, Vec<u32>>,
    edges: &ClusterEdges,
    across: bool,
) -> Vec<PairToExplain> {
    /// Of each cluster.
    const EACH: usize = 3;
    /// Pairs of a cluster that are tried.
    const TRIED: usize = 2_000;
    let mut all = Vec::new();
    for (root, records) in drawn {
        let known = edges.in_cluster(*root);
        // Without all its pairs it is not known which are none.
        if known.is_empty() {
            continue;
        }
        let pairs: HashSet<(u32, u32)> = known.iter().map(|edge| (edge.pair.left, edge.pair.right)).collect();
        let mut records = records.clone();
        records.sort_unstable();
        let both = records.iter().enumerate().flat_map(|(at, left)| records[at + 1..].iter().map(move |r| (*left, *r)));
        let may_be = |(l, r): &(u32, u32)| !across || members.input_of(*l) != members.input_of(*r);
        let apart = both.take(TRIED).filter(may_be).filter(|pair| !pairs.contains(pair)).take(EACH);
        all.extend(apart.map(|(left, right)| PairToExplain {
            pair: ReportedPair { left, right, rule: 0, score: f64::NAN, loosened: 0 },
            kind: PairKind::Together,
            condition: None,
            weight: 0.0,
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_share_the_sample() {
        let limits = ReportLimits { records: 0, pairs: 100, near: 0, weakest: 0 };
        assert_eq!(limits.of_rules(&[1_000, 5, 0, 2_000]), [47, 5, 0, 48]);
        assert_eq!(limits.of_rules(&[10, 20]), [10, 20]);
        assert!(limits.of_rules(&[]).is_empty());
    }

    #[test]
    fn limits_grow_with_the_size() {
        let of = |bytes: u64, memory: usize| ReportLimits::new(bytes, memory);
        let (small, large) = (of(100_000, usize::MAX), of(10_000_000, usize::MAX));
        assert!(small.records < large.records && small.pairs < large.pairs);
        assert_eq!((large.records, large.pairs), (100_000, 10_000));
        let tight = of(10_000_000, 100_000_000);
        assert_eq!((tight.records, tight.pairs), (24_414, 6_103), "what memory is for");
        assert_eq!((of(10_000_000, 1).records, of(10_000_000, 1).pairs), (1_000, 1_000));
    }

    #[test]
    fn a_queue_has_each_record_once() {
        let mut queue = RecordQueue::new(2);
        [5, 5, 3, 4].into_iter().for_each(|record| queue.add(record));
        assert_eq!((queue.records.as_slice(), queue.has_room(1)), (&[5, 3][..], false));
    }
}
