//! Which device does which unit of the work, by one of three schedulers.
//!
//! The tasks of a round are cut into units, consecutive ranges of tasks. Each unit has an owner:
//!
//! - *Even split*: consecutive units, in proportion to the weights of the devices.
//! - *Round robin*: one unit after the other to one device after the other.
//! - *Bounded hashing* (consistent hashing with bounded loads, Mirrokni, Thorup and Zadimoghaddam 2018): units and devices
//!   are points on a circle. A unit belongs to the next device clockwise that has not had its fill, which is a quarter
//!   more than its share. A device without a unit of its own takes one of the device with the most of them left.
//!
//! The first two divide before anything runs, as HyperBlocker's variants do; the third follows the devices as they are.
//! Whoever does a unit, it is done once: a unit leaves the queue when it is taken.

use std::collections::VecDeque;
use std::ops::Range;

use crate::candidates::mix::mix;
use crate::device::Scheduler;

/// Units for each device: enough that the last ones are short beside the whole.
const UNITS: u64 = 16;

/// Points of the circle for each device of average weight.
const POINTS: f64 = 64.0;

/// How much more than its share a device owns at most.
const FILL: f64 = 1.25;

/// The owner of each unit; weights are those of the devices.
fn owners(scheduler: Scheduler, units: u64, weights: &[u64]) -> Vec<usize> {
    match scheduler {
        Scheduler::EvenSplit => even_split(units, weights),
        Scheduler::RoundRobin => (0..units).map(|unit| (unit % weights.len() as u64) as usize).collect(),
        Scheduler::BoundedHashing => bounded_hashing(units, weights),
    }
}

fn even_split(units: u64, weights: &[u64]) -> Vec<usize> {
    let whole: u64 = weights.iter().sum();
    let end_of = |end: &mut u64, weight: &u64| {
        *end += weight;
        Some(*end)
    };
    let ends: Vec<u64> = weights.iter().scan(0, end_of).collect();
    let owner = |unit: u64| {
        ends.partition_point(|end| u128::from(*end) * u128::from(units) <= u128::from(unit) * u128::from(whole))
    };
    (0..units).map(owner).collect()
}

fn bounded_hashing(units: u64, weights: &[u64]) -> Vec<usize> {
    let (whole, mean) = (weights.iter().sum::<u64>() as f64, weights.iter().sum::<u64>() as f64 / weights.len() as f64);
    let of_device = |(device, weight): (usize, &u64)| {
        let points = (POINTS * *weight as f64 / mean).ceil().max(1.0) as u64;
        (0..points).map(move |point| (mix((device as u64) << 32 | point | 1 << 63), device))
    };
    let mut circle: Vec<(u64, usize)> = weights.iter().enumerate().flat_map(of_device).collect();
    circle.sort_unstable();
    let fill: Vec<u64> =
        weights.iter().map(|weight| (FILL * units as f64 * *weight as f64 / whole).ceil() as u64).collect();
    let mut loads = vec![0; weights.len()];
    let mut owner = |unit: u64| {
        let start = circle.partition_point(|(point, _)| *point < mix(unit));
        let clockwise = circle[start..].iter().chain(&circle[..start]).map(|(_, device)| *device);
        // All devices together have room for a quarter more units than there are.
        let device = clockwise.into_iter().find(|device| loads[*device] < fill[*device]).unwrap_or(0);
        loads[device] += 1;
        device
    };
    (0..units).map(&mut owner).collect()
}

/// The units of a round that no device has taken yet.
#[derive(Debug)]
pub struct UnitQueue {
    tasks: u64,
    units: u64,
    /// By device: its own.
    waiting: Vec<VecDeque<u64>>,
    /// By device: those that it has taken.
    taken: Vec<Vec<u64>>,
    takes_from_others: bool,
}

impl UnitQueue {
    /// The units of some tasks, for devices of these weights.
    pub fn new(scheduler: Scheduler, tasks: u64, weights: &[u64]) -> Self {
        Self::of_units(scheduler, tasks, (UNITS * weights.len() as u64).min(tasks), weights)
    }

    /// The same with a number of units that is given.
    pub fn of_units(scheduler: Scheduler, tasks: u64, units: u64, weights: &[u64]) -> Self {
        let mut waiting = vec![VecDeque::new(); weights.len()];
        let owners = owners(scheduler, units, weights);
        owners.into_iter().zip(0..).for_each(|(owner, unit)| waiting[owner].push_back(unit));
        let taken = vec![Vec::new(); weights.len()];
        Self { tasks, units, waiting, taken, takes_from_others: scheduler == Scheduler::BoundedHashing }
    }

    /// A unit for a device that has nothing to do.
    pub fn take(&mut self, device: usize) -> Option<u64> {
        let own = self.waiting[device].pop_front();
        let unit = own.or_else(|| self.takes_from_others.then(|| self.of_busiest())?)?;
        self.taken[device].push(unit);
        Some(unit)
    }

    fn of_busiest(&mut self) -> Option<u64> {
        self.waiting.iter_mut().max_by_key(|waiting| waiting.len())?.pop_back()
    }

    /// Takes back what a device has taken and not done.
    pub fn put_back(&mut self, device: usize) {
        self.waiting[device].extend(self.taken[device].drain(..));
    }

    /// The tasks of all units.
    pub fn all_tasks(&self) -> u64 {
        self.tasks
    }

    /// The tasks of a unit.
    pub fn tasks(&self, unit: u64) -> Range<u64> {
        let border = |unit: u64| (u128::from(self.tasks) * u128::from(unit) / u128::from(self.units)) as u64;
        border(unit)..border(unit + 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the order in which devices ask, every task is done once.
        #[test]
        fn every_task_once(
            weights in prop::collection::vec(1u64..200, 1..9), tasks in 0u64..5000, order in prop::collection::vec(0usize..9, 0..300),
        ) {
            for scheduler in Scheduler::ALL {
                let mut queue = UnitQueue::new(scheduler, tasks, &weights);
                let asked = order.iter().map(|device| device % weights.len());
                let rest = (0..weights.len()).flat_map(|device| std::iter::repeat_n(device, 200));
                let mut done: Vec<Range<u64>> = asked.chain(rest).filter_map(|device| {
                    let unit = queue.take(device)?;
                    Some(queue.tasks(unit))
                }).collect();
                done.sort_by_key(|tasks| tasks.start);
                let mut end = 0;
                for unit in done {
                    prop_assert_eq!(unit.start, end, "{:?}", scheduler);
                    prop_assert!(unit.start < unit.end);
                    end = unit.end;
                }
                prop_assert_eq!(end, tasks, "{:?}", scheduler);
            }
        }

        /// No device owns more than a quarter above its share, and one unit.
        #[test]
        fn loads_are_bounded(weights in prop::collection::vec(1u64..200, 1..9), units in 0u64..500) {
            let whole: u64 = weights.iter().sum();
            let owners = bounded_hashing(units, &weights);
            for (device, weight) in weights.iter().enumerate() {
                let owned = owners.iter().filter(|owner| **owner == device).count() as f64;
                prop_assert!(owned < FILL * units as f64 * *weight as f64 / whole as f64 + 1.0);
            }
        }
    }

    #[test]
    fn an_idle_device_takes_from_the_busiest() {
        let mut queue = UnitQueue::of_units(Scheduler::BoundedHashing, 64, 64, &[1, 1]);
        assert_eq!(std::iter::from_fn(|| queue.take(0)).count(), 64);
        let mut queue = UnitQueue::of_units(Scheduler::RoundRobin, 64, 64, &[1, 1]);
        assert_eq!(std::iter::from_fn(|| queue.take(0)).count(), 32);
    }

    #[test]
    fn what_is_put_back_is_taken_again() {
        let mut queue = UnitQueue::of_units(Scheduler::BoundedHashing, 64, 64, &[1, 1]);
        let _taken = (queue.take(0), queue.take(0), queue.take(1));
        queue.put_back(0);
        assert_eq!(std::iter::from_fn(|| queue.take(1)).count(), 63);
    }

    #[test]
    fn a_device_that_joins_moves_few_units() {
        let (before, after) = (bounded_hashing(800, &[1; 7]), bounded_hashing(800, &[1; 8]));
        let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert!(moved < 400, "{moved} of 800 units have another owner");
    }
}
