//! Which clusters may not be united, and why.

use std::collections::BTreeMap;

/// Why two clusters may not be united. Of several reasons the least counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Refusal {
    /// A pair of rows that is decided to be different.
    Apart([u32; 2]),
    /// A forbidden pair of rows.
    Forbidden([u32; 2]),
    /// A limit has refused the edge with this place.
    Limit { edge: usize, limit: usize, value: u32 },
}

/// For each cluster those with which it may not be united. Each refusal is known at both.
pub(super) struct Refusals {
    of_cluster: Vec<BTreeMap<u32, Refusal>>,
}

impl Refusals {
    pub(super) fn new(clusters: usize) -> Self {
        Self { of_cluster: vec![BTreeMap::new(); clusters] }
    }

    /// With how many clusters this one may not be united.
    pub(super) fn len(&self, cluster: u32) -> usize {
        self.of_cluster[cluster as usize].len()
    }

    pub(super) fn get(&self, a: u32, b: u32) -> Option<Refusal> {
        self.of_cluster[a as usize].get(&b).copied()
    }

    pub(super) fn add(&mut self, a: u32, b: u32, refusal: Refusal) {
        for [own, other] in [[a, b], [b, a]] {
            let known = self.of_cluster[own as usize].entry(other).or_insert(refusal);
            *known = refusal.min(*known);
        }
    }

    /// What a cluster may not be united with, the other one may not either.
    pub(super) fn unite(&mut self, kept: u32, gone: u32) {
        for (other, refusal) in std::mem::take(&mut self.of_cluster[gone as usize]) {
            self.of_cluster[other as usize].remove(&gone);
            self.add(kept, other, refusal);
        }
    }
}
