//! How the work of a branch is divided among devices: computed once on the host and handed to each of them.
//!
//! No loss and no repetition, however unequal the devices are:
//!
//! 1. What a task is depends on the records, which every device has, and on [`TaskSizes`], which are the same for all of
//!    them. Nothing else that differs between devices decides how work is cut: neither their memory nor what is free of
//!    it nor the number of their multiprocessors. So all devices have the same rounds, and task `i` of a round is the
//!    same work on all of them.
//! 2. Shares are consecutive ranges of one whole: the first begins at 0, each begins where the one before it ends, and
//!    the last ends at the whole. Borders between tasks are computed from borders of shares by one monotonic function
//!    that maps 0 to 0 and the whole to the number of tasks. So every task is in exactly one share.
//!
//! That the first point holds is checked while devices run: each reports its rounds and their tasks, and a difference
//! ends the job.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::Gpu;
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
}

impl TaskSizes {
    /// The sizes for a device that works by itself.
    pub fn alone(gpu: &Gpu) -> Self {
        Self { memory: None, task_limit: task_limit(gpu.bytes()), processors: gpu.info().processors }
    }

    /// The sizes for devices that share work: what suits the smallest memory, and the device with the most processors.
    fn shared(gpus: &[&Gpu]) -> Self {
        let smallest = gpus.iter().map(|gpu| gpu.bytes()).min().unwrap_or(0);
        let processors = gpus.iter().map(|gpu| gpu.info().processors).max().unwrap_or(1);
        Self { memory: Some(smallest / 4), task_limit: task_limit(smallest), processors }
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
}

fn task_limit(memory: usize) -> usize {
    (memory >> 11).clamp(1 << 12, 1 << 22)
}

/// What one device does of a branch.
#[derive(Clone, Debug)]
pub struct DeviceShare {
    sizes: TaskSizes,
    /// Its range of the whole.
    range: Range<u64>,
    whole: u64,
    /// Tasks of each round as the first device to reach it counted them, and nothing after the last round.
    reported: Option<Arc<Mutex<Vec<Option<u64>>>>>,
}

impl DeviceShare {
    /// All of the work.
    pub fn alone(gpu: &Gpu) -> Self {
        Self { sizes: TaskSizes::alone(gpu), range: 0..1, whole: 1, reported: None }
    }

    /// A share for each of some devices, in proportion to their multiprocessors; see the module.
    pub fn divide(gpus: &[&Gpu]) -> Vec<Self> {
        if let [one] = gpus {
            return vec![Self::alone(one)];
        }
        let (sizes, reported) = (TaskSizes::shared(gpus), Some(Arc::default()));
        let weights: Vec<u64> = gpus.iter().map(|gpu| u64::from(gpu.info().processors.max(1))).collect();
        let ranges = consecutive(&weights);
        let share = |range| Self { sizes, range, whole: weights.iter().sum(), reported: reported.clone() };
        ranges.into_iter().map(share).collect()
    }

    /// How the work is cut.
    pub fn sizes(&self) -> &TaskSizes {
        &self.sizes
    }

    /// Which of a number of tasks are this share.
    pub fn tasks(&self, tasks: u64) -> Range<u64> {
        let border = |at: u64| (u128::from(tasks) * u128::from(at) / u128::from(self.whole)) as u64;
        border(self.range.start)..border(self.range.end)
    }

    /// Compares the tasks of a round with those that other devices have counted; `None` where there is no such round.
    pub fn check(&self, round: usize, tasks: Option<u64>) -> Result<()> {
        let Some(reported) = &self.reported else { return Ok(()) };
        let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
        if round == reported.len() {
            reported.push(tasks);
        }
        match reported.get(round) {
            Some(others) if *others == tasks => Ok(()),
            others => {
                let text = format!("devices cut round {round} of a branch differently: {others:?} and {tasks:?} tasks");
                Err(Error::internal(text))
            }
        }
    }
}

/// Consecutive ranges of the given lengths.
fn consecutive(lengths: &[u64]) -> Vec<Range<u64>> {
    let next = |end: &mut u64, length: &u64| {
        let begin = std::mem::replace(end, *end + length);
        Some(begin..*end)
    };
    lengths.iter().scan(0, next).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_task_is_in_one_share(weights in prop::collection::vec(1u64..200, 1..9), tasks in any::<u64>()) {
            let sizes = TaskSizes { memory: None, task_limit: 1, processors: 1 };
            let whole = weights.iter().sum();
            let mut end = 0;
            for range in consecutive(&weights) {
                let share = DeviceShare { sizes, range, whole, reported: None };
                let own = share.tasks(tasks);
                prop_assert_eq!(own.start, end);
                prop_assert!(own.start <= own.end);
                end = own.end;
            }
            prop_assert_eq!(end, tasks);
        }
    }

    #[test]
    fn devices_that_count_differently_are_stopped() {
        let sizes = TaskSizes { memory: None, task_limit: 1, processors: 1 };
        let share = DeviceShare { sizes, range: 0..1, whole: 2, reported: Some(Arc::default()) };
        let other = share.clone();
        assert!(share.check(0, Some(7)).is_ok() && other.check(0, Some(7)).is_ok());
        assert!(other.check(1, None).is_ok() && share.check(1, Some(3)).is_err());
        assert!(share.check(5, Some(3)).is_err(), "rounds come in order");
    }
}
