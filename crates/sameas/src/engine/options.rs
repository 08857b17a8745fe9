//! What a caller says about a job and hears from it.

use std::path::PathBuf;

use super::history::History;
use crate::device::{DeviceChoice, DeviceOptions, Drivers};
use crate::memory::default_limit;
use crate::output::Format;
use crate::plan::Strategy;
use crate::plan::cost::Costs;
use crate::records::Input;
use crate::rules::{Job, LinkType};

/// A job: its rules and its inputs (one for a dedupe, two for a link).
#[derive(Clone, Debug)]
pub struct JobSpec {
    /// The rules.
    pub job: Job,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// What the pairs are made of.
    pub link_type: LinkType,
    /// The id column, `row` for row numbers, or `None` for the job's or the default one.
    pub id: Option<String>,
}

/// How a job runs. None of this changes the result.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads.
    pub threads: usize,
    /// Bytes that the job may take: see [`memory`](crate::memory).
    pub memory: usize,
    /// Where to run.
    pub device: DeviceChoice,
    /// How a device is used.
    pub device_options: DeviceOptions,
    /// The drivers of devices: shared by jobs, so that a device is opened once.
    pub drivers: Drivers,
    /// Refuse to run if there are more candidates.
    pub max_pairs: Option<u64>,
    /// How the job is planned.
    pub strategy: Strategy,
    /// What evaluations cost on this machine.
    pub costs: Costs,
    /// What an earlier run over the same records has seen.
    pub history: Option<History>,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            threads,
            memory: default_limit(),
            device: DeviceChoice::Auto,
            device_options: DeviceOptions::default(),
            drivers: Drivers::default(),
            max_pairs: None,
            strategy: Strategy::Full,
            costs: Costs::shipped(),
            history: None,
        }
    }
}

/// Where results go.
#[derive(Clone, Debug)]
pub enum OutputTarget {
    /// Files in a folder.
    Folder {
        /// The folder.
        path: PathBuf,
        /// Whether it may hold something already.
        overwrite: bool,
        /// How the tables are written.
        format: Format,
    },
    /// Pairs as CSV to standard output.
    Stdout,
}

/// Hears how far a job has come. Called from several threads.
pub trait Progress: Sync {
    /// A stage begins: what it does, how much there is to do, if known, and of what.
    fn begin(&self, stage: &str, total: Option<u64>, unit: &str);

    /// So much more is done.
    fn advance(&self, amount: u64);
}

/// Hears nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &str, _: Option<u64>, _: &str) {}

    fn advance(&self, _: u64) {}
}
