//! Branches on devices: every device runs its share of the tasks, and the host takes what passes. Where the columns of a
//! branch do not fit, its records are cut into parts that do, and the devices take these one by one.
//!
//! `path` makes the access path of a branch, `part` cuts records, `worker` is one device, `results` takes what it finds,
//! and `rollback` undoes a branch whose device has failed.
//!
//! A branch runs on devices if its path has a kernel and it is not expected to end sooner on the CPU. Where its columns
//! exceed a device's memory, there are three ways, and costs choose:
//!
//! - Records are cut into parts by the hash of their keys, since groups of keys share no candidate. The device gathers
//!   a part from the memory of the host (`device_values/part`): a gigabyte takes some 40 ms, as all that is read is
//!   moved over the bus once.
//! - What the verifier reads stays on the host, but for the columns that have room: for joins without keys, and for
//!   branches whose candidates read less than parts would move. The codes of the steps are copied before anything else.
//! - Where there are no keys and that does not fit either, parts are halves, every left half with every right one,
//!   gathered by the host.
//!
//! A round that finds no room is undone, and the branch is done in parts. What fits no part after twelve cuts is left
//! to the CPU. A device that fails ends the job with an error that names the kernels; where it was chosen
//! automatically, or the options say so, the branch is undone instead, the CPU does all of it again, and the device is
//! not used again. A failure is never taken for a lack of memory.

mod part;
mod path;
mod results;
mod rollback;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::adaptive::{AdaptiveBranch, Revision};
use super::host::{BranchHost, lock};
use crate::candidates::work_division::DeviceShare;
use crate::candidates::{NoDevicePath, Rows};
use crate::device::{DeviceChoice, DoesNotFit, Gpu, OnFailure};
use crate::error::{Error, ErrorCode, Result};
use crate::plan::{BranchPlace, CpuReason, Place};
use crate::timeline::Operator;
use crate::union_find::Components;
use part::Part;
use rollback::BranchMark;
use worker::{BranchTask, DeviceWorker, FitResult, ReadyBranch, fit};

/// How often keys are cut at first at most, and each time that a part does not fit.
const MOST_FIRST_CUTS: u32 = 8;
const CUTS: u32 = 2;

/// The devices of a job.
pub struct Devices<'a> {
    workers: Vec<Mutex<DeviceWorker<'a>>>,
    /// What happens when one fails.
    on_failure: OnFailure,
    /// One has failed: none is used again.
    have_failed: AtomicBool,
}

/// What devices have left to the CPU.
pub struct LeftToCpu {
    /// Left and right rows whose pairs are still to be found.
    pub rows: Vec<[Rows; 2]>,
    /// Where the branch runs.
    pub place: BranchPlace,
}

impl<'a> Devices<'a> {
    /// The devices of a job, if it runs on any.
    pub fn open(host: &BranchHost<'a>) -> Result<Option<Self>> {
        let (gpus, settings) = (&host.machine.device.gpus, &host.machine.settings);
        let on_failure = match settings.device {
            DeviceChoice::Auto => OnFailure::UseCpu,
            _ => settings.device_options.on_failure,
        };
        let worker = |gpu: &Gpu| Ok(Mutex::new(DeviceWorker::new(gpu, host)?));
        let (workers, have_failed) = match gpus.iter().map(worker).collect() {
            Err(error) if is_to_be_replaced(&error, on_failure) => (Vec::new(), true),
            workers => (workers?, false),
        };
        Ok((!gpus.is_empty()).then_some(Self { workers, on_failure, have_failed: AtomicBool::new(have_failed) }))
    }

    /// Bytes that were copied to and from them so far.
    pub fn copied(&self) -> u64 {
        self.workers.iter().map(|worker| lock(worker).gpu().copied()).sum()
    }

    /// Runs a branch over these left and right rows, as far as devices can.
    pub fn run(
        &self,
        adaptive: &AdaptiveBranch<'_, '_>,
        revision: &Arc<Revision>,
        rows: [Rows; 2],
        host: &BranchHost<'a>,
    ) -> Result<LeftToCpu> {
        let condition = &revision.branch.condition;
        if revision.branch.place == Place::Cpu {
            let missing = condition.access.no_device_path(&host.program.checks);
            let reason = match missing {
                None => CpuReason::ExpectedSooner,
                Some(NoDevicePath::Path) => CpuReason::NoKernel,
                Some(NoDevicePath::Measure) => CpuReason::NoKernelForMeasure,
            };
            return Ok(LeftToCpu::all(rows, reason));
        }
        if self.have_failed.load(Relaxed) {
            return Ok(LeftToCpu::all(rows, CpuReason::DeviceFailedBefore));
        }
        let task = BranchTask { adaptive, revision, host, is_in_parts: false };
        match self.on_failure {
            OnFailure::Error => self.run_on_devices(&task, rows),
            OnFailure::UseCpu => self.run_or_undo(&task, rows),
        }
    }

    /// Runs a branch; where a device fails, what it has changed is undone, and all of it is left to the CPU.
    fn run_or_undo(&self, task: &BranchTask<'_, 'a>, rows: [Rows; 2]) -> Result<LeftToCpu> {
        let mark = task.host.mark()?;
        match self.run_on_devices(task, rows.clone()) {
            Err(error) if is_to_be_replaced(&error, self.on_failure) => {
                self.have_failed.store(true, Relaxed);
                undo(task, mark);
                let place = BranchPlace::CpuAfterDeviceFailure { error: error.message().to_owned() };
                Ok(LeftToCpu { rows: vec![rows], place })
            }
            result => result,
        }
    }

    fn run_on_devices(&self, task: &BranchTask<'_, 'a>, rows: [Rows; 2]) -> Result<LeftToCpu> {
        let options = &task.host.machine.settings.device_options;
        if options.cuts > 0 {
            return self.run_in_parts(task, Part::whole(rows), None);
        }
        let gpus: Vec<Gpu> = self.workers.iter().map(|worker| lock(worker).gpu().clone()).collect();
        let shares = DeviceShare::divide(&gpus.iter().collect::<Vec<&Gpu>>(), options);
        let start = |(device, (worker, share)): (usize, (&Mutex<DeviceWorker<'a>>, &DeviceShare))| {
            task.timed(Operator::PrepareOnDevice, device, &gpus[device], || lock(worker).start(task, &rows, share))
        };
        let devices = self.workers.par_iter().zip(&shares).enumerate().with_max_len(1);
        let started: Vec<FitResult<ReadyBranch<'a>>> = devices.map(start).collect::<Result<_>>()?;
        // Either all devices run their share of the tasks or none does.
        let ended = match started.into_iter().collect::<FitResult<Vec<ReadyBranch<'a>>>>() {
            Ok(ready) => Self::run_shares(task, ready, &gpus)?,
            Err(reason) => Err(reason),
        };
        match ended {
            Ok(()) => Ok(LeftToCpu { rows: Vec::new(), place: BranchPlace::Device }),
            Err(reason) => self.run_in_parts(task, Part::whole(rows), Some(reason)),
        }
    }

    /// Runs every device's share. Where columns had to stay on the host, a later round may need memory that is not there any
    /// more: then all that the branch has found is dropped. Links between its records stay, for they are found again.
    fn run_shares(task: &BranchTask<'_, 'a>, ready: Vec<ReadyBranch<'a>>, gpus: &[Gpu]) -> Result<FitResult<()>> {
        let is_short = ready.iter().any(|share| share.is_short);
        let mark = if is_short { Some(task.host.mark()?) } else { None };
        let ran = ready.into_par_iter().enumerate().with_max_len(1).try_for_each(|(device, share)| {
            task.timed(Operator::RunOnDevice, device, &gpus[device], || share.run(task))
        });
        let Some(mark) = mark else { return ran.map(Ok) };
        let ended = fit(ran)?;
        if ended.is_err() {
            undo(task, mark);
        }
        Ok(ended)
    }

    fn run_in_parts(&self, task: &BranchTask<'_, 'a>, whole: Part, reason: Option<DoesNotFit>) -> Result<LeftToCpu> {
        let task = &BranchTask { is_in_parts: true, ..*task };
        self.workers.iter().for_each(|worker| lock(worker).clear());
        let predicates = task.predicates();
        // What is needed for no record at all must fit, or no part does.
        if let Err(reason) = lock(&self.workers[0]).run_part(task, &Part::empty(), &predicates)? {
            return Ok(LeftToCpu::all(whole.rows, CpuReason::DoesNotFit(reason)));
        }
        let queue = PartQueue::new();
        queue.cut(whole, task, self.first_cuts(task, &predicates));
        self.workers.par_iter().enumerate().with_max_len(1).try_for_each(|(device, worker)| {
            let mut worker = lock(worker);
            let gpu = worker.gpu().clone();
            task.timed(Operator::RunOnDevice, device, &gpu, || queue.run(&mut worker, task, &predicates))
        })?;
        Ok(queue.left_to_cpu(reason))
    }

    /// How often records are cut before the first part is tried: so that a part of the columns takes about half of what
    /// the smallest device has, which leaves the rest for indexes and results.
    fn first_cuts(&self, task: &BranchTask<'_, 'a>, predicates: &[usize]) -> u32 {
        let bytes = task.host.program.bytes_read_by(predicates);
        let free = self.workers.iter().map(|worker| lock(worker).gpu().free()).min().unwrap_or(0);
        (bytes.div_ceil((free / 2).max(1)).next_power_of_two().ilog2()).clamp(1, MOST_FIRST_CUTS)
    }

    /// Adds the components that the devices found to those of the host; false where they are lost with a device.
    pub fn finish(self, components: &Components) -> Result<bool> {
        if self.have_failed.into_inner() {
            return Ok(false);
        }
        let mut workers = self.workers.into_iter().map(|w| w.into_inner().unwrap_or_else(PoisonError::into_inner));
        match workers.try_for_each(|worker| worker.finish(components)) {
            Err(error) if is_to_be_replaced(&error, self.on_failure) => Ok(false),
            result => result.map(|()| true),
        }
    }
}

/// Undoes what a branch has found since a mark.
fn undo(task: &BranchTask<'_, '_>, mark: BranchMark) {
    [task.revision, &task.adaptive.current()].iter().for_each(|revision| revision.clear_counts());
    task.host.roll_back(mark);
}

/// Whether the CPU does the work of a device that ended with an error.
fn is_to_be_replaced(error: &Error, on_failure: OnFailure) -> bool {
    error.code() == ErrorCode::DeviceFailed && on_failure == OnFailure::UseCpu
}

impl LeftToCpu {
    fn all(rows: [Rows; 2], reason: CpuReason) -> Self {
        Self { rows: vec![rows], place: BranchPlace::Cpu { reason } }
    }
}

/// The parts of a branch.
struct PartQueue {
    waiting: Mutex<Vec<Part>>,
    /// Those that fit no device.
    left_to_cpu: Mutex<Vec<[Rows; 2]>>,
    done: AtomicU64,
    /// The records of the smallest part that did not fit.
    too_large: AtomicUsize,
}

impl PartQueue {
    fn new() -> Self {
        Self {
            waiting: Mutex::default(),
            left_to_cpu: Mutex::default(),
            done: AtomicU64::new(0),
            too_large: AtomicUsize::new(usize::MAX),
        }
    }

    /// Whether a part is about as large as one that did not fit: trying it would cost more than cutting it.
    fn is_too_large(&self, part: &Part) -> bool {
        let too_large = self.too_large.load(Relaxed);
        part.records() >= too_large - too_large / 8
    }

    /// Whether a part fits a device, which has then run it.
    fn fits(
        &self,
        worker: &mut DeviceWorker<'_>,
        task: &BranchTask<'_, '_>,
        part: &Part,
        predicates: &[usize],
    ) -> Result<bool> {
        let fits = !self.is_too_large(part) && worker.run_part(task, part, predicates)?.is_ok();
        if !fits {
            self.too_large.fetch_min(part.records(), Relaxed);
        }
        Ok(fits)
    }

    /// Runs parts until none waits; one that does not fit is cut further.
    fn run(&self, worker: &mut DeviceWorker<'_>, task: &BranchTask<'_, '_>, predicates: &[usize]) -> Result<()> {
        let least = task.host.machine.settings.device_options.cuts;
        while let Some(part) = self.next() {
            let revision = task.adaptive.current();
            let task = &BranchTask { revision: &revision, ..*task };
            if part.cuts >= least && self.fits(worker, task, &part, predicates)? {
                self.done.fetch_add(1, Relaxed);
            } else {
                self.cut(part, task, CUTS);
            }
        }
        Ok(())
    }

    fn next(&self) -> Option<Part> {
        lock(&self.waiting).pop()
    }

    fn cut(&self, part: Part, task: &BranchTask<'_, '_>, times: u32) {
        match part.cut(task.condition(), task.host.program, task.host.scope.shape, times) {
            Some(smaller) => lock(&self.waiting).extend(smaller),
            None => lock(&self.left_to_cpu).push(part.rows),
        }
    }

    fn left_to_cpu(self, reason: Option<DoesNotFit>) -> LeftToCpu {
        let rows = self.left_to_cpu.into_inner().unwrap_or_else(PoisonError::into_inner);
        let on_cpu = rows.len() as u64;
        LeftToCpu { rows, place: BranchPlace::DeviceInParts { parts: self.done.into_inner() + on_cpu, on_cpu, reason } }
    }
}
