//! A result or the truth: pairs of records, or clusters of them.

use super::arithmetic::pairs_of;
use super::record_numbers::RecordNumbers;

/// Means "in no cluster".
const NONE: u32 = u32::MAX;

/// The score of a pair without one: no number, and in the order of all numbers below any.
pub(super) const NO_SCORE: f64 = f64::from_bits(u64::MAX);

/// Pairs or clusters.
#[derive(Debug)]
pub enum Answer {
    /// Pairs.
    Pairs(PairSet),
    /// Clusters.
    Clusters(RecordClusters),
}

impl Answer {
    /// Marks the records that occur in the answer.
    pub(super) fn known(&self, records: usize) -> Vec<bool> {
        let mut known = vec![false; records];
        match self {
            Self::Pairs(pairs) => pairs.iter().for_each(|(a, b)| {
                known[a as usize] = true;
                known[b as usize] = true;
            }),
            Self::Clusters(clusters) => clusters.members().for_each(|(record, _)| known[record as usize] = true),
        }
        known
    }

    /// The number of its pairs; of clusters all, or only those across inputs.
    pub(super) fn pairs(&self, numbers: &RecordNumbers, across: bool) -> u64 {
        match self {
            Self::Pairs(pairs) => pairs.len() as u64,
            Self::Clusters(clusters) => clusters.pairs(numbers, across, |_| true),
        }
    }

    /// Whether it has a pair.
    pub(super) fn has(&self, pair: (u32, u32)) -> bool {
        match self {
            Self::Pairs(pairs) => pairs.has(pair),
            Self::Clusters(clusters) => clusters.joins(pair),
        }
    }
}

/// Distinct pairs, sorted. A pair of a record with itself is not a pair.
#[derive(Debug, Default)]
pub struct PairSet {
    packed: Vec<u64>,
    /// For each pair the number of its `match_key`, doubled, and one more where the record with the larger number is the
    /// left one; nothing where neither is known.
    tags: Vec<u32>,
    /// The names of match keys, if the pairs have any.
    pub(super) rules: Vec<String>,
    /// For each pair its score, or [`NO_SCORE`]; nothing where no pair has one.
    scores: Vec<f64>,
    /// The column that these are from.
    pub(super) scored_by: Option<String>,
}

/// A pair as it was read: its left record first, the number of its `match_key`, and its score, if it has one.
pub type ReadPair = ((u32, u32), u32, f64);

fn pack((a, b): (u32, u32)) -> u64 {
    (u64::from(a.min(b)) << 32) | u64::from(a.max(b))
}

fn unpack(packed: u64) -> (u32, u32) {
    ((packed >> 32) as u32, packed as u32)
}

impl PairSet {
    /// The distinct pairs among those given. The order within a pair does not matter: records of different inputs have
    /// different numbers.
    pub fn new(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut packed: Vec<u64> = pairs.into_iter().filter(|(a, b)| a != b).map(pack).collect();
        packed.sort_unstable();
        packed.dedup();
        Self { packed, ..Self::default() }
    }

    /// The same of pairs with their match keys and scores; `rules` are the names of match keys. A pair that comes twice has
    /// the first of its match keys, and the score that belongs to it; `scored_by` is the column of the scores, if there is one.
    pub fn with_rules(
        pairs: impl IntoIterator<Item = ReadPair>,
        rules: Vec<String>,
        scored_by: Option<String>,
    ) -> Self {
        let tagged = |((l, r), rule, score): ReadPair| (pack((l, r)), rule * 2 + u32::from(l > r), score);
        let mut all: Vec<(u64, u32, f64)> = pairs.into_iter().filter(|((l, r), ..)| l != r).map(tagged).collect();
        all.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        all.dedup_by_key(|(packed, ..)| *packed);
        let scores = if scored_by.is_some() { all.iter().map(|(.., score)| *score).collect() } else { Vec::new() };
        let (packed, tags) = all.into_iter().map(|(packed, tag, _)| (packed, tag)).unzip();
        Self { packed, tags, rules, scores, scored_by }
    }

    /// The pairs that have a score, with it.
    pub(super) fn scored(&self) -> impl Iterator<Item = ((u32, u32), f64)> + '_ {
        self.iter().zip(self.scores.iter().copied()).filter(|(_, score)| !score.is_nan())
    }

    /// Whether it has a pair.
    pub(super) fn has(&self, pair: (u32, u32)) -> bool {
        self.packed.binary_search(&pack(pair)).is_ok()
    }

    /// The pairs with the left record first, and the number of their `match_key`.
    pub(super) fn listed(&self) -> impl Iterator<Item = (u32, u32, u32)> + Send + '_ {
        self.packed.iter().enumerate().map(|(at, packed)| {
            let ((a, b), tag) = (unpack(*packed), self.tags.get(at).copied().unwrap_or(0));
            if tag % 2 == 1 { (b, a, tag / 2) } else { (a, b, tag / 2) }
        })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.packed[..]) + size_of_val(&self.tags[..]) + size_of_val(&self.scores[..])
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.packed.iter().map(|pair| unpack(*pair))
    }

    /// The number of pairs that both have.
    pub(super) fn common(&self, other: &Self) -> u64 {
        let (mut mine, mut theirs, mut common) = (&self.packed[..], &other.packed[..], 0);
        while let (Some(a), Some(b)) = (mine.first(), theirs.first()) {
            common += u64::from(a == b);
            let (step_mine, step_theirs) = (a <= b, b <= a);
            mine = &mine[usize::from(step_mine)..];
            theirs = &theirs[usize::from(step_theirs)..];
        }
        common
    }
}

/// Which cluster each record is in.
#[derive(Debug, Default)]
pub struct RecordClusters {
    of: Vec<u32>,
    clusters: u32,
}

impl RecordClusters {
    /// Puts a record into a cluster. Returns `false`, and changes nothing, if it is in one already.
    pub fn put(&mut self, record: u32, cluster: u32) -> bool {
        let place = record as usize;
        if self.of.len() <= place {
            self.of.resize(place + 1, NONE);
        }
        if self.of[place] != NONE {
            return false;
        }
        self.of[place] = cluster;
        self.clusters = self.clusters.max(cluster + 1);
        true
    }

    /// The cluster of a record.
    pub fn cluster_of(&self, record: u32) -> Option<u32> {
        self.of.get(record as usize).copied().filter(|cluster| *cluster != NONE)
    }

    /// The records that are in a cluster, with it.
    pub fn members(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.of.iter().enumerate().filter(|(_, cluster)| **cluster != NONE).map(|(record, c)| (record as u32, *c))
    }

    /// How many clusters there are.
    pub(super) fn count(&self) -> u32 {
        self.clusters
    }

    /// Whether two records are in one cluster.
    pub(super) fn joins(&self, (a, b): (u32, u32)) -> bool {
        self.cluster_of(a).is_some_and(|cluster| self.cluster_of(b) == Some(cluster))
    }

    /// The pairs within clusters, of those records that `counts` accepts: all, or only those across inputs.
    pub(super) fn pairs(&self, numbers: &RecordNumbers, across: bool, counts: impl Fn(u32) -> bool) -> u64 {
        let members = self.members().filter(|(record, _)| counts(*record));
        if across {
            return pairs_across(
                members.map(|(record, cluster)| (u64::from(cluster), numbers.source(record))).collect(),
            );
        }
        let mut sizes = vec![0; self.clusters as usize];
        members.for_each(|(_, cluster)| sizes[cluster as usize] += 1);
        sizes.into_iter().map(pairs_of).sum()
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.of.capacity() * size_of::<u32>()
    }

    /// The number of records in clusters.
    pub(super) fn records(&self) -> u64 {
        self.members().count() as u64
    }
}

/// The pairs of records of one group and of different inputs; a record is given by its group and its input.
pub(super) fn pairs_across(mut records: Vec<(u64, u32)>) -> u64 {
    records.sort_unstable();
    let pairs = |same: fn(&(u64, u32), &(u64, u32)) -> bool| -> u64 {
        records.chunk_by(same).map(|records| pairs_of(records.len() as u64)).sum()
    };
    // All less those within one input.
    pairs(|a, b| a.0 == b.0) - pairs(|a, b| a == b)
}
