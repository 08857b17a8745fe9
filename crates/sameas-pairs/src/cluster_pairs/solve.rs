//! Brings pairs, records, decisions and rules together, and asks for clusters.

use std::time::{Instant, SystemTime};

use sameas_clusters::{CutEdge, Edge, components_at};

use super::clustered::PairClusters;
use super::gathered::{GatheredRows, GatheredTables};
use super::job::ClusterPairsJob;
use super::prepared::{PreparedPairs, check_scores, spec_of};
use super::read::ReadingTools;
use super::record::{ClusterPairsRecord, LargestPairCluster, SourceRecord, StepSeconds};
use super::rows::RecordRows;
use crate::VERSION;
use crate::cancel::Cancel;
use crate::cluster::{ClusterRules, rules_of_spec};
use crate::engine::{ClusterFacts, CutRecord, ThresholdClusters};
use crate::error::Result;
use crate::expr::utc;
use crate::memory::MemoryBudget;
use crate::observer::{Progress, Stage};
use crate::output::ClusterIdColumn;
use crate::rules::ClusterSpec;
use crate::settings::Settings;

/// The column of clusters.
const COLUMN: &str = "cluster_id";

/// Tenths of the memory for what is read at a time, and for pairs and clusters.
const SHARES: [usize; 2] = [3, 7];

/// What a clustering has given.
struct SolvedClusters {
    /// The first row of each row's cluster.
    roots: Vec<u32>,
    /// The same at further thresholds.
    more: Vec<ClusterIdColumn>,
    cut: Vec<CutEdge>,
    /// The edges that were cut, in the same order.
    cut_edges: Vec<Edge>,
}

/// Makes clusters of pairs, on the threads of the current pool.
pub fn cluster_pairs(job: &ClusterPairsJob, settings: &Settings, progress: Progress<'_>) -> Result<PairClusters> {
    let (started, mut clock) = (SystemTime::now(), Instant::now());
    let spec = spec_of(job)?;
    let [reading, kept] = SHARES.map(|share| MemoryBudget::of_pairs(settings.memory, share));
    let mut seconds = StepSeconds::default();
    progress.begin(&Stage::Reading, None);
    let tools = ReadingTools { reading: &reading, kept: &kept, progress };
    let tables = GatheredTables::read(job, tools)?;
    check_scores(&spec, tables.pairs.scored_by.is_some())?;
    seconds.reading = lap(&mut clock);
    progress.begin(&Stage::Sorting, None);
    let cancel = progress.cancel().within(&kept);
    let gathered = tables.number(job, cancel)?;
    progress.memory_freed();
    let rules = rules_of_spec(&spec, &gathered.rows.sources)?;
    seconds.numbering = lap(&mut clock);
    let mut record = record_of(job, &gathered, started);
    let mut prepared = PreparedPairs::new(gathered);
    let SolvedClusters { roots, more, cut, cut_edges } = solved(&mut prepared, &spec, &rules, cancel)?;
    seconds.clustering = lap(&mut clock);
    let PreparedPairs { rows, pairs, limits, .. } = prepared;
    let cut_facts = pairs.of_cut(&cut_edges);
    record.seconds = seconds;
    record.count(&roots, &spec, &more, |row| rows.name(row));
    (record.cut, record.spec) = (CutRecord::count(&cut), spec.clone());
    let inputs = job.files_read();
    Ok(PairClusters { rows, spec, limits, roots, more, cut, cut_facts, record, inputs })
}

impl ClusterPairsRecord {
    /// Says what the clusters are like; `name` is what a row is called.
    fn count(&mut self, roots: &[u32], spec: &ClusterSpec, more: &[ClusterIdColumn], name: impl Fn(u32) -> String) {
        let facts = ClusterFacts::count(roots);
        self.clusters = facts.clusters;
        self.clusters_of_two_or_more = facts.of_two_or_more;
        self.largest_cluster =
            facts.largest.map(|(row, records)| LargestPairCluster { cluster_id: name(row), records });
        if let Some((first, others)) = spec.thresholds.split_first().filter(|(_, others)| !others.is_empty()) {
            self.clusters_at.push(ThresholdClusters::new(*first, COLUMN, &facts));
            let at = |(threshold, column): (&f64, &ClusterIdColumn)| {
                ThresholdClusters::new(*threshold, &column.name, &ClusterFacts::count(&column.roots))
            };
            self.clusters_at.extend(others.iter().zip(more).map(at));
        }
        self.cluster_sizes = facts.sizes;
    }
}

/// What is known before there are clusters.
fn record_of(job: &ClusterPairsJob, gathered: &GatheredRows, started: SystemTime) -> ClusterPairsRecord {
    ClusterPairsRecord {
        version: VERSION.to_owned(),
        started: utc(started),
        command: job.command.clone(),
        threads: rayon::current_num_threads(),
        clustered_pairs: gathered.pairs.count() as u64,
        scored_by: gathered.pairs.scored_by.clone(),
        records: u64::from(gathered.rows.count()),
        sources: sources_of(&gathered.rows),
        decided_same: gathered.together.len() as u64,
        decided_different: gathered.apart.len() as u64,
        forbidden: gathered.forbidden.len() as u64,
        ..ClusterPairsRecord::default()
    }
}

/// The seconds since the last call.
fn lap(clock: &mut Instant) -> f64 {
    std::mem::replace(clock, Instant::now()).elapsed().as_secs_f64()
}

fn sources_of(rows: &RecordRows) -> Vec<SourceRecord> {
    let mut counts = vec![0; rows.sources.len()];
    rows.source_of.iter().for_each(|source| counts[*source as usize] += 1);
    rows.sources.iter().zip(counts).map(|(name, records)| SourceRecord { name: name.clone(), records }).collect()
}

fn solved(
    prepared: &mut PreparedPairs,
    spec: &ClusterSpec,
    rules: &ClusterRules,
    cancel: Cancel<'_>,
) -> Result<SolvedClusters> {
    let (edges, _held) = prepared.take_edges(cancel);
    if !spec.has_several_thresholds() {
        let (clusters, cut_edges) = prepared.clusters_and_cut_edges(edges, spec, rules, cancel)?;
        cancel.check_room(size_of_val(&clusters.cut[..]) + size_of_val(&cut_edges[..]));
        return Ok(SolvedClusters { roots: clusters.first_rows, more: Vec::new(), cut: clusters.cut, cut_edges });
    }
    let mut columns = components_at(edges, &spec.thresholds, cancel).into_iter();
    let roots = columns.next().unwrap_or_default();
    let column =
        |(threshold, roots): (&f64, Vec<u32>)| ClusterIdColumn { name: format!("{COLUMN}_{threshold}"), roots };
    let more = spec.thresholds[1..].iter().zip(columns).map(column).collect();
    Ok(SolvedClusters { roots, more, cut: Vec::new(), cut_edges: Vec::new() })
}
