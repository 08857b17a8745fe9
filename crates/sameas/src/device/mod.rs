//! Devices: where a job runs.
//!
//! `list` looks for what this machine has, without ever failing; `start` turns the user's choice into a [`Device`].
//! A `Gpu` is one device with a share of its memory: an arena of fixed size, so that device memory is never exceeded.
//! Beneath it lies a driver, that of CUDA or one that runs the same kernels on the CPU for tests.

#[cfg(feature = "gpu")]
mod arena;
#[cfg(feature = "gpu")]
mod buffer;
#[cfg(feature = "cuda")]
mod cuda;
mod does_not_fit;
#[cfg(feature = "gpu")]
mod driver;
#[cfg(feature = "emulated")]
mod emulated;
#[cfg(feature = "gpu")]
mod gpu;
mod list;
#[cfg(feature = "gpu")]
mod primitives;

#[cfg(all(test, feature = "emulated"))]
mod tests;

#[cfg(feature = "gpu")]
pub use buffer::{Buffer, Pinned};
pub use does_not_fit::DoesNotFit;
#[cfg(feature = "gpu")]
pub use driver::Info;
#[cfg(feature = "gpu")]
pub use gpu::Gpu;
use list::no_driver;
pub use list::{Found, Listing, list};
#[cfg(feature = "gpu")]
pub use primitives::SortKey;

#[cfg(feature = "cuda")]
use std::thread::JoinHandle;
use std::time::Duration;

use crate::error::{Error, Result};

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The GPU if there is a usable one and the job is large enough for it, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// An NVIDIA GPU, or an error.
    Cuda,
    /// The kernels of the GPU, run on the CPU for tests: slowly, and with threads in random order.
    #[cfg(feature = "emulated")]
    Emulated,
}

/// What the job runs on, and why.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its name in `run.json`.
    pub name: &'static str,
    /// Why it is not the one a user may have hoped for.
    pub note: Option<String>,
    /// How long it took to start, beside other work.
    pub started: Duration,
    /// The GPUs, if the job runs on any: parts of the work are dealt out to them.
    #[cfg(feature = "gpu")]
    pub gpus: Vec<Gpu>,
}

impl Default for Device {
    fn default() -> Self {
        Self::cpu(None)
    }
}

impl Device {
    fn cpu(note: Option<String>) -> Self {
        Self {
            name: "cpu",
            note,
            started: Duration::ZERO,
            #[cfg(feature = "gpu")]
            gpus: Vec::new(),
        }
    }
}

/// How a device is used. None of this changes the result.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeviceOptions {
    /// Bytes of device memory that may be taken; by default most of what is free.
    pub memory: Option<usize>,
    /// Each GPU counts as so many, with a share of its memory each: work is then dealt out as it is to several.
    pub logical: Option<usize>,
    /// Records are cut into parts at least so often, whether they fit or not: for tests.
    pub cuts: u32,
    /// Checks are counted one by one, which takes a device some time.
    pub count_checks: bool,
    /// Parts of the verifier that are left out, to measure what they are worth.
    pub without: Without,
    /// What happens to a branch on a device that fails, where the device was chosen by name.
    pub on_failure: OnFailure,
}

/// What happens to a branch on a device that fails: an illegal access, a lost device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The job ends with an error.
    #[default]
    Error,
    /// The branch is done again on the CPU, and the device is not used again: so it is where [`DeviceChoice::Auto`] chose it.
    UseCpu,
}

/// Parts of the verifier on a device that can be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// Candidates do not wait in shared memory until a dear check has work for all lanes.
    pub queue: bool,
    /// Signatures are not asked before texts are compared.
    pub signatures: bool,
}

/// A device that may still be starting: a context takes a good part of a second, in which files can be read.
pub struct Starting {
    choice: DeviceChoice,
    #[cfg(feature = "cuda")]
    gpu: Option<JoinHandle<Result<Duration>>>,
    #[cfg(any(feature = "cuda", feature = "emulated"))]
    options: DeviceOptions,
}

/// Begins to start what the user has chosen. `auto` takes a GPU only for jobs that are worth the start of one, which is
/// known when [`Starting::ready`] is asked.
pub fn start(choice: DeviceChoice, options: DeviceOptions) -> Result<Starting> {
    #[cfg(not(any(feature = "cuda", feature = "emulated")))]
    let _ = options;
    // Where there is no driver at all nothing has to be started to know it.
    if choice == DeviceChoice::Cuda
        && let Some(reason) = no_driver()
    {
        return Err(unusable(&reason));
    }
    Ok(Starting {
        choice,
        #[cfg(feature = "cuda")]
        gpu: (choice == DeviceChoice::Cuda).then(|| std::thread::spawn(start_driver)),
        #[cfg(any(feature = "cuda", feature = "emulated"))]
        options,
    })
}

/// Starts the driver with a context and the kernels, and tells how long that took.
#[cfg(feature = "cuda")]
fn start_driver() -> Result<Duration> {
    let begun = std::time::Instant::now();
    cuda::start()?;
    Ok(begun.elapsed())
}

/// The error for a GPU that was asked for and cannot be had.
fn unusable(reason: &str) -> Error {
    Error::resource(format!("--device cuda: {reason}"))
        .with_help("use --device cpu, or --device auto to take a GPU only where there is one")
}

impl Starting {
    /// The device, for a job whose records take so many bytes; `auto` takes a GPU where one is usable and `worth_it`.
    pub fn ready(self, bytes: usize, worth_it: impl FnOnce() -> bool) -> Result<Device> {
        match self.choice {
            DeviceChoice::Cpu => Ok(Device::cpu(None)),
            DeviceChoice::Auto => self.automatic(bytes, worth_it),
            DeviceChoice::Cuda => self.cuda(bytes),
            #[cfg(feature = "emulated")]
            DeviceChoice::Emulated => {
                let gpus = emulated::open(self.options);
                Ok(Device { name: "emulated", note: None, started: Duration::ZERO, gpus })
            }
        }
    }

    #[cfg(feature = "cuda")]
    fn cuda(self, bytes: usize) -> Result<Device> {
        let started = match self.gpu.map(JoinHandle::join) {
            Some(Ok(started)) => started?,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => start_driver()?,
        };
        Ok(Device { name: "cuda", note: None, started, gpus: cuda::open(self.options, bytes)? })
    }

    #[cfg(not(feature = "cuda"))]
    fn cuda(self, _bytes: usize) -> Result<Device> {
        Err(Error::internal("a build without CUDA has begun to start a GPU"))
    }

    /// A GPU that cannot be opened is no error here: the CPU gives the same answer.
    fn automatic(self, bytes: usize, worth_it: impl FnOnce() -> bool) -> Result<Device> {
        if let Some(reason) = no_driver() {
            return Ok(Device::cpu(Some(reason)));
        }
        // Asked before any driver is started, which takes a while.
        if !worth_it() {
            return Ok(Device::cpu(Some("the job is too small to be worth the start of a GPU".into())));
        }
        if let Some(reason) = list().unusable() {
            return Ok(Device::cpu(Some(reason)));
        }
        self.cuda(bytes).or_else(|error| Ok(Device::cpu(Some(error.message().to_owned()))))
    }
}
