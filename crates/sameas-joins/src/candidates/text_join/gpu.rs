//! The join on a device: the same lists, cut into tasks that warps take one by one.
//!
//! A chunk is some consecutive texts of the right list, as many as a warp holds in registers. It meets the left places
//! from the first to the last whose length can match one of its own, and for a list joined with itself none after its
//! last. So no pair is lost, and a pair of places lies in one chunk and in one task of it: each comes once. The tests
//! within a task, and why they lose nothing, are in the kernel (`text_join.cu`).

use std::ops::Range;

use bytemuck::Pod;
use sameas_kernels::layout::text::{
    self as layout, BLOCK, DENSE, DENSE_PLANES, LONG_CHUNK, SHORT_CHUNK, TextNeeds, TextOut, join_flags,
};
use sameas_kernels::{Kernel, kernel};

use super::TextPredicate;
pub use super::gpu_lists::piece_for;
use super::gpu_lists::{DeviceTextList, MakeRecord, left_places, needs, piece, starts};
use crate::candidates::device_value_join::DeviceValueJoin;
use crate::candidates::pair_output::PairOutput;
use crate::device::{Buffer, Gpu};
use crate::device_values::{DeviceTextTest, DeviceTexts, long, short};
use crate::error::{Error, Result};
use crate::records::encode::Signatures;

/// Blocks that a multiprocessor has at a time.
pub(super) const RESIDENT: u32 = 2;

/// Tasks of a launch: the counter from which warps take them, and which they overrun, has 32 bits.
const MOST_TASKS: u64 = 1 << 31;

/// What a join is made of.
#[derive(Clone, Copy)]
pub struct TextJoinInput<'a> {
    /// The texts on the device.
    pub texts: &'a DeviceTexts,
    /// Their signatures.
    pub signatures: &'a Signatures,
    /// What the test says of lengths and characters in common, if it is a bound.
    pub predicate: Option<&'a TextPredicate<'a>>,
    /// The test on the device.
    pub on_device: &'a DeviceTextTest,
}

/// What can be chosen for a test or a benchmark; the pairs found are the same.
#[derive(Clone, Copy, Debug)]
pub struct GpuTextJoinSettings {
    /// Whether signatures are tested at all.
    pub signatures: bool,
    /// Whether 32 left texts are tested at once first.
    pub unions: bool,
    /// Whether pairs wait until 32 of them can be verified together.
    pub queue: bool,
    /// Whether lengths that cannot match are left out.
    pub lengths: bool,
    /// Left places of a task, if not as many as suit the processors.
    pub piece: Option<usize>,
    /// Multiprocessors that should all be busy, if not those of the device.
    pub processors: Option<u32>,
}

impl Default for GpuTextJoinSettings {
    fn default() -> Self {
        Self { signatures: true, unions: true, queue: true, lengths: true, piece: None, processors: None }
    }
}

/// How much work was done, in all launches so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinCounters {
    /// Pairs whose signatures were tested.
    pub tested: u64,
    /// Pairs decided by the measure.
    pub verified: u64,
    /// Pairs found.
    pub found: u64,
}

/// A join of texts on a device; see the module.
pub struct GpuTextJoin {
    gpu: Gpu,
    kernels: Vec<Kernel<layout::TextJoin>>,
    args: layout::TextJoin,
    tasks: u64,
    /// Whether its one round has begun.
    has_begun: bool,
    next: Buffer<u32>,
    counters: Buffer<u64>,
    _sides: Vec<DeviceTextList>,
    _needs: Buffer<TextNeeds>,
    _starts: Buffer<u64>,
    _lefts: Buffer<[u32; 2]>,
}

impl GpuTextJoin {
    /// A join of the `left` texts with the `right` ones, or with themselves. Empty texts take no part.
    pub fn new(
        gpu: &Gpu,
        input: TextJoinInput<'_>,
        left: &[u32],
        right: Option<&[u32]>,
        settings: GpuTextJoinSettings,
    ) -> Result<Self> {
        if input.signatures.is_short() {
            Self::with_lists::<1, _>(gpu, input, left, right, settings, short)
        } else {
            Self::with_lists::<4, _>(gpu, input, left, right, settings, long)
        }
    }

    fn with_lists<const WORDS: usize, R: Pod + Send + Sync>(
        gpu: &Gpu,
        input: TextJoinInput<'_>,
        left: &[u32],
        right: Option<&[u32]>,
        settings: GpuTextJoinSettings,
        record: MakeRecord<R>,
    ) -> Result<Self> {
        let triangle = right.is_none();
        let mut sides = vec![DeviceTextList::new::<WORDS, _>(gpu, input.signatures, left, record)?];
        if let Some(right) = right {
            sides.push(DeviceTextList::new::<WORDS, _>(gpu, input.signatures, right, record)?);
        }
        let (left, right) = (&sides[0], &sides[sides.len() - 1]);
        let table = needs(input.predicate, &left.runs, &right.runs, settings);
        let chunk = if WORDS == 1 { SHORT_CHUNK } else { LONG_CHUNK };
        let lefts = left_places(left, right, &table, chunk, triangle, settings);
        let processors = settings.processors.unwrap_or(gpu.info().processors);
        let piece = settings.piece.unwrap_or_else(|| piece(processors, &lefts));
        let starts = starts(&lefts, piece);
        let tasks = starts.last().copied().unwrap_or(0);
        let (needs, firsts, lefts) = (gpu.upload(&table)?, gpu.upload(&starts)?, gpu.upload(&lefts)?);
        let (next, counters) = (gpu.zeroed(1)?, gpu.zeroed(3)?);
        let (texts, test) = (input.texts.layout(), input.on_device.layout());
        let dense = !settings.signatures && texts.planes <= DENSE_PLANES && input.on_device.is_dense();
        let flag = |on: bool, flag: u32| if on { flag } else { 0 };
        let args = layout::TextJoin {
            texts,
            test,
            left: left.layout,
            right: right.layout,
            needs: needs.at(),
            starts: firsts.at(),
            lefts: lefts.at(),
            chunks: lefts.len() as u32,
            piece: piece as u32,
            flags: flag(triangle, join_flags::TRIANGLE)
                | flag(!settings.queue, join_flags::NO_QUEUE)
                | flag(!settings.unions, join_flags::NO_UNIONS),
            next: next.at(),
            counters: counters.at(),
            dense_left: if dense { left.up_to(DENSE) } else { 0 },
            dense_right: if dense { right.up_to(DENSE) } else { 0 },
            ..layout::TextJoin::default()
        };
        let kernels = if settings.signatures {
            vec![with_signatures(WORDS == 1, args.test.winkler != 0)]
        } else {
            kernels_of_all(WORDS == 1, &args)
        };
        let (gpu, _sides) = (gpu.clone(), sides);
        let (_needs, _starts, _lefts) = (needs, firsts, lefts);
        Ok(Self { gpu, kernels, args, tasks, has_begun: false, next, counters, _sides, _needs, _starts, _lefts })
    }

    /// Independent tasks of work, each of at most 2^19 pairs unless the settings say otherwise.
    pub fn tasks(&self) -> u64 {
        self.tasks
    }

    /// Starts some tasks. Every pair of them that holds is written once, as is every one that the host has to decide.
    pub fn launch(&self, tasks: Range<u64>, out: &TextOut) -> Result<()> {
        assert!(tasks.start <= tasks.end && tasks.end <= self.tasks, "tasks {tasks:?} of {}", self.tasks);
        if tasks.end - tasks.start > MOST_TASKS {
            return Err(Error::internal("more tasks of a join of texts than one launch takes"));
        }
        if tasks.is_empty() {
            return Ok(());
        }
        let count = (tasks.end - tasks.start) as u32;
        let args = layout::TextJoin { first: tasks.start, units: count, out: *out, ..self.args };
        let grid = count.div_ceil(BLOCK / 32).min(self.gpu.info().processors * RESIDENT);
        self.kernels.iter().try_for_each(|kernel| {
            self.gpu.fill_zero(&self.next)?;
            self.gpu.launch(*kernel, grid, BLOCK, 0, &args)
        })
    }

    /// The work done so far.
    pub fn counted(&self) -> Result<JoinCounters> {
        let counters = self.gpu.read(&self.counters, 0..3)?;
        Ok(JoinCounters { tested: counters[0], verified: counters[1], found: counters[2] })
    }
}

impl DeviceValueJoin for GpuTextJoin {
    fn next_round(&mut self) -> Result<bool> {
        Ok(!std::mem::replace(&mut self.has_begun, true))
    }

    fn tasks(&self) -> u64 {
        self.tasks
    }

    fn launch(&self, tasks: Range<u64>, output: &PairOutput) -> Result<()> {
        Self::launch(self, tasks, &output.layout())
    }
}

/// The kernel of a join with signatures.
fn with_signatures(short: bool, winkler: bool) -> Kernel<layout::TextJoin> {
    match (short, winkler) {
        (true, false) => kernel::TEXT_JOIN_SHORT,
        (true, true) => kernel::TEXT_JOIN_SHORT_PREFIX,
        (false, false) => kernel::TEXT_JOIN_LONG,
        (false, true) => kernel::TEXT_JOIN_LONG_PREFIX,
    }
}

/// The kernels of a join without signatures: one for the pairs of the dense way, one for the others, where there are any.
fn kernels_of_all(short: bool, args: &layout::TextJoin) -> Vec<Kernel<layout::TextJoin>> {
    let (dense, other) = match (short, args.texts.planes <= 5) {
        (true, true) => (kernel::TEXT_JOIN_SHORT_DENSE_5, kernel::TEXT_JOIN_SHORT_ALL),
        (true, false) => (kernel::TEXT_JOIN_SHORT_DENSE_8, kernel::TEXT_JOIN_SHORT_ALL),
        (false, true) => (kernel::TEXT_JOIN_LONG_DENSE_5, kernel::TEXT_JOIN_LONG_ALL),
        (false, false) => (kernel::TEXT_JOIN_LONG_DENSE_8, kernel::TEXT_JOIN_LONG_ALL),
    };
    let some_dense = args.dense_left > 0 && args.dense_right > 0;
    let some_other = args.dense_left < args.left.count || args.dense_right < args.right.count;
    [some_dense.then_some(dense), some_other.then_some(other)].into_iter().flatten().collect()
}
