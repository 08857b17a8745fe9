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
        let ranked = |(rows, strength): ([u32; 2], f64)| RankedPair { strength, verdict: judge.verdict(rows) };
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
        let until = threshold.map_or(self.all.len(), |least| self.all.partition_point(|pair| pair.strength >= least));
        let count = |is_meant: fn(&PairVerdict) -> bool| {
            self.all[..until].par_iter().filter(|pair| is_meant(&pair.verdict)).count() as u64
        };
        let (found, both) = (count(|verdict| verdict.counts), count(|verdict| verdict.is_true));
        (until as u64, PairCounts { found, true_pairs: self.true_pairs, both })
    }
}

/// The highest threshold that a pair reaches: certain ones reach all, and those without a score none.
fn strength(edge: &Edge) -> f64 {
    match (edge.kind(), edge.weight()) {
        (EdgeKind::DecidedTogether | EdgeKind::Certain, _) => f64::INFINITY,
        (EdgeKind::Scored, Some(weight)) => weight,
        (EdgeKind::Scored, None) => f64::NEG_INFINITY,
    }
}
