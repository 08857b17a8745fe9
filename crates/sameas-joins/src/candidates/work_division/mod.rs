//! How the work of a branch is divided among devices: computed once on the host and handed to each of them.
//!
//! No loss and no repetition, however unequal the devices are:
//!
//! 1. What a task is depends on the records, which every device has, and on [`TaskSizes`], which are the same for all of
//!    them. Nothing else that differs between devices decides how work is cut: neither their memory nor what is free of
//!    it nor the number of their multiprocessors. So all devices have the same rounds, and task `i` of a round is the
//!    same work on all of them.
//! 2. The tasks of a round are cut into units: consecutive ranges, the first of which begins at 0, each where the one
//!    before it ends, and the last of which ends at the number of tasks. A device takes a unit out of one queue that all
//!    devices share ([`UnitQueue`]), so every unit is done by exactly one device, whichever that is.
//!
//! That the first point holds is checked while devices run: each reports its rounds and their tasks, and a difference
//! ends the job.

mod schedule;

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

pub use schedule::UnitQueue;

use crate::device::{DeviceOptions, Gpu, Scheduler, WarpSchedule};
use crate::error::{Error, Result};

#[cfg(all(test, feature = "emulated"))]
mod unequal_devices;

/// The sizes that decide how a path cuts its work into rounds and tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskSizes {
    /// Bytes that the index of a round may take. Nothing where a device works by itself: it takes what is free when the
    /// first round begins.
    memory: Option<usize>,
    /// Candidates of a task at most, so that a slice of one task always fits the output.
    pub task_limit: usize,
    /// Multiprocessors that should all be busy.
    pub processors: u32,
    /// Which warp does which task of a launch.
    pub schedule: WarpSchedule,
}

impl TaskSizes {
    /// The sizes for a device that works by itself.
    pub fn alone(gpu: &Gpu) -> Self {
        Self {
            memory: None,
            task_limit: task_limit(gpu.bytes()),
            processors: gpu.info().processors,
            schedule: WarpSchedule::default(),
        }
    }

    /// The sizes for devices that share work: what suits the smallest memory, and the device with the most processors.
    fn shared(gpus: &[&Gpu]) -> Self {
        let smallest = gpus.iter().map(|gpu| gpu.bytes()).min().unwrap_or(0);
        let processors = gpus.iter().map(|gpu| gpu.info().processors).max().unwrap_or(1);
        let schedule = WarpSchedule::default();
        Self { memory: Some(smallest / 4), task_limit: task_limit(smallest), processors, schedule }
    }

    /// The same with tasks shared by warps in this way.
    #[must_use]
    pub fn with_schedule(self, schedule: WarpSchedule) -> Self {
        Self { schedule, ..self }
    }

    /// The same with a lower limit of candidates of a task.
    #[must_use]
    pub fn with_task_limit(self, most: usize) -> Self {
        Self { task_limit: self.task_limit.min(most), ..self }
    }

    /// Bytes that the index of a round may take.
    pub fn memory(&self, gpu: &Gpu) -> usize {
        self.memory.unwrap_or_else(|| gpu.free())
    }

    /// The same where devices share the work; nothing where a device works by itself.
    pub fn shared_memory(&self) -> Option<usize> {
        self.memory
    }
}

fn task_limit(memory: usize) -> usize {
    (memory >> 11).clamp(1 << 12, 1 << 22)
}

/// What one device does of a branch.
#[derive(Clone, Debug)]
pub struct DeviceShare {
    sizes: TaskSizes,
    device: usize,
    slowdown: u32,
    /// What devices that share the work know of it; nothing for a device by itself.
    shared: Option<Arc<SharedWork>>,
}

/// The rounds of a branch, as far as a device has come.
#[derive(Debug)]
struct SharedWork {
    scheduler: Scheduler,
    weights: Vec<u64>,
    /// What is left of each round that a device has reached, and nothing after the last one.
    rounds: Mutex<Vec<Option<UnitQueue>>>,
}

impl DeviceShare {
    /// All of the work.
    pub fn alone(gpu: &Gpu, options: &DeviceOptions) -> Self {
        Self { sizes: TaskSizes::alone(gpu).with_schedule(options.schedule), device: 0, slowdown: 1, shared: None }
    }

    /// A share for each of some devices; see the module. Their weights are their multiprocessors.
    pub fn divide(gpus: &[&Gpu], options: &DeviceOptions) -> Vec<Self> {
        if let [one] = gpus {
            return vec![Self::alone(one, options)];
        }
        let weights = gpus.iter().map(|gpu| u64::from(gpu.info().processors.max(1))).collect();
        let shared = Arc::new(SharedWork { scheduler: options.scheduler, weights, rounds: Mutex::default() });
        let sizes = TaskSizes::shared(gpus).with_schedule(options.schedule);
        let slowdown = |device: usize| options.slowdowns.get(device).copied().unwrap_or(1).max(1);
        let share = |device| Self { sizes, device, slowdown: slowdown(device), shared: Some(Arc::clone(&shared)) };
        (0..gpus.len()).map(share).collect()
    }

    /// Begins again: what this device has taken and not done is there to be taken.
    pub fn restart(&self) {
        let Some(shared) = &self.shared else { return };
        let mut rounds = shared.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        rounds.iter_mut().flatten().for_each(|units| units.put_back(self.device));
    }

    /// How the work is cut.
    pub fn sizes(&self) -> &TaskSizes {
        &self.sizes
    }

    /// Begins a round, whose tasks must be those that other devices have counted; `None` where there is no such round.
    pub fn begin(&self, round: usize, tasks: Option<u64>) -> Result<UnitsOfRound> {
        if let Some(shared) = &self.shared {
            shared.begin(round, tasks)?;
        }
        Ok(UnitsOfRound { share: self.clone(), round, alone: tasks.unwrap_or(0), begun: None })
    }
}

impl SharedWork {
    fn begin(&self, round: usize, tasks: Option<u64>) -> Result<()> {
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        if round == rounds.len() {
            rounds.push(tasks.map(|tasks| UnitQueue::new(self.scheduler, tasks, &self.weights)));
        }
        let others = rounds.get(round).map(|units| units.as_ref().map(UnitQueue::all_tasks));
        if others == Some(tasks) {
            return Ok(());
        }
        let text = format!("devices cut round {round} of a branch differently: {others:?} and {tasks:?} tasks");
        Err(Error::internal(text))
    }

    fn take(&self, round: usize, device: usize) -> Option<Range<u64>> {
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        let units = rounds.get_mut(round)?.as_mut()?;
        let unit = units.take(device)?;
        Some(units.tasks(unit))
    }
}

/// The units of a round that one device does.
#[derive(Debug)]
pub struct UnitsOfRound {
    share: DeviceShare,
    round: usize,
    /// The tasks of a device by itself, until it has taken them.
    alone: u64,
    /// When the last unit was taken.
    begun: Option<Instant>,
}

impl UnitsOfRound {
    /// The next tasks that this device does, when it has done those before.
    pub fn next_unit(&mut self) -> Option<Range<u64>> {
        let Some(shared) = &self.share.shared else {
            return Some(0..std::mem::take(&mut self.alone)).filter(|tasks| !tasks.is_empty());
        };
        if let Some(begun) = self.begun {
            std::thread::sleep(begun.elapsed() * (self.share.slowdown - 1));
        }
        let unit = shared.take(self.round, self.share.device);
        self.begun = Some(Instant::now());
        unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_shares() -> [DeviceShare; 2] {
        let sizes = TaskSizes { memory: None, task_limit: 1, processors: 1, schedule: WarpSchedule::Queue };
        let (scheduler, weights) = (Scheduler::default(), vec![1, 1]);
        let shared = Arc::new(SharedWork { scheduler, weights, rounds: Mutex::default() });
        [0, 1].map(|device| DeviceShare { sizes, device, slowdown: 1, shared: Some(Arc::clone(&shared)) })
    }

    #[test]
    fn every_task_of_every_round_is_done_by_one_device() {
        let shares = two_shares();
        for (round, tasks) in [1000, 0, 1, 33].into_iter().enumerate() {
            let mut units = shares.each_ref().map(|share| share.begin(round, Some(tasks)).unwrap());
            let mut done: Vec<u64> = Vec::new();
            while let Some(unit) = units[done.len() % 2].next_unit() {
                done.extend(unit);
            }
            done.extend(units.iter_mut().flat_map(|units| std::iter::from_fn(|| units.next_unit())).flatten());
            done.sort_unstable();
            assert!(done.into_iter().eq(0..tasks), "round {round}");
        }
    }

    #[test]
    fn devices_that_count_differently_are_stopped() {
        let [share, other] = two_shares();
        assert!(share.begin(0, Some(7)).is_ok() && other.begin(0, Some(7)).is_ok());
        assert!(other.begin(1, None).is_ok() && share.begin(1, Some(3)).is_err());
        assert!(share.begin(5, Some(3)).is_err(), "rounds come in order");
    }
}
