//! The second look at all pairs: a sample of each rule, those with the lowest scores, and the pairs inside some clusters.

use std::collections::BinaryHeap;

use super::members::ClusterMembers;
use super::pair_reader::{PairReader, ReportedPair};
use super::reservoir::PairReservoir;
use super::results::RunResults;
use crate::cancel::Cancel;
use crate::error::Result;

/// What is picked of all pairs.
pub struct PickRequest<'a> {
    /// How many pairs of each rule.
    pub of_rule: &'a [usize],
    /// How many of those with the lowest scores.
    pub weakest: usize,
    /// Whether all pairs of a cluster are wanted, by its first record.
    pub clusters: &'a [bool],
    /// The seed of the samples.
    pub seed: u64,
}

/// Some of all pairs.
pub struct PairPicks {
    /// A sample of each rule, and how many pairs one of it stands for.
    pub sample: Vec<(ReportedPair, f64)>,
    /// Whether the sample has all pairs.
    pub is_complete: bool,
    /// Pairs with the lowest scores, the lowest first.
    pub weakest: Vec<ReportedPair>,
    /// The pairs inside the wanted clusters.
    pub edges: Vec<ReportedPair>,
}

impl PairPicks {
    /// Picks some of all pairs.
    pub fn pick(
        results: &dyn RunResults,
        reader: &mut PairReader<'_>,
        members: &ClusterMembers,
        request: &PickRequest<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Self> {
        let samples = request.of_rule.iter().enumerate();
        let mut samples: Vec<_> =
            samples.map(|(rule, room)| PairReservoir::new(*room, request.seed.wrapping_add(rule as u64))).collect();
        let (mut weakest, mut edges, mut order) = (BinaryHeap::new(), Vec::new(), 0_u64);
        reader.each_of(results, cancel, |_, pairs| {
            for pair in pairs.iter().copied() {
                samples[pair.rule as usize].offer(pair);
                if pair.score.is_finite() && request.weakest > 0 {
                    weakest.push(WeakPair { pair, order });
                    if weakest.len() > request.weakest {
                        weakest.pop();
                    }
                }
                let root = members.cluster_of_both([pair.left, pair.right]);
                if root.is_some_and(|root| request.clusters[root as usize]) {
                    edges.push(pair);
                }
                order += 1;
            }
        })?;
        let is_complete = samples.iter().all(PairReservoir::is_complete);
        let weighted = |sample: PairReservoir<ReportedPair>| {
            let weight = sample.weight();
            sample.into_items().into_iter().map(move |pair| (pair, weight))
        };
        Ok(Self {
            sample: samples.into_iter().flat_map(weighted).collect(),
            is_complete,
            weakest: weakest.into_sorted_vec().into_iter().map(|weak| weak.pair).collect(),
            edges,
        })
    }
}

/// Pairs by score, then in the order of the result.
struct WeakPair {
    pair: ReportedPair,
    order: u64,
}

impl Ord for WeakPair {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.pair.score.total_cmp(&other.pair.score).then(self.order.cmp(&other.order))
    }
}

impl PartialOrd for WeakPair {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for WeakPair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for WeakPair {}

/// Some of the near pairs.
pub struct NearSample {
    /// A sample of each condition that is missed, and how many of them one stands for.
    pub pairs: Vec<(ReportedPair, f64)>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// Takes some near pairs of each condition that is missed, if the run looked for any.
pub fn pick_near(
    results: &dyn RunResults,
    reader: &mut PairReader<'_>,
    most: usize,
    seed: u64,
    cancel: Cancel<'_>,
) -> Result<Option<NearSample>> {
    let Some(batches) = results.near()? else { return Ok(None) };
    let mut samples: Vec<PairReservoir<ReportedPair>> = Vec::new();
    let mut kinds = std::collections::BTreeMap::new();
    for batch in batches {
        cancel.check();
        for pair in reader.read(&batch?)? {
            let kinds_known = kinds.len();
            let at = *kinds.entry((pair.rule, pair.loosened)).or_insert(kinds_known);
            if at == samples.len() {
                samples.push(PairReservoir::new(most, seed.wrapping_add(at as u64)));
            }
            samples[at].offer(pair);
        }
    }
    let is_complete = samples.iter().all(PairReservoir::is_complete);
    let weighted = |sample: PairReservoir<ReportedPair>| {
        let weight = sample.weight();
        sample.into_items().into_iter().map(move |pair| (pair, weight))
    };
    Ok(Some(NearSample { pairs: samples.into_iter().flat_map(weighted).collect(), is_complete }))
}
