//! What edges count in sums.

use super::case::{Strength, WeightedEdge};

/// What edges count in sums, in quarters.
pub(super) struct Counted {
    certain: i64,
    other: i64,
}

impl Counted {
    pub(super) fn new(edges: &[WeightedEdge]) -> Self {
        let weights = || edges.iter().filter_map(|edge| edge.quarters);
        Self { certain: weights().max().unwrap_or(4).max(4), other: weights().min().unwrap_or(4) }
    }

    pub(super) fn quarters(&self, edge: &WeightedEdge) -> i64 {
        let missing = if edge.strength == Strength::Other { self.other } else { self.certain };
        edge.quarters.unwrap_or(missing)
    }
}
