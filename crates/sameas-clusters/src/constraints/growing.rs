//! Which records are in one cluster, while clusters grow.

/// What no record is called.
const NONE: u32 = u32::MAX;

/// The clusters of some records. A cluster has the number of one of its records.
///
/// Edges ask for clusters far more often than clusters are united. So each record knows its cluster, and the records of the lighter
/// one of two learn of a union.
pub(super) struct GrowingClusters {
    cluster_of: Vec<u32>,
    /// The next record of a cluster: its records are a circle.
    next: Vec<u32>,
    sizes: Vec<u32>,
}

impl GrowingClusters {
    /// Bytes for each record.
    pub(super) const BYTES_OF_RECORD: usize = 3 * size_of::<u32>();

    /// Each record is a cluster.
    pub(super) fn new(records: usize) -> Self {
        let cluster_of: Vec<u32> = (0..records as u32).collect();
        Self { next: cluster_of.clone(), cluster_of, sizes: vec![1; records] }
    }

    /// The cluster of a record.
    pub(super) fn cluster(&self, record: u32) -> u32 {
        self.cluster_of[record as usize]
    }

    /// How many records a cluster has.
    pub(super) fn size(&self, cluster: u32) -> usize {
        self.sizes[cluster as usize] as usize
    }

    /// Makes one cluster of two, with the number of the first.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        let mut record = gone;
        loop {
            self.cluster_of[record as usize] = kept;
            record = self.next[record as usize];
            if record == gone {
                break;
            }
        }
        self.next.swap(kept as usize, gone as usize);
        self.sizes[kept as usize] += self.sizes[gone as usize];
    }

    /// The clusters of more than one record, by their first records.
    pub(super) fn of_several(&self) -> impl Iterator<Item = u32> {
        let mut is_seen = vec![false; self.sizes.len()];
        let several = self.cluster_of.iter().copied().filter(move |cluster| self.size(*cluster) > 1);
        several.filter(move |cluster| !std::mem::replace(&mut is_seen[*cluster as usize], true))
    }

    /// Labels each record by the first one of its cluster.
    pub(super) fn label(self, labels: &mut [u32]) {
        let mut first = self.next;
        first.fill(NONE);
        for (record, label) in labels.iter_mut().enumerate() {
            let first = &mut first[self.cluster_of[record] as usize];
            *first = (*first).min(record as u32);
            *label = *first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_know_their_clusters() {
        let mut clusters = GrowingClusters::new(6);
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
