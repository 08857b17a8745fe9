//! All pairs of records on a device: one tile, cut into tasks by the kernels.

use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::tiles::Tile;

use crate::candidates::device_path::{DevicePath, DeviceSink};
use crate::candidates::tiles::DeviceTiles;
use crate::candidates::work_division::TaskSizes;
use crate::candidates::{Pairing, Shape};
use crate::device::Gpu;
use crate::error::Result;

/// All pairs of some left rows with some right rows.
pub struct GpuAllPairs {
    tiles: DeviceTiles,
    is_done: bool,
}

impl GpuAllPairs {
    /// All pairs of the given rows, which ascend.
    pub fn new(gpu: &Gpu, left: &[u32], right: &[u32], shape: Shape, sizes: &TaskSizes) -> Result<Self> {
        let pairing = match shape {
            Shape::Rectangle => Pairing::All,
            Shape::Triangle if left == right => Pairing::Ascending,
            Shape::Triangle => Pairing::Before,
        };
        let tile = Tile { left_begin: 0, left_len: left.len() as u32, right_begin: 0, right_len: right.len() as u32 };
        let left = Arc::new(gpu.upload(left)?);
        let right = if pairing == Pairing::Ascending { Arc::clone(&left) } else { Arc::new(gpu.upload(right)?) };
        let tiles = DeviceTiles::new(gpu, gpu.upload(&[tile])?, 1, pairing, [left, right], sizes)?;
        Ok(Self { tiles, is_done: false })
    }
}

impl DevicePath for GpuAllPairs {
    fn next_round(&mut self) -> Result<bool> {
        Ok(!std::mem::replace(&mut self.is_done, true))
    }

    fn tasks(&self) -> u64 {
        self.tiles.tasks()
    }

    fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        self.tiles.launch(tasks, sink, consume)
    }
}
