//! How jobs run. None of this changes a result.

use std::path::PathBuf;

use crate::device::{DeviceChoice, DeviceOptions};
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
    /// What evaluations cost on this machine.
    pub costs: Costs,
    /// The folder for what does not fit the memory; the system's folder for temporary files if there is none.
    pub spill_folder: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            threads,
            memory: default_limit(),
            device: DeviceChoice::Auto,
            device_options: DeviceOptions::default(),
            costs: Costs::shipped(),
            spill_folder: None,
        }
    }
}
