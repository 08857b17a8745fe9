//! One device: its share of a branch over all records, or a part of them by itself.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use sameas_kernels::layout::components::ComponentsFlatten;
use sameas_kernels::{DevicePtr, kernel};

use super::part::{Part, PartRows};
use super::path::{AnyDevicePath, DevicePlan, device_path};
use super::results::{DeviceResults, step_count};
use crate::candidates::Rows;
use crate::candidates::work_division::DeviceShare;
use crate::device::{Buffer, DoesNotFit, Gpu, LentMemory};
use crate::error::{ErrorCode, Result};
use crate::execute::adaptive::{AdaptiveBranch, Revision};
use crate::execute::host::BranchHost;
use crate::execute::pair_stage::DeviceDone;
use crate::plan::Condition;
use crate::timeline::{Operator, OperatorRecord};
use crate::union_find::Components;
use crate::verify::StepCount;
use crate::verify::gpu::{
    CountedRules, DeviceColumns, DeviceProgram, DeviceStage, DeviceVerifier, LentColumns, VerifierSetup,
};

/// Threads of a block of `components_flatten`.
const THREADS: u32 = 256;

/// Bytes that gathering moves over the bus for each byte of a column: records of a part lie apart.
const GATHERED: f64 = 3.0;

/// A branch, and the host that takes what passes.
#[derive(Clone, Copy)]
pub struct BranchTask<'t, 'a> {
    pub adaptive: &'t AdaptiveBranch<'t, 't>,
    /// The order of its checks when the work began.
    pub revision: &'t Arc<Revision>,
    pub host: &'t BranchHost<'a>,
    /// Whether its records are cut into parts. Values have other numbers there, so that the stages of the host see its pairs.
    pub is_in_parts: bool,
}

impl BranchTask<'_, '_> {
    /// How its candidates are found.
    pub fn condition(&self) -> &Condition {
        &self.revision.branch.condition
    }

    /// How a share of it is joined.
    fn plan(&self, rows: [Rows; 2], share: DeviceShare) -> DevicePlan {
        let text_index = self.host.machine.settings.device_options.text_index;
        DevicePlan { rows, shape: self.host.scope.shape, share, text_index }
    }

    /// What a device does with its pairs in place of a stage, if it does.
    fn stage(&self) -> Option<DeviceStage<'_>> {
        self.host.pipeline().on_device().filter(|_| !self.is_in_parts)
    }

    /// The predicates that it, its access path and its stage check, some more than once.
    pub fn predicates(&self) -> Vec<usize> {
        let checked = DeviceProgram::predicates(self.host.program, &self.revision.program);
        let asked = self.stage().map(|stage| stage.predicates()).unwrap_or_default();
        [&checked[..], self.condition().access.predicates(), &asked].concat()
    }

    /// The predicates of its steps.
    fn steps(&self) -> Vec<usize> {
        self.revision.program.steps.iter().map(|step| step.literal.predicate).collect()
    }

    /// Does some work of a device for the branch, and records its time and what was copied.
    pub fn timed<T>(
        &self,
        operator: Operator,
        device: usize,
        gpu: &Gpu,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let (begun, copied) = (Instant::now(), gpu.copied());
        let done = work()?;
        let record = self.host.machine.since(begun, operator);
        let (device, bytes) = (Some(device as u32), Some(gpu.copied() - copied));
        self.host.ended(OperatorRecord { device, bytes, ..record });
        Ok(done)
    }
}

/// What was wanted, or why it does not fit the device.
pub type FitResult<T> = std::result::Result<T, DoesNotFit>;

/// One device with the job's columns and the components of the pairs found there.
pub struct DeviceWorker<'a> {
    columns: DeviceColumns<'a>,
    /// What is gathered from, or read where it lies, when not everything fits.
    lent: Arc<LentMemory<'a>>,
    /// Nothing where they do not fit: the host joins components then.
    parents: Option<Buffer<u32>>,
}

/// Work that has all the memory it needs, and of which nothing has been handed over.
pub struct ReadyBranch<'p> {
    verifier: DeviceVerifier,
    path: AnyDevicePath<'p>,
    /// The records of the rows, where rows are those of a part.
    _records: Vec<Buffer<u32>>,
    has_round: bool,
    /// How far its pairs have come when it hands them over.
    done: DeviceDone,
    /// Whether memory is so short that columns stay on the host.
    pub is_short: bool,
}

impl<'a> DeviceWorker<'a> {
    /// A device with every record a component of its own, where devices join components.
    pub fn new(gpu: &Gpu, host: &BranchHost<'a>) -> Result<Self> {
        let parents = match host.pipeline().joined_by_devices() {
            Some(components) => fit(gpu.upload(&(0..components.rows()).collect::<Vec<u32>>()))?.ok(),
            None => None,
        };
        let columns = DeviceColumns::new(gpu, host.program, host.machine.settings.device_options.ablation);
        Ok(Self { columns, lent: Arc::new(LentMemory::new(gpu)), parents })
    }

    /// Forgets what earlier branches have left on the device.
    pub fn clear(&mut self) {
        self.columns.clear();
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        self.columns.gpu()
    }

    /// Prepares a share of a branch over all of its records: with all columns on the device or, where they do not fit and
    /// that is better than parts, with those of the verifier on the host.
    pub fn start(
        &mut self,
        task: &BranchTask<'_, '_>,
        rows: &[Rows; 2],
        share: &DeviceShare,
    ) -> Result<FitResult<ReadyBranch<'a>>> {
        let plan = task.plan(rows.clone(), share.clone());
        self.columns.forget_lent();
        if self.columns.ablation().no_copies {
            return self.start_lending(task, plan);
        }
        match self.start_copying(task, &plan)? {
            Err(_) if lending_pays(task, self.gpu().bytes()) => self.start_lending(task, plan),
            started => Ok(started),
        }
    }

    fn start_copying(&mut self, task: &BranchTask<'_, '_>, plan: &DevicePlan) -> Result<FitResult<ReadyBranch<'a>>> {
        if let Err(reason) = self.too_much(task) {
            return Ok(Err(reason));
        }
        let setup = self.setup(task);
        self.columns.forget_lent_texts();
        if let Ok(ready) = fit(start(&mut self.columns, task, plan.clone(), setup, Vec::new()))? {
            return Ok(Ok(ready));
        }
        // What earlier branches have left may take the memory that is missing.
        self.clear();
        plan.share.restart();
        fit(start(&mut self.columns, task, plan.clone(), setup, Vec::new()))
    }

    fn start_lending(&mut self, task: &BranchTask<'_, '_>, plan: DevicePlan) -> Result<FitResult<ReadyBranch<'a>>> {
        let setup = self.setup(task);
        plan.share.restart();
        self.columns.keep_for(&[&task.steps(), task.condition().access.predicates()].concat());
        let memory = self.gpu().bytes();
        let lent = LentColumns { lent: Arc::clone(&self.lent), left: memory / 4 };
        if let Ok(ready) = fit(start_lending(&mut self.columns, lent.clone(), task, plan.clone(), setup))? {
            return Ok(Ok(ready));
        }
        // What earlier branches have left may take the memory that is missing, and an index more than was left for it.
        self.clear();
        plan.share.restart();
        let lent = LentColumns { left: memory / 2, ..lent };
        let started = fit(start_lending(&mut self.columns, lent, task, plan, setup))?;
        if started.is_err() {
            self.clear();
        }
        Ok(started)
    }

    /// That the columns of a branch alone take more than there is, where they do: nothing is copied then.
    fn too_much(&self, task: &BranchTask<'_, '_>) -> FitResult<()> {
        let needed = task.host.program.bytes_read_by(&task.predicates()) as u64;
        let (free, memory) = (self.gpu().free() as u64, self.gpu().bytes() as u64);
        if needed > memory { Err(DoesNotFit::new(needed, free, memory)) } else { Ok(()) }
    }

    /// Runs a part of a branch, of whose program only these predicates are needed, unless it does not fit.
    pub fn run_part(&mut self, task: &BranchTask<'_, '_>, part: &Part, predicates: &[usize]) -> Result<FitResult<()>> {
        let PartRows { frames, sides } = part.local(task.host.scope.shape);
        if task.condition().access.has_keys() {
            self.run_gathered(task, frames, sides, predicates)
        } else {
            self.run_copied(task, &frames, sides, predicates)
        }
    }

    /// Runs a part whose columns the device gathers.
    fn run_gathered(
        &mut self,
        task: &BranchTask<'_, '_>,
        frames: Vec<Rows>,
        sides: [Rows; 2],
        predicates: &[usize],
    ) -> Result<FitResult<()>> {
        let plan = task.plan(sides, self.alone(task));
        let start = || {
            self.columns.make_tests(predicates)?;
            let records = upload(self.gpu(), &frames)?;
            let mut columns = self.columns.gathered(&self.lent, frames, &records, predicates)?;
            let ready = start(&mut columns, task, plan, self.setup(task), records)?;
            Ok((columns, ready))
        };
        match fit(start())? {
            Ok((_columns, ready)) => ready.run(task).map(Ok),
            Err(reason) => Ok(Err(reason)),
        }
    }

    /// Runs a part whose columns the host gathers: its access path reads them there.
    fn run_copied(
        &self,
        task: &BranchTask<'_, '_>,
        frames: &[Rows],
        sides: [Rows; 2],
        predicates: &[usize],
    ) -> Result<FitResult<()>> {
        let rows: Vec<&[u32]> = frames.iter().map(|rows| &rows[..]).collect();
        let program = task.host.program.part(&rows, predicates);
        let mut columns = DeviceColumns::new(self.gpu(), &program, self.columns.ablation());
        let plan = task.plan(sides, self.alone(task));
        let mut start = || {
            let records = upload(self.gpu(), frames)?;
            start(&mut columns, task, plan.clone(), self.setup(task), records)
        };
        match fit(start())? {
            Ok(ready) => ready.run(task).map(Ok),
            Err(reason) => Ok(Err(reason)),
        }
    }

    /// All of a part.
    fn alone(&self, task: &BranchTask<'_, '_>) -> DeviceShare {
        DeviceShare::alone(self.gpu(), &task.host.machine.settings.device_options)
    }

    fn setup(&self, task: &BranchTask<'_, '_>) -> VerifierSetup {
        let (pipeline, ablation) = (task.host.pipeline(), self.columns.ablation());
        // Pairs that a stage may still remove join nothing.
        let are_final = pipeline.is_direct() || task.stage().is_some();
        let parents = self.parents.as_ref().filter(|_| are_final).map_or(DevicePtr::NULL, Buffer::at);
        VerifierSetup {
            rows: [DevicePtr::NULL; 2],
            parents,
            right_offset: pipeline.right_offset(),
            no_queue: ablation.no_queue,
            recursive: ablation.no_sequence,
            count_steps: task.host.machine.settings.device_options.count_checks,
            record_bits: task.host.scope.row_bits(),
            ordered_from: ablation.ordered_from,
        }
    }

    /// Adds the components that the device found to those of the host.
    pub fn finish(self, components: &Components) -> Result<()> {
        let Some(parents) = self.parents else { return Ok(()) };
        let gpu = self.columns.gpu();
        let args = ComponentsFlatten { parent: parents.at(), rows: parents.len() as u64 };
        let blocks = (parents.len() as u32).div_ceil(THREADS).clamp(1, 4096);
        gpu.launch(kernel::COMPONENTS_FLATTEN, blocks, THREADS, 0, &args)?;
        let roots = gpu.read(&parents, 0..parents.len())?;
        let joined = roots.par_iter().enumerate().filter(|(row, root)| *row != **root as usize);
        joined.for_each(|(row, root)| components.join(row as u32, *root));
        Ok(())
    }
}

impl ReadyBranch<'_> {
    /// Runs it to its end.
    pub fn run(mut self, task: &BranchTask<'_, '_>) -> Result<()> {
        let revision = self.revised(task)?;
        let (slots, host) = (self.verifier.slots().to_vec(), task.host);
        let mut results = DeviceResults { host, revision: &revision, slots: &slots, done: self.done };
        while self.has_round {
            self.verifier.run(&*self.path, &mut results)?;
            self.has_round = next_round(&mut self.path, task)?;
        }
        Ok(())
    }
}

impl ReadyBranch<'_> {
    /// Tries some tasks, where that pays, and takes over the order of checks that is the best by now.
    fn revised(&mut self, task: &BranchTask<'_, '_>) -> Result<Arc<Revision>> {
        if self.has_round && task.adaptive.is_worth_a_trial() {
            let counts: Vec<StepCount> = self.verifier.trial(&*self.path)?.iter().map(step_count).collect();
            task.adaptive.tried(task.revision, &counts);
        }
        let revision = task.adaptive.current();
        if !Arc::ptr_eq(&revision, task.revision) {
            self.verifier.reorder(task.host.program, &revision.program)?;
        }
        Ok(revision)
    }
}

/// Whether the verifier had better read columns on the host than have parts of them on the device, whose memory this is.
/// Without keys to divide records by, parts are compared over and over. With keys, parts are gathered once, and each
/// evaluation reads what has no room on the device.
fn lending_pays(task: &BranchTask<'_, '_>, memory: usize) -> bool {
    let (program, branch) = (task.host.program, &task.revision.branch);
    if !branch.condition.access.has_keys() {
        return true;
    }
    let (mut here, mut read) = (branch.condition.access.predicates().to_vec(), 0.0);
    for evaluation in &branch.evaluations {
        here.push(evaluation.predicate);
        // The rest is for indexes, results and what texts take while they are laid out.
        if program.bytes_read_by(&here) > memory / 4 {
            here.pop();
            read += evaluation.times * program.bytes_read_to_evaluate(evaluation.predicate);
        }
    }
    read <= program.bytes_read_by(&task.predicates()) as f64 * GATHERED
}

/// The records of a part on a device, by frame.
fn upload(gpu: &Gpu, frames: &[Rows]) -> Result<Vec<Buffer<u32>>> {
    frames.iter().map(|rows| gpu.upload(rows)).collect()
}

/// Brings a branch to a device, up to the first round with tasks: whether all of it fits is known then, and nothing has
/// been handed over yet.
fn start<'p>(
    columns: &mut DeviceColumns<'p>,
    task: &BranchTask<'_, '_>,
    plan: DevicePlan,
    setup: VerifierSetup,
    records: Vec<Buffer<u32>>,
) -> Result<ReadyBranch<'p>> {
    let at = |record: Option<&Buffer<u32>>| record.map_or(DevicePtr::NULL, Buffer::at);
    let setup = VerifierSetup { rows: [at(records.first()), at(records.last())], ..setup };
    let program = DeviceProgram::new(columns, &task.revision.program, task.stage())?;
    let task_limit = plan.share.sizes().task_limit;
    let path = device_path(task.condition(), columns, plan)?;
    ready(columns.gpu(), task, program, path, task_limit, setup, records)
}

/// The same with what the path reads on the device, and what the verifier reads on the host as far as it can.
fn start_lending<'p>(
    columns: &mut DeviceColumns<'p>,
    lent: LentColumns<'p>,
    task: &BranchTask<'_, '_>,
    plan: DevicePlan,
    setup: VerifierSetup,
) -> Result<ReadyBranch<'p>> {
    let task_limit = plan.share.sizes().task_limit;
    if !columns.ablation().no_copies {
        copy_codes(columns, &task.steps())?;
    }
    let path = device_path(task.condition(), columns, plan)?;
    columns.lend(Some(lent));
    let program = DeviceProgram::new(columns, &task.revision.program, task.stage());
    columns.lend(None);
    let ready = ready(columns.gpu(), task, program?, path, task_limit, setup, Vec::new())?;
    Ok(ReadyBranch { is_short: true, ..ready })
}

/// Copies the codes of a branch's steps, which are read for more candidates than all else, as far as they take a quarter of
/// the memory.
fn copy_codes(columns: &mut DeviceColumns<'_>, steps: &[usize]) -> Result<()> {
    let (mut left, mut seen) = (columns.gpu().bytes() / 4, Vec::new());
    for operand in columns.program().read_by(steps).operands {
        let bytes = size_of_val(&columns.program().encoded.columns[operand].codes[..]);
        if !seen.contains(&operand) && bytes <= left.min(columns.gpu().free() / 2) {
            columns.codes(operand)?;
            left -= bytes;
            seen.push(operand);
        }
    }
    Ok(())
}

/// Takes what the verifier needs beside its program, and prepares the first round that has tasks.
fn ready<'p>(
    gpu: &Gpu,
    task: &BranchTask<'_, '_>,
    program: DeviceProgram,
    mut path: AnyDevicePath<'p>,
    task_limit: usize,
    setup: VerifierSetup,
    records: Vec<Buffer<u32>>,
) -> Result<ReadyBranch<'p>> {
    let all = task.host.program;
    let counted = CountedRules { rules: all.rules, nevers: all.never_rules };
    let capacity = DeviceVerifier::capacity(gpu, &program, task_limit);
    let verifier = DeviceVerifier::new(gpu, program, counted, capacity, setup)?;
    let has_round = next_round(&mut path, task)?;
    let done = match task.stage() {
        _ if !setup.parents.is_null() => DeviceDone::Joined,
        Some(_) => DeviceDone::Staged,
        None => DeviceDone::Found,
    };
    Ok(ReadyBranch { verifier, path, _records: records, has_round, done, is_short: false })
}

/// Prepares the next round that has tasks.
fn next_round(path: &mut AnyDevicePath<'_>, task: &BranchTask<'_, '_>) -> Result<bool> {
    while path.next_round()? {
        if path.tasks() > 0 {
            return Ok(true);
        }
        // Many rounds may come to nothing: the job can be stopped between them.
        task.host.seen(0)?;
    }
    Ok(false)
}

/// Tells what does not fit from what fails.
pub fn fit<T>(result: Result<T>) -> Result<FitResult<T>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) if error.code() == ErrorCode::DoesNotFitDevice => {
            let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<DoesNotFit>());
            Ok(Err(cause.copied().unwrap_or_default()))
        }
        Err(error) => Err(error),
    }
}
