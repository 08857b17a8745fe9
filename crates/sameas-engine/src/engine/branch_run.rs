//! One branch of a stored plan over given records: what a cluster of machines executes.
//!
//! A branch finds and owns its pairs whatever the other branches do, so branches can run anywhere, in any order. And the records
//! can be given to it in parts: a pair of the job is found where both of its records are given together, within a part or across
//! two of them.

use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::part_records::{BoundPart, BranchPairs, PartRecords, ROW_COLUMNS};
use crate::error::{Error, Result};
use crate::execute::{Executed, Execution, JoinScope, Machine, OtherBranches, PairSink, Pipeline};
use crate::observer::{Progress, Stage};
use crate::output::{ExtraColumns, PairBuffer, PairSorter, PairTable, SortedPairs, plain_batch, plain_schema};
use crate::plan::{JobPlan, Plan};
use crate::scoring::{AnyScoreStage, OutsideScores, Scores};
use crate::settings::Settings;
use crate::timeline::Timeline;
use crate::verify::Tally;

/// The pairs that a branch owns among the records it was given.
pub struct BranchRun {
    pairs: SortedPairs,
    records: PartRecords,
    /// Candidates that were verified.
    pub candidates: u64,
    /// Pairs, of which scores have left this many.
    pub owned: u64,
}

/// Pairs of a batch.
const BATCH_ROWS: u64 = 1 << 16;

impl BranchRun {
    /// The pairs in order: `row_l` and `row_r`, the numbers of the records among all of their inputs, and then the columns of
    /// `Run::pairs`.
    pub fn batches(&self) -> impl Iterator<Item = Result<RecordBatch>> + '_ {
        let schema = self.table().schema();
        let batches = self.pairs.len().div_ceil(BATCH_ROWS);
        (0..batches).map(move |batch| self.batch(&schema, batch * BATCH_ROWS))
    }

    fn batch(&self, schema: &SchemaRef, first: u64) -> Result<RecordBatch> {
        let batch = self.table().batch(schema, first..self.pairs.len().min(first + BATCH_ROWS))?;
        let batch = plain_batch(&batch, &plain_schema(schema))?;
        let is_row = |at: &usize| ROW_COLUMNS.contains(&schema.field(*at).name().as_str());
        let (rows, others): (Vec<usize>, Vec<usize>) = (0..schema.fields().len()).partition(is_row);
        batch.project(&[rows, others].concat()).map_err(|error| Error::internal(format!("pairs of a branch: {error}")))
    }

    fn table(&self) -> PairTable<'_> {
        let part: &BoundPart = &self.records.0;
        let [left, right] = &part.ids;
        let more: &dyn ExtraColumns = part;
        PairTable { pairs: &self.pairs, left, right, rules: &part.rule_names, loosened: None, more: Some(more) }
    }
}

/// Runs a branch of a plan over the records of parts.
pub fn run_branch(
    plan: &JobPlan,
    branch: usize,
    records: &PartRecords,
    pairs: BranchPairs,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<BranchRun> {
    let part = &records.0;
    plan.check(&part.rules)?;
    let (only, scope) = (plan.branch(branch)?, part.scope(pairs)?);
    let sort = part.shares(settings)?.sort;
    let (threads, folder) = (rayon::current_num_threads(), settings.spill_folder.as_deref());
    let sorter = match part.scores.is_none() {
        true => PairSorter::new(sort, threads, folder)?,
        false => PairSorter::with_scores(sort, threads, folder)?,
    };
    let (tally, buffers) = match (only, &part.scores) {
        (Some(only), _) => joined(part, &only, scope, &sorter, settings, progress)?,
        (None, Scores::Given(outside)) => given(part, outside, pairs, &sorter, progress)?,
        (None, _) => return Err(Error::internal("the branch of scored pairs has no file of scores")),
    };
    progress.begin(&Stage::Sorting, None);
    let pairs = sorter.finish(buffers)?;
    Ok(BranchRun { owned: pairs.len(), candidates: tally.candidates, pairs, records: records.clone() })
}

/// Finds the pairs of a branch, as a run does.
fn joined(
    part: &BoundPart,
    plan: &Plan,
    scope: JoinScope,
    sorter: &PairSorter,
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<(Tally, Vec<PairBuffer>)> {
    // Another branch may run over the same records meanwhile: neither waits for a table that the other makes.
    let program = part.program.with_new_tables();
    let starting = settings.drivers.start(settings.device, &settings.device_options)?;
    let mut machine = Machine::new(settings, starting, part.shares(settings)?, Instant::now());
    let seconds: f64 = plan.branches.iter().map(|branch| branch.cost / 1e9).sum();
    // Nobody learns how long it took.
    machine.start_device(program.bytes(), seconds, &mut Timeline::start())?;
    let scoring = AnyScoreStage::for_scores(&part.rules, &program, &part.scores);
    let stages = scoring.iter().map(AnyScoreStage::as_stage).collect();
    let execution = Execution {
        program: &program,
        rules: &part.rules,
        plan,
        scope,
        sink: PairSink { pipeline: Pipeline::new(stages, None, 0), sorter },
        machine: &machine,
        reviser: None,
        others: OtherBranches::default(),
        most_candidates: part.job.max_candidates,
        progress,
    };
    let Executed { tally, buffers, .. } = execution.run(None)?;
    Ok((tally, buffers))
}

/// The pairs that others have scored, as far as both of their records are here.
fn given(
    part: &BoundPart,
    outside: &OutsideScores,
    pairs: BranchPairs,
    sorter: &PairSorter,
    progress: Progress<'_>,
) -> Result<(Tally, Vec<PairBuffer>)> {
    let meant = outside.only(|l, r| part.rows.parts_of((l, r)).is_some_and(|parts| pairs.has(parts)));
    let (mut tally, mut buffer) = (Tally::new(&part.program), sorter.buffer());
    let (most, pipeline) = (part.job.max_candidates, Pipeline::new(Vec::new(), None, 0));
    meant.add_pairs(&part.program, most, &pipeline, &mut buffer, &mut tally, progress.cancel())?;
    Ok((tally, vec![buffer]))
}
