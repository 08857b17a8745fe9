//! The codes of one side's records on a device.

use sameas_kernels::DevicePtr;

use crate::device::Buffer;

/// Codes by row on a device.
pub enum DeviceCodes {
    /// Somebody else keeps them: their address and number.
    There(DevicePtr<u32>, usize),
    /// They were copied for this use.
    Copied(Buffer<u32>),
}

impl DeviceCodes {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::There(_, count) => *count,
            Self::Copied(codes) => codes.len(),
        }
    }
}
