//! The rows of a partition by cluster.

use std::ops::Range;

/// The rows of clusters that follow each other, each in the order of the records.
#[derive(Debug, Default)]
pub struct ClusterRows {
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl ClusterRows {
    /// Of rows in the order of the records, whose clusters have these numbers. The clusters, whose sizes are known, begin with
    /// number `first`.
    pub fn new(clusters: &[u32], first: u32, sizes: &[u32]) -> Self {
        let mut starts = Vec::with_capacity(sizes.len() + 1);
        let mut end = 0;
        starts.push(0);
        for size in sizes {
            end += size;
            starts.push(end);
        }
        let mut next = starts.clone();
        let mut order = vec![0; clusters.len()];
        for (row, cluster) in clusters.iter().enumerate() {
            let place = &mut next[(cluster - first) as usize];
            order[*place as usize] = row as u32;
            *place += 1;
        }
        Self { order, starts }
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of a cluster.
    #[inline]
    pub fn rows(&self, cluster: usize) -> &[u32] {
        let range: Range<usize> = self.starts[cluster] as usize..self.starts[cluster + 1] as usize;
        &self.order[range]
    }

    /// The rows of all clusters.
    pub fn each(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|cluster| self.rows(cluster))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_order_within_a_cluster() {
        let groups = ClusterRows::new(&[5, 6, 5, 7, 6], 5, &[2, 2, 1]);
        assert_eq!(groups.each().collect::<Vec<_>>(), [&[0, 2][..], &[1, 4], &[3]]);
        assert!(ClusterRows::new(&[], 0, &[]).is_empty());
    }
}
