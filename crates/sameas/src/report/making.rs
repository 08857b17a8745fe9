//! How a report is made, from the results of a run to facts and tables that fit its size.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::cluster_choice::{ClusterChoice, ClusterEdges, sizes};
use super::data_facts::data_facts;
use super::explained::{ExplainedPair, Explainer, PairKind, PairToExplain, unexplained};
use super::facts::*;
use super::mask::Masks;
use super::members::Members;
use super::overlaps::{ThresholdLook, overlaps};
use super::overview::{compared, overview};
use super::pair_counts::PairTotals;
use super::pair_picks::{PairPicks, PickWishes, pick_near};
use super::pair_reader::{PairReader, ReportedPair};
use super::personal::seems_personal;
use super::plan_facts::plan_facts;
use super::results::RunResults;
use super::score_facts::ScoreMaterial;
use super::selection::{ReportLimits, WantedClusters, choose_records, together};
use super::tables::{TableMaterial, TableSelection, VALUE_CHARACTERS, record_values};
use crate::engine::{
    InspectedRecords, InspectionRequest, Job, NearMiss, Progress, RunRecord, Settings, Stage, near_misses,
};
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;
use crate::records::Input;
use crate::records::stats::SEED;
use crate::rules::LinkType;

/// The version of the facts and tables.
const FORMAT: u32 = 1;

/// The least bytes that facts and tables need.
const LEAST_BYTES: u64 = 20_000;

/// Verdicts on conditions that a report may hold: rules with many conditions have fewer pairs explained.
const MOST_FINDINGS: usize = 400_000;

/// Records among which a report looks for near misses.
const NEAR_AMONG: usize = 5_000;

/// Near misses that a report looks for.
const MOST_MISSES: usize = 1_000;

/// Examples of a rule.
const EXAMPLES: usize = 100;

/// What a report may hold.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportOptions {
    /// The size of the whole report, as its header says it.
    pub size: u64,
    /// The bytes that facts and tables may take, packed and written as text.
    pub bytes: u64,
    /// Columns whose values are masked.
    pub mask: Vec<String>,
    /// The truth, if it is known: pairs or clusters.
    pub truth: Option<Input>,
    /// The folder of the results, as the report names it.
    pub folder: String,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { size: 10_000_000, bytes: 10_000_000, mask: Vec::new(), truth: None, folder: String::new() }
    }
}

impl ReportOptions {
    /// For a report of this size, of which facts and tables may take this many bytes.
    #[must_use]
    pub fn with_size(mut self, size: u64, bytes: u64) -> Self {
        (self.size, self.bytes) = (size, bytes);
        self
    }

    /// With the values of a column masked.
    #[must_use]
    pub fn with_mask(mut self, column: &str) -> Self {
        self.mask.push(column.to_owned());
        self
    }

    /// With the truth, which the result is compared with.
    #[must_use]
    pub fn with_truth(mut self, truth: Input) -> Self {
        self.truth = Some(truth);
        self
    }

    /// With the name of the folder that the results are in.
    #[must_use]
    pub fn with_folder(mut self, folder: &str) -> Self {
        self.folder = folder.to_owned();
        self
    }
}

/// Why a report has no values of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithoutValues {
    /// It is not known what the job was.
    UnknownJob,
    /// A file of an input is gone.
    MissingFile {
        /// Its path.
        path: String,
    },
    /// An input was a stream, which can be read only once.
    Stream {
        /// The name of the input.
        input: String,
    },
}

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
        return Err(Error::usage(format!("a report cannot have {} bytes", options.size))
            .with_help("allow it more; 10 MB are usual"));
    }
    progress.begin(&Stage::Reporting, None);
    let cancel = progress.cancel();
    let budget = MemoryBudget::new(settings.memory);
    let masks = Masks::new(&options.mask, &run.job.derive);
    let masked_ids: Vec<bool> = run.inputs.iter().map(|input| masks.has(&input.id)).collect();
    let members = Members::read(results, run, &budget, cancel)?;
    let mut reader = PairReader::new(&members, run);
    let totals = PairTotals::count(results, &mut reader, &members, (&budget, cancel))?;
    let across = run.link_type == LinkType::LinkOnly;
    let possible = members.possible_pairs(across);
    let mut choice = ClusterChoice::by_size(&members, &totals.by_cluster, &possible);
    let limits = bounded_limits(request);
    let wanted = WantedClusters::new(&members, &totals, &choice, &limits);
    let of_rule = limits.of_rules(&totals.by_rule);
    let weakest = if run.scores.is_some() { limits.weakest } else { 0 };
    let wishes = PickWishes { of_rule: &of_rule, weakest, clusters: &wanted.wanted, seed: SEED };
    let picks = PairPicks::pick(results, &mut reader, &members, &wishes, cancel)?;
    let conditions = run.near.as_ref().map_or(1, |near| near.conditions.len().max(1));
    let near = pick_near(results, &mut reader, ((limits.near / conditions).clamp(3, 200), SEED), cancel)?;
    let edges = ClusterEdges::new(picks.edges, &members, cancel);
    choice.add_bridged(&edges, &members);
    let mut asked = pairs_to_explain(&picks.sample, &picks.weakest, near.as_ref().map(|(near, _)| &near[..]));
    let (queue, drawn) = choose_records(&members, (&choice, &edges, &wanted), &asked, &limits);
    asked.extend(together(&members, &drawn, &edges, across));
    let names = reader.rules.all.clone();
    let loosened = reader.loosened.all.clone();
    drop(reader);
    let mut rows = queue.clone();
    rows.sort_unstable();
    let has = |record: u32| rows.binary_search(&record).is_ok();
    asked.retain(|asked| has(asked.pair.left) && has(asked.pair.right));
    // Near misses are looked for among the records that come first.
    let mut near_rows: Vec<u32> = queue.iter().take(NEAR_AMONG).copied().collect();
    near_rows.sort_unstable();
    let (records, without_values) = inspected(request, &masks, (&rows, &near_rows), settings, progress)?;
    let masks = masks.with_secret(records.as_ref().map_or_else(|| secret_of(run), |records| records.secret));
    check_masks(options, run, records.as_ref())?;
    let explainer = records.as_ref().map(|records| Explainer::new(records, run, &names));
    let (pairs, search) = explained(
        request,
        Explained { records: records.as_ref(), explainer: explainer.as_ref(), asked, loosened: &loosened, names: &names },
        (&rows, &near_rows),
        settings,
        progress,
    )?;
    let masked_run = masks.record(run, masked_ids.contains(&true));
    let evaluation = options.truth.clone().map(|truth| compared(run, results, truth, &names)).transpose()?;
    let values = records.as_ref().map(|records| record_values(records, rows.len(), &masks)).unwrap_or_default();
    let masked_conditions: Vec<bool> =
        explainer.iter().flat_map(|explainer| &explainer.texts).map(|text| masks.is_read_by(text)).collect();
    let material = ReportMaterial {
        request,
        run: &masked_run,
        tables: TableMaterial {
            members: &members,
            totals: &totals,
            possible: &possible,
            edges: &edges,
            records: records.as_ref(),
            values: &values,
            rows: &rows,
            masked_conditions: &masked_conditions,
            pairs: &pairs,
            masks: &masks,
            masked_ids: &masked_ids,
        },
        choice: &choice,
        explainer: explainer.as_ref(),
        queue: &queue,
        names: &names,
        evaluation,
        search,
        sampled: picks.sample.len() as u64,
        sample_is_complete: picks.is_complete,
        near_sampled: near.as_ref().map(|(near, _)| near.len() as u64),
        near_is_complete: near.as_ref().is_none_or(|(_, is_complete)| *is_complete),
        of_three: wanted.of_three,
    };
    let (facts, tables) = material.fitted(progress)?;
    drop(material);
    Ok(RunReport { facts, tables, run: masked_run, without_values })
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
fn pairs_to_explain(
    sample: &[(ReportedPair, f64)],
    weakest: &[ReportedPair],
    near: Option<&[(ReportedPair, f64)]>,
) -> Vec<PairToExplain> {
    let of = |kind: PairKind, pair: ReportedPair, weight: f64| PairToExplain { pair, kind, condition: None, weight };
    let mut all: Vec<PairToExplain> = sample.iter().map(|(pair, weight)| of(PairKind::Result, *pair, *weight)).collect();
    let sampled: std::collections::HashSet<(u32, u32)> = sample.iter().map(|(pair, _)| (pair.left, pair.right)).collect();
    let others = weakest.iter().filter(|pair| !sampled.contains(&(pair.left, pair.right)));
    all.extend(others.map(|pair| of(PairKind::Result, *pair, 0.0)));
    all.extend(near.iter().flat_map(|near| near.iter()).map(|(pair, weight)| of(PairKind::Near, *pair, *weight)));
    // Of each rule one after the other, so that what is cut off is cut off of all.
    let mut place: BTreeMap<(u8, u32, u32), u32> = BTreeMap::new();
    let mut keyed: Vec<(u32, PairToExplain)> = Vec::with_capacity(all.len());
    for asked in all {
        let next = place.entry((asked.kind as u8, asked.pair.rule, asked.pair.loosened)).or_default();
        keyed.push((*next, asked));
        *next += 1;
    }
    keyed.sort_by_key(|(place, _)| *place);
    keyed.into_iter().map(|(_, asked)| asked).collect()
}

/// The records that were chosen, read again; or why that is not possible.
fn inspected(
    request: &ReportRequest<'_>,
    masks: &Masks,
    (rows, near_rows): (&[u32], &[u32]),
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<(Option<InspectedRecords>, Option<WithoutValues>)> {
    let Some(job) = request.job else { return Ok((None, Some(WithoutValues::UnknownJob))) };
    if let Some(why) = unreadable(job, request.run) {
        return Ok((None, Some(why)));
    }
    let secret = |column: &str| masks.has(column);
    let inspection = InspectionRequest {
        job,
        run: request.run,
        records: rows,
        near_records: near_rows,
        secret: &secret,
        memory: settings.memory,
    };
    Ok((Some(InspectedRecords::load(&inspection, progress)?), None))
}

/// Why the inputs cannot be read again, as far as that can be known before.
fn unreadable(job: &Job, run: &RunRecord) -> Option<WithoutValues> {
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

/// What pairs are explained by.
struct Explained<'a> {
    records: Option<&'a InspectedRecords>,
    explainer: Option<&'a Explainer>,
    asked: Vec<PairToExplain>,
    loosened: &'a [String],
    names: &'a [String],
}

/// Explains pairs, and looks for near misses where the run has not.
fn explained(
    request: &ReportRequest<'_>,
    of: Explained<'_>,
    (rows, near_rows): (&[u32], &[u32]),
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<(Vec<ExplainedPair>, ReportSearch)> {
    let Explained { records, explainer, mut asked, loosened, names } = of;
    let (Some(records), Some(explainer)) = (records, explainer) else {
        asked.retain(|asked| asked.kind != PairKind::Together);
        let misses = if request.run.near.is_some() { MissSource::Run } else { MissSource::None };
        return Ok((unexplained(asked), ReportSearch { misses, among: 0, explained: 0 }));
    };
    for asked in asked.iter_mut().filter(|asked| asked.kind == PairKind::Near) {
        asked.condition = loosened.get(asked.pair.loosened as usize).and_then(|text| explainer.condition(text));
    }
    let mut search = ReportSearch::default();
    if request.run.near.is_some() {
        search = ReportSearch { misses: MissSource::Run, among: request.run.inputs.iter().map(|i| i.rows).sum(), explained: 0 };
    } else if let Some(misses) = misses_of(request, records, settings, progress)? {
        search = ReportSearch { misses: MissSource::Report, among: near_rows.len() as u64, explained: 0 };
        let number = |name: &String| names.iter().position(|known| known == name);
        asked.extend(misses.into_iter().filter_map(|miss| {
            let [left, right] = miss.records.map(|place| near_rows[place as usize]);
            let rule = number(&miss.rule)? as u32;
            Some(PairToExplain {
                pair: ReportedPair { left, right, rule, score: f64::NAN, loosened: 0 },
                kind: PairKind::Miss,
                condition: explainer.condition(&miss.condition.to_string()),
                weight: 0.0,
            })
        }));
    }
    search.explained = asked.iter().filter(|asked| asked.kind != PairKind::Result).count() as u64;
    let place = |record: u32| rows.partition_point(|row| *row < record);
    Ok((explainer.explain(records, asked, &place, progress), search))
}

/// Near misses among some records, where rules without scores and ranks can be asked for them.
fn misses_of(
    request: &ReportRequest<'_>,
    records: &InspectedRecords,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Option<Vec<NearMiss>>> {
    let Some(job) = request.job else { return Ok(None) };
    let is_scored = request.run.scores.is_some() || !records.rules().scoring.is_empty() || job.scores.is_some();
    if is_scored || records.has_rankings() {
        return Ok(None);
    }
    near_misses(job, &records.near_tables, MOST_MISSES, settings, progress)
}

/// Everything that facts and tables are made of.
struct ReportMaterial<'a> {
    request: &'a ReportRequest<'a>,
    /// The record of the run, masked.
    run: &'a RunRecord,
    tables: TableMaterial<'a>,
    choice: &'a ClusterChoice,
    explainer: Option<&'a Explainer>,
    /// The records in the order in which they go into the report.
    queue: &'a [u32],
    /// The names of the rules.
    names: &'a [String],
    evaluation: Option<ReportEvaluation>,
    search: ReportSearch,
    sampled: u64,
    sample_is_complete: bool,
    near_sampled: Option<u64>,
    near_is_complete: bool,
    of_three: [u64; 2],
}

impl ReportMaterial<'_> {
    /// Facts and packed tables of as many records and pairs as the size allows.
    fn fitted(&self, progress: Progress<'_>) -> Result<(ReportFacts, Vec<u8>)> {
        let (mut records, mut pairs) = (self.queue.len(), self.tables.pairs.len());
        loop {
            progress.cancel().check();
            let selection = TableSelection::new(self.queue[..records].to_vec(), pairs, &self.tables);
            let facts = self.facts(&selection);
            let tables = packed(&self.tables.tables(&selection)?.into_bytes())?;
            let text = serde_json::to_vec(&facts).map_err(|error| Error::internal(format!("facts: {error}")))?;
            let taken = as_text(packed(&text)?.len()) + as_text(tables.len());
            if taken <= self.request.options.bytes {
                return Ok((facts, tables));
            }
            if records == 0 && pairs == 0 {
                return Err(Error::usage(format!("the report needs {taken} bytes at least, besides its page"))
                    .with_help("allow it more; 10 MB are usual"));
            }
            // What is left shrinks about as fast as the number of records and pairs.
            let share = self.request.options.bytes as f64 / taken as f64 * 0.9;
            (records, pairs) = ((records as f64 * share) as usize, (pairs as f64 * share) as usize);
        }
    }

    fn facts(&self, selection: &TableSelection) -> ReportFacts {
        let columns = self.columns();
        ReportFacts {
            format: FORMAT,
            program: crate::VERSION,
            header: self.header(&columns),
            sampling: self.sampling(selection),
            overview: overview(self.run, self.evaluation.clone()),
            columns,
            conditions: self.conditions(),
            rules: self.rules(selection),
            scores: self.scores(selection),
            clusters: self.clusters(selection),
            data: data_facts(self.request.run, self.tables.records, self.tables.masks),
            plan: plan_facts(self.run),
            search: self.search,
        }
    }

    fn columns(&self) -> Vec<ReportColumn> {
        let Some(records) = self.tables.records else { return Vec::new() };
        let example = |name: &str| {
            let counts = records.counts.iter().find(|counts| counts.name == name);
            counts.and_then(|counts| counts.example.as_deref())
        };
        let expression = |name: &str| {
            let mut all = self.run.job.derive.iter().filter(|derive| derive.name.eq_ignore_ascii_case(name));
            let first = all.next()?;
            all.all(|other| other.expression == first.expression).then(|| first.expression.clone())
        };
        let column = |(at, column): (usize, &crate::engine::InspectedColumn)| ReportColumn {
            name: column.name.clone(),
            key: format!("c{at}"),
            derived: column.is_derived,
            expression: if column.is_derived { expression(&column.name) } else { None },
            masked: self.tables.masks.has(&column.name),
            personal: seems_personal(&column.name, example(&column.name)),
            used: column.is_used,
        };
        records.columns.iter().enumerate().map(column).collect()
    }

    fn header(&self, columns: &[ReportColumn]) -> ReportHeader {
        let names = |of: &dyn Fn(&ReportColumn) -> bool| -> Vec<String> {
            columns.iter().filter(|column| of(column)).map(|column| column.name.clone()).collect()
        };
        let run = self.run;
        let titles: Vec<&str> = run.inputs.iter().map(|input| input.name.as_str()).collect();
        ReportHeader {
            title: titles.join(", "),
            link_type: run.link_type,
            started: run.job.started.clone(),
            folder: self.request.options.folder.clone(),
            command: run.job.command.clone(),
            shown_columns: names(&|column| !column.masked),
            personal_columns: names(&|column| !column.masked && column.personal),
            masked_columns: names(&|column| column.masked),
            ids_masked: self.tables.masked_ids.contains(&true),
            has_values: self.tables.records.is_some(),
        }
    }

    fn sampling(&self, selection: &TableSelection) -> ReportSampling {
        let (run, members) = (self.run, self.tables.members);
        let mut shown: BTreeMap<u32, u32> = BTreeMap::new();
        for record in &selection.records {
            *shown.entry(members.roots[*record as usize]).or_default() += 1;
        }
        let whole = shown.iter().filter(|(root, shown)| **shown > 1 && members.sizes[**root as usize] == **shown);
        ReportSampling {
            budget_bytes: self.request.options.size,
            seed: SEED,
            records: ShownPart { all: members.len() as u64, shown: selection.records.len() as u64 },
            clusters: ShownPart { all: run.clusters_of_two_or_more, shown: whole.count() as u64 },
            pairs: ShownPart { all: self.tables.totals.pairs, shown: self.sampled },
            near: self.near_sampled.map(|shown| ShownPart {
                all: run.near.as_ref().and_then(|near| near.pairs).unwrap_or(shown),
                shown,
            }),
            bridges: ShownPart { all: self.of_three[0], shown: self.of_three[1] },
            value_characters: VALUE_CHARACTERS as u64,
        }
    }

    fn conditions(&self) -> Vec<ReportCondition> {
        let Some(explainer) = self.explainer else { return Vec::new() };
        let both = explainer.texts.iter().zip(&explainer.thresholds);
        both.map(|(text, threshold)| ReportCondition { text: text.clone(), threshold: threshold.clone() }).collect()
    }

    fn rules(&self, selection: &TableSelection) -> ReportRules {
        let numbers = selection.pair_numbers();
        let shown = |place: usize| numbers.get(&place).copied();
        let (list, nevers) = (self.rule_list(&shown), self.nevers());
        let near = self.near();
        let Some(explainer) = self.explainer else {
            return ReportRules { list, nevers, near, ..ReportRules::default() };
        };
        let (sets, other_overlaps) = overlaps(self.tables.pairs);
        let by_condition: Option<BTreeMap<(usize, usize), u64>> = near.as_ref().map(|near| {
            near.conditions.iter().filter_map(|of| Some(((of.rule, of.condition?), of.pairs))).collect()
        });
        let look = ThresholdLook {
            pairs: self.tables.pairs,
            explainer,
            is_complete: self.sample_is_complete,
            near: by_condition.as_ref(),
            near_is_complete: self.near_is_complete,
        };
        let thresholds = look.all(&shown);
        ReportRules { list, nevers, overlaps: sets, overlaps_exact: self.sample_is_complete, other_overlaps, near, thresholds }
    }

    fn rule_list(&self, shown: &dyn Fn(usize) -> Option<u32>) -> Vec<ReportRule> {
        let is_scored = self.run.scores.is_some();
        let rule = |(at, name): (usize, &String)| {
            let known = self.run.rules.iter().find(|rule| rule.name == *name);
            let mine = self.tables.pairs.iter().enumerate();
            let mut mine: Vec<(usize, &ExplainedPair)> = mine
                .filter(|(_, pair)| pair.asked.kind == PairKind::Result && pair.asked.pair.rule as usize == at)
                .collect();
            let weakness = |pair: &ExplainedPair| {
                let of = if is_scored { pair.score() } else { pair.slack };
                of.unwrap_or(f64::INFINITY)
            };
            mine.sort_by(|a, b| weakness(a.1).total_cmp(&weakness(b.1)).then(a.0.cmp(&b.0)));
            let number = |of: fn(&crate::engine::RuleRecord) -> u64| known.map_or(0, of);
            ReportRule {
                name: name.clone(),
                named: known.is_some_and(|rule| rule.named),
                when: known.map_or_else(String::new, |rule| rule.when.clone()),
                alone: number(|rule| rule.alone),
                marginal: number(|rule| rule.marginal),
                cumulative: number(|rule| rule.cumulative),
                pairs: self.tables.totals.by_rule.get(at).copied().unwrap_or_default(),
                explained: mine.len() as u64,
                ways: self.explainer.and_then(|of| of.rule_ways.get(at)).cloned().unwrap_or_default(),
                examples: mine.iter().filter_map(|(place, _)| shown(*place)).take(EXAMPLES).collect(),
            }
        };
        self.names.iter().enumerate().map(rule).collect()
    }

    fn nevers(&self) -> Vec<ReportNever> {
        let never = |(at, never): (usize, &crate::engine::NeverRecord)| ReportNever {
            name: never.name.clone(),
            when: never.when.clone(),
            removed: never.removed,
            ways: self.explainer.and_then(|of| of.never_ways.get(at)).cloned().unwrap_or_default(),
        };
        self.run.never.iter().enumerate().map(never).collect()
    }

    fn near(&self) -> Option<ReportNear> {
        let near = self.run.near.as_ref()?;
        let condition = |of: &crate::engine::NearCondition| {
            Some(ReportNearCondition {
                rule: self.names.iter().position(|name| *name == of.rule)?,
                condition: self.explainer.and_then(|explainer| explainer.condition(&of.condition.to_string())),
                looser: of.looser.to_string(),
                pairs: of.pairs.unwrap_or_default(),
            })
        };
        Some(ReportNear {
            amount: near.amount,
            pairs: near.pairs.unwrap_or_default(),
            conditions: near.conditions.iter().filter_map(condition).collect(),
        })
    }

    fn scores(&self, selection: &TableSelection) -> Option<ReportScores> {
        let numbers = selection.pair_numbers();
        let mut by_score: Vec<(f64, usize)> = self
            .tables
            .pairs
            .iter()
            .enumerate()
            .filter(|(_, pair)| pair.asked.kind == PairKind::Result)
            .filter_map(|(at, pair)| Some((pair.score()?, at)))
            .collect();
        by_score.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let weakest = by_score.iter().filter_map(|(_, at)| numbers.get(at).copied()).take(EXAMPLES).collect();
        let material = ScoreMaterial {
            run: self.run,
            job: self.request.job,
            records: self.tables.records,
            masks: self.tables.masks,
            pairs: self.tables.pairs,
        };
        material.facts(self.tables.totals.scores.bins(), weakest)
    }

    fn clusters(&self, selection: &TableSelection) -> ReportClusters {
        let shown = |roots: &[u32]| roots.iter().filter_map(|root| selection.cluster(*root)).collect();
        ReportClusters {
            sizes: sizes(self.tables.members),
            largest: shown(&self.choice.largest),
            least_cohesive: shown(&self.choice.least_cohesive),
            bridged: shown(&self.choice.bridged),
            with_bridge: self.choice.with_bridge,
        }
    }
}

/// Bytes as gzip packs them. No name and no time is in them.
fn packed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    let failed = |error| Error::internal(format!("cannot pack a table: {error}"));
    encoder.write_all(bytes).map_err(failed)?;
    encoder.finish().map_err(failed)
}

/// The characters that bytes take as text, four for three of them.
fn as_text(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(3) * 4
}
