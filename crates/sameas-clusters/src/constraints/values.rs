//! How many records of each value clusters have.

use std::collections::BTreeMap;

use super::counted::LimitedValues;
use crate::rules::Counted;

/// For one limit the values of each cluster, with their numbers of records.
pub(super) struct ClusterValues<'a> {
    pub(super) limit: LimitedValues<'a>,
    of_cluster: Vec<BTreeMap<u32, u32>>,
}

impl<'a> ClusterValues<'a> {
    /// Each of these rows is a cluster.
    pub(super) fn new(limit: LimitedValues<'a>, rows: &[u32]) -> Self {
        let value_of =
            |row: &u32| -> BTreeMap<u32, u32> { limit.value(*row).map(|value| (value, 1)).into_iter().collect() };
        Self { limit, of_cluster: rows.iter().map(value_of).collect() }
    }

    /// The value that refuses the union of two clusters.
    pub(super) fn refused(&self, left: u32, right: u32) -> Option<u32> {
        let (left, right) = (&self.of_cluster[left as usize], &self.of_cluster[right as usize]);
        let (few, many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
        match self.limit.counted {
            Counted::RecordsOfEach => {
                let most = u64::from(self.limit.most);
                let both =
                    |value: &u32, count: u32| u64::from(many.get(value).copied().unwrap_or(0)) + u64::from(count);
                few.iter().find(|(value, count)| both(value, **count) > most).map(|(value, _)| *value)
            }
            Counted::DifferentValues => {
                let more = few.keys().filter(|value| !many.contains_key(*value)).count();
                let lacking = || right.keys().find(|value| !left.contains_key(*value)).copied();
                if many.len() + more > self.limit.most as usize { lacking() } else { None }
            }
        }
    }

    /// The first value of a cluster that is too much.
    pub(super) fn excess(&self, cluster: u32) -> Option<u32> {
        let values = &self.of_cluster[cluster as usize];
        match self.limit.counted {
            Counted::RecordsOfEach => {
                values.iter().find(|(_, count)| **count > self.limit.most).map(|(value, _)| *value)
            }
            Counted::DifferentValues => values.keys().nth(self.limit.most as usize).copied(),
        }
    }

    /// Adds what a cluster has to another.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        let mut more = std::mem::take(&mut self.of_cluster[gone as usize]);
        let values = &mut self.of_cluster[kept as usize];
        if more.len() > values.len() {
            std::mem::swap(&mut more, values);
        }
        for (value, count) in more {
            *values.entry(value).or_default() += count;
        }
    }
}
