//! Makes the clusters of all rows, one row after the other: those of no row are kept longer than the next one needs them.

use rayon::prelude::*;
use sameas_clusters::{Clusters, Edges, components_at, count_bridges};

use super::super::cluster_scores::agreement;
use super::judge::SweepJudge;
use super::method::SweepMethod;
use super::ranked_pairs::RankedPairs;
use super::request::SweepRequest;
use super::row::{SweepRow, SweepTable};
use super::score_tenths::tenths_of;
use crate::cancel::Cancel;
use crate::cluster_pairs::PreparedPairs;
use crate::engine::ClusterFacts;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::rules::{ClusterSpec, MethodSpec};

/// Tenths of the memory for clusters, beside the pairs that were read; and where the truth is known, or labels are.
const CLUSTERS_SHARE: usize = 6;
const CLUSTERS_SHARE_BESIDE_TRUTH: usize = 3;

/// Compares thresholds and ways to make clusters. Uses the threads of the current pool, and no more than `memory` bytes.
pub fn sweep(request: &SweepRequest, memory: usize, progress: Progress<'_>) -> Result<SweepTable> {
    let base = base_of(&request.job.spec);
    let mut pairs = PreparedPairs::read(&request.job.clone().with_spec(base.clone()), memory, progress)?;
    let base = ClusterSpec { keep_apart: request.job.keep_apart.is_some(), ..base };
    let judge = SweepJudge::read(request, &pairs, memory / 2, progress)?;
    let share = if judge.knows_nothing() { CLUSTERS_SHARE } else { CLUSTERS_SHARE_BESIDE_TRUTH };
    let budget = MemoryBudget::share(memory, share);
    let cancel = progress.cancel().within(&budget);
    progress.begin(&Stage::Sorting, None);
    let thresholds = thresholds_of(request, &pairs, cancel)?;
    let methods = match &request.methods[..] {
        [] => SweepMethod::fitting(pairs.sources().len(), thresholds[0].is_some(), &base),
        named => named.to_vec(),
    };
    let ranked = RankedPairs::new(&pairs, &judge, cancel);
    let (edges, _held) = pairs.take_edges(cancel);
    let sweeper =
        Sweeper { pairs: &pairs, judge: &judge, ranked, edges, thresholds, base, density: request.density, cancel };
    let mut rows = Vec::new();
    for method in methods {
        sweeper.add_rows(method, &mut rows)?;
    }
    Ok(SweepTable {
        pairs: sweeper.ranked.count(),
        records: u64::from(pairs.records()),
        scored_by: pairs.scored_by().map(str::to_owned),
        has_chosen_thresholds: request.thresholds.is_empty() && sweeper.thresholds[0].is_some(),
        rows,
    })
}

/// What holds for all rows of how clusters are made: constraints and limits.
fn base_of(spec: &ClusterSpec) -> ClusterSpec {
    let (method, thresholds) = (MethodSpec::Components, Vec::new());
    ClusterSpec { thresholds, method, least: None, split: None, density: None, ..spec.clone() }
}

/// The thresholds, ascending, each once, at least one: where no pair has a score, there is a row without.
fn thresholds_of(request: &SweepRequest, pairs: &PreparedPairs, cancel: Cancel<'_>) -> Result<Vec<Option<f64>>> {
    if pairs.scored_by().is_none() {
        return match request.thresholds.is_empty() {
            true => Ok(vec![None]),
            false => Err(Error::usage("thresholds need scores, and the pairs have none")
                .with_help("name the column that has them, or leave the thresholds out")),
        };
    }
    if let Some(wrong) = request.thresholds.iter().find(|threshold| !ClusterSpec::is_score(**threshold)) {
        return Err(Error::usage(format!("the threshold {wrong:?} is one that no pair can have"))
            .with_help("a threshold is a number between -2^31 and 2^31"));
    }
    let mut thresholds = request.thresholds.clone();
    if thresholds.is_empty() {
        let _held = cancel.hold(size_of::<f64>() * pairs.par_pairs().len());
        thresholds = tenths_of(pairs.par_pairs().filter_map(|edge| edge.weight()).collect());
    }
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    match thresholds.is_empty() {
        true => Ok(vec![None]),
        false => Ok(thresholds.into_iter().map(Some).collect()),
    }
}

/// All that rows are made of.
struct Sweeper<'a> {
    pairs: &'a PreparedPairs,
    judge: &'a SweepJudge,
    ranked: RankedPairs,
    edges: Edges,
    thresholds: Vec<Option<f64>>,
    base: ClusterSpec,
    density: f64,
    cancel: Cancel<'a>,
}

impl Sweeper<'_> {
    /// Adds the rows of a method.
    fn add_rows(&self, method: SweepMethod, rows: &mut Vec<SweepRow>) -> Result<()> {
        let mut at_once = self.components_at_all(method).into_iter();
        let mut lower: Option<Vec<u32>> = None;
        for threshold in self.thresholds.iter().copied() {
            let spec = method.spec(&self.base, threshold, self.density);
            let clusters = match at_once.next() {
                Some(first_rows) => Clusters { first_rows, cut: Vec::new() },
                None => self.clusters(&spec)?,
            };
            let mut row = self.row(threshold, method, spec, &clusters)?;
            let lower_rows = lower.filter(|_| self.judge.knows_nothing());
            row.agreement = lower_rows.map(|lower| agreement(&lower, &clusters.first_rows));
            rows.push(row);
            lower = Some(clusters.first_rows);
        }
        Ok(())
    }

    /// The components at all thresholds, in one pass; nothing where something else divides them.
    fn components_at_all(&self, method: SweepMethod) -> Vec<Vec<u32>> {
        let is_plain = method == SweepMethod::Components && self.base.is_default() && !self.pairs.has_pairs_apart();
        let thresholds: Option<Vec<f64>> = self.thresholds.iter().copied().collect();
        match thresholds {
            Some(thresholds) if is_plain => components_at(self.copied_edges(), &thresholds, self.cancel),
            _ => Vec::new(),
        }
    }

    fn clusters(&self, spec: &ClusterSpec) -> Result<Clusters> {
        let _held = self.cancel.hold(self.edges.bytes());
        self.pairs.clusters(self.edges.clone(), spec, self.cancel)
    }

    /// The edges, for what changes their order.
    fn copied_edges(&self) -> Edges {
        self.cancel.check_room(self.edges.bytes());
        self.edges.clone()
    }

    fn row(
        &self,
        threshold: Option<f64>,
        method: SweepMethod,
        spec: ClusterSpec,
        clusters: &Clusters,
    ) -> Result<SweepRow> {
        let first_rows = &clusters.first_rows;
        let _sizes = self.cancel.hold(size_of::<u64>() * first_rows.len());
        let facts = ClusterFacts::count(first_rows);
        let single = facts.clusters - facts.of_two_or_more;
        let (pairs, counts) = self.ranked.reaching(threshold);
        let (scores, estimates) = self.judge.judge(first_rows, counts)?;
        Ok(SweepRow {
            threshold,
            method,
            pairs,
            clusters: facts.clusters,
            clusters_of_two_or_more: facts.of_two_or_more,
            clustered_records: first_rows.len() as u64 - single,
            largest: facts.largest.map_or(0, |(_, records)| records),
            cut: clusters.cut.len() as u64,
            bridges: count_bridges(self.copied_edges(), first_rows, spec.thresholds.first().copied(), self.cancel),
            density: self.ranked.density(threshold, first_rows),
            agreement: None,
            scores,
            estimates,
            spec,
        })
    }
}
