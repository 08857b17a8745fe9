//! How two answers divide the same records into clusters: how many records each cluster of one shares with each of the other.
//!
//! Only clusters that share records are listed, so this takes no more than the records do.

use rayon::prelude::*;

use super::answer::Answer;
use crate::union_find::Components;

/// Means "does not count".
const NONE: u32 = u32::MAX;

/// What dividing takes for each record, at most: its cluster in both answers, both as one number to sort, and a cell and the
/// sizes of two clusters for it; and then what is made of cells.
pub(super) const RECORD_BYTES: usize = 48;

/// A cluster of one answer and one of the other that share records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SharedRecords {
    /// The cluster of each answer.
    pub clusters: [u32; 2],
    /// How many records are in both.
    pub records: u32,
}

/// The records that clusters of two answers share.
#[derive(Debug)]
pub(super) struct SharedClusters {
    /// How many records there are.
    pub records: u64,
    /// How many records each cluster of either answer has; 0 for a number that is no cluster.
    pub sizes: [Vec<u32>; 2],
    /// Clusters that share records, in order of their numbers.
    pub cells: Vec<SharedRecords>,
}

impl SharedClusters {
    /// Those of two answers over the same records, as [`cluster_of_each`] gives them.
    pub fn new(one: &[u32], other: &[u32]) -> Self {
        let pack = |(a, b): (&u32, &u32)| (*a != NONE).then(|| (u64::from(*a) << 32) | u64::from(*b));
        let mut packed: Vec<u64> = one.iter().zip(other).filter_map(pack).collect();
        packed.par_sort_unstable();
        let cell = |records: &[u64]| SharedRecords {
            clusters: [(records[0] >> 32) as u32, records[0] as u32],
            records: records.len() as u32,
        };
        let cells: Vec<SharedRecords> = packed.chunk_by(|a, b| a == b).map(cell).collect();
        let sizes = [0, 1].map(|side| sizes(&cells, side));
        Self { records: packed.len() as u64, sizes, cells }
    }
}

/// The sizes of the clusters of one side.
fn sizes(cells: &[SharedRecords], side: usize) -> Vec<u32> {
    let clusters = cells.iter().map(|cell| cell.clusters[side] as usize + 1).max().unwrap_or(0);
    let mut sizes = vec![0; clusters];
    cells.iter().for_each(|cell| sizes[cell.clusters[side] as usize] += cell.records);
    sizes
}

/// The number of the cluster of each of the records that count. A record that the answer does not list is alone; of pairs, the
/// clusters are what they connect.
pub(super) fn cluster_of_each(answer: &Answer, records: usize, counts: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut of_each = match answer {
        Answer::Pairs(pairs) => {
            let components = Components::new(records as u32);
            pairs.iter().for_each(|(a, b)| components.join(a, b));
            components.into_roots()
        }
        Answer::Clusters(clusters) => {
            let mut next = clusters.count();
            let mut alone = || {
                next += 1;
                next - 1
            };
            (0..records as u32).map(|record| clusters.cluster_of(record).unwrap_or_else(&mut alone)).collect()
        }
    };
    (0_u32..).zip(&mut of_each).filter(|(record, _)| !counts(*record)).for_each(|(_, cluster)| *cluster = NONE);
    of_each
}

#[cfg(test)]
mod tests {
    use super::super::answer::{PairSet, RecordClusters};
    use super::*;

    #[test]
    fn records_that_are_not_listed_are_alone() {
        let mut clusters = RecordClusters::default();
        assert!(clusters.put(1, 0) && clusters.put(3, 1) && clusters.put(4, 0));
        assert_eq!(cluster_of_each(&Answer::Clusters(clusters), 6, |record| record != 3), [2, 0, 3, NONE, 0, 4]);
        let pairs = Answer::Pairs(PairSet::new([(4, 2), (2, 5)]));
        assert_eq!(cluster_of_each(&pairs, 6, |_| true), [0, 1, 2, 3, 2, 2]);
    }

    #[test]
    fn clusters_share_records() {
        let shared = SharedClusters::new(&[0, 0, 0, 2, NONE, 2], &[1, 1, 4, 4, NONE, 4]);
        let cells: Vec<_> = shared.cells.iter().map(|cell| (cell.clusters, cell.records)).collect();
        assert_eq!(cells, [([0, 1], 2), ([0, 4], 1), ([2, 4], 2)]);
        assert_eq!((shared.records, shared.sizes), (5, [vec![3, 0, 2], vec![0, 2, 0, 0, 3]]));
    }
}
