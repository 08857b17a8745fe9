//! Brings pairs, records, decisions and rules together, and asks for clusters.

use std::time::{Instant, SystemTime};

use sameas_clusters::{
    ClusterConflict, ClusterRules, CutEdge, Edge, EdgeKind, Edges, RowFacts, cluster, components_at,
};

use super::clustered::PairClusters;
use super::conflict::contradiction;
use super::cut::{CutWords, count_causes};
use super::gathered::{ApartPair, GatheredRows, GatheredTables};
use super::job::ClusterPairsJob;
use super::pair_rows::PairRows;
use super::read::ReadingTools;
use super::record::{ClusterPairsRecord, LargestPairCluster, SourceRecord, StepSeconds};
use super::rows::RecordRows;
use crate::VERSION;
use crate::cancel::{Cancel, or_end};
use crate::cluster::rules_of_spec;
use crate::engine::{ClusterFacts, ThresholdClusters};
use crate::error::{Error, Result};
use crate::judgements::JudgementKind;
use crate::memory::{INPUTS_SHARE, MemoryBudget, RESULTS_SHARE};
use crate::observer::{Progress, Stage};
use crate::output::ClusterIdColumn;
use crate::rules::{ClusterSpec, MethodSpec};
use crate::settings::Settings;
use crate::timeline::utc;

/// Bytes of an edge, at least.
const BYTES_OF_EDGE: usize = 16;

/// The column of clusters.
const COLUMN: &str = "cluster_id";

/// What a clustering has given.
struct SolvedClusters {
    /// The first row of each row's cluster.
    roots: Vec<u32>,
    /// The same at further thresholds.
    more: Vec<ClusterIdColumn>,
    cut: Vec<CutEdge>,
}

/// Makes clusters of pairs, on the threads of the current pool.
pub fn cluster_pairs(job: &ClusterPairsJob, settings: &Settings, progress: Progress<'_>) -> Result<PairClusters> {
    let (started, mut clock) = (SystemTime::now(), Instant::now());
    let spec = spec_of(job)?;
    let [reading, kept] = [INPUTS_SHARE, RESULTS_SHARE].map(|share| MemoryBudget::share(settings.memory, share));
    let mut seconds = StepSeconds::default();
    progress.begin(&Stage::Reading, None);
    let tools = ReadingTools { reading: &reading, kept: &kept, progress };
    let tables = GatheredTables::read(job, tools)?;
    check_scores(&spec, tables.pairs.facts.scores.is_some())?;
    seconds.reading = lap(&mut clock);
    progress.begin(&Stage::Sorting, None);
    let cancel = progress.cancel().within(&kept);
    let gathered = tables.number(job, cancel)?;
    progress.memory_freed();
    let rules = rules_of_spec(&spec, &gathered.rows.sources)?;
    seconds.numbering = lap(&mut clock);
    let mut record = record_of(job, &gathered, started);
    let GatheredRows { rows, pairs, together, apart, forbidden, mut limits, decisions } = gathered;
    let facts = RowFacts {
        sources: rows.source_of.clone(),
        values: limits.iter_mut().map(|limit| std::mem::take(&mut limit.of_rows)).collect(),
        forbidden,
        apart: apart.iter().map(|pair| pair.rows).collect(),
    };
    let edges = edges_of(&pairs, &together, rows.count(), cancel);
    let words = CutWords { rows: &rows, spec: &spec, limits: &limits };
    let solved = solved(edges, &spec, &rules, &facts, cancel).map_err(|conflict| {
        contradiction(&conflict, &words, |[a, b]| {
            let found = apart.iter().find(|pair| pair.rows == [a, b] || pair.rows == [b, a]);
            let place = |pair: &ApartPair| decisions.as_ref().map(|all| all.place(JudgementKind::Different, pair.at));
            found.and_then(place).unwrap_or_default()
        })
    })?;
    seconds.clustering = lap(&mut clock);
    let SolvedClusters { roots, more, cut } = solved;
    let cut_facts = pairs.of_cut(&cut, &roots, cancel);
    record.seconds = seconds;
    record.count(&roots, &spec, &more, |row| rows.name(row));
    (record.cut, record.spec) = (count_causes(&cut), spec.clone());
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

/// How clusters are made, with what the job says beside it.
fn spec_of(job: &ClusterPairsJob) -> Result<ClusterSpec> {
    let mut spec = job.spec.clone();
    if spec.keep_apart && job.keep_apart.is_none() {
        return Err(Error::usage("`keep_apart` needs the pairs that must not be together, and none are given")
            .with_help("of pairs alone it is not known what a `never` forbids: give a file of forbidden pairs"));
    }
    spec.keep_apart = job.keep_apart.is_some();
    if !spec.limits.is_empty() && job.records.is_empty() {
        return Err(Error::usage("a `[[limit]]` counts values of records, and only pairs are given")
            .with_help("give the records, too"));
    }
    if spec.has_several_thresholds() && job.decided.is_some() {
        return Err(Error::usage("several thresholds give components alone, and decisions may keep records apart")
            .with_help("give one threshold, or leave out the judgements"));
    }
    Ok(spec)
}

/// Refuses a threshold on scores that are not there: it would leave no pair.
fn check_scores(spec: &ClusterSpec, has_scores: bool) -> Result<()> {
    let needs = match spec.method {
        _ if has_scores => None,
        _ if !spec.thresholds.is_empty() => Some("a threshold".to_owned()),
        MethodSpec::Average | MethodSpec::Complete => Some(format!("the method `{}`", spec.method.name())),
        _ => None,
    };
    match needs {
        Some(what) => Err(Error::usage(format!("{what} needs scores, and the pairs have none"))
            .with_help("name the column that has them, or leave it out")),
        None => Ok(()),
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

/// Pairs and decisions as edges.
fn edges_of(pairs: &PairRows, together: &[[u32; 2]], rows: u32, cancel: Cancel<'_>) -> Edges {
    let decided = pairs.rule_names.len() as u32;
    cancel.check_room(BYTES_OF_EDGE * (pairs.count() + together.len()));
    let mut edges = Edges::new(rows, decided + 1);
    edges.reserve(pairs.count() + together.len());
    edges.par_extend(pairs.par_edges());
    for pair in together {
        edges.push(or_end(Edge::new(*pair, EdgeKind::DecidedTogether, None, decided)));
    }
    cancel.check();
    edges
}

fn solved(
    edges: Edges,
    spec: &ClusterSpec,
    rules: &ClusterRules,
    facts: &RowFacts,
    cancel: Cancel<'_>,
) -> std::result::Result<SolvedClusters, ClusterConflict> {
    let _held = cancel.hold(edges.bytes());
    if !spec.has_several_thresholds() {
        let clusters = cluster(edges, rules, facts, cancel)?;
        return Ok(SolvedClusters { roots: clusters.first_rows, more: Vec::new(), cut: clusters.cut });
    }
    let mut columns = components_at(edges, &spec.thresholds, cancel).into_iter();
    let roots = columns.next().unwrap_or_default();
    let column =
        |(threshold, roots): (&f64, Vec<u32>)| ClusterIdColumn { name: format!("{COLUMN}_{threshold}"), roots };
    Ok(SolvedClusters { roots, more: spec.thresholds[1..].iter().zip(columns).map(column).collect(), cut: Vec::new() })
}
