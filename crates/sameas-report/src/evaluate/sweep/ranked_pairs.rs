//! The pairs by their strength: which of them reach a threshold, and how many of these are true.

use rayon::prelude::*;
use sameas_clusters::{Edge, EdgeKind};

use super::super::scores::PairCounts;
use super::judge::{PairVerdict, SweepJudge};
use crate::cancel::Cancel;
use crate::cluster_pairs::PreparedPairs;

/// Bytes of a pair while pairs are ranked.
const BYTES_OF_PAIR: usize = size_of::<([u32; 2], f64)>() + size_of::<RankedPair>();

/// The pairs, each once, the strongest first.
pub(super) struct RankedPairs {
    all: Vec<RankedPair>,
    true_pairs: u64,
}

struct RankedPair {
    rows: [u32; 2],
    strength: f64,
    verdict: PairVerdict,
}

impl RankedPairs {
    pub fn new(pairs: &PreparedPairs, judge: &SweepJudge, cancel: Cancel<'_>) -> Self {
        let read = pairs.par_pairs();
        let _held = cancel.hold(BYTES_OF_PAIR * read.len());
        let mut distinct: Vec<([u32; 2], f64)> =
            read.map(|edge| (edge.rows(), strength(&edge))).filter(|([l, r], _)| l != r).collect();
        cancel.check();
        distinct.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        distinct.dedup_by_key(|(rows, _)| *rows);
        cancel.check();
        let ranked = |(rows, strength): ([u32; 2], f64)| RankedPair { rows, strength, verdict: judge.verdict(rows) };
        let mut all: Vec<RankedPair> = distinct.into_par_iter().map(ranked).collect();
        all.par_sort_unstable_by(|a, b| b.strength.total_cmp(&a.strength));
        Self { all, true_pairs: judge.true_pairs() }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.all.len() as u64
    }

    /// Those that reach a threshold: how many they are, and how many of them are true.
    pub fn reaching(&self, threshold: Option<f64>) -> (u64, PairCounts) {
        let reaching = self.above(threshold);
        let count = |is_meant: fn(&PairVerdict) -> bool| {
            reaching.par_iter().filter(|pair| is_meant(&pair.verdict)).count() as u64
        };
        let (found, both) = (count(|verdict| verdict.counts), count(|verdict| verdict.is_true));
        (reaching.len() as u64, PairCounts { found, true_pairs: self.true_pairs, both })
    }

    /// The share of every two records of one cluster that are a pair which reaches a threshold; unknown where all are alone.
    pub fn density(&self, threshold: Option<f64>, first_rows: &[u32]) -> Option<f64> {
        let is_inside = |pair: &&RankedPair| first_rows[pair.rows[0] as usize] == first_rows[pair.rows[1] as usize];
        let inside = self.above(threshold).par_iter().filter(is_inside).count();
        let together = records_together(first_rows);
        (together > 0).then(|| inside as f64 / together as f64)
    }

    fn above(&self, threshold: Option<f64>) -> &[RankedPair] {
        let until = threshold.map_or(self.all.len(), |least| self.all.partition_point(|pair| pair.strength >= least));
        &self.all[..until]
    }
}

/// How many times two records are in one cluster.
fn records_together(first_rows: &[u32]) -> u64 {
    let mut sizes = vec![0_u64; first_rows.len()];
    first_rows.iter().for_each(|first| sizes[*first as usize] += 1);
    sizes.into_iter().map(|size| size * size.saturating_sub(1) / 2).sum()
}

/// The highest threshold that a pair reaches: certain ones reach all, and those without a score none.
fn strength(edge: &Edge) -> f64 {
    match (edge.kind(), edge.weight()) {
        (EdgeKind::DecidedTogether | EdgeKind::Certain, _) => f64::INFINITY,
        (EdgeKind::Scored, Some(weight)) => weight,
        (EdgeKind::Scored, None) => f64::NEG_INFINITY,
    }
}
