//! What devices a machine has.

use serde::Serialize;

use super::NoGpu;

/// A GPU that was found.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceInfo {
    /// What its maker calls it.
    pub name: String,
    /// Its compute capability.
    pub compute: (u32, u32),
    /// Bytes of its memory.
    pub memory: u64,
    /// Why it cannot be used, if it cannot.
    pub unusable: Option<NoGpu>,
}

/// The GPUs of this machine.
///
/// ```
/// # mod sameas { pub use sameas_device::*; }
/// let list = sameas::DeviceList::find();
/// if let Some(reason) = list.unusable() {
///     println!("jobs run on the CPU: {reason}");
/// }
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct DeviceList {
    /// The GPUs.
    pub devices: Vec<DeviceInfo>,
    /// Why there are none.
    pub reason: Option<NoGpu>,
    /// The version of CUDA that the driver speaks.
    pub driver: Option<String>,
}

impl DeviceList {
    /// Looks for GPUs. That there is none is an answer, not an error.
    pub fn find() -> Self {
        super::cuda::list()
    }

    /// Why no GPU can be used, if none can.
    pub fn unusable(&self) -> Option<NoGpu> {
        self.first_usable().err()
    }

    /// The number of the first GPU that can be used, or why there is none.
    pub(super) fn first_usable(&self) -> Result<usize, NoGpu> {
        let usable = self.devices.iter().position(|device| device.unusable.is_none());
        let of_device = || self.devices.first().and_then(|device| device.unusable.clone());
        usable.ok_or_else(|| of_device().or_else(|| self.reason.clone()).unwrap_or(NoGpu::NoDevice))
    }
}
