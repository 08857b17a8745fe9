//! Devices: where a job runs.
//!
//! `list` looks for what this machine has, without ever failing; `Drivers::start` turns the user's choice into a
//! [`Device`]. A `Gpu` is one device with a share of its memory: an arena of fixed size, so that device memory is never
//! exceeded. Beneath it lies a driver, that of CUDA or one that runs the same kernels on the CPU for tests. All of this
//! is always compiled; features decide which drivers a build has.
//!
//! **What does not fit and what fails are different errors.** [`DoesNotFit`] has the bytes that were needed; a failure
//! has the code `DeviceFailed`. CUDA reports a fault at some later call, so the error names all kernels launched since
//! the last wait.
//!
//! **Types keep safe code safe.** `Gpu::launch` takes a `Kernel<Args>` and arguments of its type, so no kernel gets
//! wrong arguments. An address is a `DevicePtr<T>`: safe code has only null and what a `Buffer<T>` gives it, and a
//! launch asserts that addresses are of its own device. Arguments are plain data by `bytemuck`'s derives, which refuse
//! padding. While a device copies to page-locked memory (`Pinned<T>`), a `Copying<T>` owns it and gives it back when
//! the copy has been waited for, so it cannot be read too early.
//!
//! **What is lent is not copied.** Kernels can read memory of the host over the bus. `LentMemory` makes the columns of
//! a job known to the driver where they lie, which takes 60 ms for a gigabyte and no memory, and borrows them for as
//! long as kernels may read them. Small columns are copied to page-locked memory; this, and the planes of texts that
//! stay on the host, is not counted by the memory limit.
//!
//! `worth` says whether work is worth a GPU, where the choice is left to the library.

extern crate self as device;

// Rooms of the crates below, under the names that files here have for them.
use sameas_core::error;

mod arena;
mod buffer;
#[cfg_attr(not(feature = "cuda"), path = "no_cuda.rs")]
mod cuda;
mod does_not_fit;
mod driver;
#[cfg(feature = "emulated")]
mod emulated;
mod gpu;
mod kind;
mod lent;
mod list;
mod no_gpu;
mod options;
mod primitives;
mod start;
mod worth;

#[cfg(all(test, feature = "emulated"))]
mod tests;

pub use buffer::{Buffer, Copying, Pinned};
pub use cuda::list;
pub use does_not_fit::DoesNotFit;
pub use driver::Info;
pub use gpu::Gpu;
pub use kind::DeviceKind;
pub use lent::LentMemory;
pub use list::{DeviceInfo, DeviceList};
pub use no_gpu::NoGpu;
pub use options::{Ablation, DeviceOptions, OnFailure, Scheduler, WarpSchedule};
pub use primitives::SortKey;
pub use start::{Drivers, Starting};
pub use worth::HostWork;

use std::time::Duration;

/// Where jobs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

impl DeviceChoice {
    /// The choice of emulated devices, in a build that has them.
    pub fn emulated() -> Option<Self> {
        let of_build: &[Self] = &[
            #[cfg(feature = "emulated")]
            Self::Emulated,
        ];
        of_build.first().copied()
    }
}

/// What the job runs on, and why.
#[derive(Clone, Debug)]
pub struct Device {
    /// What it is.
    pub kind: DeviceKind,
    /// Why it is not a GPU, where the choice was left to the library.
    pub no_gpu: Option<NoGpu>,
    /// How long it took to start, in the background of other work.
    pub started: Duration,
    /// The GPUs, if the job runs on any: parts of the work are distributed to them.
    pub gpus: Vec<Gpu>,
}

impl Default for Device {
    fn default() -> Self {
        Self::cpu(None)
    }
}

impl Device {
    fn cpu(no_gpu: Option<NoGpu>) -> Self {
        Self { kind: DeviceKind::Cpu, no_gpu, started: Duration::ZERO, gpus: Vec::new() }
    }

    fn of_gpus(kind: DeviceKind, started: Duration, gpus: Vec<Gpu>) -> Self {
        Self { kind, no_gpu: None, started, gpus }
    }
}
