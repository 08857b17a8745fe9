//! How jobs run. None of this changes a result.

use std::path::PathBuf;
use std::time::Duration;

use crate::device::{DeviceChoice, DeviceOptions, Drivers};
use crate::memory::default_limit;
use crate::plan::cost::Costs;

/// Threads, memory and devices.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of threads.
    pub threads: usize,
    /// Bytes that a job may take: see [`memory`](crate::memory).
    pub memory: usize,
    /// Where to run.
    pub device: DeviceChoice,
    /// How a device is used.
    pub device_options: DeviceOptions,
    /// The devices that have been opened.
    pub drivers: Drivers,
    /// What evaluations cost on this machine.
    pub costs: Costs,
    /// The folder for what does not fit the memory; the system's folder for temporary files if there is none.
    pub spill_folder: Option<PathBuf>,
    /// How much time passes, at least, between two entries of a checkpoint: no more than that is lost, and thousands of
    /// short branches do not wait for the disk one by one.
    pub checkpoint_interval: Duration,
    /// Whether the records of a run stay at hand, where there is room for them, for questions about it.
    pub keeps_records: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            threads,
            memory: default_limit(),
            device: DeviceChoice::Auto,
            device_options: DeviceOptions::default(),
            drivers: Drivers::default(),
            costs: Costs::shipped(),
            spill_folder: None,
            checkpoint_interval: Duration::from_millis(500),
            keeps_records: true,
        }
    }
}
