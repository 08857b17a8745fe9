//! Brings pairs, records, decisions and rules together, and asks for clusters.

use std::time::{Instant, SystemTime};

use sameas_clusters::{
    ClusterConflict, ClusterRules, Clusters, Edge, EdgeKind, Edges, RowFacts, cluster, components_at,
};

use super::clustered::{ClusterColumn, PairClusters};
use super::conflict::contradiction;
use super::cut::{CutWords, count_causes};
use super::gathered::{ApartPair, GatheredRows, GatheredTables};
use super::job::ClusterPairsJob;
use super::pair_list::PairList;
use super::read::ReadingTools;
use super::record::{ClusterPairsRecord, ClusteringRecord, CutCount, SourceRecord, StepSeconds};
use super::rows::RecordRows;
use crate::VERSION;
use crate::cancel::{Cancel, or_end};
use crate::cluster::rules_of_spec;
use crate::error::{Error, Result};
use crate::judgements::JudgementKind;
use crate::memory::{INPUTS_SHARE, MemoryBudget, RESULTS_SHARE};
use crate::observer::{Progress, Stage};
use crate::rules::{ClusterSpec, MethodSpec};
use crate::settings::Settings;
use crate::timeline::utc;

/// Bytes of an edge, at least.
const BYTES_OF_EDGE: usize = 16;

/// What a clustering has given: the first row of each row's cluster, for each threshold or once; and what was cut.
struct SolvedClusters {
    columns: Vec<Vec<u32>>,
    clusters: Clusters,
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
    let cut_pairs = pairs.of_cut(&solved.clusters.cut, &solved.columns[0], cancel);
    let counts = count_causes(&solved.clusters.cut).into_iter();
    record.cut = counts.map(|(cause, pairs)| CutCount { cause: cause.to_owned(), pairs }).collect();
    let columns = named_columns(&spec, solved.columns);
    let clustering =
        |column: &ClusterColumn| ClusteringRecord::new(column.threshold, &column.first_rows, |row| rows.name(row));
    record.clusterings = columns.iter().map(clustering).collect();
    (record.seconds, record.spec) = (seconds, spec.clone());
    let inputs = job.files_read();
    Ok(PairClusters { rows, spec, limits, columns, cut: solved.clusters.cut, cut_pairs, record, inputs })
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
fn edges_of(pairs: &PairList, together: &[[u32; 2]], rows: u32, cancel: Cancel<'_>) -> Edges {
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
    if spec.has_several_thresholds() {
        let columns = components_at(edges, &spec.thresholds, cancel);
        return Ok(SolvedClusters { columns, clusters: Clusters::default() });
    }
    let mut clusters = cluster(edges, rules, facts, cancel)?;
    Ok(SolvedClusters { columns: vec![std::mem::take(&mut clusters.first_rows)], clusters })
}

fn named_columns(spec: &ClusterSpec, columns: Vec<Vec<u32>>) -> Vec<ClusterColumn> {
    if !spec.has_several_thresholds() {
        let threshold = spec.thresholds.first().copied();
        let column = |first_rows| ClusterColumn { name: "cluster_id".to_owned(), threshold, first_rows };
        return columns.into_iter().map(column).collect();
    }
    let named = spec.thresholds.iter().zip(columns);
    named
        .map(|(threshold, first_rows)| {
            let name = format!("cluster_id_{threshold}");
            ClusterColumn { name, threshold: Some(*threshold), first_rows }
        })
        .collect()
}
