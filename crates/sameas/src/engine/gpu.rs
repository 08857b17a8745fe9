//! Branches on devices: every device runs its share of the units, and the host takes what passes.

use std::sync::Mutex;

use rayon::prelude::*;
use sameas_kernels::layout::components::ComponentsFlatten;

use super::join::{Joiner, lock};
use super::prepared::Prepared;
use crate::candidates::device_path::{DevicePath, unit_limit};
use crate::candidates::{BATCH, Batch};
use crate::cluster::Components;
use crate::device::{Buffer, Gpu};
use crate::error::{Error, ErrorKind, Result};
use crate::output::Pair;
use crate::plan::{Condition, DevicePlan};
use crate::verify::gpu::{Counted, Decided, DeviceProgram, Image, Open, Places, Survivors, Taker};
use crate::verify::{BranchProgram, Truth};

/// Threads of a block of `components_flatten`.
const THREADS: u32 = 256;

/// One device with the job's columns and the components of the pairs found there.
struct Seat<'a> {
    image: Image<'a>,
    parents: Buffer<u32>,
}

/// The devices of a job.
pub struct Devices<'a> {
    seats: Vec<Mutex<Seat<'a>>>,
    /// Right records among the components.
    right_offset: u32,
}

impl<'a> Devices<'a> {
    /// The devices of a job, if it runs on any, with every record a component of its own.
    pub fn of(prepared: &'a Prepared) -> Result<Option<Self>> {
        let (gpus, program) = (&prepared.device.gpus, &prepared.program);
        if gpus.is_empty() {
            return Ok(None);
        }
        let alone: Vec<u32> = (0..prepared.records()).collect();
        let seat = |gpu: &Gpu| {
            let (image, parents) = (Image::new(gpu, program), gpu.upload(&alone)?);
            Ok(Mutex::new(Seat { image, parents }))
        };
        Ok(Some(Self { seats: gpus.iter().map(seat).collect::<Result<_>>()?, right_offset: prepared.right_offset() }))
    }

    /// Runs a branch, where devices can find its candidates; else says why they cannot.
    pub fn run(&self, condition: &Condition, branch: &BranchProgram, joiner: &Joiner<'_>) -> Result<Option<String>> {
        if let Some(reason) = condition.no_device_path(&joiner.prepared.program) {
            return Ok(Some(reason));
        }
        let share = |(place, seat): (usize, &Mutex<Seat<'a>>)| {
            let task = Task { condition, branch, share: (place, self.seats.len()), right_offset: self.right_offset };
            lock(seat).run(&task, joiner)
        };
        let shares: Vec<Ran> = self.seats.par_iter().enumerate().with_max_len(1).map(share).collect::<Result<_>>()?;
        if shares.iter().all(|share| matches!(share, Ran::Whole)) {
            return Ok(None);
        }
        // Equal shares of equal devices fit or do not fit together; else some pairs would come twice.
        let unfit = shares.into_iter().map(|share| match share {
            Ran::Whole => Err(Error::resource("the work fits some of the devices only").with_help(MORE_MEMORY)),
            Ran::Unfit(reason) => Ok(reason),
        });
        Ok(unfit.collect::<Result<Vec<String>>>()?.into_iter().next())
    }

    /// Adds the components that the devices found to those of the host.
    pub fn finish(self, components: &Components) -> Result<()> {
        for seat in self.seats {
            let Seat { image, parents } = seat.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            let args = ComponentsFlatten { parent: parents.at(), rows: parents.len() as u64 };
            let blocks = (parents.len() as u32).div_ceil(THREADS).clamp(1, 4096);
            image.gpu().launch("components_flatten", blocks, THREADS, 0, &args)?;
            let roots = image.gpu().read(&parents, 0..parents.len())?;
            let joined = roots.par_iter().enumerate().filter(|(row, root)| *row != **root as usize);
            joined.for_each(|(row, root)| components.join(row as u32, *root));
        }
        Ok(())
    }
}

/// A device's share of a branch.
struct Task<'t> {
    condition: &'t Condition,
    branch: &'t BranchProgram,
    /// Which share of how many.
    share: (usize, usize),
    right_offset: u32,
}

/// What came of a share.
enum Ran {
    /// All of it was run.
    Whole,
    /// Nothing was run, because it does not fit the device; the reason.
    Unfit(String),
}

/// What a user can do about too little device memory.
const MORE_MEMORY: &str = "raise --device-memory, or use --device cpu";

impl<'a> Seat<'a> {
    /// Runs a share, unless what it reads does not fit the device.
    fn run(&mut self, task: &Task<'_>, joiner: &Joiner<'_>) -> Result<Ran> {
        let is_resource = |error: &Error| error.kind() == ErrorKind::Resource;
        let prepared = self.prepare(task, joiner).or_else(|error| {
            // What earlier branches have left may be in the way.
            self.image.clear();
            if is_resource(&error) { self.prepare(task, joiner) } else { Err(error) }
        });
        match prepared {
            Ok((mut survivors, mut path)) => {
                let slots = survivors.slots().to_vec();
                let mut taking = Taking { joiner, branch: task.branch, slots: &slots };
                while path.advance()? {
                    survivors.run(&*path, &mut taking)?;
                }
                Ok(Ran::Whole)
            }
            Err(error) if is_resource(&error) => {
                self.image.clear();
                Ok(Ran::Unfit(error.message().to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    fn prepare(&mut self, task: &Task<'_>, joiner: &Joiner<'_>) -> Result<(Survivors, Box<dyn DevicePath + 'a>)> {
        let gpu = self.image.gpu().clone();
        let program = DeviceProgram::new(&mut self.image, task.branch)?;
        let plan = DevicePlan { rows: joiner.prepared.rows, shape: joiner.prepared.shape(), share: task.share };
        let parents = self.parents.at();
        let path = task.condition.device_path(&mut self.image, plan)?;
        let places = Places { parents, right_offset: task.right_offset, ..Places::default() };
        let capacity = Survivors::capacity(&gpu, unit_limit(&gpu));
        Ok((Survivors::new(&gpu, program, joiner.prepared.program.rules, capacity, places)?, path))
    }
}

/// Takes what passes on one device.
struct Taking<'t, 'a> {
    joiner: &'t Joiner<'a>,
    branch: &'t BranchProgram,
    slots: &'t [usize],
}

impl Taker for Taking<'_, '_> {
    fn take(&mut self, decided: &Decided<'_>, open: &Open<'_>, counted: &Counted) -> Result<()> {
        self.joiner.count(counted);
        self.joiner.store(decided)?;
        self.joiner.decide_open(self.branch, self.slots, open)?;
        self.joiner.seen(counted.candidates)
    }

    fn progress(&mut self, done: u64) {
        self.joiner.progress.advance(done);
    }
}

impl Joiner<'_> {
    /// Adds what a device has counted.
    fn count(&self, counted: &Counted) {
        let mut worker = lock(&self.workers[0]);
        let tally = &mut worker.verifier.tally;
        tally.candidates += counted.candidates;
        tally.alone.iter_mut().zip(&counted.alone).for_each(|(all, more)| *all += more);
        tally.owned.iter_mut().zip(&counted.owned).for_each(|(all, more)| *all += more);
    }

    /// Stores pairs that a device has decided; it has joined their components too.
    fn store(&self, decided: &Decided<'_>) -> Result<()> {
        let Decided { l, r, rule } = decided;
        (0..l.len().div_ceil(BATCH)).into_par_iter().try_for_each(|batch| {
            let mut worker = self.worker();
            let range = batch * BATCH..l.len().min((batch + 1) * BATCH);
            range.into_iter().try_for_each(|at: usize| worker.pairs.push(Pair { l: l[at], r: r[at], rule: rule[at] }))
        })
    }

    /// Decides pairs that a device has left open.
    fn decide_open(&self, branch: &BranchProgram, slots: &[usize], open: &Open<'_>) -> Result<()> {
        (0..open.l.len().div_ceil(BATCH)).into_par_iter().try_for_each(|batch| {
            let range = batch * BATCH..open.l.len().min((batch + 1) * BATCH);
            let rows = Batch { l: open.l[range.clone()].to_vec(), r: open.r[range.clone()].to_vec() };
            let known = slots.iter().enumerate().map(|(slot, predicate)| {
                let of = |(yes, no): (&u64, &u64)| truth(yes >> slot & 1 == 1, no >> slot & 1 == 1);
                (*predicate, open.yes[range.clone()].iter().zip(&open.no[range.clone()]).map(of).collect())
            });
            self.worker().decide_open(branch, &rows, known, self)
        })
    }
}

/// A verdict from its two bits.
fn truth(yes: bool, no: bool) -> Truth {
    match (yes, no) {
        (false, false) => Truth::Unknown,
        (true, false) => Truth::True,
        (false, true) => Truth::False,
        (true, true) => Truth::Null,
    }
}
