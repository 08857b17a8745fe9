//! What devices a machine has.

use serde::Serialize;

/// A GPU that was found.
#[derive(Clone, Debug, Serialize)]
pub struct FoundDevice {
    /// What its maker calls it.
    pub name: String,
    /// Its compute capability.
    pub compute: (u32, u32),
    /// Bytes of its memory.
    pub memory: u64,
    /// Why it cannot be used, if it cannot.
    pub unusable: Option<String>,
}

/// All GPUs that were found.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// The GPUs.
    pub devices: Vec<FoundDevice>,
    /// Why there are none.
    pub reason: Option<String>,
    /// The version of CUDA that the driver speaks.
    pub driver: Option<String>,
}

impl Listing {
    /// Why no GPU can be used, if none can.
    pub fn unusable(&self) -> Option<String> {
        if self.devices.iter().any(|device| device.unusable.is_none()) {
            return None;
        }
        let of_device = self.devices.first().and_then(|device| device.unusable.clone());
        of_device.or_else(|| self.reason.clone()).or_else(|| Some("no GPU was found".into()))
    }
}
