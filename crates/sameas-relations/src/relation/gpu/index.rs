//! Indexes of relations on a device: their tuples in an order where some columns come first.
//!
//! A relation that grows has several orders, of ranges of its list, each at most half as long as the one before: a
//! round sorts what it has added, and now and then more.

use std::ops::Range;

use sameas_kernels::layout::relation_rounds::{
    FIELD_ROW, RelationField, RelationOffsets, RelationPermute, RelationProbe,
};
use sameas_kernels::{DevicePtr, kernel};

use super::bits::TupleLayout;
use super::store::DeviceRelation;
use crate::device::{Buffer, Gpu};
use crate::error::{Error, ErrorCode, Result};
use crate::graph::gpu::blocks;

/// A table by key is made for keys of at most this many bits, and if it is not much longer than the list.
const MOST_KEY_BITS: u32 = 26;

/// An order of some tuples.
struct DeviceRun {
    range: Range<usize>,
    tuples: Buffer<u64>,
    /// By key: where its tuples begin.
    offsets: Option<Buffer<u32>>,
}

/// The tuples of a relation by some columns.
pub struct DeviceIndex {
    /// The number of the relation.
    pub relation: usize,
    /// The columns that come first.
    pub columns: Vec<usize>,
    bits: TupleLayout,
    runs: Vec<DeviceRun>,
}

impl DeviceIndex {
    /// Of no tuples yet.
    pub fn new(relation: usize, columns: &[usize], of: &TupleLayout) -> Self {
        Self { relation, columns: columns.to_vec(), bits: of.with_first(columns), runs: Vec::new() }
    }

    /// Covers the first `len` tuples of the list.
    pub fn cover(&mut self, gpu: &Gpu, tuples: &DeviceRelation, len: usize) -> Result<()> {
        let mut begin = self.runs.last().map_or(0, |run| run.range.end);
        if begin >= len {
            return Ok(());
        }
        while let Some(last) = self.runs.last().filter(|last| last.range.len() < 2 * (len - begin)) {
            begin = last.range.start;
            self.runs.pop();
        }
        let run = self.run(gpu, tuples, begin..len)?;
        self.runs.push(run);
        Ok(())
    }

    /// The same in one order, for who looks at one only.
    pub fn cover_in_one(&mut self, gpu: &Gpu, tuples: &DeviceRelation, len: usize) -> Result<()> {
        if self.runs.len() > 1 {
            self.runs.clear();
        }
        self.cover(gpu, tuples, len)?;
        if self.runs.len() > 1 {
            self.runs = vec![self.run(gpu, tuples, 0..len)?];
        }
        Ok(())
    }

    fn run(&self, gpu: &Gpu, tuples: &DeviceRelation, range: Range<usize>) -> Result<DeviceRun> {
        let tuples = sorted(gpu, tuples, range.clone(), &self.bits)?;
        let offsets = self.offsets(gpu, &tuples)?;
        Ok(DeviceRun { range, tuples, offsets })
    }

    /// Bits behind the key.
    fn shift(&self) -> u32 {
        self.bits.all() - self.bits.total_width(&self.columns)
    }

    fn offsets(&self, gpu: &Gpu, tuples: &Buffer<u64>) -> Result<Option<Buffer<u32>>> {
        let key_bits = self.bits.total_width(&self.columns);
        if key_bits == 0 || key_bits > MOST_KEY_BITS || 1 << key_bits > 16 * tuples.len() + (1 << 16) {
            return Ok(None);
        }
        let keys = 1_usize << key_bits;
        let offsets = gpu.buffer::<u32>(keys + 1)?;
        let args = RelationOffsets {
            tuples: tuples.at(),
            offsets: offsets.at(),
            len: tuples.len() as u64,
            keys: keys as u64,
            shift: self.shift(),
            unused: 0,
        };
        gpu.launch(kernel::RELATION_OFFSETS, blocks(gpu, tuples.len() + 1), 256, 0, &args)?;
        Ok(Some(offsets))
    }

    /// What kernels probe with a key, for each run.
    pub fn probes(&self, key: &[RelationField]) -> Vec<RelationProbe> {
        let mut fields = [RelationField { mask: 0, from: FIELD_ROW, shift: 0, to: 0, unused: 0 }; 4];
        fields[..key.len()].copy_from_slice(key);
        let probe = |run: &DeviceRun| RelationProbe {
            tuples: run.tuples.at(),
            offsets: run.offsets.as_ref().map_or(DevicePtr::NULL, Buffer::at),
            len: run.tuples.len() as u64,
            key: fields,
            key_len: key.len() as u32,
            shift: self.shift(),
        };
        self.runs.iter().map(probe).collect()
    }
}

/// A range of tuples with their columns in other places, in order.
pub fn sorted(gpu: &Gpu, tuples: &DeviceRelation, range: Range<usize>, bits: &TupleLayout) -> Result<Buffer<u64>> {
    let len = range.len();
    if u32::try_from(len).is_err() {
        let text = "an index of more than 2^32 tuples does not fit a device";
        return Err(Error::resource(text).with_code(ErrorCode::DoesNotFitDevice));
    }
    let mut output = [tuples.bits.field(0, FIELD_ROW); 4];
    for (column, field) in output.iter_mut().enumerate().take(bits.columns()) {
        *field = RelationField { to: bits.shift(column), ..tuples.bits.field(column, FIELD_ROW) };
    }
    let permuted = gpu.buffer::<u64>(len)?;
    let args = RelationPermute {
        tuples: tuples.list().at_index(range.start),
        permuted: permuted.at(),
        output,
        len: len as u64,
        output_len: bits.columns() as u32,
        unused: 0,
    };
    gpu.launch(kernel::RELATION_PERMUTE, blocks(gpu, len), 256, 0, &args)?;
    // Nothing goes with the tuples.
    let nothing = gpu.buffer::<u32>(len)?;
    Ok(gpu.sort_pairs(&permuted, &nothing, len, 0..bits.all().max(1))?.0)
}
