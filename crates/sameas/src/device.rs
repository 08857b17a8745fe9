//! Devices: where a job runs.

use crate::error::{Error, Result};

/// What the user asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The GPU if there is a usable one, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// An NVIDIA GPU, or an error.
    Cuda,
}

/// What the job runs on, and why.
#[derive(Clone, Debug)]
pub struct Device {
    /// Its name in `run.json`.
    pub name: &'static str,
    /// Why it is not the one a user may have hoped for.
    pub note: Option<String>,
}

/// What keeps this build from using a GPU.
const NO_CUDA: &str = "this build of sameas has no CUDA support";

/// Resolves the user's choice.
pub fn resolve(choice: DeviceChoice) -> Result<Device> {
    match choice {
        DeviceChoice::Cpu => Ok(Device { name: "cpu", note: None }),
        DeviceChoice::Auto => Ok(Device { name: "cpu", note: Some(NO_CUDA.into()) }),
        DeviceChoice::Cuda => Err(Error::resource(format!("--device cuda: {NO_CUDA}"))
            .with_help("use --device cpu, or --device auto to take a GPU only where there is one")),
    }
}
