//! Numbers near each other on a device: both sides are sorted there, the window of each distinct left number is found by
//! bisection, and windows are tiles, whose pairs are divided into tasks of equal size however wide windows are.
//!
//! No loss and no repetition: as on the CPU (see the module above). A round takes the windows of some left numbers, and
//! every left number is in one round. Where numbers or the threshold are decimals, which kernels do not know, the windows
//! are those of the host.

mod lists;
mod order;
#[cfg(all(test, feature = "emulated"))]
mod tests;

use std::collections::VecDeque;
use std::ops::Range;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::verify::DifferenceCheck;

use super::Neighbourhood;
use crate::candidates::Shape;
use crate::candidates::device_path::{DevicePath, DeviceSink};
use crate::candidates::tiles::{self, DeviceTiles};
use crate::candidates::work_division::TaskSizes;
use crate::device::Gpu;
use crate::error::Result;
use lists::DeviceWindowList;
pub use order::DeviceNumbers;

/// Bytes that a window takes in a round at most: two tiles, and the sums of both lists of tiles, some of them twice.
const WINDOW: usize = 160;

/// The pairs of rows whose numbers are near each other, on a device.
pub struct GpuNeighbourhood {
    gpu: Gpu,
    lists: Vec<DeviceWindowList>,
    sizes: TaskSizes,
    /// Windows of lists still to come; unknown until the first round, when all that outlives it has its memory.
    rounds: Option<VecDeque<(usize, Range<usize>)>>,
    round: Vec<DeviceTiles>,
}

impl GpuNeighbourhood {
    /// The pairs of left and right numbers for which a condition holds; without right ones, of two rows of the left ones,
    /// the smaller row first. In a triangle of two sides only the pairs whose left row is the smaller are meant.
    pub fn new(
        gpu: &Gpu,
        left: &DeviceNumbers<'_>,
        right: Option<&DeviceNumbers<'_>>,
        shape: Shape,
        check: DifferenceCheck,
        sizes: &TaskSizes,
    ) -> Result<Self> {
        let left = left.sorted(gpu)?;
        let right = right.map(|right| right.sorted(gpu)).transpose()?;
        Ok(Self::from_lists(gpu, lists::of_orders(&left, right.as_deref(), shape, check), sizes))
    }

    /// The same with the windows of the host.
    pub fn of_host(gpu: &Gpu, windows: &Neighbourhood, sizes: &TaskSizes) -> Result<Self> {
        Ok(Self::from_lists(gpu, lists::of_host(gpu, windows)?, sizes))
    }

    fn from_lists(gpu: &Gpu, lists: Vec<DeviceWindowList>, sizes: &TaskSizes) -> Self {
        Self { gpu: gpu.clone(), lists, sizes: *sizes, rounds: None, round: Vec::new() }
    }

    /// The rounds: some windows each. Devices that share the work have the same ones, whether each has the memory or not:
    /// where one has not, that is known before any candidate has been found.
    fn divide(&self) -> Result<VecDeque<(usize, Range<usize>)>> {
        let most = (self.sizes.memory(&self.gpu) / 2 / WINDOW).max(1);
        let longest = self.lists.iter().map(DeviceWindowList::len).max().unwrap_or(0);
        let (needed, free) = (most.min(longest) * WINDOW, self.gpu.free());
        if needed > free {
            return Err(self.gpu.too_small(needed, free));
        }
        let rounds = self.lists.iter().enumerate().flat_map(|(list, windows)| {
            let len = windows.len();
            (0..len).step_by(most).map(move |begin| (list, begin..len.min(begin + most)))
        });
        Ok(rounds.collect())
    }
}

impl DevicePath for GpuNeighbourhood {
    fn next_round(&mut self) -> Result<bool> {
        self.round.clear();
        if self.rounds.is_none() {
            self.rounds = Some(self.divide()?);
        }
        let Some((list, windows)) = self.rounds.as_mut().and_then(VecDeque::pop_front) else { return Ok(false) };
        self.round = self.lists[list].tiles(&self.gpu, windows, &self.sizes)?;
        Ok(true)
    }

    fn tasks(&self) -> u64 {
        self.round.iter().map(DeviceTiles::tasks).sum()
    }

    fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        tiles::launch_all(&self.round, &tasks, sink, consume)
    }
}
