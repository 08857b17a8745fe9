//! Where to compute, and the commands about devices.

use clap::{Args, ValueEnum};
use sameas::device::WarpSchedule;
use sameas::{DeviceChoice, DeviceOptions};

use super::values;

/// Where to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Device {
    Auto,
    Cpu,
    Cuda,
}

impl From<Device> for DeviceChoice {
    fn from(device: Device) -> Self {
        match device {
            Device::Auto => Self::Auto,
            Device::Cpu => Self::Cpu,
            Device::Cuda => Self::Cuda,
        }
    }
}

/// Which device a job runs on, and how much of it it may take.
#[derive(Debug, Args)]
pub struct DeviceFlags {
    /// Where to compute; auto takes a GPU if there is a usable one and the job is worth its start
    #[arg(long, default_value = "auto")]
    pub device: Device,
    /// GPU memory the job may take, such as 4GB; beyond it the work is done in parts [default: most of what is free]
    #[arg(long, value_name = "LIMIT", value_parser = values::memory)]
    pub device_memory: Option<usize>,
    /// An experiment: parts of the work to do without; the result is the same
    #[arg(long, value_name = "PARTS", value_delimiter = ',', hide_short_help = true)]
    pub device_without: Vec<DevicePart>,
    /// An experiment: how warps share the tasks of a launch; the result is the same
    #[arg(long, value_name = "SCHEDULE", default_value = "queue", hide_short_help = true)]
    pub device_schedule: DeviceSchedule,
}

/// How the warps of a GPU share tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceSchedule {
    /// All take the next one from a counter
    Queue,
    /// Each has as many consecutive ones
    Continuous,
    /// Each has one of every window
    Windows,
    /// Each has one of every window, and then any that is left
    WindowStealing,
    /// Each has consecutive ones, and then half of another's
    RangeStealing,
}

impl From<DeviceSchedule> for WarpSchedule {
    fn from(schedule: DeviceSchedule) -> Self {
        match schedule {
            DeviceSchedule::Queue => Self::Queue,
            DeviceSchedule::Continuous => Self::Continuous,
            DeviceSchedule::Windows => Self::Windows,
            DeviceSchedule::WindowStealing => Self::WindowStealing,
            DeviceSchedule::RangeStealing => Self::RangeStealing,
        }
    }
}

/// Parts of the work whose worth can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DevicePart {
    /// Gathering candidates until an expensive check has work for every lane
    Queue,
    /// Walking the checks of a branch as a sequence, not by recursion
    Sequence,
    /// Asking signatures before texts are compared
    Signatures,
    /// Testing many candidates together before one by one
    Gate,
    /// Doing at the same time what does not depend on each other
    Overlap,
}

impl DeviceFlags {
    /// How a device is used.
    pub fn options(&self) -> DeviceOptions {
        let options =
            DeviceOptions::default().with_memory(self.device_memory).with_schedule(self.device_schedule.into());
        self.device_without.iter().fold(options, |options, part| match part {
            DevicePart::Queue => options.without_queue(),
            DevicePart::Sequence => options.without_sequence(),
            DevicePart::Signatures => options.without_signatures(),
            DevicePart::Gate => options.without_gate(),
            DevicePart::Overlap => options.without_overlap(),
        })
    }
}

/// List the GPUs that sameas can use, or why there is none
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas devices
  sameas devices --format json      for programs")]
pub struct Devices {
    /// How to print the list: for people or for programs
    #[arg(long, default_value = "text")]
    pub format: DevicesFormat,
}

/// How the list of devices is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DevicesFormat {
    Text,
    Json,
}

/// Test the program on this machine: made-up tables and rules against a slow and simple implementation
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  sameas selftest
  sameas selftest --device cuda
  sameas selftest --cases 5000 --seed 1000000          other random tables and rules, and more of them
  sameas selftest --filter 'edges/65 rows'             cases by name, as a failure tells it

Exit code 1 if a case fails.")]
pub struct Selftest {
    /// What to test; auto takes a GPU if there is a usable one
    #[arg(long, default_value = "auto")]
    pub device: Device,
    /// The seed of the first random case; the next ones follow
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Random cases
    #[arg(long, value_name = "N", default_value_t = sameas_testkit::selftest::CASES)]
    pub cases: u64,
    /// Run only cases with this in their name, which is the group's, a slash, and the case's
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
}
