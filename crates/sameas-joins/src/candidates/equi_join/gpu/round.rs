//! The keys of one range of hashes, joined: light partitions by the block, large ones as tiles.

use std::ops::{Range, RangeInclusive};

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::equi_join::{EQUI_JOIN_THREADS, EquiJoinLimits, EquiJoinProbe};

use super::hash::KeyHash;
use super::large;
use super::side::{DeviceSide, PartitionedTuples};
use crate::candidates::device_path::DeviceSink;
use crate::candidates::tiles::{self, DeviceTiles};
use crate::candidates::work_division::TaskSizes;
use crate::candidates::{EqualKeyPairs, Pairing};
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Blocks that a multiprocessor runs at once.
const BLOCKS: u32 = 8;

/// How tuples are partitioned and partitions judged.
#[derive(Clone, Copy, Debug)]
pub struct PartitionPlan {
    /// Bits of a hash.
    pub bits: u32,
    /// Those below the number of the partition.
    pub low_bits: u32,
    pub limits: EquiJoinLimits,
    pub which: EqualKeyPairs,
}

impl PartitionPlan {
    /// The first partition of a range of hashes, and how many there are.
    pub fn partitions(&self, range: &RangeInclusive<u64>) -> (u64, usize) {
        let number = |hash: u64| hash.checked_shr(self.low_bits).unwrap_or(0);
        (number(*range.start()), (number(*range.end()) - number(*range.start()) + 1) as usize)
    }

    /// How the rows of a key are paired.
    pub fn pairing(&self, self_join: bool) -> Pairing {
        match self.which {
            _ if self_join => Pairing::Ascending,
            EqualKeyPairs::All => Pairing::All,
            EqualKeyPairs::Before => Pairing::Before,
        }
    }
}

/// A prepared round. Its tasks are its partitions, of which the large ones are empty, and then those of its tiles.
pub struct GpuRound<H> {
    gpu: Gpu,
    left: PartitionedTuples<H>,
    right: Option<PartitionedTuples<H>>,
    plan: PartitionPlan,
    partitions: u64,
    tiles: Option<DeviceTiles>,
    taken: Buffer<u64>,
}

impl<H: KeyHash> GpuRound<H> {
    /// Partitions the keys of a range of hashes.
    pub fn new(
        gpu: &Gpu,
        left: &DeviceSide,
        right: Option<&DeviceSide>,
        range: RangeInclusive<u64>,
        plan: PartitionPlan,
        sizes: &TaskSizes,
    ) -> Result<Self> {
        let left = left.partition::<H>(gpu, &range, plan)?;
        let right = right.map(|side| side.partition::<H>(gpu, &range, plan)).transpose()?;
        let tiles = large::tiles(gpu, &left, right.as_ref(), &range, plan, sizes)?;
        let nothing = left.tuples.len == 0 || right.as_ref().is_some_and(|right| right.tuples.len == 0);
        let partitions = if nothing { 0 } else { plan.partitions(&range).1 as u64 };
        Ok(Self { gpu: gpu.clone(), left, right, plan, partitions, tiles, taken: gpu.buffer(1)? })
    }

    /// Number of tasks.
    pub fn tasks(&self) -> u64 {
        self.partitions + self.tiles.as_ref().map_or(0, DeviceTiles::tasks)
    }

    /// Starts the kernels for some tasks.
    pub fn launch(&self, tasks: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        let border = self.partitions;
        self.probe(tasks.start.min(border)..tasks.end.min(border), sink, consume)?;
        let of_tiles = tasks.start.max(border) - border..tasks.end.max(border) - border;
        self.tiles.as_ref().map_or(Ok(()), |tiles| tiles.launch(of_tiles, sink, consume))
    }

    /// Joins the light ones among some partitions.
    fn probe(&self, partitions: Range<u64>, sink: DeviceSink, consume: &Consume) -> Result<()> {
        if partitions.is_empty() {
            return Ok(());
        }
        let pairing = if self.plan.which == EqualKeyPairs::Before { Pairing::Before } else { Pairing::All };
        let args = EquiJoinProbe {
            left: self.left.layout(),
            right: self.right.as_ref().unwrap_or(&self.left).layout(),
            limits: self.plan.limits,
            first: partitions.start,
            units: partitions.end - partitions.start,
            taken: self.taken.at(),
            low_bits: self.plan.low_bits,
            self_join: u32::from(self.right.is_none()),
            pairing: tiles::number(pairing),
            unused: 0,
            consume: *consume,
        };
        self.gpu.fill_zero(&self.taken)?;
        let grid = args.units.min(u64::from(self.gpu.info().processors * BLOCKS)) as u32;
        let shared = sink.shared() * EQUI_JOIN_THREADS / 32;
        self.gpu.launch(H::KERNELS.probe(sink), grid, EQUI_JOIN_THREADS, shared, &args)
    }
}
