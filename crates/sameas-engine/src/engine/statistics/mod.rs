//! Statistics of the records of a job, and a plan from statistics alone.

use arrow_schema::{Schema, SchemaRef};

use crate::cancel::Cancel;
use crate::dataset::{BindingRequest, Dataset, Keep, OperandKeys, RecordCounter, RecordLayout, compile_rules};
use crate::error::{Error, ErrorCode, Result};
use crate::job::{Job, JobSpec};
use crate::memory::{self, MemoryBudget};
use crate::observer::{Progress, Stage};
use crate::plan::{JobPlan, PlanInput, Planner, SampleProgram, Strategy};
use crate::records::stats::Statistics;
use crate::rules::{RuleSet, Simplified};
use crate::settings::Settings;
use crate::timeline::Timeline;
use crate::verify::RuleProgram;

/// The statistics of a job's records. `numbers` are those of the records of each input among all there are, where the inputs
/// have some of them.
pub fn statistics(
    job: &Job,
    numbers: Option<&[Vec<u64>]>,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Statistics> {
    let budget = MemoryBudget::new(settings.memory);
    let (dataset, written) = Dataset::open(&job.without_near(), Keep::Nothing, &budget, progress)?;
    if let Some(numbers) = numbers {
        check_numbers(&written, dataset.layout(), numbers)?;
    }
    counted(&dataset, &written, numbers, progress, progress.cancel().within(&budget))
}

/// The same among records that are at hand.
pub fn statistics_among(
    records: &Dataset,
    job: &Job,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<Statistics> {
    records.within(settings.memory, |budget| {
        let written = records.compile(&job.without_near(), budget, progress)?;
        counted(records, &written, None, progress, progress.cancel().within(budget))
    })
}

/// What rules ask about the records of a dataset, to be shared.
fn counted(
    dataset: &Dataset,
    written: &RuleSet,
    numbers: Option<&[Vec<u64>]>,
    progress: Progress<'_>,
    cancel: Cancel<'_>,
) -> Result<Statistics> {
    progress.begin(&Stage::Encoding, None);
    let (rules, frames) = (written.simplified().rules, dataset.layout().frames());
    let compiled = RuleProgram::compile(&rules, frames);
    let request = BindingRequest { rules: written, program: &compiled, with_findings: false, with_counts: false };
    let program = dataset.derive(request, &mut Timeline::start(), progress, cancel)?.bind(progress, cancel);
    progress.begin(&Stage::Planning, None);
    let keys = OperandKeys::new(&compiled, written, frames);
    let names: Vec<String> = dataset.inputs().iter().map(|input| input.name.clone()).collect();
    let layout = dataset.layout();
    let counter = RecordCounter { program: &program, keys: &keys.operands, layout, names: &names, numbers };
    let statistics = match numbers {
        None => dataset.count(&program, &keys, cancel).statistics,
        Some(_) => counter.count(cancel).statistics,
    };
    Ok(counter.to_share(statistics, &compiled, &keys, cancel))
}

/// Every record needs a number, and a record of another part must have another.
fn check_numbers(rules: &RuleSet, layout: &RecordLayout, numbers: &[Vec<u64>]) -> Result<()> {
    if !rules.rankings.is_empty() {
        let message = "`neighbours` ranks all records of a job, so there are no statistics of some of them";
        return Err(Error::usage(message).with_code(ErrorCode::NeedsAllRecords));
    }
    let given: Vec<usize> = numbers.iter().map(Vec::len).collect();
    let read: Vec<usize> = layout.inputs().iter().map(|rows| *rows as usize).collect();
    if given != read {
        return Err(Error::usage(format!("the inputs have {read:?} records, and {given:?} row numbers were given")));
    }
    let ascend = |rows: &Vec<u64>| rows.windows(2).all(|pair| pair[0] < pair[1]);
    match numbers.iter().all(ascend) {
        true => Ok(()),
        false => Err(Error::usage("row numbers must ascend in the order of the records")),
    }
}

/// The plan of a job from statistics of its records and the columns of its inputs.
pub fn plan_from(
    spec: &JobSpec,
    schemas: &[SchemaRef],
    statistics: &Statistics,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<JobPlan> {
    statistics.check_version()?;
    let (budget, job) = (MemoryBudget::new(settings.memory), spec.job_without_records()?);
    let cancel = progress.cancel().within(&budget);
    check_inputs(spec, schemas, statistics)?;
    let names: Vec<String> = statistics.inputs.iter().map(|input| input.name.clone()).collect();
    let schemas: Vec<&Schema> = schemas.iter().map(AsRef::as_ref).collect();
    let written = compile_rules(&job, &schemas, &names, &budget)?;
    check_rules(&written, &job)?;
    progress.begin(&Stage::Planning, None);
    let Simplified { rules, shadowed, implications, .. } = written.simplified();
    let frames = if rules.has_two_sides() { 2 } else { 1 };
    let compiled = RuleProgram::compile(&rules, frames);
    let keys = OperandKeys::new(&compiled, &written, frames);
    let sample = SampleProgram::of_stored(&compiled, &keys.operands, &keys.conditions, statistics, cancel)?;
    let input = PlanInput {
        sample: &sample,
        statistics,
        costs: &settings.costs,
        implications: &implications,
        shadowed: &shadowed,
        facts: &[],
        strategy: Strategy::default(),
        // Nothing is held here; whoever runs a branch has records of its own.
        memory: memory::shares_with_scratch(settings.memory, 0, 0, rayon::current_num_threads(), 0)?.join,
        device: None,
        comparisons: if job.model.is_some() { &rules.scoring.comparisons } else { &[] },
    };
    let plan = Planner::new(input).plan(&(0..rules.written_conjunctions()).collect::<Vec<usize>>());
    Ok(JobPlan::new(&rules, sample.program.source(), plan))
}

fn check_inputs(spec: &JobSpec, schemas: &[SchemaRef], statistics: &Statistics) -> Result<()> {
    let (asked, counted) = (spec.inputs.len(), statistics.inputs.len());
    if asked != counted || spec.link_type != statistics.link_type {
        return Err(Error::usage("the statistics are of a job of another kind, or with other inputs")
            .with_code(ErrorCode::OtherStatistics));
    }
    match schemas.len() == asked {
        true => Ok(()),
        false => {
            Err(Error::usage(format!("the job has {asked} inputs, and the columns of {} are given", schemas.len())))
        }
    }
}

/// Refuses what is not planned by rules: a rule for scores is made of all records.
fn check_rules(rules: &RuleSet, job: &Job) -> Result<()> {
    if rules.written_rules() > 0 && job.rules.score.pairs.is_none() {
        return Ok(());
    }
    Err(Error::usage("how the pairs of scores are found depends on all records, so that statistics do not suffice")
        .with_help("plan the job where its records are, or give it rules")
        .with_code(ErrorCode::NeedsAllRecords))
}

#[cfg(test)]
mod tests;
