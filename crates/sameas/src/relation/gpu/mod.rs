//! Fixpoints on a device.

pub mod carried;
