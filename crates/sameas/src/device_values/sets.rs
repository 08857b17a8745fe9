//! Token sets on a device.

use rayon::prelude::*;
use sameas_kernels::layout::set_join as layout;

use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::records::encode::Sets;

/// The sets of distinct values on a device, by code.
pub struct DeviceSets {
    ends: Buffer<u64>,
    ids: Buffer<u32>,
}

impl DeviceSets {
    /// Brings sets to a device.
    pub fn new(gpu: &Gpu, sets: Sets<'_>) -> Result<Self> {
        let (ids, ends) = sets.parts();
        let ends: Vec<u64> = ends.par_iter().map(|end| *end as u64).collect();
        Ok(Self { ends: gpu.upload(&ends)?, ids: gpu.upload(ids)? })
    }

    /// Where they lie.
    pub fn layout(&self) -> layout::Sets {
        layout::Sets { ends: self.ends.at(), ids: self.ids.at() }
    }
}
