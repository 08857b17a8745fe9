//! From an access condition to the path that finds its candidates on a device.

mod device;

pub use device::DevicePlan;
