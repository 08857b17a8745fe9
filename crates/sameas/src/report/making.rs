//! How a report is made, from the results of a run to facts and tables that fit its size.

use std::path::Path;

use super::explained::Explainer;
use super::facts::ReportFacts;
use super::looked::Looked;
use super::mask::ColumnMasks;
use super::material::ReportMaterial;
use super::misses::{with_reasons, without_reasons};
use super::options::{ReportOptions, WithoutValues};
use super::overview::{compared, evaluated};
use super::results::RunResults;
use super::tables::{TableMaterial, record_values};
use crate::engine::{
    InspectedRecords, InspectionRequest, Job, Progress, RereadInputs, RereadRequest, RunRecord, Settings, Stage,
};
use crate::error::{Error, Result};

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
    // By itself, so that it has all of the memory.
    let truth = options.truth.clone();
    let evaluation = truth.map(|truth| evaluated(run, results, truth, settings.memory, progress)).transpose()?;
    progress.memory_freed();
    let masks = ColumnMasks::new(&options.mask, &run.job.derive);
    let (looked, records, without_values) = read(request, &masks, settings, progress)?;
    let masks = masks.with_secret(records.as_ref().map_or_else(|| secret_of(run), |records| records.secret));
    check_masks(options, run, records.as_ref())?;
    let explainer = records.as_ref().map(|records| Explainer::new(records, run, &looked.results.names));
    let (pairs, search) = match (&records, &explainer) {
        (Some(records), Some(explainer)) => with_reasons(request, (records, explainer), &looked, settings, progress)?,
        _ => without_reasons(run, looked.chosen.asked.clone()),
    };
    let Looked { members, results: looked, chosen } = looked;
    let evaluation = evaluation.map(|evaluation| compared(&evaluation, &looked.names));
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

/// The results, and those records of the inputs that were chosen of them; or why there are none.
type ResultsAndRecords = (Looked, Option<InspectedRecords>, Option<WithoutValues>);

/// Reads the results and the inputs side by side: results are read by one thread for the most part.
fn read(
    request: &ReportRequest<'_>,
    masks: &ColumnMasks,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<ResultsAndRecords> {
    let run = request.run;
    let secret = |column: &str| masks.has(column);
    let without_values = request.job.map_or(Some(WithoutValues::UnknownJob), |job| unreadable(job, run));
    let job = request.job.filter(|_| without_values.is_none());
    let reread = job.map(|job| RereadRequest { job, run, secret: &secret, memory: settings.memory });
    let (looked, inputs) = rayon::join(
        || Looked::at(request, settings.memory, progress.cancel()),
        || reread.map(|reread| RereadInputs::read(reread, progress)).transpose(),
    );
    let looked = looked?;
    let (Some(inputs), Some(reread)) = (inputs?, reread) else { return Ok((looked, None, without_values)) };
    let (records, near_records) = (&looked.chosen.rows[..], &looked.chosen.near_rows[..]);
    let inspection = InspectionRequest { records, near_records, with_keys: true };
    let records = InspectedRecords::new(inputs, reread, &inspection, progress)?;
    progress.memory_freed();
    Ok((looked, Some(records), None))
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
