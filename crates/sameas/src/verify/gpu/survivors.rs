//! Runs the units of an access path through the verifier and brings back what passed.
//!
//! Units are launched in slices. The kernels count past the end of the output; where it was too small, nothing of the
//! slice counts, and half of it is run again. So kernels never wait, nothing is lost, and memory is bounded. While the
//! host takes the pairs of one slice, the device runs the next.

use std::ops::Range;

use sameas_kernels::Plain;
use sameas_kernels::layout::verify::Consume;

use super::compile::DeviceProgram;
use crate::candidates::device_path::DevicePath;
use crate::device::{Buffer, Gpu, Pinned};
use crate::error::{Error, Result};

/// Words before the counters: the two cursors.
const CURSORS: usize = 2;

/// Slices per launch at first: what the units give is not known yet.
const FIRST_SLICES: u64 = 64;

/// Values of the smallest page-locked memory.
const LEAST_PINNED: usize = 1 << 16;

/// Pairs that passed, with the rules that own them.
pub struct Decided<'s> {
    /// Left records.
    pub l: &'s [u32],
    /// Right records.
    pub r: &'s [u32],
    /// Owning rules.
    pub rule: &'s [u32],
}

/// Pairs that the host decides, with what is known of them by slot: true, false, or null where both.
pub struct Open<'s> {
    /// Left records.
    pub l: &'s [u32],
    /// Right records.
    pub r: &'s [u32],
    /// Slots that are true or null.
    pub yes: &'s [u64],
    /// Slots that are false or null.
    pub no: &'s [u64],
}

/// What a slice was, apart from its pairs.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Candidates.
    pub candidates: u64,
    /// Pairs per rule, whatever other rules say, as far as the device has decided.
    pub alone: Vec<u64>,
    /// Pairs per rule that no earlier rule has, likewise.
    pub owned: Vec<u64>,
}

/// Whoever takes what passed.
pub trait Taker {
    /// Takes the pairs of a slice. An error ends the run.
    fn take(&mut self, decided: &Decided<'_>, open: &Open<'_>, counted: &Counted) -> Result<()>;

    /// So many units of so many are done.
    fn progress(&mut self, done: u64, of: u64);
}

/// Output of a slice, on the device and on the host.
struct Output {
    pairs: [Buffer<u32>; 3],
    open: [Buffer<u32>; 2],
    known: [Buffer<u64>; 2],
    counters: Buffer<u64>,
    host_pairs: [Pinned<u32>; 3],
    host_open: [Pinned<u32>; 2],
    host_known: [Pinned<u64>; 2],
}

/// Bytes of an output for each pair it has room for.
const PAIR: usize = 36;

/// Where records of rows and components are, for the pairs that pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    /// Records by left and by right row, or 0.
    pub rows: [u64; 2],
    /// Parents of the components, or 0.
    pub parents: u64,
    /// Right records among the components.
    pub right_offset: u32,
}

/// The verifier of a branch with its output.
pub struct Survivors {
    gpu: Gpu,
    program: DeviceProgram,
    outputs: [Output; 2],
    capacity: usize,
    rules: usize,
    places: Places,
}

/// A slice that has been run: its counters and its output.
struct Slice {
    output: usize,
    counters: Vec<u64>,
}

impl Survivors {
    /// A verifier with room for `capacity` pairs a slice: no unit may have more candidates.
    pub fn new(gpu: &Gpu, program: DeviceProgram, rules: usize, capacity: usize, places: Places) -> Result<Self> {
        let outputs = [Output::new(gpu, capacity, rules)?, Output::new(gpu, capacity, rules)?];
        Ok(Self { gpu: gpu.clone(), program, outputs, capacity, rules, places })
    }

    /// Pairs that fit a share of the free memory.
    pub fn capacity(gpu: &Gpu, unit: usize) -> usize {
        (gpu.free() / 4 / (2 * PAIR)).clamp(unit, unit.max(1 << 24))
    }

    /// The predicate of each slot.
    pub fn slots(&self) -> &[usize] {
        self.program.slots()
    }

    /// Runs all units of a prepared path.
    pub fn run(&mut self, path: &dyn DevicePath, taker: &mut dyn Taker) -> Result<()> {
        let units = path.units();
        let (mut at, mut size) = (0, units.div_ceil(FIRST_SLICES).max(1));
        let (mut output, mut pending) = (0, None);
        while at < units {
            let range = at..units.min(at + size);
            self.launch(path, range.clone(), output)?;
            if let Some(slice) = pending.take() {
                self.hand_over(&slice, taker)?;
            }
            let counters = self.gpu.read(&self.outputs[output].counters, 0..CURSORS + 1 + 2 * self.rules)?;
            let most = counters[0].max(counters[1]) as usize;
            if most > self.capacity {
                size = smaller(&range, most, self.capacity)?;
                continue;
            }
            self.fetch(output, &counters)?;
            pending = Some(Slice { output, counters });
            (at, output) = (range.end, 1 - output);
            if most < self.capacity / 4 {
                size = size.saturating_mul(2);
            }
            taker.progress(at, units);
        }
        pending.map_or(Ok(()), |slice| self.hand_over(&slice, taker))
    }

    fn launch(&self, path: &dyn DevicePath, units: Range<u64>, output: usize) -> Result<()> {
        let Output { pairs, open, known, counters, .. } = &self.outputs[output];
        self.gpu.fill_zero(counters)?;
        path.launch(
            units,
            &Consume {
                program: self.program.at(),
                counters: counters.at() + (CURSORS * size_of::<u64>()) as u64,
                left_rows: self.places.rows[0],
                right_rows: self.places.rows[1],
                parents: self.places.parents,
                pair_l: pairs[0].at(),
                pair_r: pairs[1].at(),
                pair_rule: pairs[2].at(),
                open_l: open[0].at(),
                open_r: open[1].at(),
                open_true: known[0].at(),
                open_false: known[1].at(),
                cursors: counters.at(),
                capacity: self.capacity as u64,
                all_rules: self.rules as u32,
                right_offset: self.places.right_offset,
                at_once: 0,
                padding: 0,
            },
        )
    }

    /// Begins to copy what a slice gave.
    fn fetch(&mut self, output: usize, counters: &[u64]) -> Result<()> {
        let (pairs, open) = (counters[0] as usize, counters[1] as usize);
        let Output { pairs: from_pairs, open: from_open, known, host_pairs, host_open, host_known, .. } =
            &mut self.outputs[output];
        fetch_all(&self.gpu, pairs, from_pairs, host_pairs)?;
        fetch_all(&self.gpu, open, from_open, host_open)?;
        fetch_all(&self.gpu, open, known, host_known)
    }

    fn hand_over(&self, slice: &Slice, taker: &mut dyn Taker) -> Result<()> {
        self.gpu.wait_for_copies()?;
        let (pairs, open) = (slice.counters[0] as usize, slice.counters[1] as usize);
        let Output { host_pairs, host_open, host_known, .. } = &self.outputs[slice.output];
        let [l, r, rule] = host_pairs.each_ref().map(|column| &column.values()[..pairs]);
        let [open_l, open_r] = host_open.each_ref().map(|column| &column.values()[..open]);
        let [yes, no] = host_known.each_ref().map(|column| &column.values()[..open]);
        let counters = &slice.counters[CURSORS..];
        let counted = Counted {
            candidates: counters[0],
            alone: counters[1..=self.rules].to_vec(),
            owned: counters[1 + self.rules..].to_vec(),
        };
        taker.take(&Decided { l, r, rule }, &Open { l: open_l, r: open_r, yes, no }, &counted)
    }
}

impl Output {
    fn new(gpu: &Gpu, capacity: usize, rules: usize) -> Result<Self> {
        let (words, wide) = (|| gpu.buffer::<u32>(capacity), || gpu.buffer::<u64>(capacity));
        let host = || gpu.pinned::<u32>(0);
        Ok(Self {
            pairs: [words()?, words()?, words()?],
            open: [words()?, words()?],
            known: [wide()?, wide()?],
            counters: gpu.buffer(CURSORS + 1 + 2 * rules)?,
            host_pairs: [host()?, host()?, host()?],
            host_open: [host()?, host()?],
            host_known: [gpu.pinned(0)?, gpu.pinned(0)?],
        })
    }
}

/// Begins to copy columns. Page-locking memory is slow, so only as much of it is taken as was needed so far.
fn fetch_all<T: Plain>(gpu: &Gpu, count: usize, from: &[Buffer<T>], to: &mut [Pinned<T>]) -> Result<()> {
    for (from, to) in from.iter().zip(to) {
        if to.len() < count {
            *to = gpu.pinned(count.next_power_of_two().max(LEAST_PINNED))?;
        }
        gpu.fetch(from, count, to)?;
    }
    Ok(())
}

/// The size of a slice that fits, where one of these units had `most` results.
fn smaller(units: &Range<u64>, most: usize, capacity: usize) -> Result<u64> {
    let size = units.end - units.start;
    if size == 1 {
        let text = format!("one unit of work on the GPU gave {most} pairs, and there is room for {capacity}");
        return Err(Error::internal(text));
    }
    // In proportion to what came, with some room for unevenness; at least by half.
    let fits = size as f64 * capacity as f64 / most as f64 * 0.75;
    Ok((fits as u64).clamp(1, size / 2))
}
