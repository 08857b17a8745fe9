//! The first look at all pairs: how many there are of each rule, record and cluster, and how high their scores are.

use super::members::ClusterMembers;
use super::pair_reader::{PairReader, ReportedPair};
use super::results::RunResults;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};
use crate::score::ScoreHistogram;

/// What was counted of all pairs.
pub struct PairTotals {
    /// All of them.
    pub pairs: u64,
    /// By rule.
    pub by_rule: Vec<u64>,
    /// By record.
    pub degrees: Vec<u32>,
    /// By cluster: at its first record. Those between clusters are of none.
    pub by_cluster: Vec<u64>,
    /// By score.
    pub scores: ScoreHistogram,
    _held: Held,
}

/// What a record takes: its number of pairs, that of its cluster, how many that could have, and whether they are wanted.
const RECORD_BYTES: usize = 4 + 8 + 8 + 1;

impl PairTotals {
    /// Counts all pairs.
    pub fn count(
        results: &dyn RunResults,
        reader: &mut PairReader<'_>,
        members: &ClusterMembers,
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let records = members.len();
        let mut totals = Self {
            pairs: 0,
            by_rule: vec![0; reader.rules.count()],
            degrees: vec![0; records],
            by_cluster: vec![0; records],
            scores: ScoreHistogram::default(),
            _held: budget.hold(records * RECORD_BYTES)?,
        };
        reader.each_of(results, cancel, |rules, pairs| {
            totals.by_rule.resize(rules.count(), 0);
            pairs.iter().for_each(|pair| totals.add(pair, members));
        })?;
        Ok(totals)
    }

    fn add(&mut self, pair: &ReportedPair, members: &ClusterMembers) {
        self.pairs += 1;
        self.by_rule[pair.rule as usize] += 1;
        for record in [pair.left, pair.right] {
            self.degrees[record as usize] = self.degrees[record as usize].saturating_add(1);
        }
        if let Some(root) = members.cluster_of_both([pair.left, pair.right]) {
            self.by_cluster[root as usize] += 1;
        }
        self.scores.add(pair.score);
    }
}
