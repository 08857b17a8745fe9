//! What the pairs of records with others of their clusters weigh, for rules that take the record that belongs there most.

use sameas_entities::tables::steps_of;

use super::pair_reader::ReportedPair;

/// Records, and what their pairs weigh.
pub struct PairWeights<'a> {
    /// All records of some clusters, ascending.
    records: &'a [u32],
    /// The first record of the cluster of each.
    roots: &'a [u32],
    /// Whether pairs have scores; else each weighs the same.
    has_scores: bool,
    /// What the pairs of each weigh.
    pub weights: Vec<i64>,
}

impl<'a> PairWeights<'a> {
    /// Before any pair.
    pub fn new(records: &'a [u32], roots: &'a [u32], has_scores: bool) -> Self {
        Self { records, roots, has_scores, weights: vec![0; records.len()] }
    }

    /// Adds a pair, if it is one of a cluster.
    pub fn add(&mut self, pair: &ReportedPair) {
        let places = [pair.left, pair.right].map(|record| self.records.binary_search(&record));
        if let [Ok(left), Ok(right)] = places
            && self.roots[left] == self.roots[right]
        {
            let weight = if self.has_scores { steps_of(Some(pair.score).filter(|score| !score.is_nan())) } else { 1 };
            self.weights[left] += weight;
            self.weights[right] += weight;
        }
    }
}
