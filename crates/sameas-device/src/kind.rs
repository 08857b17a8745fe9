//! Devices by name.

use serde::{Deserialize, Serialize};

/// What a job runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// The CPU.
    #[default]
    Cpu,
    /// One or more NVIDIA GPUs.
    Cuda,
    /// The kernels of the GPU on the CPU, for tests.
    Emulated,
}
