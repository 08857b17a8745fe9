//! A job is run: branch by branch on all cores, then sorting and clusters.

use std::path::Path;
use std::time::SystemTime;

use super::bound_job::{OpenedJob, RecordsOfJob};
use super::cluster_record::ClusterFacts;
use super::cut_pairs::CutPairs;
use super::decided::{as_rule, contradiction, decide};
use super::explain::Explanation;
use super::job_clusters::JobClusters;
use super::job_key::key_of;
use super::job_results::{JobResults, rule_records};
use super::kept_pairs::PairsOfRun;
use super::largest_cluster::ClusteredPairs;
use super::near::{NearFound, near_names};
use super::record::RuleRecord;
use super::run_plan::{PlannedJob, RunPlan};
use crate::cluster::{ClusterInput, Clustering, ConnectedComponents, FoundClusters};
use crate::dataset::{Dataset, Keep, ResultIds};
use crate::error::Result;
use crate::execute::{Executed, PairSink, PairStage, Pipeline, Resumable, find_stored};
use crate::job::{Job, Resumption};
use crate::judgements::DecidedRecord;
use crate::memory::MemoryBudget;
use crate::model::MatchWeight;
use crate::observer::{Progress, Stage};
use crate::output::{PairSorter, SortedPairs};
use crate::pairs::Pair;
use crate::plan::BranchRecord;
use crate::scoring::{AnyScoreStage, ScoreRecord, Scores};
use crate::settings::Settings;
use crate::timeline::{Operator, Timeline};
use crate::union_find::Components;
use crate::verify::Tally;

/// What is done with the pairs of a job, besides what the job says.
#[derive(Clone, Copy, Default)]
pub struct PairUse<'a> {
    /// What sees every pair before it is scored.
    pub stages: &'a [&'a dyn PairStage],
    /// How clusters are made, in place of what the rules say.
    pub clustering: Option<&'a dyn Clustering>,
}

/// Runs a job up to its sorted pairs and its clusters, on the threads of the current pool; among records that are at hand, if
/// there are any.
pub fn find(
    job: &Job,
    among: Option<&Dataset>,
    settings: &Settings,
    pair_use: PairUse<'_>,
    progress: Progress<'_>,
) -> Result<JobResults> {
    let mut opened = OpenedJob::open(job, records_of_run(among, settings), settings, progress)?;
    let plan = RunPlan::plan_job(&mut opened, progress);
    run(opened, plan, pair_use, None, progress)
}

/// Where the records of a run are, and what becomes of those that it reads.
fn records_of_run<'a>(among: Option<&'a Dataset>, settings: &Settings) -> RecordsOfJob<'a> {
    let keep = if settings.keeps_records { Keep::IfRoom } else { Keep::Nothing };
    among.map_or(RecordsOfJob::Read(keep), RecordsOfJob::AtHand)
}

/// As [`find`], going on where an interrupted run has left a checkpoint in `folder`, and leaving one for the next.
pub fn resume(
    job: &Job,
    among: Option<&Dataset>,
    settings: &Settings,
    folder: &Path,
    progress: Progress<'_>,
) -> Result<JobResults> {
    let mut opened = OpenedJob::open(job, records_of_run(among, settings), settings, progress)?;
    let key = key_of(&opened.bound)?;
    let (stored, resumption) = find_stored(folder, &key, opened.bound.rules.set());
    let plan = match &stored {
        Some(stored) => RunPlan::stored(stored.plan(), &opened.bound, &opened.machine),
        None => RunPlan::plan_job(&mut opened, progress),
    };
    let resumable = Some(Resumable { folder, key: &key, stored });
    let mut found = run(opened, plan, PairUse::default(), resumable, progress)?;
    found.resumption = Some(match (resumption, &found.near) {
        (Resumption::Resumed { branches }, Some(near)) => Resumption::Resumed { branches: branches + near.resumed },
        (resumption, _) => resumption,
    });
    Ok(found)
}

/// Runs a job for what can be learned from it: the plan with what came of each join and check. Nothing is written.
pub fn analyze(job: &Job, among: Option<&Dataset>, settings: &Settings, progress: Progress<'_>) -> Result<Explanation> {
    let mut settings = Settings { keeps_records: false, ..settings.clone() };
    settings.device_options.count_checks = true;
    let found = find(job, among, &settings, PairUse::default(), progress)?;
    let (near, timeline) = (found.near_record(), found.timeline.operators().to_vec());
    Ok(Explanation { near, timeline, ..found.explanation() })
}

/// Finds all pairs and clusters of a job that is planned.
fn run(
    opened: OpenedJob,
    plan: RunPlan,
    pair_use: PairUse<'_>,
    resumable: Option<Resumable<'_>>,
    progress: Progress<'_>,
) -> Result<JobResults> {
    let OpenedJob { mut bound, mut machine, mut timeline } = opened;
    let asked = JobClusters::of_job(&bound)?.filter(|_| pair_use.clustering.is_none());
    bound.check_tables(&MemoryBudget::new(machine.memory.join))?;
    PlannedJob { bound: &bound, plan: &plan, machine: &machine }.check_max_candidates()?;
    let plan = plan.on_device(&bound, &mut machine, &mut timeline)?;
    let planned = PlannedJob { bound: &bound, plan: &plan, machine: &machine };
    progress.planned(&planned.warnings());
    let joined = joined(planned, pair_use, asked.as_ref(), resumable, &mut timeline, progress)?;
    let JoinedPairs { pairs, decided, found, cut, branches, made, tally, scores, near, threshold } = joined;
    if let Some(threshold) = threshold {
        bound.keep_from(threshold);
    }
    let FoundClusters { roots, at_more, .. } = found;
    let (clusters, ResultIds { pairs: pair_ids, all: all_ids }) =
        (ClusterFacts::count(&roots), bound.dataset.result_ids()?);
    let (more_clusters, clusters_at) = asked.map(|asked| asked.at_thresholds(&clusters, at_more)).unwrap_or_default();
    let right_offset = bound.right_offset();
    let clustered =
        ClusteredPairs { pairs: &pairs, roots: &roots, right_offset, pair_ids: &pair_ids, all_ids: &all_ids };
    let set = bound.rules.set();
    let by_rule = rule_records(set, &tally).into_iter().chain(decided.as_ref().map(as_rule));
    let by_rule: Vec<RuleRecord> = by_rule.collect();
    let largest_cluster = clustered.largest(&clusters, &by_rule, progress)?;
    Ok(JobResults {
        clusters,
        more_clusters,
        clusters_at,
        cut,
        largest_cluster,
        started: SystemTime::now() - timeline.begun().elapsed(),
        pair_ids,
        all_ids,
        rule_names: set.rules.iter().map(|rule| rule.name.clone()).collect(),
        pair_rules: by_rule.into_iter().map(|rule| rule.name).collect(),
        near_names: near_names(set),
        bound,
        plan,
        machine,
        timeline,
        pairs,
        decided,
        roots,
        tally,
        branches,
        made,
        files: Vec::new(),
        entities: None,
        resumption: None,
        near,
        scores,
    })
}

/// What the branches of a job have come to.
struct JoinedPairs {
    pairs: SortedPairs,
    /// What came of decisions, where there are some.
    decided: Option<DecidedRecord>,
    /// Their clusters, but for what these have cut.
    found: FoundClusters,
    /// The pairs between clusters, where the rules say how clusters are made.
    cut: Option<CutPairs>,
    branches: Vec<BranchRecord>,
    /// Seconds that each table took.
    made: Vec<f64>,
    tally: Tally,
    scores: Option<ScoreRecord>,
    near: Option<NearFound>,
    /// The threshold, where it was found from the pairs.
    threshold: Option<MatchWeight>,
}

/// Runs the branches of a job: those of its rules, whose pairs are sorted and clustered, and then those of its near rules.
fn joined(
    planned: PlannedJob<'_>,
    PairUse { stages: others, clustering }: PairUse<'_>,
    asked: Option<&JobClusters>,
    resumable: Option<Resumable<'_>>,
    timeline: &mut Timeline,
    progress: Progress<'_>,
) -> Result<JoinedPairs> {
    let PlannedJob { bound, machine, .. } = planned;
    let right_offset = bound.right_offset();
    let of_rules = asked.map(|asked| asked.clustering(planned, progress));
    let of_rules = of_rules.as_ref().map(|of_rules| of_rules as &dyn Clustering);
    let clustering = clustering.or(of_rules).unwrap_or(&ConnectedComponents);
    // Pairs that are below a threshold that is yet to be found, or decided to be different, must not join anything.
    let all_stay = bound.decided.is_none() && bound.scores.model().is_none_or(|scoring| scoring.precision.is_none());
    let components = (all_stay && clustering.begins_with_components()).then(|| Components::new(bound.records()));
    // Sorted once more are pairs that a threshold or decisions keep, and those between clusters.
    let cuts = asked.is_some_and(JobClusters::cuts);
    let has_threshold = asked.is_some_and(JobClusters::has_threshold);
    let memory = planned.sort_memory() / (1 + usize::from(!all_stay) + usize::from(cuts));
    let sorter = sorter_of(planned, memory)?;
    let scoring = AnyScoreStage::for_scores(bound.rules.set(), &bound.program, &bound.scores);
    let mut stages = others.to_vec();
    stages.extend(scoring.as_ref().map(AnyScoreStage::as_stage));
    let pipeline = Pipeline::new(stages, components.as_ref(), right_offset);
    let checkpoint = resumable.as_ref().map(|resumable| (resumable.folder, resumable.key));
    let join = |pair: Pair| {
        if let Some(components) = &components {
            components.join(pair.l, right_offset + pair.r);
        }
    };
    let (program, interval) = (&bound.program, machine.settings.checkpoint_interval);
    let begin = |resumable: Resumable<'_>| resumable.begin(planned.job_plan(), program, interval, &sorter, &join);
    let resumed = resumable.map(begin).transpose()?;
    let executed = planned.execution(PairSink { pipeline, sorter: &sorter }, progress).run(resumed)?;
    let Executed { branches, operators, tables, mut tally, mut buffers, has_components, place } = executed;
    timeline.add(tables.operator);
    timeline.add_all(operators);
    let given = match (&bound.scores, buffers.first_mut()) {
        (Scores::Given(outside), Some(buffer)) => {
            let pipeline = Pipeline::new(others.to_vec(), components.as_ref(), right_offset);
            let most = bound.job.max_candidates;
            Some(outside.add_pairs(program, most, &pipeline, buffer, &mut tally, progress.cancel())?)
        }
        _ => None,
    };
    progress.begin(&Stage::Sorting, None);
    let pairs = sorter.finish(buffers)?;
    let PairsOfRun { pairs, threshold, expected } =
        PairsOfRun::found(pairs, bound, || sorter_of(planned, memory), progress)?;
    let found_pairs = pairs.len();
    let (pairs, decided) = with_decisions(pairs, planned, memory, progress)?;
    let scores = given.or(scoring.and_then(|stage| stage.record(&tally, found_pairs)));
    let scores = scores.map(|scores| scores.with_kept(&bound.scores, threshold, expected));
    let (records, all_pairs) = (bound.records(), pairs.len());
    let components = components.filter(|_| has_components);
    if cuts {
        timeline.end(Operator::Sort, all_pairs);
    }
    let mut found = clusters_by(clustering, ClusterInput { pairs: &pairs, records, right_offset, components })?;
    if let Some(conflict) = &found.conflict {
        return Err(contradiction(bound, conflict));
    }
    let sort_cut =
        || CutPairs::sort(&pairs, &mut found, right_offset, has_threshold, sorter_of(planned, memory)?, progress);
    let cut = cuts.then(sort_cut).transpose()?;
    match &cut {
        Some(cut) => {
            let record = timeline.lap(Operator::Cluster);
            (record.input, record.output) = (all_pairs, cut.pairs.len());
        }
        None => timeline.end(Operator::Sort, all_pairs),
    }
    let near = planned.near_search().map(|near| near.find(place, tally.candidates, checkpoint, progress));
    let near = near.transpose()?.map(|near| undecided(near, planned, progress)).transpose()?;
    timeline.add_all(near.iter().flat_map(|near| near.operators.iter().cloned()));
    Ok(JoinedPairs { pairs, decided, found, cut, branches, made: tables.seconds, tally, scores, near, threshold })
}

/// The pairs with what was decided about them, if anything was.
fn with_decisions(
    pairs: SortedPairs,
    planned: PlannedJob<'_>,
    memory: usize,
    progress: Progress<'_>,
) -> Result<(SortedPairs, Option<DecidedRecord>)> {
    let Some(decided) = &planned.bound.decided else { return Ok((pairs, None)) };
    let (pairs, record) = decide(planned.bound, decided, &pairs, sorter_of(planned, memory)?, progress)?;
    Ok((pairs, Some(record)))
}

/// The near pairs that nobody has decided.
fn undecided(near: NearFound, planned: PlannedJob<'_>, progress: Progress<'_>) -> Result<NearFound> {
    let Some(decided) = &planned.bound.decided else { return Ok(near) };
    let sorter = sorter_of(planned, planned.near_memory())?;
    near.undecided(decided, planned.bound.rules.set(), sorter, progress)
}

/// A sorter of a job's pairs, and of their scores where they have some, within this memory.
fn sorter_of(planned: PlannedJob<'_>, memory: usize) -> Result<PairSorter> {
    let threads = rayon::current_num_threads();
    let folder = planned.machine.settings.spill_folder.as_deref();
    match planned.bound.scores.is_none() {
        true => PairSorter::new(memory, threads, folder),
        false => PairSorter::with_scores(memory, threads, folder),
    }
}

/// The clusters of pairs: each is called by its first record.
fn clusters_by(clustering: &dyn Clustering, input: ClusterInput<'_>) -> Result<FoundClusters> {
    let found = clustering.clusters(input)?;
    let roots = &found.roots;
    let is_root = |root: u32| roots[root as usize] == root;
    debug_assert!(roots.iter().enumerate().all(|(record, root)| *root as usize <= record && is_root(*root)));
    Ok(found)
}

#[cfg(test)]
mod asked_tests;
#[cfg(test)]
mod tests;
