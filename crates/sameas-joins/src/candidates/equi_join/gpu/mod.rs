//! The equality join on a device, as GSH of "CPU and GPU Hash Joins on Skewed Data":
//!
//! 1. Keys become hashes of as many bits, one for one, and tuples are partitioned by sorting on the high bits (`side`).
//! 2. Partitions that fit the shared memory of a block are joined there (`round`).
//! 3. Tuples of the others are sorted on until each key is a range, and every key becomes a tile that many blocks share
//!    (`large`): skewed keys need no detection by sample, and a key that a sample would miss is treated the same.
//!
//! No loss and no repetition: equal keys have equal hashes, so they meet in one round and there in one partition, which
//! both sides judge in the same way to be light or large; within it hashes are compared, and different keys have different ones. A
//! record has one key. Sorting is stable, so the rows of a key ascend wherever those of the input do.

mod hash;
mod large;
mod round;
mod side;
#[cfg(all(test, feature = "emulated"))]
mod tests;

pub use side::DeviceSide;

use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::equi_join::{EQUI_JOIN_BIN_BITS, EQUI_JOIN_BUILD, EquiJoinLimits};

use crate::candidates::EqualKeyPairs;
use crate::candidates::device_path::{DevicePath, DeviceSink};
use crate::candidates::work_division::TaskSizes;
use crate::device::Gpu;
use crate::error::Result;
use hash::KeyHash;
use round::{GpuRound, PartitionPlan};

/// What tests make small.
#[derive(Clone, Copy, Debug)]
pub struct GpuEquiJoinSettings {
    /// Tuples of a partition on average, at most.
    pub partition: usize,
    /// Tuples of the smaller side of a light partition at most.
    pub build: u32,
    /// Tuples of the larger side.
    pub probe: u32,
    /// Product of both sides.
    pub pairs: usize,
    /// How work is cut into rounds and tasks; by default as it suits the device.
    pub sizes: Option<TaskSizes>,
}

impl Default for GpuEquiJoinSettings {
    /// Partitions half as large as what fits, so that chance makes few of them large; and no partition that keeps one
    /// block busy for long, while others have nothing left to do.
    fn default() -> Self {
        let build = EQUI_JOIN_BUILD;
        Self { partition: build as usize / 2, build, probe: 8 * build, pairs: 1 << 20, sizes: None }
    }
}

/// A join of two sides by equal keys, or of one with itself, on a device.
pub enum GpuEquiJoin {
    /// Keys of at most 32 bits.
    Narrow(HashJoin<u32>),
    /// Keys of at most 64 bits.
    Wide(HashJoin<u64>),
}

impl GpuEquiJoin {
    /// Joins two sides; without a right one, the left with itself, whose rows must then ascend: every pair of records
    /// once, the one that comes first on the left.
    pub fn new(
        gpu: &Gpu,
        left: DeviceSide,
        right: Option<DeviceSide>,
        which: EqualKeyPairs,
        settings: GpuEquiJoinSettings,
    ) -> Self {
        if left.bits() <= u32::BITS {
            Self::Narrow(HashJoin::new(gpu, left, right, which, settings))
        } else {
            Self::Wide(HashJoin::new(gpu, left, right, which, settings))
        }
    }
}

impl DevicePath for GpuEquiJoin {
    fn next_round(&mut self) -> Result<bool> {
        match self {
            Self::Narrow(join) => join.next_round(),
            Self::Wide(join) => join.next_round(),
        }
    }

    fn tasks(&self) -> u64 {
        match self {
            Self::Narrow(join) => join.round.as_ref().map_or(0, GpuRound::tasks),
            Self::Wide(join) => join.round.as_ref().map_or(0, GpuRound::tasks),
        }
    }

    fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        match self {
            Self::Narrow(join) => join.round.as_ref().map_or(Ok(()), |round| round.launch(tasks, sink, consume)),
            Self::Wide(join) => join.round.as_ref().map_or(Ok(()), |round| round.launch(tasks, sink, consume)),
        }
    }
}

/// A join of hashes of one width.
pub struct HashJoin<H: KeyHash> {
    gpu: Gpu,
    left: DeviceSide,
    right: Option<DeviceSide>,
    plan: PartitionPlan,
    sizes: TaskSizes,
    /// Ranges of hashes still to be joined; unknown until the first round, when all that outlives it has its memory.
    rounds: Option<VecDeque<RangeInclusive<u64>>>,
    round: Option<GpuRound<H>>,
}

impl<H: KeyHash> HashJoin<H> {
    fn new(
        gpu: &Gpu,
        left: DeviceSide,
        right: Option<DeviceSide>,
        which: EqualKeyPairs,
        settings: GpuEquiJoinSettings,
    ) -> Self {
        let longest = right.as_ref().map_or(0, DeviceSide::len).max(left.len());
        let sizes = settings.sizes.unwrap_or_else(|| TaskSizes::alone(gpu));
        let pairs = settings.pairs.min(sizes.task_limit);
        // The product of two average sides is a quarter of the limit at most.
        let partition = settings.partition.min(pairs.isqrt() / 2).max(1);
        let partitions = longest.div_ceil(partition).max(1).next_power_of_two();
        let build = settings.build.min(EQUI_JOIN_BUILD);
        let limits = EquiJoinLimits { build, probe: settings.probe, pairs: pairs as u64 };
        let bits = left.bits();
        let plan = PartitionPlan { bits, low_bits: bits - partitions.ilog2().min(bits), limits, which };
        Self { gpu: gpu.clone(), left, right, plan, sizes, rounds: None, round: None }
    }

    fn next_round(&mut self) -> Result<bool> {
        self.round = None;
        if self.rounds.is_none() {
            self.rounds = Some(self.divide()?);
        }
        let Some(range) = self.rounds.as_mut().and_then(VecDeque::pop_front) else { return Ok(false) };
        self.round = Some(GpuRound::new(&self.gpu, &self.left, self.right.as_ref(), range, self.plan, &self.sizes)?);
        Ok(true)
    }

    /// The rounds: one where all tuples fit, else ranges of hashes that do. Where those of one value of the high bits do
    /// not, that is said now, before any candidate has been found.
    fn divide(&self) -> Result<VecDeque<RangeInclusive<u64>>> {
        let last = if self.plan.bits == 0 { 0 } else { u64::MAX >> (u64::BITS - self.plan.bits) };
        let memory = self.sizes.memory(&self.gpu);
        let whole = cost::<H>([self.left.len(), self.right.as_ref().map_or(0, DeviceSide::len)]);
        if whole <= memory {
            self.check_free(whole)?;
            return Ok([0..=last].into());
        }
        let bin_bits = self.plan.bits.min(EQUI_JOIN_BIN_BITS);
        let left = self.left.histogram(&self.gpu, bin_bits)?;
        let right = self.right.as_ref().map(|side| side.histogram(&self.gpu, bin_bits)).transpose()?;
        let (mut rounds, mut begin, mut held, mut largest) = (VecDeque::new(), 0, [0, 0], 0);
        for (bin, lefts) in left.into_iter().enumerate() {
            let more = [lefts as usize, right.as_ref().map_or(0, |bins| bins[bin] as usize)];
            if cost::<H>(more) > memory {
                return Err(self.gpu.too_small(cost::<H>(more), memory));
            }
            let both = [held[0] + more[0], held[1] + more[1]];
            if held != [0, 0] && cost::<H>(both) > memory {
                let next = (bin as u64) << (self.plan.bits - bin_bits);
                rounds.push_back(begin..=next - 1);
                (begin, held) = (next, more);
            } else {
                held = both;
            }
            largest = largest.max(cost::<H>(held));
        }
        rounds.push_back(begin..=last);
        self.check_free(largest)?;
        Ok(rounds)
    }

    /// Devices that share a join have the same rounds, whether each has that much free or not: where one has not, that is
    /// known before any candidate has been found.
    fn check_free(&self, needed: usize) -> Result<()> {
        let free = self.gpu.free();
        if needed <= free { Ok(()) } else { Err(self.gpu.too_small(needed, free)) }
    }
}

/// Bytes that a round of some left and right tuples takes at its worst, with an eighth for what primitives and gaps
/// between buffers take. Sorting holds a side three times. Where every tuple is in a large partition, both sides are
/// there twice, and each left one may be a key: a number, a flag, a head, a tile and four sums.
fn cost<H>([left, right]: [usize; 2]) -> usize {
    let tuple = size_of::<H>() + size_of::<u32>();
    let sorting = tuple * (2 * left + 4 * right.max(left / 2));
    let keys = 2 * tuple * (left + right) + (9 + 16 + 32) * left;
    sorting.max(keys) / 8 * 9 + (1 << 16)
}
