//! Values that kernels read, wherever they lie.

use bytemuck::NoUninit;
use sameas_kernels::DevicePtr;

use crate::device::{Buffer, Gpu, Pinned};
use crate::error::Result;

/// Values that kernels read.
pub enum DeviceColumn<T> {
    /// In the memory of the device.
    Here(Buffer<T>),
    /// In memory of the host that was made for them.
    Pinned(Pinned<T>),
    /// In memory that somebody else keeps, for as long as the column is used.
    Elsewhere(DevicePtr<T>),
}

impl<T: NoUninit> DeviceColumn<T> {
    /// Values that are copied to the device.
    pub fn copied(gpu: &Gpu, values: &[T]) -> Result<Self> {
        Ok(Self::Here(gpu.upload(values)?))
    }
}

impl<T> DeviceColumn<T> {
    /// Whether they are in the memory of the device.
    pub fn is_here(&self) -> bool {
        matches!(self, Self::Here(_))
    }

    /// Their address.
    pub fn at(&self) -> DevicePtr<T> {
        match self {
            Self::Here(buffer) => buffer.at(),
            Self::Pinned(values) => values.on_device(),
            Self::Elsewhere(at) => *at,
        }
    }
}
