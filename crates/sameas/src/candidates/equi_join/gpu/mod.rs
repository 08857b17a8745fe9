//! The equality join on a device, as GSH of "CPU and GPU Hash Joins on Skewed Data":
//!
//! 1. Keys become hashes of as many bits, one for one, and tuples are partitioned by sorting on the high bits (`side`).
//! 2. Partitions that fit the shared memory of a block are joined there (`round`).
//! 3. Tuples of the others are sorted on until each key is a range, and every key becomes a tile that many blocks share
//!    (`large`): skewed keys need no detection by sample, and a key that a sample would miss is treated alike.
//!
//! No loss and no repetition: equal keys have equal hashes, so they meet in one round and there in one partition, which
//! both sides judge alike to be light or large; within it hashes are compared, and different keys have different ones. A
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

use crate::candidates::Which;
use crate::candidates::device_path::{Consumer, DevicePath, unit_limit};
use crate::device::Gpu;
use crate::error::Result;
use hash::Hash;
use round::{Plan, Round};

/// What tests make small.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Tuples of a partition on average, at most.
    pub partition: usize,
    /// Tuples of the smaller side of a light partition at most.
    pub build: u32,
    /// Tuples of the larger side.
    pub probe: u32,
    /// Product of both sides.
    pub pairs: usize,
    /// Bytes that a round may take; by default what is free when the first one begins. Where several devices share the
    /// units of a join, it must be given and the same for all, as their memory must be: rounds and units then agree.
    pub memory: Option<usize>,
}

impl Default for Settings {
    /// Partitions half as large as what fits, so that chance makes few of them large; and no partition that keeps one
    /// block busy for long, while others have nothing left to do.
    fn default() -> Self {
        let build = EQUI_JOIN_BUILD;
        Self { partition: build as usize / 2, build, probe: 8 * build, pairs: 1 << 20, memory: None }
    }
}

/// A join of two sides by equal keys, or of one with itself, on a device.
pub enum GpuEquiJoin {
    /// Keys of at most 32 bits.
    Narrow(Join<u32>),
    /// Keys of at most 64 bits.
    Wide(Join<u64>),
}

impl GpuEquiJoin {
    /// Joins two sides; without a right one, the left with itself, whose rows must then ascend: every pair of records
    /// once, the one that comes first on the left.
    pub fn new(gpu: &Gpu, left: DeviceSide, right: Option<DeviceSide>, which: Which, settings: Settings) -> Self {
        if left.bits() <= u32::BITS {
            Self::Narrow(Join::new(gpu, left, right, which, settings))
        } else {
            Self::Wide(Join::new(gpu, left, right, which, settings))
        }
    }
}

impl DevicePath for GpuEquiJoin {
    fn advance(&mut self) -> Result<bool> {
        match self {
            Self::Narrow(join) => join.advance(),
            Self::Wide(join) => join.advance(),
        }
    }

    fn units(&self) -> u64 {
        match self {
            Self::Narrow(join) => join.round.as_ref().map_or(0, Round::units),
            Self::Wide(join) => join.round.as_ref().map_or(0, Round::units),
        }
    }

    fn launch(&self, units: Range<u64>, consumer: Consumer, consume: &Consume) -> Result<()> {
        match self {
            Self::Narrow(join) => join.round.as_ref().map_or(Ok(()), |round| round.launch(units, consumer, consume)),
            Self::Wide(join) => join.round.as_ref().map_or(Ok(()), |round| round.launch(units, consumer, consume)),
        }
    }
}

/// A join of hashes of one width.
pub struct Join<H: Hash> {
    gpu: Gpu,
    left: DeviceSide,
    right: Option<DeviceSide>,
    plan: Plan,
    memory: Option<usize>,
    /// Ranges of hashes still to be joined; unknown until the first round, when all that outlives it has its memory.
    rounds: Option<VecDeque<RangeInclusive<u64>>>,
    round: Option<Round<H>>,
}

impl<H: Hash> Join<H> {
    fn new(gpu: &Gpu, left: DeviceSide, right: Option<DeviceSide>, which: Which, settings: Settings) -> Self {
        let longest = right.as_ref().map_or(0, DeviceSide::len).max(left.len());
        let pairs = settings.pairs.min(unit_limit(gpu));
        // The product of two average sides is a quarter of the limit at most.
        let partition = settings.partition.min(pairs.isqrt() / 2).max(1);
        let partitions = longest.div_ceil(partition).max(1).next_power_of_two();
        let build = settings.build.min(EQUI_JOIN_BUILD);
        let limits = EquiJoinLimits { build, probe: settings.probe, pairs: pairs as u64 };
        let bits = left.bits();
        let plan = Plan { bits, low_bits: bits - partitions.ilog2().min(bits), limits, which };
        Self { gpu: gpu.clone(), left, right, plan, memory: settings.memory, rounds: None, round: None }
    }

    fn advance(&mut self) -> Result<bool> {
        self.round = None;
        if self.rounds.is_none() {
            self.rounds = Some(self.divide()?);
        }
        let Some(range) = self.rounds.as_mut().and_then(VecDeque::pop_front) else { return Ok(false) };
        self.round = Some(Round::new(&self.gpu, &self.left, self.right.as_ref(), range, self.plan)?);
        Ok(true)
    }

    /// The rounds: one where all tuples fit, else ranges of hashes that do. Where those of one value of the high bits do
    /// not, that is said now, before any candidate has been found.
    fn divide(&self) -> Result<VecDeque<RangeInclusive<u64>>> {
        let last = if self.plan.bits == 0 { 0 } else { u64::MAX >> (u64::BITS - self.plan.bits) };
        let free = self.memory.unwrap_or_else(|| self.gpu.free());
        if cost::<H>([self.left.len(), self.right.as_ref().map_or(0, DeviceSide::len)]) <= free {
            return Ok([0..=last].into());
        }
        let bin_bits = self.plan.bits.min(EQUI_JOIN_BIN_BITS);
        let left = self.left.histogram(&self.gpu, bin_bits)?;
        let right = self.right.as_ref().map(|side| side.histogram(&self.gpu, bin_bits)).transpose()?;
        let (mut rounds, mut begin, mut held) = (VecDeque::new(), 0, [0, 0]);
        for (bin, lefts) in left.into_iter().enumerate() {
            let more = [lefts as usize, right.as_ref().map_or(0, |bins| bins[bin] as usize)];
            if cost::<H>(more) > free {
                return Err(self.gpu.too_small(cost::<H>(more), free));
            }
            let both = [held[0] + more[0], held[1] + more[1]];
            if held != [0, 0] && cost::<H>(both) > free {
                let next = (bin as u64) << (self.plan.bits - bin_bits);
                rounds.push_back(begin..=next - 1);
                (begin, held) = (next, more);
            } else {
                held = both;
            }
        }
        rounds.push_back(begin..=last);
        Ok(rounds)
    }
}

/// Bytes that a round of so many left and right tuples takes at its worst, with an eighth for what primitives and gaps
/// between buffers take. Sorting holds a side three times. Where every tuple is in a large partition, both sides are
/// there twice, and each left one may be a key: a number, a flag, a head, a tile and four sums.
fn cost<H>([left, right]: [usize; 2]) -> usize {
    let tuple = size_of::<H>() + size_of::<u32>();
    let sorting = tuple * (2 * left + 4 * right.max(left / 2));
    let keys = 2 * tuple * (left + right) + (9 + 16 + 32) * left;
    sorting.max(keys) / 8 * 9 + (1 << 16)
}
