//! The join by common deletion variants on a device, for at most two deletions: entries are made text by text, sorted by
//! key, and the entries of a key become a tile.
//!
//! No loss: as on the CPU (see the module above and `lengths`). Each pair comes once:
//! 1. A pair of texts is reported at one entry of each alone: those of its designated common variant, at which both are
//!    entered, in the slice and under the key of its hash. An entry that another one of the same text repeats is passed
//!    over.
//! 2. The space of hashes is cut into slices whose entries fit the memory; every slice is one round.
//! 3. A text with itself is reported in a round of its own.

mod plan;
#[cfg(all(test, feature = "emulated"))]
mod tests;

pub use plan::{INDEX_ENTRY, VariantPlan};

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::edit_join::{
    EDIT_JOIN_SLICES, EDIT_JOIN_THREADS, EditJoinHeads, EditJoinItself, EditJoinRun, EditJoinTiles, EditJoinVariants,
};
use sameas_kernels::layout::text as layout;
use sameas_kernels::layout::tiles::Tile;
use sameas_kernels::{DevicePtr, Kernel, kernel};

use super::EditWork;
use crate::candidates::Pairing;
use crate::candidates::device_path::DeviceSink;
use crate::candidates::device_value_join::DeviceValueJoin;
use crate::candidates::heads::{STRIDE_THREADS, strides};
use crate::candidates::pair_output::PairOutput;
use crate::candidates::tiles::DeviceTiles;
use crate::candidates::work_division::TaskSizes;
use crate::device::{Buffer, Gpu};
use crate::device_values::{DeviceTextTest, DeviceTexts};
use crate::error::Result;

/// Bytes that an entry takes at its worst: it and its copy in order, its number, and half of a tile with its sums.
const ENTRY: usize = 48;

/// Entries of a slice at most: places are counted in 32 bits.
const MOST_ENTRIES: f64 = (1_u32 << 30) as f64;

/// Texts of a task that reports texts with themselves.
const ITSELF: usize = 1024;

/// Blocks that a multiprocessor has at a time.
const BLOCKS: u32 = 4;

/// What is joined on a device.
#[derive(Clone, Copy)]
pub struct EditJoinInput<'a> {
    /// The texts.
    pub texts: &'a DeviceTexts,
    /// The test.
    pub test: &'a DeviceTextTest,
    /// Codes of the left texts.
    pub left: &'a [u32],
    /// Codes of the right ones; nothing where the left ones are joined with themselves.
    pub right: Option<&'a [u32]>,
}

/// The join of one or two lists of distinct texts by edit distance, on a device.
pub struct GpuEditJoin {
    gpu: Gpu,
    texts: layout::Texts,
    test: layout::TextTest,
    codes: Buffer<u32>,
    /// The first slot of the right list; 0 where a list is joined with itself.
    first_right: usize,
    is_one_list: bool,
    deletions: Buffer<u8>,
    most: Buffer<u8>,
    entries: f64,
    slices: usize,
    /// The bits of a hash that a key has: all, except where a test wants keys to be shared.
    tag_mask: u32,
    sizes: TaskSizes,
    /// Unknown until the first, when all that outlives it has its memory.
    rounds: Option<VecDeque<EditRoundKind>>,
    round: EditRound,
    run: Buffer<EditJoinRun>,
    counters: Buffer<u64>,
    work: EditWork,
}

/// What a round finds.
#[derive(Clone, Copy)]
enum EditRoundKind {
    /// Texts with themselves.
    Itself,
    /// Texts that meet at the hashes of a slice.
    Slice(usize),
}

/// A prepared round.
enum EditRound {
    /// There is nothing to do.
    Nothing,
    /// Texts with themselves.
    Itself,
    /// Texts that meet at the hashes of a slice.
    Slice(Box<EditSlice>),
}

/// A slice: entries in the order of their keys, and the tiles of those that several have.
struct EditSlice {
    slice: usize,
    keys: Buffer<u32>,
    slots: Buffer<u32>,
    tiles: DeviceTiles,
}

impl GpuEditJoin {
    /// A join whose tasks find no more pairs than the limit of `sizes`.
    pub fn new(gpu: &Gpu, input: EditJoinInput<'_>, plan: &VariantPlan, sizes: TaskSizes) -> Result<Self> {
        let codes = [input.left, input.right.unwrap_or_default()].concat();
        let memory = (sizes.memory(gpu) / 3).max(1) as f64;
        let slices = (plan.entries * ENTRY as f64 / memory).max(plan.entries / MOST_ENTRIES).ceil();
        Ok(Self {
            gpu: gpu.clone(),
            texts: input.texts.layout(),
            test: input.test.layout(),
            codes: gpu.upload(&codes)?,
            first_right: input.right.map_or(0, |_| input.left.len()),
            is_one_list: input.right.is_none(),
            deletions: gpu.upload(&plan.deletions)?,
            most: gpu.upload(&plan.most)?,
            entries: plan.entries,
            slices: slices.clamp(1.0, EDIT_JOIN_SLICES as f64) as usize,
            tag_mask: u32::MAX,
            sizes,
            rounds: None,
            round: EditRound::Nothing,
            run: gpu.buffer(1)?,
            counters: gpu.zeroed(3)?,
            work: EditWork::default(),
        })
    }

    /// The work done so far.
    pub fn work(&self) -> Result<EditWork> {
        let counters = self.gpu.read(&self.counters, 0..3)?;
        Ok(EditWork { meetings: counters[0], verified: counters[1], ..self.work })
    }

    /// The rounds, if the largest of them fits: that is known before any pair has been found.
    fn divide(&self) -> Result<VecDeque<EditRoundKind>> {
        let nothing = self.codes.is_empty() || !self.is_one_list && [0, self.codes.len()].contains(&self.first_right);
        if nothing {
            return Ok(VecDeque::new());
        }
        let largest = if self.slices == 1 { self.entries as usize } else { self.largest_slice()? };
        let (needed, free) = (largest * ENTRY, self.gpu.free());
        if needed > free || largest as f64 > 2.0 * MOST_ENTRIES {
            return Err(self.gpu.too_small(needed, free));
        }
        let itself = (self.is_one_list && self.test.same != 0).then_some(EditRoundKind::Itself);
        Ok(itself.into_iter().chain((0..self.slices).map(EditRoundKind::Slice)).collect())
    }

    /// Entries of the largest slice.
    fn largest_slice(&self) -> Result<usize> {
        let bins = self.gpu.zeroed::<u32>(self.slices)?;
        let args = EditJoinVariants { bins: bins.at(), ..self.variants(0) };
        self.launch_variants(kernel::EDIT_JOIN_SLICES, &args)?;
        Ok(self.gpu.read(&bins, 0..self.slices)?.into_iter().max().unwrap_or(0) as usize)
    }

    /// The arguments for the variants of a slice, without what is made of them.
    fn variants(&self, slice: usize) -> EditJoinVariants {
        EditJoinVariants {
            texts: self.texts,
            codes: self.codes.at(),
            deletions: self.deletions.at(),
            counts: DevicePtr::NULL,
            before: DevicePtr::NULL,
            keys: DevicePtr::NULL,
            slots: DevicePtr::NULL,
            bins: DevicePtr::NULL,
            count: self.codes.len() as u32,
            slices: self.slices as u32,
            slice: slice as u32,
            tag_mask: self.tag_mask,
        }
    }

    fn launch_variants(&self, kernel: Kernel<EditJoinVariants>, args: &EditJoinVariants) -> Result<()> {
        let warps = (EDIT_JOIN_THREADS / 32) as usize;
        let grid = self.codes.len().div_ceil(warps).min((self.gpu.info().processors * BLOCKS) as usize);
        self.gpu.launch(kernel, grid as u32, EDIT_JOIN_THREADS, 0, args)
    }

    /// The entries of a slice, in the order of their keys, those of a key in the order of their slots.
    fn sorted_entries(&self, slice: usize) -> Result<(Buffer<u32>, Buffer<u32>, usize)> {
        let (gpu, texts) = (&self.gpu, self.codes.len());
        let counts = gpu.zeroed::<u32>(texts + 1)?;
        let args = EditJoinVariants { counts: counts.at(), ..self.variants(slice) };
        self.launch_variants(kernel::EDIT_JOIN_COUNT, &args)?;
        let before = gpu.exclusive_sum(&counts, texts + 1)?;
        let len = gpu.read(&before, texts..texts + 1)?[0] as usize;
        let (keys, slots) = (gpu.buffer::<u32>(len)?, gpu.buffer::<u32>(len)?);
        if len == 0 {
            return Ok((keys, slots, 0));
        }
        let args = EditJoinVariants { before: before.at(), keys: keys.at(), slots: slots.at(), ..args };
        self.launch_variants(kernel::EDIT_JOIN_WRITE, &args)?;
        let (keys, slots) = gpu.sort_pairs(&keys, &slots, len, 0..u32::BITS)?;
        Ok((keys, slots, len))
    }

    fn prepare(&mut self, slice: usize) -> Result<EditRound> {
        let (keys, slots, len) = self.sorted_entries(slice)?;
        self.work.entries += len as u64;
        self.work.rounds += 1;
        if len == 0 {
            return Ok(EditRound::Nothing);
        }
        let gpu = &self.gpu;
        let (numbers, flags) = (gpu.buffer::<u32>(len)?, gpu.buffer::<u8>(len)?);
        let (at, len32) = (keys.at(), len as u32);
        let args = EditJoinHeads { keys: at, numbers: numbers.at(), flags: flags.at(), len: len32, unused: 0 };
        gpu.launch(kernel::EDIT_JOIN_HEADS, strides(len), STRIDE_THREADS, 0, &args)?;
        let (heads, count) = gpu.select_flagged(&numbers, &flags, len)?;
        if count == 0 {
            return Ok(EditRound::Nothing);
        }
        let tiles = gpu.buffer::<Tile>(count)?;
        let args = EditJoinTiles {
            keys: at,
            slots: slots.at(),
            heads: heads.at(),
            tiles: tiles.at(),
            len: len32,
            count: count as u32,
            first_right: self.first_right as u32,
            unused: 0,
        };
        gpu.launch(kernel::EDIT_JOIN_TILES, strides(count), STRIDE_THREADS, 0, &args)?;
        drop((flags, heads));
        let pairing = if self.is_one_list { Pairing::Ascending } else { Pairing::All };
        let numbers = Arc::new(numbers);
        let rows = [Arc::clone(&numbers), numbers];
        let tiles = DeviceTiles::new(gpu, tiles, count, pairing, rows, &self.sizes)?;
        Ok(EditRound::Slice(Box::new(EditSlice { slice, keys, slots, tiles })))
    }

    /// Writes some texts with themselves.
    fn launch_itself(&self, tasks: &Range<u64>, output: &PairOutput) -> Result<()> {
        let (first, end) = (tasks.start as usize * ITSELF, (tasks.end as usize * ITSELF).min(self.codes.len()));
        let (codes, count) = (self.codes.at(), (end - first) as u32);
        let args = EditJoinItself { texts: self.texts, codes, first: first as u32, count, out: output.layout() };
        self.gpu.launch(kernel::EDIT_JOIN_ITSELF, strides(end - first), STRIDE_THREADS, 0, &args)
    }
}

impl DeviceValueJoin for GpuEditJoin {
    fn next_round(&mut self) -> Result<bool> {
        self.round = EditRound::Nothing;
        if self.rounds.is_none() {
            self.rounds = Some(self.divide()?);
        }
        let Some(kind) = self.rounds.as_mut().and_then(VecDeque::pop_front) else { return Ok(false) };
        self.round = match kind {
            EditRoundKind::Itself => EditRound::Itself,
            EditRoundKind::Slice(slice) => self.prepare(slice)?,
        };
        Ok(true)
    }

    fn tasks(&self) -> u64 {
        match &self.round {
            EditRound::Nothing => 0,
            EditRound::Itself => self.codes.len().div_ceil(ITSELF) as u64,
            EditRound::Slice(slice) => slice.tiles.tasks(),
        }
    }

    fn launch(&self, tasks: Range<u64>, output: &PairOutput) -> Result<()> {
        if tasks.is_empty() {
            return Ok(());
        }
        let EditRound::Slice(of_slice) = &self.round else {
            return self.launch_itself(&tasks, output);
        };
        let EditSlice { slice, keys, slots, tiles } = &**of_slice;
        let run = EditJoinRun {
            texts: self.texts,
            test: self.test,
            codes: self.codes.at(),
            keys: keys.at(),
            slots: slots.at(),
            most: self.most.at(),
            counters: self.counters.at(),
            slices: self.slices as u32,
            slice: *slice as u32,
            tag_mask: self.tag_mask,
            unused: 0,
            out: output.layout(),
        };
        self.gpu.write(&self.run, 0, &[run])?;
        let consume = Consume { edit_join: self.run.at(), ..Consume::default() };
        tiles.launch(tasks, DeviceSink::EditJoin, &consume)
    }
}
