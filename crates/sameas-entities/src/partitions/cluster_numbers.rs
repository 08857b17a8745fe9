//! The clusters of all records, numbered in the order of their first records.

use std::ops::Range;

/// The number of the cluster of each record.
#[derive(Debug, Default)]
pub struct ClusterNumbers {
    numbers: Vec<u32>,
    /// The first record of each cluster, ascending.
    firsts: Vec<u32>,
    /// The records of each cluster.
    sizes: Vec<u32>,
}

impl ClusterNumbers {
    /// Of clusters by the first record of each record's cluster.
    pub fn of_roots(roots: &[u32]) -> Self {
        let mut clusters = Self { numbers: Vec::with_capacity(roots.len()), ..Self::default() };
        for (record, root) in roots.iter().enumerate() {
            let number = match clusters.numbers.get(*root as usize) {
                Some(number) => *number,
                None => {
                    clusters.firsts.push(record as u32);
                    clusters.sizes.push(0);
                    clusters.firsts.len() as u32 - 1
                }
            };
            clusters.sizes[number as usize] += 1;
            clusters.numbers.push(number);
        }
        clusters
    }

    /// Bytes that they take.
    pub fn bytes_of(records: usize) -> usize {
        3 * size_of::<u32>() * records
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.firsts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.firsts.is_empty()
    }

    /// The numbers of the clusters of some records that follow each other.
    pub fn of_records(&self, records: Range<usize>) -> &[u32] {
        &self.numbers[records]
    }

    /// How many records there are.
    pub fn records(&self) -> usize {
        self.numbers.len()
    }

    /// The first records of some clusters.
    pub fn firsts(&self, clusters: Range<usize>) -> &[u32] {
        &self.firsts[clusters]
    }

    /// The sizes of some clusters.
    pub fn sizes(&self, clusters: Range<usize>) -> &[u32] {
        &self.sizes[clusters]
    }

    /// Where partitions of about this many records begin, and where the last one ends: clusters stay whole.
    pub fn borders(&self, records: usize) -> Vec<u32> {
        let (mut borders, mut held) = (vec![0], 0_usize);
        for (number, size) in self.sizes.iter().enumerate() {
            if held > 0 && held + *size as usize > records.max(1) {
                borders.push(number as u32);
                held = 0;
            }
            held += *size as usize;
        }
        borders.push(self.len() as u32);
        borders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_numbered_by_their_first_records() {
        let clusters = ClusterNumbers::of_roots(&[0, 1, 0, 3, 1, 1]);
        assert_eq!(clusters.of_records(0..6), [0, 1, 0, 2, 1, 1]);
        assert_eq!((clusters.firsts(0..3), clusters.sizes(0..3)), (&[0, 1, 3][..], &[2, 3, 1][..]));
        assert_eq!(clusters.borders(100), [0, 3]);
        assert_eq!(clusters.borders(1), [0, 1, 2, 3]);
        assert_eq!(clusters.borders(4), [0, 1, 3]);
        assert_eq!(ClusterNumbers::of_roots(&[]).borders(4), [0, 0]);
    }
}
