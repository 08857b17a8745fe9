//! How many records of each value clusters have.

#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::counted::LimitedValues;
use super::value_counts::ValueCounts;
use crate::rules::Counted;

/// As few values as one of two clusters may have to be asked about for each edge between the two.
pub(super) const FEW_VALUES: usize = 16;

/// The clusters that get their values by one thread.
const WRITTEN_AT_ONCE: usize = 1 << 10;

/// Whether clusters may have more than a few values for a limit, without breaking it.
pub(super) fn may_have_many(limit: &LimitedValues<'_>) -> bool {
    limit.counted == Counted::RecordsOfEach || limit.most as usize > FEW_VALUES
}

/// For one limit the values of each cluster, with their numbers of records.
pub(super) struct ClusterValues<'a> {
    pub(super) limit: LimitedValues<'a>,
    of_cluster: Vec<ValueCounts>,
    /// How many questions have looked at many values.
    #[cfg(test)]
    long_questions: AtomicU64,
}

impl<'a> ClusterValues<'a> {
    /// Bytes for each record, at most.
    pub(super) const BYTES_OF_RECORD: usize = size_of::<ValueCounts>() + ValueCounts::BYTES_OF_VALUE;

    /// Each of these rows is a cluster. A thread looks at this many of them at least.
    pub(super) fn new(limit: LimitedValues<'a>, rows: &[u32], at_least: usize) -> Self {
        let rows = rows.par_iter().with_min_len(at_least);
        Self {
            limit,
            of_cluster: rows.map(|row| ValueCounts::of_record(limit.value(*row))).collect(),
            #[cfg(test)]
            long_questions: AtomicU64::new(0),
        }
    }

    /// Whether both of two clusters have more than a few values, so that what refuses their union takes long to find.
    pub(super) fn is_long(&self, left: u32, right: u32) -> bool {
        [left, right].iter().all(|cluster| self.of_cluster[*cluster as usize].len() > FEW_VALUES)
    }

    /// The value that refuses the union of two clusters.
    pub(super) fn refused(&self, left: u32, right: u32) -> Option<u32> {
        #[cfg(test)]
        self.long_questions.fetch_add(u64::from(self.is_long(left, right)), Relaxed);
        let (left, right) = (&self.of_cluster[left as usize], &self.of_cluster[right as usize]);
        let (few, many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
        let most = u64::from(self.limit.most);
        match self.limit.counted {
            Counted::RecordsOfEach => {
                few.find(|value, records| u64::from(many.records(value)) + u64::from(records) > most)
            }
            Counted::DifferentValues => {
                let mut all = many.len() as u64;
                few.find(|value, _| {
                    all += u64::from(many.records(value) == 0);
                    all > most
                })?;
                right.find(|value, _| left.records(value) == 0)
            }
        }
    }

    /// The first value of a cluster that is too much.
    pub(super) fn excess(&self, cluster: u32) -> Option<u32> {
        let values = &self.of_cluster[cluster as usize];
        let mut more = self.limit.most;
        values.find(|_, records| match self.limit.counted {
            Counted::RecordsOfEach => records > self.limit.most,
            Counted::DifferentValues if more == 0 => true,
            Counted::DifferentValues => {
                more -= 1;
                false
            }
        })
    }

    /// Adds what a cluster has to another.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        let mut more = std::mem::take(&mut self.of_cluster[gone as usize]);
        let values = &mut self.of_cluster[kept as usize];
        if more.len() > values.len() {
            std::mem::swap(&mut more, values);
        }
        values.add_all(&more);
    }

    /// Adds what the second of each two clusters has to the first. The pairs are ascending, and each cluster is there once.
    pub(super) fn unite_all(&mut self, pairs: &[[u32; 2]]) {
        let of_cluster = &self.of_cluster;
        let together = |[kept, gone]: &[u32; 2]| of_cluster[*kept as usize].with_few(&of_cluster[*gone as usize]);
        let mut together: Vec<Option<ValueCounts>> = pairs.par_iter().map(together).collect();
        let many = |(pair, together): (&[u32; 2], &Option<ValueCounts>)| together.is_none().then_some(*pair);
        let many: Vec<[u32; 2]> = pairs.iter().zip(&together).filter_map(many).collect();
        replace_all(&mut self.of_cluster, 0, pairs, &mut together);
        many.into_iter().for_each(|[kept, gone]| self.unite(kept, gone));
    }

    /// How many questions have looked at many values.
    #[cfg(test)]
    pub(super) fn long_questions(&self) -> u64 {
        self.long_questions.load(Relaxed)
    }
}

/// Puts values in the place of those of the first cluster of each pair, where there are some. Clusters are counted from `first`.
fn replace_all(values: &mut [ValueCounts], first: u32, pairs: &[[u32; 2]], by: &mut [Option<ValueCounts>]) {
    if pairs.len() <= WRITTEN_AT_ONCE {
        for ([kept, _], by) in pairs.iter().zip(by) {
            if let Some(by) = by.take() {
                values[(kept - first) as usize] = by;
            }
        }
        return;
    }
    let middle = pairs.len() / 2;
    let place = pairs[middle][0];
    let (l_values, r_values) = values.split_at_mut((place - first) as usize);
    let ((l_pairs, r_pairs), (l_by, r_by)) = (pairs.split_at(middle), by.split_at_mut(middle));
    rayon::join(|| replace_all(l_values, first, l_pairs, l_by), || replace_all(r_values, place, r_pairs, r_by));
}
