//! Large partitions: their tuples are sorted by the rest of the hash, and every key becomes a tile.

use std::ops::RangeInclusive;
use std::sync::Arc;

use sameas_kernels::layout::equi_join::{EQUI_JOIN_THREADS, EquiJoinClassify, EquiJoinCollect, EquiJoinTiles};
use sameas_kernels::{DevicePtr, kernel};

use super::hash::KeyHash;
use super::round::PartitionPlan;
use super::side::{DeviceTuples, PartitionedTuples};
use crate::candidates::heads::{heads, strides};
use crate::candidates::tiles::DeviceTiles;
use crate::candidates::work_division::TaskSizes;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// The tiles of the keys in large partitions, if there are any.
pub fn tiles<H: KeyHash>(
    gpu: &Gpu,
    left: &PartitionedTuples<H>,
    right: Option<&PartitionedTuples<H>>,
    range: &RangeInclusive<u64>,
    plan: PartitionPlan,
    sizes: &TaskSizes,
) -> Result<Option<DeviceTiles>> {
    let partitions = RoundPartitions { gpu, range, plan };
    let (left_sizes, right_sizes) = partitions.sizes(left, right)?;
    let left = partitions.collect(left, &left_sizes)?;
    if left.len == 0 {
        return Ok(None);
    }
    let right = right.map(|right| partitions.collect(right, &right_sizes)).transpose()?;
    let (heads, keys) = heads(gpu, &left.hashes, left.len)?;
    let tiles = gpu.buffer(keys)?;
    let (right_hashes, right_len) = right.as_ref().map_or((DevicePtr::NULL, 0), |right| (right.hashes.at(), right.len));
    let args = EquiJoinTiles {
        left_hashes: left.hashes.at().untyped(),
        right_hashes: right_hashes.untyped(),
        heads: heads.at(),
        tiles: tiles.at(),
        left_len: left.len as u32,
        right_len: right_len as u32,
        keys: keys as u32,
        bits: plan.bits,
        low_bits: plan.low_bits,
        self_join: u32::from(right.is_none()),
    };
    gpu.launch(H::KERNELS.tiles, strides(keys), EQUI_JOIN_THREADS, 0, &args)?;
    let pairing = plan.pairing(right.is_none());
    let left_rows = Arc::new(left.rows);
    let right_rows = right.map_or_else(|| Arc::clone(&left_rows), |right| Arc::new(right.rows));
    DeviceTiles::new(gpu, tiles, keys, pairing, [left_rows, right_rows], sizes).map(Some)
}

/// The partitions of a round.
struct RoundPartitions<'a> {
    gpu: &'a Gpu,
    range: &'a RangeInclusive<u64>,
    plan: PartitionPlan,
}

impl RoundPartitions<'_> {
    /// Sizes of the large partitions, on the left and on the right; 0 for the others. One more entry is 0.
    fn sizes<H: KeyHash>(
        &self,
        left: &PartitionedTuples<H>,
        right: Option<&PartitionedTuples<H>>,
    ) -> Result<(Buffer<u32>, Buffer<u32>)> {
        let partitions = self.plan.partitions(self.range).1;
        let left_sizes = self.gpu.buffer(partitions + 1)?;
        let right_sizes = self.gpu.buffer(if right.is_some() { partitions + 1 } else { 0 })?;
        let args = EquiJoinClassify {
            left_starts: left.starts.at(),
            right_starts: right.unwrap_or(left).starts.at(),
            left_sizes: left_sizes.at(),
            right_sizes: right_sizes.at(),
            limits: self.plan.limits,
            partitions: partitions as u32,
            self_join: u32::from(right.is_none()),
        };
        self.gpu.launch(kernel::EQUI_JOIN_CLASSIFY, strides(partitions + 1), EQUI_JOIN_THREADS, 0, &args)?;
        Ok((left_sizes, right_sizes))
    }

    /// The tuples of large partitions, in the order of the low bits of their hash and then of the high ones: so they are
    /// when tuples in the order of the high bits are sorted by the low ones. Tuples of a key are neighbours.
    fn collect<H: KeyHash>(&self, from: &PartitionedTuples<H>, sizes: &Buffer<u32>) -> Result<DeviceTuples<H>> {
        let (gpu, (first_partition, partitions)) = (self.gpu, self.plan.partitions(self.range));
        let before = gpu.exclusive_sum(sizes, partitions + 1)?;
        let len = gpu.read(&before, partitions..partitions + 1)?[0] as usize;
        let (hashes, rows) = (gpu.buffer::<H>(len)?, gpu.buffer(len)?);
        let args = EquiJoinCollect {
            tuples: from.layout(),
            sizes: sizes.at(),
            before: before.at(),
            hashes: hashes.at().untyped(),
            rows: rows.at(),
            first_partition,
            len: from.tuples.len as u32,
            low_bits: self.plan.low_bits,
        };
        if len > 0 {
            gpu.launch(H::KERNELS.collect, strides(from.tuples.len), EQUI_JOIN_THREADS, 0, &args)?;
        }
        DeviceTuples { hashes, rows, len }.sorted(gpu, 0..self.plan.low_bits)
    }
}
