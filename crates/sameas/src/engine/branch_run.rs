//! One branch of a stored plan over given records: what a cluster of machines or a resumed run executes.
//!
//! A branch finds and owns its pairs whatever the other branches do, so branches can run anywhere, in any order. And
//! records that can have no pair in common can be given to it apart: a pair of the job is found wherever both of its records
//! are given together.

use std::sync::{Mutex, PoisonError};

use arrow_array::{RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::encode::encode_and_drop;
use super::job::Job;
use super::load::{Loaded, load};
use super::observer::{Progress, Stage};
use super::plan_key::PlanKey;
use super::prepared::{Prepared, frames, shape_of};
use super::rectangles::{Rectangle, rectangles};
use super::settings::Settings;
use crate::candidates::{Batch, Batches, PathInput, Rows, Shape};
use crate::error::{Error, ErrorCode, Result};
use crate::memory::{self, MemoryBudget};
use crate::output::{PairBuffer, PairSorter, SortedPairs};
use crate::plan::{Branch, Plan};
use crate::records::RowIds;
use crate::rules::RuleSet;
use crate::verify::{PairBatch, Program, Tally, Verifier};

/// The plan of a job as a value: it can be stored, and its branches run one by one, elsewhere or later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobPlan {
    key: PlanKey,
    plan: Plan,
}

impl JobPlan {
    /// A plan of a job that is ready to run.
    pub(super) fn of(prepared: &Prepared, plan: &Plan) -> Self {
        Self { key: PlanKey::of(&prepared.rules), plan: plan.clone() }
    }

    /// The number of branches.
    pub fn branches(&self) -> usize {
        self.plan.branches.len()
    }

    /// Whether it is a plan of these rules.
    pub(super) fn is_of(&self, rules: &RuleSet) -> bool {
        self.key == PlanKey::of(rules)
    }

    /// The plan itself.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A branch, if the plan is one of these rules.
    fn branch(&self, branch: usize, rules: &RuleSet) -> Result<&Branch> {
        if let Some(what) = self.key.difference(&PlanKey::of(rules)) {
            let message = format!("the plan is of other {what} than the job's");
            return Err(Error::usage(message).with_help("plan the job again"));
        }
        let count = self.branches();
        self.plan
            .branches
            .get(branch)
            .ok_or_else(|| Error::usage(format!("there is no branch {branch}: the plan has {count}, counted from 0")))
    }
}

/// The pairs that a branch owns among the records it was given.
pub struct BranchRun {
    pairs: SortedPairs,
    /// The row numbers of left and of right records.
    rows: [Vec<u32>; 2],
    /// Candidates that were verified.
    pub candidates: u64,
    /// Pairs.
    pub owned: u64,
}

/// Pairs of a batch.
const BATCH_ROWS: u64 = 1 << 16;

impl BranchRun {
    /// The pairs in order: `row_l` and `row_r`, the row numbers that were given, and `rule`, the number of the rule.
    pub fn batches(&self) -> impl Iterator<Item = Result<RecordBatch>> + '_ {
        let batches = self.pairs.len().div_ceil(BATCH_ROWS);
        (0..batches).map(|batch| {
            let pairs = self.pairs.read(batch * BATCH_ROWS..self.pairs.len().min((batch + 1) * BATCH_ROWS))?;
            let column = |of: &dyn Fn(&crate::verify::Pair) -> u32| {
                std::sync::Arc::new(UInt32Array::from_iter_values(pairs.iter().map(of))) as _
            };
            let columns = vec![
                column(&|pair| self.rows[0][pair.l as usize]),
                column(&|pair| self.rows[1][pair.r as usize]),
                column(&|pair| pair.rule),
            ];
            let fields: Vec<Field> =
                ["row_l", "row_r", "rule"].iter().map(|name| Field::new(*name, DataType::UInt32, false)).collect();
            let batch = RecordBatch::try_new(std::sync::Arc::new(Schema::new(fields)), columns);
            batch.map_err(|error| Error::internal(format!("pairs of a branch: {error}")).with_source(error))
        })
    }
}

/// Runs a branch of a plan over the records of the job's inputs, which have these row numbers: ascending within each input
/// in a link of two, and otherwise over all inputs, where the earlier record of a pair is the left one.
pub fn run_branch(
    job: &Job,
    (plan, branch): (&JobPlan, usize),
    rows: &[Vec<u32>],
    settings: &Settings,
    progress: Progress<'_>,
) -> Result<BranchRun> {
    let budget = MemoryBudget::new(settings.memory);
    let cancel = progress.cancel().within(&budget);
    let mut loaded = load(&job.without_near(), &budget, progress)?;
    check_rows(&loaded, rows)?;
    progress.begin(&Stage::Encoding, None);
    let (frames, sides, borders) = frames(&mut loaded, cancel);
    let Loaded { rules, ids, .. } = loaded;
    let rules = rules.simplified().rules;
    let branch = plan.branch(branch, &rules)?;
    let program = encode_and_drop(&rules, frames, &borders, (cancel, progress));
    let bytes = program.bytes() + ids.iter().map(RowIds::bytes).sum::<usize>();
    let records: u64 = ids.iter().map(|ids| ids.len() as u64).sum();
    let scratch = (rayon::current_num_threads(), program.scratch_bytes());
    let memory = memory::shares_with_scratch(settings.memory, records, bytes, scratch)?;
    let sorter = PairSorter::new(memory.sort, rayon::current_num_threads(), settings.spill_folder.as_deref())?;
    let sides = branch.condition.rows_of_both(&program.checks, &Rows::of_sides(sides));
    let inputs = rectangles(&program, sides, shape_of(&rules)).map(|Rectangle { rows, shape }| PathInput {
        source: program.source(),
        rows,
        shape,
        memory: memory.join,
    });
    let (tally, buffers) = join(branch, &program, inputs, &sorter, progress)?;
    let rows = match (shape_of(&rules), rows) {
        (Shape::Rectangle, [left, right]) => [left.clone(), right.clone()],
        _ => [rows.concat(), rows.concat()],
    };
    Ok(BranchRun {
        pairs: sorter.finish(buffers)?,
        rows,
        candidates: tally.candidates,
        owned: tally.owned.iter().sum(),
    })
}

/// A task of a path, which pushes its candidates into batches.
type Task<'t> = dyn Fn(&mut Batches<'_, &mut dyn FnMut(&Batch)>) + Sync + 't;

/// Finds and verifies the candidates among some rows after others, on all cores.
fn join<'a>(
    branch: &Branch,
    program: &'a Program,
    inputs: impl Iterator<Item = PathInput<'a>>,
    sorter: &PairSorter,
    progress: Progress<'_>,
) -> Result<(Tally, Vec<PairBuffer>)> {
    let (steps, cancel) = (branch.program(program), progress.cancel());
    let worker = |_| Mutex::new((Verifier::new(program, Vec::new()), Batch::default(), sorter.buffer()));
    let workers: Vec<_> = (0..rayon::current_num_threads()).map(worker).collect();
    let run = |task: &Task<'_>| -> Result<()> {
        let worker = &workers[rayon::current_thread_index().unwrap_or(0) % workers.len()];
        let mut worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        let (verifier, batch, buffer) = &mut *worker;
        let (mut passed, mut taken) = (PairBatch::default(), Ok(()));
        let mut take = |batch: &Batch| {
            cancel.check();
            verifier.verify(&steps, batch, &mut passed);
            if taken.is_ok() {
                taken = passed.pairs.drain(..).try_for_each(|pair| buffer.push(pair));
            }
        };
        let mut sink = Batches::new(batch, &mut take as &mut dyn FnMut(&Batch));
        task(&mut sink);
        sink.flush();
        taken
    };
    for input in inputs {
        let mut path = branch.condition.access.path(input);
        for round in 0..path.rounds() {
            cancel.check();
            path.prepare(round);
            (0..path.tasks()).into_par_iter().with_max_len(1).try_for_each(|task| run(&|sink| path.run(task, sink)))?;
            let pieces = path.pieces();
            pieces.par_iter().with_max_len(1).try_for_each(|piece| run(&|sink| path.run_piece(piece, sink)))?;
        }
    }
    let mut tally = Tally::new(program);
    let mut buffers = Vec::with_capacity(workers.len());
    for worker in workers {
        let (verifier, _, buffer) = worker.into_inner().unwrap_or_else(PoisonError::into_inner);
        tally.add(&verifier.tally);
        buffers.push(buffer);
    }
    Ok((tally, buffers))
}

/// Every record needs a number, and the order of numbers must be that of records: it says which one of a pair is left.
fn check_rows(loaded: &Loaded, rows: &[Vec<u32>]) -> Result<()> {
    if !loaded.rules.rankings.is_empty() {
        return Err(Error::usage(
            "`neighbours` ranks all records of a job, so its branches cannot run over some of them",
        )
        .with_code(ErrorCode::NeedsAllRecords));
    }
    let given: Vec<usize> = rows.iter().map(Vec::len).collect();
    let read: Vec<usize> = loaded.tables.iter().map(crate::records::Table::rows).collect();
    if given != read {
        return Err(Error::usage(format!("the inputs have {read:?} records, and {given:?} row numbers were given")));
    }
    let ascend = |rows: &[u32]| rows.windows(2).all(|pair| pair[0] < pair[1]);
    let are_in_order = match shape_of(&loaded.rules) {
        Shape::Rectangle => rows.iter().all(|rows| ascend(rows)),
        Shape::Triangle => ascend(&rows.concat()),
    };
    if are_in_order { Ok(()) } else { Err(Error::usage("row numbers must ascend in the order of the records")) }
}
