//! How a report is made, from the results of a run to facts and tables that fit its size.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::cluster_choice::{ClusterChoice, ClusterEdges};
use super::explained::{ExplainedPair, Explainer, PairKind, PairToExplain, unexplained};
use super::facts::{MissSource, ReportFacts, ReportSearch};
use super::mask::ColumnMasks;
use super::material::ReportMaterial;
use super::members::ClusterMembers;
use super::options::{ReportOptions, WithoutValues};
use super::overview::compared;
use super::pair_counts::PairTotals;
use super::pair_picks::{NearSample, PairPicks, PickWishes, pick_near};
use super::pair_reader::{PairReader, ReportedPair};
use super::results::RunResults;
use super::selection::{ReportLimits, WantedClusters, choose_records, together};
use super::tables::{TableMaterial, record_values};
use crate::cancel::Cancel;
use crate::engine::{
    InspectedRecords, InspectionRequest, Job, NearMiss, Progress, RereadInputs, RereadRequest, RunRecord, Settings,
    Stage, low_scores, near_misses,
};
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::stats::SEED;
use crate::rules::LinkType;

/// The least bytes that facts and tables need.
const LEAST_BYTES: u64 = 20_000;

/// Verdicts on conditions that a report may hold: rules with many conditions have fewer pairs explained.
const MOST_FINDINGS: usize = 400_000;

/// Records among which a report looks for near misses.
const NEAR_AMONG: usize = 5_000;

/// Near misses that a report looks for.
const MOST_MISSES: usize = 1_000;

/// Pairs that are looked at where scores decide which of them are near misses.
const MOST_SCORED: usize = 20_000;

/// What a report is made of.
pub struct ReportRequest<'a> {
    /// The record of the run.
    pub run: &'a RunRecord,
    /// Its results.
    pub results: &'a dyn RunResults,
    /// The job, if it is known.
    pub job: Option<&'a Job>,
    /// What the report may hold.
    pub options: &'a ReportOptions,
}

/// A report: facts and tables for a page, within a size.
#[derive(Debug)]
pub struct RunReport {
    facts: ReportFacts,
    tables: Vec<u8>,
    run: RunRecord,
    without_values: Option<WithoutValues>,
}

impl RunReport {
    /// What it says.
    pub fn facts(&self) -> &ReportFacts {
        &self.facts
    }

    /// Its tables: Arrow streams in one container, packed by gzip.
    pub fn tables(&self) -> &[u8] {
        &self.tables
    }

    /// The record of the run, with all values masked that are masked in the report.
    pub fn record(&self) -> &RunRecord {
        &self.run
    }

    /// Why it has no values of records, if it has none.
    pub fn without_values(&self) -> Option<&WithoutValues> {
        self.without_values.as_ref()
    }
}

/// Makes a report, on the threads of the current pool.
pub fn make_report(request: &ReportRequest<'_>, settings: &Settings, progress: Progress<'_>) -> Result<RunReport> {
    let ReportRequest { run, results, options, .. } = *request;
    if options.bytes < LEAST_BYTES {
        return Err(Error::usage(format!("a report cannot be as small as {} bytes", options.size))
            .with_help("allow it more; 10 MB are usual"));
    }
    progress.begin(&Stage::Reporting, None);
    let budget = MemoryBudget::new(settings.memory);
    let masks = ColumnMasks::new(&options.mask, &run.job.derive);
    let secret = |column: &str| masks.has(column);
    let without_values = request.job.map_or(Some(WithoutValues::UnknownJob), |job| unreadable(job, run));
    let job = request.job.filter(|_| without_values.is_none());
    let reread = job.map(|job| RereadRequest { job, run, secret: &secret, memory: settings.memory });
    // Results are read by one thread for the most part, and the inputs meanwhile by others.
    let (looked, inputs) = rayon::join(
        || Looked::at(request, &budget, progress.cancel()),
        || reread.map(|reread| RereadInputs::read(reread, progress)).transpose(),
    );
    let Looked { members, results: looked, chosen } = looked?;
    let records = match (inputs?, reread) {
        (Some(inputs), Some(reread)) => {
            let (records, near_records) = (&chosen.rows[..], &chosen.near_rows[..]);
            let request = InspectionRequest { records, near_records, with_keys: true };
            Some(InspectedRecords::new(inputs, reread, &request, progress)?)
        }
        _ => None,
    };
    let masks = masks.with_secret(records.as_ref().map_or_else(|| secret_of(run), |records| records.secret));
    check_masks(options, run, records.as_ref())?;
    let explainer = records.as_ref().map(|records| Explainer::new(records, run, &looked.names));
    let (pairs, search) = match (&records, &explainer) {
        (Some(records), Some(explainer)) => {
            explained(request, (records, explainer), &chosen, &looked, settings, progress)?
        }
        _ => without_reasons(run, chosen.asked.clone()),
    };
    let evaluation =
        options.truth.clone().map(|truth| compared(run, results, truth, &looked.names, progress)).transpose()?;
    let masked_ids: Vec<bool> = run.inputs.iter().map(|input| masks.has(&input.id)).collect();
    let masked_run = masks.record(run, masked_ids.contains(&true));
    let values = records.as_ref().map(|records| record_values(records, chosen.rows.len(), &masks)).unwrap_or_default();
    let conditions = explainer.iter().flat_map(|explainer| &explainer.texts);
    let masked_conditions: Vec<bool> = conditions.map(|text| masks.is_read_by(text)).collect();
    let tables = TableMaterial {
        members: &members,
        totals: &looked.totals,
        possible: &looked.possible,
        edges: &looked.edges,
        records: records.as_ref(),
        values: &values,
        rows: &chosen.rows,
        masked_conditions: &masked_conditions,
        pairs: &pairs,
        masks: &masks,
        masked_ids: &masked_ids,
    };
    let material = ReportMaterial {
        request,
        run: &masked_run,
        tables,
        choice: &looked.choice,
        explainer: explainer.as_ref(),
        queue: &chosen.queue,
        names: &looked.names,
        evaluation,
        search,
        sampled: looked.sample.len() as u64,
        sample_is_complete: looked.sample_is_complete,
        near_sampled: looked.near.as_ref().map(|near| near.pairs.len() as u64),
        near_is_complete: looked.near.as_ref().is_none_or(|near| near.is_complete),
        of_three: looked.wanted.of_three,
    };
    let (facts, tables) = material.fitted(progress)?;
    Ok(RunReport { facts, tables, run: masked_run, without_values })
}

/// What was seen of all results, and what of it goes into the report.
struct Looked {
    members: ClusterMembers,
    results: LookedAt,
    chosen: ChosenRecords,
}

impl Looked {
    fn at(request: &ReportRequest<'_>, budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<Self> {
        let members = ClusterMembers::read(request.results, request.run, budget, cancel)?;
        let results = LookedAt::of(request, &members, (budget, cancel))?;
        let chosen = ChosenRecords::of(request, &results, &members);
        Ok(Self { members, results, chosen })
    }
}

/// What was seen of all results.
struct LookedAt {
    totals: PairTotals,
    possible: Vec<u64>,
    choice: ClusterChoice,
    wanted: WantedClusters,
    /// A sample of the pairs, and how many pairs each stands for.
    sample: Vec<(ReportedPair, f64)>,
    sample_is_complete: bool,
    weakest: Vec<ReportedPair>,
    near: Option<NearSample>,
    edges: ClusterEdges,
    /// The names of the rules.
    names: Vec<String>,
    /// The conditions that near pairs miss.
    loosened: Vec<String>,
}

impl LookedAt {
    /// Looks at all pairs, twice.
    fn of(
        request: &ReportRequest<'_>,
        members: &ClusterMembers,
        (budget, cancel): (&MemoryBudget, Cancel<'_>),
    ) -> Result<Self> {
        let ReportRequest { run, results, .. } = *request;
        let limits = bounded_limits(request);
        let mut reader = PairReader::new(members, run, budget);
        let totals = PairTotals::count(results, &mut reader, members, (budget, cancel))?;
        let possible = members.possible_pairs(run.link_type == LinkType::LinkOnly);
        let mut choice = ClusterChoice::by_size(members, &totals.by_cluster, &possible);
        let wanted = WantedClusters::new(members, &totals, &choice, &limits);
        let of_rule = limits.of_rules(&totals.by_rule);
        let weakest = if run.scores.is_some() { limits.weakest } else { 0 };
        let wishes = PickWishes { of_rule: &of_rule, weakest, clusters: &wanted.wanted, seed: SEED };
        let picks = PairPicks::pick(results, &mut reader, members, &wishes, cancel)?;
        let conditions = run.near.as_ref().map_or(1, |near| near.conditions.len().max(1));
        let near = pick_near(results, &mut reader, ((limits.near / conditions).clamp(3, 200), SEED), cancel)?;
        let edges = ClusterEdges::new(picks.edges, members, cancel);
        choice.add_bridged(&edges, members);
        Ok(Self {
            totals,
            possible,
            choice,
            wanted,
            sample: picks.sample,
            sample_is_complete: picks.is_complete,
            weakest: picks.weakest,
            near,
            edges,
            names: reader.rules.all,
            loosened: reader.loosened.all,
        })
    }
}

/// What goes into the report, as far as its size allows.
struct ChosenRecords {
    /// Records in the order in which they go into the report.
    queue: Vec<u32>,
    /// The same, ascending.
    rows: Vec<u32>,
    /// Those of them among which near misses are looked for, ascending.
    near_rows: Vec<u32>,
    /// Pairs to be explained.
    asked: Vec<PairToExplain>,
}

impl ChosenRecords {
    fn of(request: &ReportRequest<'_>, looked: &LookedAt, members: &ClusterMembers) -> Self {
        let mut asked = pairs_to_explain(looked);
        let of_clusters = (&looked.choice, &looked.edges, &looked.wanted);
        let (queue, drawn) = choose_records(members, of_clusters, &asked, &bounded_limits(request));
        asked.extend(together(members, &drawn, &looked.edges, request.run.link_type == LinkType::LinkOnly));
        let mut rows = queue.clone();
        rows.sort_unstable();
        let has = |record: u32| rows.binary_search(&record).is_ok();
        asked.retain(|asked| has(asked.pair.left) && has(asked.pair.right));
        let mut near_rows: Vec<u32> = queue.iter().take(NEAR_AMONG).copied().collect();
        near_rows.sort_unstable();
        Self { queue, rows, near_rows, asked }
    }
}

/// The limits of a report, where its rules are not so large that fewer pairs fit.
fn bounded_limits(request: &ReportRequest<'_>) -> ReportLimits {
    let limits = ReportLimits::of(request.options.bytes);
    // Each rule has some conditions; how many is known only when it is compiled. Signs of comparisons are about as many.
    let signs = |text: &str| text.matches(['=', '<', '>', '(']).count().max(1);
    let conditions: usize = request.run.rules.iter().map(|rule| signs(&rule.when)).sum();
    ReportLimits { pairs: limits.pairs.min((MOST_FINDINGS / conditions.max(1)).max(50)), ..limits }
}

/// The pairs that are to be explained: first a few of everything, then the rest.
fn pairs_to_explain(looked: &LookedAt) -> Vec<PairToExplain> {
    let of = |kind: PairKind, pair: ReportedPair, weight: f64| PairToExplain { pair, kind, condition: None, weight };
    let sampled: HashSet<(u32, u32)> = looked.sample.iter().map(|(pair, _)| (pair.left, pair.right)).collect();
    let weakest = looked.weakest.iter().filter(|pair| !sampled.contains(&(pair.left, pair.right)));
    let near = looked.near.iter().flat_map(|near| &near.pairs);
    let all = looked.sample.iter().map(|(pair, weight)| of(PairKind::Result, *pair, *weight));
    let all = all.chain(weakest.map(|pair| of(PairKind::Result, *pair, 0.0)));
    let all = all.chain(near.map(|(pair, weight)| of(PairKind::Near, *pair, *weight)));
    // Of each rule one after the other, so that what is cut off is cut off of all.
    let mut places: BTreeMap<(u8, u32, u32), u32> = BTreeMap::new();
    let mut placed: Vec<(u32, PairToExplain)> = Vec::new();
    for asked in all {
        let next = places.entry((asked.kind as u8, asked.pair.rule, asked.pair.loosened)).or_default();
        placed.push((*next, asked));
        *next += 1;
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, asked)| asked).collect()
}

/// Why the inputs cannot be read again, as far as that can be known before.
pub fn unreadable(job: &Job, run: &RunRecord) -> Option<WithoutValues> {
    for (at, input) in job.inputs.iter().enumerate() {
        let name = run.inputs.get(at).map_or_else(String::new, |input| input.name.clone());
        if input.is_read_once() {
            return Some(WithoutValues::Stream { input: name });
        }
        let files = run.inputs.get(at).into_iter().filter(|_| !input.given().is_empty()).flat_map(|input| &input.files);
        if let Some(path) = files.into_iter().find(|path| !Path::new(path).exists()) {
            return Some(WithoutValues::MissingFile { path: path.clone() });
        }
    }
    None
}

/// A number that whoever has the report alone does not know, where the inputs cannot be read.
fn secret_of(run: &RunRecord) -> u128 {
    let all = run.files.iter().flat_map(|file| file.xxh128.bytes()).collect::<Vec<u8>>();
    xxhash_rust::xxh3::xxh3_128(&all)
}

/// Refuses masks of columns that do not exist: a misspelt one would hide nothing.
fn check_masks(options: &ReportOptions, run: &RunRecord, records: Option<&InspectedRecords>) -> Result<()> {
    let Some(records) = records else { return Ok(()) };
    let is_known = |mask: &str| {
        let is_it = |name: &str| name.to_lowercase() == mask.to_lowercase();
        records.columns.iter().any(|column| is_it(&column.name))
            || run.job.derive.iter().any(|derive| is_it(&derive.name))
            || run.inputs.iter().any(|input| is_it(&input.id))
    };
    match options.mask.iter().find(|mask| !is_known(mask)) {
        Some(mask) => {
            let names: Vec<&str> = records.columns.iter().map(|column| column.name.as_str()).collect();
            Err(Error::usage(format!("there is no column `{mask}` to mask"))
                .with_help(format!("the columns are {}", names.join(", "))))
        }
        None => Ok(()),
    }
}

/// The pairs of a run whose inputs cannot be read.
fn without_reasons(run: &RunRecord, mut asked: Vec<PairToExplain>) -> (Vec<ExplainedPair>, ReportSearch) {
    asked.retain(|asked| asked.kind != PairKind::Together);
    let misses = if run.near.is_some() { MissSource::Run } else { MissSource::None };
    (unexplained(asked), ReportSearch { misses, among: 0, explained: 0 })
}

/// Explains pairs, and looks for near misses where the run has not.
fn explained(
    request: &ReportRequest<'_>,
    (records, explainer): (&InspectedRecords, &Explainer),
    chosen: &ChosenRecords,
    looked: &LookedAt,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<(Vec<ExplainedPair>, ReportSearch)> {
    let mut asked = chosen.asked.clone();
    for asked in asked.iter_mut().filter(|asked| asked.kind == PairKind::Near) {
        asked.condition = looked.loosened.get(asked.pair.loosened as usize).and_then(|text| explainer.condition(text));
    }
    let mut search = ReportSearch::default();
    if request.run.near.is_some() {
        (search.misses, search.among) = (MissSource::Run, request.run.inputs.iter().map(|input| input.rows).sum());
    } else if let Some(misses) = misses_of(request, records, settings, progress)? {
        (search.misses, search.among) = (MissSource::Report, chosen.near_rows.len() as u64);
        let known: HashSet<(u32, u32)> = asked.iter().map(|asked| (asked.pair.left, asked.pair.right)).collect();
        let misses = misses.iter().filter_map(|miss| miss_to_explain(miss, explainer, chosen, &looked.names));
        asked.extend(misses.filter(|miss| !known.contains(&(miss.pair.left, miss.pair.right))));
    }
    let place = |record: u32| chosen.rows.partition_point(|row| *row < record);
    let mut pairs = explainer.explain(records, asked, &place, progress);
    if let Some(scores) = &request.run.scores {
        keep_low_scores(&mut pairs, scores.threshold_weight.unwrap_or(scores.threshold));
    }
    search.explained = pairs.iter().filter(|pair| pair.asked.kind != PairKind::Result).count() as u64;
    Ok((pairs, search))
}

/// Of the pairs whose score was looked for, those that it is too low for, the highest ones.
fn keep_low_scores(pairs: &mut Vec<ExplainedPair>, threshold: f64) {
    let is_miss = |pair: &ExplainedPair| pair.asked.kind == PairKind::Miss;
    let low = |pair: &ExplainedPair| pair.score().filter(|score| *score < threshold && pair.never.is_none());
    let mut scores: Vec<f64> = pairs.iter().filter(|pair| is_miss(pair)).filter_map(low).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    let least = scores.get(MOST_MISSES - 1).copied().unwrap_or(f64::NEG_INFINITY);
    pairs.retain(|pair| !is_miss(pair) || low(pair).is_some_and(|score| score >= least));
}

fn miss_to_explain(
    miss: &NearMiss,
    explainer: &Explainer,
    chosen: &ChosenRecords,
    names: &[String],
) -> Option<PairToExplain> {
    let [left, right] = miss.records.map(|place| chosen.near_rows[place as usize]);
    let rule = names.iter().position(|known| *known == miss.rule)? as u32;
    Some(PairToExplain {
        pair: ReportedPair { left, right, rule, score: f64::NAN, loosened: 0 },
        kind: PairKind::Miss,
        condition: miss.condition.as_ref().and_then(|condition| explainer.condition(&condition.to_string())),
        weight: 0.0,
    })
}

/// Near misses among some records, where rules without ranks can be asked for them.
fn misses_of(
    request: &ReportRequest<'_>,
    records: &InspectedRecords,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let Some(job) = request.job else { return Ok(None) };
    // Of scores that others have given nothing is known below the threshold.
    if job.scores.is_some() || records.has_rankings() {
        return Ok(None);
    }
    if request.run.scores.is_some() {
        return low_scores(job, &records.near_tables, MOST_SCORED, settings, progress);
    }
    near_misses(job, &records.near_tables, MOST_MISSES, settings, progress)
}
