//! What devices this machine has, found without failing and without starting any.

use serde::Serialize;

/// A GPU that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
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
    pub devices: Vec<Found>,
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

/// Looks for GPUs.
#[cfg(feature = "cuda")]
pub fn list() -> Listing {
    super::cuda::list()
}

/// Looks for GPUs.
#[cfg(not(feature = "cuda"))]
pub fn list() -> Listing {
    let reason = "this build of sameas has no CUDA support".to_owned();
    Listing { devices: Vec::new(), reason: Some(reason), driver: None }
}

/// Why there can be no GPU, if that is known without starting a driver.
#[cfg(feature = "cuda")]
pub(super) fn no_driver() -> Option<String> {
    super::cuda::no_driver()
}

/// Why there can be no GPU, if that is known without starting a driver.
#[cfg(not(feature = "cuda"))]
pub(super) fn no_driver() -> Option<String> {
    list().reason
}
