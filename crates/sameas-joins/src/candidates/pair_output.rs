//! The output of a join of values on a device.

use sameas_kernels::layout::text::TextOut;

use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Pairs of values that hold, and those that are left to the host. Both are counted past the end of their buffers.
pub struct PairOutput {
    gpu: Gpu,
    /// Left and right values of pairs that hold.
    pub pairs: [Buffer<u32>; 2],
    /// Those of pairs that are left to the host.
    pub deferred: [Buffer<u32>; 2],
    cursors: Buffer<u64>,
}

impl PairOutput {
    /// Room for some pairs that hold, and for some that are left to the host.
    pub fn new(gpu: &Gpu, pairs: usize, deferred: usize) -> Result<Self> {
        let columns = |len| Ok([gpu.buffer::<u32>(len)?, gpu.buffer::<u32>(len)?]);
        Ok(Self { gpu: gpu.clone(), pairs: columns(pairs)?, deferred: columns(deferred)?, cursors: gpu.zeroed(2)? })
    }

    /// Forgets what it holds.
    pub fn clear(&self) -> Result<()> {
        self.gpu.fill_zero(&self.cursors)
    }

    /// Where the kernels write.
    pub fn layout(&self) -> TextOut {
        TextOut {
            left: self.pairs[0].at(),
            right: self.pairs[1].at(),
            capacity: self.pairs[0].len() as u64,
            cursor: self.cursors.at(),
            open_left: self.deferred[0].at(),
            open_right: self.deferred[1].at(),
            open_capacity: self.deferred[0].len() as u64,
            open_cursor: self.cursors.at_index(1),
            ..TextOut::default()
        }
    }

    /// How many pairs hold, and how many are left to the host, whether there was room for them or not.
    pub fn found(&self) -> Result<[usize; 2]> {
        let found = self.gpu.read(&self.cursors, 0..2)?;
        Ok([found[0] as usize, found[1] as usize])
    }

    /// The first pairs that are left to the host.
    pub fn read_deferred(&self, count: usize) -> Result<[Vec<u32>; 2]> {
        Ok([self.gpu.read(&self.deferred[0], 0..count)?, self.gpu.read(&self.deferred[1], 0..count)?])
    }
}
