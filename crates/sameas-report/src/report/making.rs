//! How a report is made, from the results of a run to facts and tables that fit its size.

use std::path::Path;

use super::entity_examples::{ColumnExamples, ExampleRequest, entity_examples};
use super::explained::Explainer;
use super::facts::ReportFacts;
use super::mask::ColumnMasks;
use super::material::ReportMaterial;
use super::misses::{with_reasons, without_reasons};
use super::options::{ReportOptions, WithoutValues};
use super::overview::{compared, evaluated};
use super::result_scan::ResultScan;
use super::results::RunResults;
use super::sweep_facts::check_sweep;
use super::tables::{TableMaterial, record_values};
use crate::engine::{AskedRecords, InspectedInputs, InspectedRecords, InspectedRun, InspectionRequest, RunRecord};
use crate::error::{Error, Result};
use crate::evaluate::SweepTable;
use crate::job::Job;
use crate::observer::{Progress, Stage};
use crate::records::STDIN_LABEL;
use crate::scoring::missing_frequencies;
use crate::settings::Settings;

/// The least bytes that facts and tables need.
const LEAST_BYTES: u64 = 20_000;

/// What a report is made of.
pub struct ReportRequest<'a> {
    /// The record of the run.
    pub run: &'a RunRecord,
    /// Its results.
    pub results: &'a dyn RunResults,
    /// The job, if it is known.
    pub job: Option<&'a Job>,
    /// Its records, if the run has kept them.
    pub at_hand: Option<&'a AskedRecords>,
    /// What the report may hold.
    pub options: &'a ReportOptions,
}

impl<'a> ReportRequest<'a> {
    /// The same with the records that another report has read, unless the run has kept them.
    fn with_known_records(&self) -> Self {
        let options: &'a ReportOptions = self.options;
        match (self.at_hand, &options.records) {
            (None, Some(records)) => Self { job: Some(&records.job), at_hand: Some(records), ..*self },
            _ => Self { ..*self },
        }
    }
}

/// A report: facts and tables for a page, within a size. It keeps the records that were read for it, where there is room.
#[derive(Debug)]
pub struct RunReport {
    facts: ReportFacts,
    tables: Vec<u8>,
    run: RunRecord,
    without_values: Option<WithoutValues>,
    sweep: Option<SweepTable>,
    /// The records of the run, unless it has kept them itself.
    records: Option<AskedRecords>,
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

    /// Thresholds and ways to make clusters, if they were compared.
    pub fn sweep(&self) -> Option<&SweepTable> {
        self.sweep.as_ref()
    }
}

impl ReportOptions {
    /// With the records that were read for another report of the same run, where there is room to keep them: a report that is
    /// made again, for less room, does not read them again.
    #[must_use]
    pub fn with_records_of(mut self, report: &RunReport) -> Self {
        self.records.clone_from(&report.records);
        self
    }
}

/// Makes a report, on the threads of the current pool.
pub fn make_report(request: &ReportRequest<'_>, settings: &Settings, progress: Progress<'_>) -> Result<RunReport> {
    let (is_kept, request) = (request.at_hand.is_some(), request.with_known_records());
    let resolved = request.job.zip(request.run.scores.as_ref()).map(|(job, scores)| scores.resolved(job.clone()));
    let request = &ReportRequest { job: resolved.as_ref().or(request.job), ..request };
    let report = made(request, settings, progress)?;
    Ok(if is_kept { RunReport { records: None, ..report } } else { report })
}

/// The report of a job whose threshold is known.
fn made(request: &ReportRequest<'_>, settings: &Settings, progress: Progress<'_>) -> Result<RunReport> {
    let ReportRequest { run, results, options, .. } = *request;
    if options.bytes < LEAST_BYTES {
        return Err(Error::usage(format!("a report cannot be as small as {} bytes", options.size))
            .with_help("allow it more; 10 MB are usual"));
    }
    check_sweep(options.sweep.as_ref(), run)?;
    progress.begin(&Stage::Reporting, None);
    // By itself, so that it has all of the memory.
    let truth = options.truth.clone();
    let evaluation = truth.map(|truth| evaluated(run, results, truth, settings.memory, progress)).transpose()?;
    progress.memory_freed();
    let masks = ColumnMasks::new(&options.mask, &run.job.derive);
    let (scan, records, without_values) = read(request, &masks, settings, progress)?;
    let masks = masks.with_secret(records.as_ref().map_or_else(|| secret_of(run), |records| records.secret));
    check_masks(options, run, records.as_ref())?;
    let explainer = records.as_ref().map(|records| Explainer::new(records, run, &scan.scanned.names));
    let (pairs, search) = match (&records, &explainer) {
        (Some(records), Some(explainer)) => with_reasons(request, records, explainer, &scan, settings, progress)?,
        _ => without_reasons(run, scan.chosen.asked.clone()),
    };
    let examples = examples(request, &scan, records.as_ref(), &masks, settings, progress)?;
    let ResultScan { members, scanned, chosen, cut } = scan;
    let evaluation = evaluation.map(|evaluation| compared(&evaluation, &scanned.names));
    let masked_ids: Vec<bool> = run.inputs.iter().map(|input| masks.has(&input.id)).collect();
    let masked_run = masks.record(run, masked_ids.contains(&true));
    let values = records.as_ref().map(|records| record_values(records, chosen.rows.len(), &masks)).unwrap_or_default();
    let conditions = explainer.iter().flat_map(|explainer| &explainer.texts);
    let masked_conditions: Vec<bool> = conditions.map(|text| masks.is_read_by(text)).collect();
    let tables = TableMaterial {
        members: &members,
        totals: &scanned.totals,
        possible: &scanned.possible,
        edges: &scanned.edges,
        between: &cut,
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
        choice: &scanned.choice,
        explainer: explainer.as_ref(),
        queue: &chosen.queue,
        names: &scanned.names,
        evaluation,
        search,
        entity_examples: &examples,
        sampled: scanned.sample.len() as u64,
        sample_is_complete: scanned.sample_is_complete,
        near_sampled: scanned.near.as_ref().map(|near| near.pairs.len() as u64),
        near_is_complete: scanned.near.as_ref().is_none_or(|near| near.is_complete),
        of_three: scanned.wanted.of_three,
    };
    let (facts, tables) = material.fitted(progress)?;
    let asked = records.as_ref().map(|records| records.asked.clone());
    let sweep = options.sweep.clone();
    Ok(RunReport { facts, tables, run: masked_run, without_values, sweep, records: asked })
}

/// The results, and those records of the inputs that were chosen of them; or why there are none.
type ResultsAndRecords = (ResultScan, Option<InspectedRecords>, Option<WithoutValues>);

/// Reads the results and, unless they are at hand, the inputs side by side: results are read by one thread for the most part.
fn read(
    request: &ReportRequest<'_>,
    masks: &ColumnMasks,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<ResultsAndRecords> {
    let run = request.run;
    let secret = |column: &str| masks.has(column);
    let at_hand = request.at_hand.filter(|records| records.dataset.has_tables());
    let without_values = match (request.job, at_hand) {
        (Some(job), Some(_)) => missing_frequencies(job).map(|path| WithoutValues::MissingFile { path }),
        (job, _) => why_unreadable(job, run),
    };
    let job = request.job.filter(|_| without_values.is_none());
    let inspected = job.map(|job| InspectedRun { job, at_hand, run, secret: Some(&secret), memory: settings.memory });
    let (scan, inputs) = rayon::join(
        || ResultScan::new(request, settings.memory, progress.cancel()),
        || inspected.map(|run| InspectedInputs::open(run, progress)).transpose(),
    );
    let scan = scan?;
    let (Some(inputs), Some(inspected)) = (inputs?, inspected) else { return Ok((scan, None, without_values)) };
    let (records, near_records) = (&scan.chosen.rows[..], &scan.chosen.near_rows[..]);
    let inspection = InspectionRequest { records, near_records, with_keys: true };
    let records = InspectedRecords::new(inputs, inspected, &inspection, progress)?;
    progress.memory_freed();
    Ok((scan, Some(records), None))
}

/// Clusters whose records disagree, by the columns of entities, if the run has made some and its inputs can be read once more.
fn examples(
    request: &ReportRequest<'_>,
    scan: &ResultScan,
    records: Option<&InspectedRecords>,
    masks: &ColumnMasks,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Vec<ColumnExamples>> {
    let ReportRequest { run, job, .. } = *request;
    let can_be_made = run.entities.is_some() && unreadable_input(job, run).is_none();
    let Some(records) = records.filter(|_| can_be_made) else { return Ok(Vec::new()) };
    let ResultScan { members, scanned, chosen, .. } = scan;
    let (wanted, edges) = (&scanned.wanted.wanted[..], &scanned.edges);
    let (asked, queue) = (&records.asked, &chosen.queue[..]);
    let wish = ExampleRequest { run, asked, members, queue, wanted, edges, masks };
    entity_examples(&wish, settings.memory, progress)
}

/// Why what a job is given cannot be read again, as far as that can be known before.
fn why_unreadable(job: Option<&Job>, run: &RunRecord) -> Option<WithoutValues> {
    let frequencies = || missing_frequencies(job?).map(|path| WithoutValues::MissingFile { path });
    unreadable_input(job, run).or_else(frequencies)
}

/// Why the inputs cannot be read again, as far as that can be known before.
pub fn unreadable_input(job: Option<&Job>, run: &RunRecord) -> Option<WithoutValues> {
    let Some(job) = job else { return Some(without_job(run)) };
    for (at, input) in job.inputs.iter().enumerate() {
        let name = run.inputs.get(at).map_or_else(String::new, |input| input.name.clone());
        if !input.can_be_read_again() {
            return Some(WithoutValues::Stream { input: name });
        }
        let files = run.inputs.get(at).into_iter().filter(|_| !input.given().is_empty()).flat_map(|input| &input.files);
        let is_gone = |path: &&String| *path != STDIN_LABEL && !exists(path, run);
        if let Some(path) = files.into_iter().find(is_gone) {
            return Some(WithoutValues::MissingFile { path: path.clone() });
        }
    }
    None
}

/// Whether a file of a run is there, in the folder that its path is from, or in the current one.
fn exists(path: &str, run: &RunRecord) -> bool {
    let folder = run.job.spec.as_ref().and_then(|spec| spec.folder.as_deref());
    let mut places = folder.map(|folder| Path::new(folder).join(path)).into_iter().chain([Path::new(path).to_owned()]);
    places.any(|place| place.exists())
}

/// Why there is no job to read the inputs of.
fn without_job(run: &RunRecord) -> WithoutValues {
    let asked = run.job.spec.as_ref().and_then(|spec| spec.asks_for().first().map(|name| (*name).to_owned()));
    asked.map_or(WithoutValues::UnknownJob, |input| WithoutValues::GivenRecords { input })
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
        records.columns().iter().any(|column| is_it(&column.name))
            || run.job.derive.iter().any(|derive| is_it(&derive.name))
            || run.inputs.iter().any(|input| is_it(&input.id))
    };
    match options.mask.iter().find(|mask| !is_known(mask)) {
        Some(mask) => {
            let names: Vec<&str> = records.columns().iter().map(|column| column.name.as_str()).collect();
            Err(Error::usage(format!("there is no column `{mask}` to mask"))
                .with_help(format!("the columns are {}", names.join(", "))))
        }
        None => Ok(()),
    }
}
