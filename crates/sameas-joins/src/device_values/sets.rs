//! Token sets on a device.

use sameas_kernels::DevicePtr;
use sameas_kernels::layout::set_join as layout;

use super::part::KeptValues;
use crate::device::{Buffer, Gpu, LentMemory};
use crate::error::Result;
use crate::records::encode::Sets;

/// The sets of distinct values on a device, by code.
pub struct DeviceSets {
    /// Nothing where they are in the memory of the host.
    buffers: Option<(Buffer<u64>, Buffer<u32>)>,
    layout: layout::Sets,
}

impl DeviceSets {
    /// Brings sets to a device.
    pub fn new(gpu: &Gpu, sets: Sets<'_>) -> Result<Self> {
        let (ids, ends) = sets.parts();
        let (ends, ids) = (gpu.upload::<u64>(bytemuck::cast_slice(ends))?, gpu.upload(ids)?);
        Ok(Self::from_buffers(0, ends, ids))
    }

    /// The sets of some values, which the device gathers.
    pub fn part<'a>(lent: &LentMemory<'a>, sets: Sets<'a>, values: &KeptValues) -> Result<Self> {
        let (begins, ids) = values.lists(lent, sets)?;
        // A set ends where the next one begins.
        Ok(Self::from_buffers(1, begins, ids))
    }

    /// Sets that stay on the host, where kernels read them.
    pub fn lent<'a>(lent: &LentMemory<'a>, sets: Sets<'a>) -> Result<Self> {
        let (ids, ends) = sets.parts();
        let ends: DevicePtr<u64> = lent.at(bytemuck::cast_slice(ends))?;
        Ok(Self { buffers: None, layout: layout::Sets { ends, ids: lent.at(ids)? } })
    }

    fn from_buffers(first: usize, ends: Buffer<u64>, ids: Buffer<u32>) -> Self {
        let layout = layout::Sets { ends: ends.at_index(first), ids: ids.at() };
        Self { buffers: Some((ends, ids)), layout }
    }

    /// Whether they are in the memory of the device.
    pub fn are_here(&self) -> bool {
        self.buffers.is_some()
    }

    /// Where they lie.
    pub fn layout(&self) -> layout::Sets {
        self.layout
    }
}
