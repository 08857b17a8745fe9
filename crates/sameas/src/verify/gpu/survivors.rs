//! Runs the units of an access path through the verifier and brings back what passed.
//!
//! Units are launched in slices. The kernels count past the end of the output; where it was too small, nothing of the
//! slice counts, and half of it is run again. So kernels never wait, nothing is lost, and memory is bounded. While the
//! host takes the pairs of one slice, the device runs the next.

use std::ops::Range;

use bytemuck::Pod;
use sameas_kernels::DevicePtr;
use sameas_kernels::layout::consume::Consume;
use sameas_kernels::layout::verify::VerifyRun;

use super::compile::DeviceProgram;
use crate::candidates::device_path::{Consumer, DevicePath};
use crate::device::{Buffer, Copying, Gpu, Pinned};
use crate::error::{Error, Result};

/// Words before the counters: the two cursors.
const CURSORS: usize = 2;

/// Units of the first slice: enough to keep any device busy, and few enough to be run again where the output overflows.
const FIRST_UNITS: u64 = 1 << 16;

/// Pairs that are copied at a time.
const PIECE: usize = 1 << 19;

/// Values of the smallest page-locked memory.
const LEAST_PINNED: usize = 1 << 14;

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
    /// Candidates that reached each step, and those that passed it, where steps are counted.
    pub steps: Vec<[u64; 2]>,
}

/// Whoever takes what passed.
pub trait Taker {
    /// Takes the pairs of a slice. An error ends the run.
    fn take(&mut self, decided: &Decided<'_>, open: &Open<'_>, counted: &Counted) -> Result<()>;

    /// So many more units are done.
    fn progress(&mut self, units: u64);
}

/// Output of a slice on the device.
struct Output {
    pairs: [Buffer<u32>; 3],
    open: [Buffer<u32>; 2],
    known: [Buffer<u64>; 2],
    counters: Buffer<u64>,
    run: Buffer<VerifyRun>,
}

/// Where pieces of an output arrive on the host.
struct Landing {
    pairs: [Pinned<u32>; 3],
    open: [Pinned<u32>; 2],
    known: [Pinned<u64>; 2],
}

/// Bytes of an output for each pair it has room for.
const PAIR: usize = 36;

/// Where records of rows and components are, for the pairs that pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    /// Records by left and by right row, or null.
    pub rows: [DevicePtr<u32>; 2],
    /// Parents of the components, or null.
    pub parents: DevicePtr<u32>,
    /// Right records among the components.
    pub right_offset: u32,
    /// Expensive checks are not gathered: for measurements.
    pub no_queue: bool,
    /// Steps are counted one by one.
    pub count_steps: bool,
}

/// The verifier of a branch with its output.
pub struct Survivors {
    gpu: Gpu,
    program: DeviceProgram,
    outputs: [Output; 2],
    landing: Landing,
    capacity: usize,
    rules: usize,
}

/// A slice that has been run: its counters and its output.
struct Slice {
    output: usize,
    counters: Vec<u64>,
}

impl Survivors {
    /// A verifier with room for `capacity` pairs a slice: no unit may have more candidates.
    pub fn new(gpu: &Gpu, program: DeviceProgram, rules: usize, capacity: usize, places: Places) -> Result<Self> {
        let output = || Output::new(gpu, &program, rules, capacity, places);
        let outputs = [output()?, output()?];
        let (words, wide) = (|| gpu.pinned::<u32>(0), || gpu.pinned::<u64>(0));
        let (pairs, open, known) = ([words()?, words()?, words()?], [words()?, words()?], [wide()?, wide()?]);
        let landing = Landing { pairs, open, known };
        Ok(Self { gpu: gpu.clone(), program, outputs, landing, capacity, rules })
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
        let (mut at, mut size) = (0, units.min(FIRST_UNITS));
        let (mut output, mut pending) = (0, None);
        while at < units {
            let range = at..units.min(at + size);
            self.launch(path, range.clone(), output)?;
            if let Some(slice) = pending.take() {
                self.hand_over(&slice, taker)?;
            }
            let counters = &self.outputs[output].counters;
            let counters = self.gpu.read(counters, 0..counters.len())?;
            let most = counters[0].max(counters[1]) as usize;
            if most > self.capacity {
                size = smaller(&range, most, self.capacity)?;
                continue;
            }
            pending = Some(Slice { output, counters });
            (at, output) = (range.end, 1 - output);
            if most < self.capacity / 4 {
                size = size.saturating_mul(2);
            }
            taker.progress(range.end - range.start);
        }
        match pending {
            Some(slice) => self.hand_over(&slice, taker),
            None => Ok(()),
        }
    }

    fn launch(&self, path: &dyn DevicePath, units: Range<u64>, output: usize) -> Result<()> {
        let Output { counters, run, .. } = &self.outputs[output];
        self.gpu.fill_zero(counters)?;
        path.launch(units, Consumer::Verify, &Consume { verify: run.at(), ..Consume::default() })
    }

    /// Copies what a slice gave, piece by piece, while the device runs the next one.
    fn hand_over(&mut self, slice: &Slice, taker: &mut dyn Taker) -> Result<()> {
        let (pairs, open) = (slice.counters[0] as usize, slice.counters[1] as usize);
        let counters = &slice.counters[CURSORS..];
        let mut counted = Counted {
            candidates: counters[0],
            alone: counters[1..=self.rules].to_vec(),
            owned: counters[1 + self.rules..1 + 2 * self.rules].to_vec(),
            steps: counters[1 + 2 * self.rules..].chunks(2).map(|step| [step[0], step[1]]).collect(),
        };
        let output = &self.outputs[slice.output];
        let Landing { pairs: landed_pairs, open: landed_open, known } = &mut self.landing;
        for begin in (0..pairs.max(open).max(1)).step_by(PIECE) {
            let piece = |all: usize| begin.min(all)..all.min(begin + PIECE);
            let copied_pairs = fetch_all(&self.gpu, piece(pairs), &output.pairs, landed_pairs)?;
            let copied_open = fetch_all(&self.gpu, piece(open), &output.open, landed_open)?;
            let copied_known = fetch_all(&self.gpu, piece(open), &output.known, known)?;
            land(copied_pairs, landed_pairs)?;
            land(copied_open, landed_open)?;
            land(copied_known, known)?;
            let [l, r, rule] = landed_pairs.each_ref().map(|column| &column.values()[..piece(pairs).len()]);
            let [open_l, open_r] = landed_open.each_ref().map(|column| &column.values()[..piece(open).len()]);
            let [yes, no] = known.each_ref().map(|column| &column.values()[..piece(open).len()]);
            taker.take(&Decided { l, r, rule }, &Open { l: open_l, r: open_r, yes, no }, &counted)?;
            counted = Counted::default();
        }
        Ok(())
    }
}

impl Output {
    fn new(gpu: &Gpu, program: &DeviceProgram, rules: usize, capacity: usize, places: Places) -> Result<Self> {
        let (words, wide) = (|| gpu.buffer::<u32>(capacity), || gpu.buffer::<u64>(capacity));
        let (pairs, open, known) = ([words()?, words()?, words()?], [words()?, words()?], [wide()?, wide()?]);
        let steps = if places.count_steps { program.steps() } else { 0 };
        let counters = gpu.buffer::<u64>(CURSORS + 1 + 2 * rules + 2 * steps)?;
        let run = VerifyRun {
            program: program.at(),
            counters: counters.at_index(CURSORS),
            left_rows: places.rows[0],
            right_rows: places.rows[1],
            parents: places.parents,
            pair_l: pairs[0].at(),
            pair_r: pairs[1].at(),
            pair_rule: pairs[2].at(),
            open_l: open[0].at(),
            open_r: open[1].at(),
            open_true: known[0].at(),
            open_false: known[1].at(),
            cursors: counters.at(),
            capacity: capacity as u64,
            all_rules: rules as u32,
            right_offset: places.right_offset,
            no_queue: u32::from(places.no_queue),
            count_steps: u32::from(places.count_steps),
        };
        Ok(Self { pairs, open, known, counters, run: gpu.upload(&[run])? })
    }
}

/// Begins to copy columns. Page-locking memory is slow, so only as much of it is taken as was needed so far.
fn fetch_all<T: Pod>(
    gpu: &Gpu,
    range: Range<usize>,
    from: &[Buffer<T>],
    to: &mut [Pinned<T>],
) -> Result<Vec<Copying<T>>> {
    let fetch = |(from, to): (&Buffer<T>, &mut Pinned<T>)| {
        let mut memory = std::mem::replace(to, gpu.pinned(0)?);
        if memory.len() < range.len() {
            memory = gpu.pinned(range.len().next_power_of_two().max(LEAST_PINNED))?;
        }
        gpu.fetch(from, range.clone(), memory)
    };
    from.iter().zip(to).map(fetch).collect()
}

/// Waits for columns and puts them where they can be read.
fn land<T>(copies: Vec<Copying<T>>, to: &mut [Pinned<T>]) -> Result<()> {
    for (copy, to) in copies.into_iter().zip(to) {
        *to = copy.wait()?;
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
