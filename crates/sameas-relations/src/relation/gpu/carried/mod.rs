//! Fixpoints of rows on a device: a warp or a block follows one x at a time; see `kernels/relation_carried.cu`.
//!
//! Tuples go to a buffer of fixed size. When it is full the device stops taking rows, the caller takes what is there,
//! and the rows that had no room are done again: any memory suffices that holds the longest row.

use std::ops::Range;
use std::time::{Duration, Instant};

use sameas_kernels::layout::relation_carried::{
    CARRIED_FILLED, CARRIED_NEXT, CARRIED_RING, CARRIED_TUPLES, CARRIED_UNDONE, RelationCarried,
};
use sameas_kernels::{DevicePtr, Kernel, kernel};

use crate::cancel::Cancel;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// A launch that took this long is not made longer, so that a job can be stopped soon.
const LONG: Duration = Duration::from_millis(50);

/// Shared memory that the device keeps for itself of each block.
const KEPT_BY_DEVICE: u32 = 1 << 10;

/// Lists of values by number, on a device.
#[derive(Clone, Copy)]
pub struct DeviceLists<'a> {
    /// Where each list begins; and the end.
    pub offsets: &'a Buffer<u32>,
    /// The values of all.
    pub targets: &'a Buffer<u32>,
}

/// The shifts of pairs that lie in memory as x and value, one after the other.
pub const AS_PAIRS: [u32; 2] = [0, 32];

/// What is followed, and what it is called.
#[derive(Clone, Copy)]
pub struct CarriedTask<'a> {
    /// By value: the values of its next step.
    pub steps: DeviceLists<'a>,
    /// By x: the values that it begins with.
    pub seeds: DeviceLists<'a>,
    /// By value: what it is in tuples, if not itself.
    pub ids: Option<&'a Buffer<u32>>,
    /// By x: what it is in tuples, if not itself.
    pub x_ids: Option<&'a Buffer<u32>>,
    /// How far x is shifted in a tuple, and how far the value.
    pub shifts: [u32; 2],
}

/// How threads are shared out.
#[derive(Clone, Copy, Debug)]
struct CarriedShape {
    kernel: Kernel<RelationCarried>,
    /// Blocks of all processors.
    blocks: u32,
    threads: u32,
    shared: u32,
    /// Rows at a time.
    groups: u32,
    is_wide: bool,
}

impl CarriedShape {
    /// For rows with bits for all values: a warp each where there is room for eight or more on a processor, else a block.
    fn new(gpu: &Gpu, values: u32) -> Self {
        let (most, processors) = (gpu.info().shared - 64, gpu.info().processors);
        let bits = values.div_ceil(128) * 16;
        let on_processor = |shared: u32| (most + KEPT_BY_DEVICE) / (shared + KEPT_BY_DEVICE);
        let of_warp = bits + 4 * CARRIED_RING;
        if of_warp <= most / 8 {
            let warps = if of_warp <= 6 << 10 { 4 } else { 1 + u32::from(of_warp <= 12 << 10) };
            let blocks = processors * on_processor(warps * of_warp).clamp(1, 32.min(64 / warps));
            let (kernel, shared) = (kernel::RELATION_CARRIED_WARP, warps * of_warp);
            return Self { kernel, blocks, threads: 32 * warps, shared, groups: blocks * warps, is_wide: false };
        }
        if bits <= most {
            let here = on_processor(bits);
            let (kernel, blocks, threads) = (kernel::RELATION_CARRIED_BLOCK, processors * here, 1024 / here / 32 * 32);
            return Self { kernel, blocks, threads: threads.max(64), shared: bits, groups: blocks, is_wide: false };
        }
        let (kernel, blocks) = (kernel::RELATION_CARRIED_WIDE, 4 * processors);
        Self { kernel, blocks, threads: 256, shared: 0, groups: blocks, is_wide: true }
    }

    /// The same with fewer groups, if their lists would take more than this.
    fn within(mut self, bytes: usize, values: u32) -> Self {
        let of_group = 4 * values as usize + if self.is_wide { values as usize / 8 + 16 } else { 0 };
        let most = (bytes / of_group.max(1)).max(1);
        let of_block = self.groups / self.blocks;
        self.blocks = self.blocks.min((most as u32).div_ceil(of_block)).max(1);
        self.groups = self.blocks * of_block;
        self
    }
}

/// Fixpoints of rows on a device.
pub struct GpuCarried<'a> {
    gpu: &'a Gpu,
    task: CarriedTask<'a>,
    shape: CarriedShape,
    reached: Buffer<u32>,
    bits: Buffer<u32>,
    undone: [Buffer<u32>; 2],
    counters: Buffer<u64>,
}

/// What is left to be done.
struct RowsLeft {
    /// Rows that had no room: they come first, and lie in this one of the two lists.
    again: u32,
    list: usize,
    /// Then those from here on.
    first: u32,
}

impl<'a> GpuCarried<'a> {
    /// Takes memory for the rows that are followed at a time: at most a quarter of what is free.
    pub fn new(gpu: &'a Gpu, task: CarriedTask<'a>) -> Result<Self> {
        let values = task.steps.offsets.len() as u32 - 1;
        let shape = CarriedShape::new(gpu, values).within(gpu.free() / 4, values);
        let groups = shape.groups as usize;
        let words = if shape.is_wide { groups * (values as usize).div_ceil(128) * 4 } else { 0 };
        Ok(Self {
            gpu,
            task,
            shape,
            reached: gpu.buffer(groups * values as usize)?,
            bits: gpu.zeroed(words)?,
            undone: [gpu.buffer(groups)?, gpu.buffer(groups)?],
            counters: gpu.buffer(4)?,
        })
    }

    /// The number of x.
    pub fn rows(&self) -> u32 {
        self.task.seeds.offsets.len() as u32 - 1
    }

    /// The number of tuples of some x.
    pub fn count(&self, xs: Range<u32>, cancel: Cancel<'_>) -> Result<u64> {
        self.run(xs, None, cancel, &mut |_| Ok(()))
    }

    /// Makes the tuples of some x. `take` is called with the number of those in the buffer when it is full, and at the
    /// end.
    pub fn tuples(
        &self,
        xs: Range<u32>,
        to: &Buffer<u64>,
        cancel: Cancel<'_>,
        take: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<u64> {
        self.run(xs, Some(to), cancel, take)
    }

    fn run(
        &self,
        xs: Range<u32>,
        to: Option<&Buffer<u64>>,
        cancel: Cancel<'_>,
        take: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<u64> {
        let mut left = RowsLeft { again: 0, list: 0, first: xs.start };
        let (mut total, mut filled, mut rows) = (0, 0, 16 * self.shape.groups);
        while left.again > 0 || left.first < xs.end {
            cancel.check();
            let (begun, end) = (Instant::now(), xs.end.min(left.first.saturating_add(rows)));
            let counters = self.launch(to, &left, filled, end)?;
            let capacity = to.map_or(u64::MAX, |to| to.len() as u64);
            let is_full = counters[CARRIED_TUPLES] > capacity;
            let reached = if is_full { counters[CARRIED_FILLED] } else { counters[CARRIED_TUPLES] };
            total += reached - filled;
            if is_full && reached == 0 {
                let needed = 8 * counters[CARRIED_TUPLES] as usize / counters[CARRIED_UNDONE].max(1) as usize;
                return Err(self.gpu.too_small(needed, 8 * capacity as usize));
            }
            filled = reached;
            if is_full && to.is_some() {
                take(filled as usize)?;
                filled = 0;
            }
            left = self.left_after(&left, &counters, end)?;
            if begun.elapsed() < LONG {
                rows = rows.saturating_mul(8);
            }
        }
        take(filled as usize)?;
        Ok(total)
    }

    /// Follows rows up to `end`, until the buffer, which has `filled` tuples, is full. Gives the counters.
    fn launch(&self, to: Option<&Buffer<u64>>, left: &RowsLeft, filled: u64, end: u32) -> Result<Vec<u64>> {
        self.gpu.write(&self.counters, 0, &[0, filled, filled, 0])?;
        let (steps, seeds) = (self.task.steps, self.task.seeds);
        let args = RelationCarried {
            offsets: steps.offsets.at(),
            targets: steps.targets.at(),
            first_offsets: seeds.offsets.at(),
            first_targets: seeds.targets.at(),
            ids: self.task.ids.map_or(DevicePtr::NULL, Buffer::at),
            x_ids: self.task.x_ids.map_or(DevicePtr::NULL, Buffer::at),
            again: self.undone[left.list].at(),
            reached: self.reached.at(),
            bits: self.bits.at(),
            tuples: to.map_or(DevicePtr::NULL, Buffer::at),
            counters: self.counters.at(),
            undone: self.undone[1 - left.list].at(),
            capacity: to.map_or(u64::MAX, |to| to.len() as u64),
            again_len: left.again,
            first: left.first,
            end,
            values: self.task.steps.offsets.len() as u32 - 1,
            x_shift: self.task.shifts[0],
            value_shift: self.task.shifts[1],
        };
        let CarriedShape { kernel, blocks, threads, shared, .. } = self.shape;
        self.gpu.launch(kernel, blocks, threads, shared, &args)?;
        self.gpu.read(&self.counters, 0..4)
    }

    /// What is left after a launch that could take rows up to `end`.
    fn left_after(&self, left: &RowsLeft, counters: &[u64], end: u32) -> Result<RowsLeft> {
        let (taken, undone, list) = (counters[CARRIED_NEXT], counters[CARRIED_UNDONE] as usize, 1 - left.list);
        let again = u64::from(left.again);
        if taken < again {
            // Those that nobody took. Together with those that had no room they are no more than there were.
            let others = self.gpu.read(&self.undone[left.list], taken as usize..again as usize)?;
            self.gpu.write(&self.undone[list], undone, &others)?;
            return Ok(RowsLeft { again: (undone + others.len()) as u32, list, first: left.first });
        }
        let first = left.first + (taken - again).min(u64::from(end - left.first)) as u32;
        Ok(RowsLeft { again: undone as u32, list, first })
    }
}

#[cfg(all(test, feature = "emulated"))]
mod tests;
