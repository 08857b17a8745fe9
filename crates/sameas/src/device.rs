//! What is known of devices: those that a [`DeviceList`](crate::DeviceList) has, and why a job could not use one.

#[doc(inline)]
pub use sameas_device::{DeviceInfo, DeviceKind, DoesNotFit, NoGpu, WarpSchedule};
