//! A side of a join on a device: where its keys come from, and its tuples, partitioned.

use std::ops::RangeInclusive;

use sameas_kernels::layout::equi_join::{
    EQUI_JOIN_KEYS_BLOCK, EQUI_JOIN_THREADS, EquiJoinHistogram, EquiJoinKeys, EquiJoinPart, EquiJoinSide,
    EquiJoinStarts, EquiJoinTuples,
};
use sameas_kernels::{DevicePtr, kernel};

use super::hash::KeyHash;
use super::round::PartitionPlan;
use crate::candidates::heads::strides;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// The keys of one side: columns of codes on the device, and the rows that take part.
pub struct DeviceSide {
    parts: Buffer<EquiJoinPart>,
    rows: Option<Buffer<u32>>,
    /// Columns that were brought here for this join alone.
    _columns: Vec<Buffer<u32>>,
    len: usize,
    bits: u32,
}

impl DeviceSide {
    /// The keys of some rows, or of the first `len`. `bits` is what all parts take together; `columns` are kept as long
    /// as the side.
    pub fn new(
        gpu: &Gpu,
        parts: &[EquiJoinPart],
        bits: u32,
        rows: Option<Buffer<u32>>,
        len: usize,
        columns: Vec<Buffer<u32>>,
    ) -> Result<Self> {
        Ok(Self { parts: gpu.upload(parts)?, rows, _columns: columns, len, bits })
    }

    /// Number of rows, those without a key included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bits of a key.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    fn layout(&self) -> EquiJoinSide {
        EquiJoinSide {
            parts: self.parts.at(),
            rows: self.rows.as_ref().map_or(DevicePtr::NULL, Buffer::at),
            part_count: self.parts.len() as u32,
            len: self.len as u32,
            bits: self.bits,
            unused: 0,
        }
    }

    /// How many keys there are for each value of the top bits of their hash.
    pub fn histogram(&self, gpu: &Gpu, bin_bits: u32) -> Result<Vec<u32>> {
        let bins = gpu.zeroed::<u32>(1 << bin_bits)?;
        let args = EquiJoinHistogram { side: self.layout(), bins: bins.at(), bin_bits, unused: 0 };
        let grid = strides(self.len).min(gpu.info().processors * 8);
        gpu.launch(kernel::EQUI_JOIN_HISTOGRAM, grid, EQUI_JOIN_THREADS, 0, &args)?;
        gpu.read(&bins, 0..1 << bin_bits)
    }

    /// The tuples whose hash lies in a range, in the order of the rows. Blocks count theirs first, so that each knows
    /// where to write.
    fn tuples<H: KeyHash>(&self, gpu: &Gpu, range: &RangeInclusive<u64>) -> Result<DeviceTuples<H>> {
        let blocks = self.len.div_ceil(EQUI_JOIN_KEYS_BLOCK as usize);
        if blocks == 0 {
            return Ok(DeviceTuples { hashes: gpu.buffer(0)?, rows: gpu.buffer(0)?, len: 0 });
        }
        let counts = gpu.zeroed::<u32>(blocks + 1)?;
        let (side, low, high) = (self.layout(), *range.start(), *range.end());
        let (before, hashes, rows) = (DevicePtr::NULL, DevicePtr::NULL, DevicePtr::NULL);
        let mut args = EquiJoinKeys { side, low, high, counts: counts.at(), before, hashes, rows };
        gpu.launch(kernel::EQUI_JOIN_KEYS_COUNT, blocks as u32, EQUI_JOIN_THREADS, 0, &args)?;
        let before = gpu.exclusive_sum(&counts, blocks + 1)?;
        let len = gpu.read(&before, blocks..blocks + 1)?[0] as usize;
        let (hashes, rows) = (gpu.buffer::<H>(len)?, gpu.buffer(len)?);
        (args.before, args.hashes, args.rows) = (before.at(), hashes.at().untyped(), rows.at());
        gpu.launch(H::KERNELS.write, blocks as u32, EQUI_JOIN_THREADS, 0, &args)?;
        Ok(DeviceTuples { hashes, rows, len })
    }

    /// The same, partitioned.
    pub fn partition<H: KeyHash>(
        &self,
        gpu: &Gpu,
        range: &RangeInclusive<u64>,
        plan: PartitionPlan,
    ) -> Result<PartitionedTuples<H>> {
        let tuples = self.tuples::<H>(gpu, range)?.sorted(gpu, plan.low_bits..plan.bits)?;
        let (first_partition, partitions) = plan.partitions(range);
        let starts = gpu.buffer::<u32>(partitions + 1)?;
        let args = EquiJoinStarts {
            hashes: tuples.hashes.at().untyped(),
            starts: starts.at(),
            first_partition,
            len: tuples.len as u32,
            partitions: partitions as u32,
            low_bits: plan.low_bits,
            unused: 0,
        };
        gpu.launch(H::KERNELS.starts, strides(partitions + 1), EQUI_JOIN_THREADS, 0, &args)?;
        Ok(PartitionedTuples { tuples, starts })
    }
}

/// Hashes of keys, and the rows they are of.
pub struct DeviceTuples<H> {
    pub hashes: Buffer<H>,
    pub rows: Buffer<u32>,
    pub len: usize,
}

impl<H: KeyHash> DeviceTuples<H> {
    /// Sorted by some bits of the hash; equal ones stay in order.
    pub fn sorted(self, gpu: &Gpu, bits: std::ops::Range<u32>) -> Result<Self> {
        if bits.is_empty() || self.len < 2 {
            return Ok(self);
        }
        let (hashes, rows) = gpu.sort_pairs(&self.hashes, &self.rows, self.len, bits)?;
        Ok(Self { hashes, rows, len: self.len })
    }
}

/// Tuples in the order of their partitions, and where each of these starts.
pub struct PartitionedTuples<H> {
    pub tuples: DeviceTuples<H>,
    pub starts: Buffer<u32>,
}

impl<H: KeyHash> PartitionedTuples<H> {
    pub fn layout(&self) -> EquiJoinTuples {
        let DeviceTuples { hashes, rows, .. } = &self.tuples;
        EquiJoinTuples { hashes: hashes.at().untyped(), rows: rows.at(), starts: self.starts.at() }
    }
}
