//! Which records are in one cluster, while clusters grow.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

/// What no record is called.
const NONE: u32 = u32::MAX;

/// The clusters of some records. A cluster has the number of one of its records.
///
/// Edges ask for clusters far more often than clusters are united. So each record knows its cluster, and the records of the lighter
/// one of two learn of a union.
///
/// Unions of different clusters touch different records: threads can make them at the same time. Nobody asks meanwhile.
pub(super) struct GrowingClusters {
    cluster_of: Vec<AtomicU32>,
    /// The next record of a cluster: its records are a circle.
    next: Vec<AtomicU32>,
    sizes: Vec<AtomicU32>,
}

impl GrowingClusters {
    /// Bytes for each record.
    pub(super) const BYTES_OF_RECORD: usize = 3 * size_of::<u32>();

    /// Each record is a cluster. A thread looks at this many of them at least.
    pub(super) fn new(records: usize, at_least: usize) -> Self {
        let numbers = || (0..records as u32).into_par_iter().with_min_len(at_least);
        Self {
            cluster_of: numbers().map(AtomicU32::new).collect(),
            next: numbers().map(AtomicU32::new).collect(),
            sizes: numbers().map(|_| AtomicU32::new(1)).collect(),
        }
    }

    /// The cluster of a record.
    pub(super) fn cluster(&self, record: u32) -> u32 {
        self.cluster_of[record as usize].load(Relaxed)
    }

    /// How many records a cluster has.
    pub(super) fn size(&self, cluster: u32) -> usize {
        self.sizes[cluster as usize].load(Relaxed) as usize
    }

    /// Makes one cluster of two, with the number of the first.
    pub(super) fn unite(&self, kept: u32, gone: u32) {
        let mut record = gone;
        loop {
            self.cluster_of[record as usize].store(kept, Relaxed);
            record = self.next[record as usize].load(Relaxed);
            if record == gone {
                break;
            }
        }
        let [next_of_kept, next_of_gone] = [kept, gone].map(|cluster| &self.next[cluster as usize]);
        let first = next_of_kept.load(Relaxed);
        next_of_kept.store(next_of_gone.load(Relaxed), Relaxed);
        next_of_gone.store(first, Relaxed);
        let size = self.size(kept) + self.size(gone);
        self.sizes[kept as usize].store(size as u32, Relaxed);
    }

    /// Makes one cluster of each two, with the number of the first. Each cluster is there once.
    pub(super) fn unite_all(&self, pairs: &[[u32; 2]]) {
        pairs.par_iter().for_each(|[kept, gone]| self.unite(*kept, *gone));
    }

    /// The clusters of more than one record, by their first records.
    pub(super) fn of_several(&self) -> impl Iterator<Item = u32> {
        let mut is_seen = vec![false; self.sizes.len()];
        let clusters = self.cluster_of.iter().map(|cluster| cluster.load(Relaxed));
        let several = clusters.filter(move |cluster| self.size(*cluster) > 1);
        several.filter(move |cluster| !std::mem::replace(&mut is_seen[*cluster as usize], true))
    }

    /// Labels each record by the first one of its cluster.
    pub(super) fn label(self, labels: &mut [u32]) {
        let mut first = vec![NONE; self.next.len()];
        for (record, (label, cluster)) in (0..).zip(labels.iter_mut().zip(self.cluster_of)) {
            let first = &mut first[cluster.into_inner() as usize];
            *first = record.min(*first);
            *label = *first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_know_their_clusters() {
        let clusters = GrowingClusters::new(6, 1);
        for (kept, gone) in [(4, 1), (5, 3), (4, 5)] {
            clusters.unite(kept, gone);
        }
        assert_eq!([0, 1, 2, 3, 4, 5].map(|record| clusters.cluster(record)), [0, 4, 2, 4, 4, 4]);
        assert_eq!((clusters.size(4), clusters.size(0)), (4, 1));
        assert_eq!(clusters.of_several().collect::<Vec<u32>>(), [4]);
        let mut labels = [9; 6];
        clusters.label(&mut labels);
        assert_eq!(labels, [0, 1, 2, 1, 1, 1]);
    }
}
