//! The tuples of a relation on a device: an append-only list, and a set that says whether a tuple is there.

use sameas_kernels::layout::relation_rounds::{RelationCopy, RelationEnter, RelationSet};
use sameas_kernels::{DevicePtr, kernel};

use super::bits::TupleLayout;
use crate::device::{Buffer, Gpu};
use crate::error::{ErrorCode, Result};
use crate::graph::gpu::blocks;

/// Slots of the smallest table.
const FEWEST_SLOTS: usize = 64;

/// Bits take at most this share of the memory of a device.
const SHARE_OF_BITS: usize = 4;

/// The tuples that are there.
enum DeviceTupleSet {
    /// Not kept: it is made of the list when it is needed.
    Unknown,
    /// A bit for each tuple that there can be.
    Bits(Buffer<u32>),
    /// At least twice as many slots as tuples.
    Slots(Buffer<u64>),
}

/// The tuples of a relation.
pub struct DeviceRelation {
    /// Where columns lie.
    pub bits: TupleLayout,
    list: Buffer<u64>,
    len: usize,
    set: DeviceTupleSet,
}

impl DeviceRelation {
    /// None yet.
    pub fn new(gpu: &Gpu, bits: TupleLayout) -> Result<Self> {
        Ok(Self { bits, list: gpu.buffer(0)?, len: 0, set: DeviceTupleSet::Unknown })
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The list, in the order in which tuples were found.
    pub fn list(&self) -> &Buffer<u64> {
        &self.list
    }

    /// The number of tuples, after list and set have been written to.
    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Replaces all tuples by others, each of which is there once.
    pub fn replace(&mut self, list: Buffer<u64>) {
        (self.len, self.list, self.set) = (list.len(), list, DeviceTupleSet::Unknown);
    }

    /// Room in the list for more tuples: twice what there was, or just what is needed.
    pub fn reserve(&mut self, gpu: &Gpu, more: usize) -> Result<()> {
        let needed = self.len + more;
        if needed <= self.list.len() {
            return Ok(());
        }
        let list = match gpu.buffer(needed.max(2 * self.list.len())) {
            Err(error) if error.code() == ErrorCode::DoesNotFitDevice => gpu.buffer(needed)?,
            other => other?,
        };
        let args = RelationCopy { from: self.list.at(), to: list.at(), len: self.len as u64 };
        gpu.launch(kernel::RELATION_COPY, blocks(gpu, self.len), 256, 0, &args)?;
        self.list = list;
        Ok(())
    }

    /// Room in the set for more tuples.
    pub fn reserve_set(&mut self, gpu: &Gpu, more: usize, prefers_bits: bool) -> Result<()> {
        let slots = (2 * (self.len + more)).next_power_of_two().max(FEWEST_SLOTS);
        match &self.set {
            DeviceTupleSet::Bits(_) => return Ok(()),
            DeviceTupleSet::Slots(table) if table.len() >= slots && !(prefers_bits && self.fits_bits(gpu)) => {
                return Ok(());
            }
            _ => {}
        }
        // What was is given back first.
        self.set = DeviceTupleSet::Unknown;
        self.set = match prefers_bits && self.fits_bits(gpu) {
            true => DeviceTupleSet::Bits(gpu.zeroed((1_usize << self.bits.all()).div_ceil(32))?),
            false => DeviceTupleSet::Slots(gpu.zeroed(slots)?),
        };
        let args = RelationEnter { tuples: self.list.at(), set: self.set(), len: self.len as u64 };
        gpu.launch(kernel::RELATION_ENTER_ALL, blocks(gpu, self.len), 256, 0, &args)
    }

    fn fits_bits(&self, gpu: &Gpu) -> bool {
        self.bits.all() < 45 && 1_usize << self.bits.all() <= 8 * (gpu.bytes() / SHARE_OF_BITS)
    }

    /// The tuples that there can still be.
    pub fn most_new(&self) -> u64 {
        (1_u64 << self.bits.all()) - self.len as u64
    }

    /// For kernels.
    pub fn set(&self) -> RelationSet {
        let none = RelationSet { bits: DevicePtr::NULL, slots: DevicePtr::NULL, mask: 0 };
        match &self.set {
            DeviceTupleSet::Unknown => none,
            DeviceTupleSet::Bits(bits) => RelationSet { bits: bits.at(), ..none },
            DeviceTupleSet::Slots(slots) => RelationSet { slots: slots.at(), mask: slots.len() as u64 - 1, ..none },
        }
    }
}
