//! What stands for CUDA in a build without it: no device, and the reason.

use std::sync::Arc;

use super::driver::Driver;
use super::list::DeviceList;
use super::no_gpu::{NoGpu, unusable};
use super::options::DeviceOptions;
use crate::error::Result;

/// No contexts.
#[derive(Default)]
pub struct Contexts {}

/// Looks for GPUs.
pub fn list() -> DeviceList {
    DeviceList { devices: Vec::new(), reason: no_driver(), driver: None }
}

/// Why there can be no GPU.
pub fn no_driver() -> Option<NoGpu> {
    Some(NoGpu::NoCudaInBuild)
}

impl Contexts {
    /// There is nothing to start.
    pub fn start(&self) -> Result<()> {
        Err(unusable(NoGpu::NoCudaInBuild))
    }

    /// There is nothing to open.
    pub fn open(&self, _: &DeviceOptions, _: usize) -> Result<(Arc<dyn Driver>, usize)> {
        Err(unusable(NoGpu::NoCudaInBuild))
    }
}
