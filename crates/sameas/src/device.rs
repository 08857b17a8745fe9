//! What is known of devices: those that a [`DeviceList`] has, and why a job could not use one.

#[doc(inline)]
pub use sameas_device::{DeviceInfo, DeviceKind, DeviceList, DoesNotFit, NoGpu, WarpSchedule};
