//! Room on a device for what a join of texts finds.

use sameas_kernels::layout::text::TextOut;

use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Pairs of texts that hold, and those that the host decides. Both are counted on past the end of their room.
pub struct Room {
    gpu: Gpu,
    /// Left and right texts of pairs that hold.
    pub pairs: [Buffer<u32>; 2],
    /// Those of pairs that the host decides.
    pub open: [Buffer<u32>; 2],
    cursors: Buffer<u64>,
}

impl Room {
    /// Room for so many pairs that hold, and for so many that the host decides.
    pub fn new(gpu: &Gpu, pairs: usize, open: usize) -> Result<Self> {
        let columns = |len| Ok([gpu.buffer::<u32>(len)?, gpu.buffer::<u32>(len)?]);
        Ok(Self { gpu: gpu.clone(), pairs: columns(pairs)?, open: columns(open)?, cursors: gpu.zeroed(2)? })
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
            open_left: self.open[0].at(),
            open_right: self.open[1].at(),
            open_capacity: self.open[0].len() as u64,
            open_cursor: self.cursors.at_index(1),
            ..TextOut::default()
        }
    }

    /// How many pairs hold, and how many the host decides, whether there was room for them or not.
    pub fn found(&self) -> Result<[usize; 2]> {
        let found = self.gpu.read(&self.cursors, 0..2)?;
        Ok([found[0] as usize, found[1] as usize])
    }

    /// The first pairs that the host decides.
    pub fn read_open(&self, count: usize) -> Result<[Vec<u32>; 2]> {
        Ok([self.gpu.read(&self.open[0], 0..count)?, self.gpu.read(&self.open[1], 0..count)?])
    }
}
