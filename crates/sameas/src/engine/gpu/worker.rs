//! One device: its share of a branch over all records, or a part of them by itself.

use std::time::Instant;

use rayon::prelude::*;
use sameas_kernels::layout::components::ComponentsFlatten;
use sameas_kernels::{DevicePtr, kernel};

use super::part::{Part, PartRows};
use super::path::{AnyDevicePath, DevicePlan, device_path};
use super::results::DeviceResults;
use crate::candidates::Rows;
use crate::candidates::work_division::DeviceShare;
use crate::cluster::Components;
use crate::device::{Buffer, DoesNotFit, Gpu};
use crate::engine::adaptive::Revision;
use crate::engine::join::{Joiner, lock};
use crate::engine::prepared::Prepared;
use crate::engine::record::{Operator, OperatorRecord};
use crate::error::{ErrorCode, Result};
use crate::plan::Condition;
use crate::verify::gpu::{CountedRules, DeviceColumns, DeviceProgram, DeviceVerifier, VerifierSetup};

/// Threads of a block of `components_flatten`.
const THREADS: u32 = 256;

/// A branch, and the engine that takes what passes.
#[derive(Clone, Copy)]
pub struct BranchTask<'t, 'a> {
    pub revision: &'t Revision,
    pub joiner: &'t Joiner<'a>,
}

impl BranchTask<'_, '_> {
    /// How its candidates are found.
    pub fn condition(&self) -> &Condition {
        &self.revision.branch.condition
    }

    /// Does some work of a device for the branch, and records its time and what was copied.
    pub fn timed<T>(
        &self,
        operator: Operator,
        (device, gpu): (usize, &Gpu),
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let (begun, copied) = (Instant::now(), gpu.copied());
        let done = work()?;
        let record = self.joiner.prepared.timeline.since(begun, operator);
        let (device, bytes) = (Some(device as u32), Some(gpu.copied() - copied));
        lock(&self.joiner.operators).push(OperatorRecord { device, bytes, ..record });
        Ok(done)
    }
}

/// What was wanted, or why it does not fit the device.
pub type Fit<T> = std::result::Result<T, DoesNotFit>;

/// One device with the job's columns and the components of the pairs found there.
pub struct DeviceWorker<'a> {
    columns: DeviceColumns<'a>,
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
    /// Whether the device joins the components of its pairs.
    joins_components: bool,
}

impl<'a> DeviceWorker<'a> {
    /// A device with every record a component of its own.
    pub fn new(gpu: &Gpu, prepared: &'a Prepared, joins_components: bool) -> Result<Self> {
        let alone: Vec<u32> = (0..prepared.records()).collect();
        let parents = if joins_components { fit(gpu.upload(&alone))?.ok() } else { None };
        let columns = DeviceColumns::new(gpu, &prepared.program, prepared.settings.device_options.ablation);
        Ok(Self { columns, parents })
    }

    /// Forgets what earlier branches have left.
    pub fn clear(&mut self) {
        self.columns.clear();
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        self.columns.gpu()
    }

    /// Prepares a share of a branch over all of its records.
    pub fn start(
        &mut self,
        task: &BranchTask<'_, '_>,
        rows: &[Rows; 2],
        share: &DeviceShare,
    ) -> Result<Fit<ReadyBranch<'a>>> {
        let prepared = task.joiner.prepared;
        let (shape, text_index) = (prepared.shape(), prepared.settings.device_options.text_index);
        let plan = || DevicePlan { rows: rows.clone(), shape, share: share.clone(), text_index };
        let setup = self.setup(task);
        if let Ok(ready) = fit(start(&mut self.columns, task, plan(), setup, &[]))? {
            return Ok(Ok(ready));
        }
        // What earlier branches have left may take the memory that is missing.
        self.clear();
        share.restart();
        fit(start(&mut self.columns, task, plan(), setup, &[]))
    }

    /// Runs a part of a branch, of whose program only these predicates are needed, unless it does not fit.
    pub fn run_part(&self, task: &BranchTask<'_, '_>, part: &Part, predicates: &[usize]) -> Result<Fit<()>> {
        let prepared = task.joiner.prepared;
        let PartRows { frames, sides } = part.local(prepared.shape());
        let rows: Vec<&[u32]> = frames.iter().map(|rows| &rows[..]).collect();
        let program = prepared.program.part(&rows, predicates);
        let mut columns = DeviceColumns::new(self.columns.gpu(), &program, self.columns.ablation());
        let (share, text_index) = (DeviceShare::alone(self.gpu()), prepared.settings.device_options.text_index);
        let plan = DevicePlan { rows: sides, shape: prepared.shape(), share, text_index };
        match fit(start(&mut columns, task, plan, self.setup(task), &frames))? {
            Ok(ready) => ready.run(task).map(Ok),
            Err(reason) => Ok(Err(reason)),
        }
    }

    fn setup(&self, task: &BranchTask<'_, '_>) -> VerifierSetup {
        let parents = self.parents.as_ref().map_or(DevicePtr::NULL, Buffer::at);
        let (prepared, no_queue) = (task.joiner.prepared, self.columns.ablation().queue);
        let count_steps = prepared.settings.device_options.count_checks;
        VerifierSetup {
            rows: [DevicePtr::NULL; 2],
            parents,
            right_offset: prepared.right_offset(),
            no_queue,
            count_steps,
            record_bits: prepared.rows.map(|rows| (u32::BITS - rows.saturating_sub(1).leading_zeros()).max(1)),
            ordered_from: self.columns.ablation().ordered_from,
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
        let slots = self.verifier.slots().to_vec();
        let BranchTask { joiner, revision } = *task;
        let mut results = DeviceResults { joiner, revision, slots: &slots, joins_components: self.joins_components };
        while self.has_round {
            self.verifier.run(&*self.path, &mut results)?;
            self.has_round = next_round(&mut self.path, task)?;
        }
        Ok(())
    }
}

/// Brings a branch to a device, up to the first round with tasks: whether all of it fits is known then, and nothing has
/// been handed over yet.
fn start<'p>(
    columns: &mut DeviceColumns<'p>,
    task: &BranchTask<'_, '_>,
    plan: DevicePlan,
    setup: VerifierSetup,
    frames: &[Rows],
) -> Result<ReadyBranch<'p>> {
    let gpu = columns.gpu().clone();
    let records: Vec<Buffer<u32>> = frames.iter().map(|rows| gpu.upload(rows)).collect::<Result<_>>()?;
    let at = |record: Option<&Buffer<u32>>| record.map_or(DevicePtr::NULL, Buffer::at);
    let setup = VerifierSetup { rows: [at(records.first()), at(records.last())], ..setup };
    let program = DeviceProgram::new(columns, &task.revision.program)?;
    let task_limit = plan.share.sizes().task_limit;
    let mut path = device_path(task.condition(), columns, plan)?;
    let all = &task.joiner.prepared.program;
    let counted = CountedRules { rules: all.rules, nevers: all.never_rules };
    let verifier = DeviceVerifier::new(&gpu, program, counted, DeviceVerifier::capacity(&gpu, task_limit), setup)?;
    let has_round = next_round(&mut path, task)?;
    Ok(ReadyBranch { verifier, path, _records: records, has_round, joins_components: !setup.parents.is_null() })
}

/// Prepares the next round that has tasks.
fn next_round(path: &mut AnyDevicePath<'_>, task: &BranchTask<'_, '_>) -> Result<bool> {
    while path.next_round()? {
        if path.tasks() > 0 {
            return Ok(true);
        }
        // Many rounds may come to nothing: the job can be stopped between them.
        task.joiner.seen(0)?;
    }
    Ok(false)
}

/// Tells what does not fit from what fails.
fn fit<T>(result: Result<T>) -> Result<Fit<T>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) if error.code() == ErrorCode::DoesNotFitDevice => {
            let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<DoesNotFit>());
            Ok(Err(cause.copied().unwrap_or_default()))
        }
        Err(error) => Err(error),
    }
}
