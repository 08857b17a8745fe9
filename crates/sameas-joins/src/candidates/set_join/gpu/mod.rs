//! The join on a device: the same lists and the same bounds, in chunks that warps compare with tiles of signatures.
//!
//! Sides are put in order of size and signed on the device (`side`). A chunk is some consecutive probes of a list, as many
//! as a warp holds signatures of in registers; it meets the indexed sets of the list from the first to the last that one
//! of its probes can match (`chunks`), so chunks of sizes that cannot match have no work. Long lists have many chunks, each
//! cut into units of equal size that any warp takes: a token that all sets have is shared by all of the device.
//!
//! As on the CPU lists are those of prefix tokens, or there is one list of everything, whichever is expected to be cheaper.
//! Signatures are compared by the tensor cores, 256 bits of 128 pairs in one instruction, so that everything is cheaper up
//! to larger sides than on the CPU. The lists of prefix tokens also take memory; where that is short, they are made and
//! joined in rounds, each for a range of tokens (`lists`).
//!
//! Decisions are the host's: what two sets of given sizes need is asked of the threshold itself (`Bounds`), and goes to the
//! device as a table of integers. No loss and no repetition: see `bounds`, `chunks` and the kernel (`set_join.h`).

mod chunks;
mod lists;
mod side;
#[cfg(all(test, feature = "emulated"))]
mod tests;
mod width;

use std::ops::Range;

use sameas_kernels::layout::set_join::{self as layout, SET_JOIN_THREADS, SetChunk, set_join_flags, set_join_rows};
use sameas_kernels::{Kernel, kernel};

pub use self::chunks::piece_for;
use self::chunks::{DeviceChunks, DirectionInput, equal_code, everything, work};
use self::lists::rounds;
use self::side::{DeviceSetSide, SizedSets, sizes_of};
use self::width::best_words;
use super::bounds::Bounds;
use super::choose::Enumeration;
use super::walk::{Direction, SetCounters};
use crate::candidates::device_value_join::DeviceValueJoin;
use crate::candidates::pair_output::PairOutput;
use crate::device::{Buffer, Gpu};
use crate::error::{Error, Result};

/// Blocks that a multiprocessor has at a time.
const RESIDENT: u32 = 2;

/// Units of a launch: the counter from which warps take them, and which they overrun, has 32 bits.
const MOST_UNITS: u64 = 1 << 31;

/// Classes of size at most: their pairs are numbered in 32 bits.
const MOST_CLASSES: usize = 1 << 16;

/// Nanoseconds of an H200 to compare a word of two signatures in the list of everything.
const WORD: f64 = 2.5e-5;
/// The same in the lists of tokens: signatures are gathered, and needs are looked up more often.
const WORD_IN_LIST: f64 = 5e-5;
/// An entry of a list: it is written, sorted, and its partners are looked up.
const ENTRY: f64 = 0.4;
/// A set of which a round lists some tokens: they are looked for twice.
const SCAN: f64 = 1.0;
/// What making lists takes at least, in launches and waits.
const LISTS: f64 = 400_000.0;

/// What can be chosen for a test or a benchmark; the pairs found are the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct GpuSetJoinSettings {
    /// The path, if it is not to be chosen by cost.
    pub path: Option<Enumeration>,
    /// Words of a signature, if not as many as suit the sets.
    pub words: Option<usize>,
    /// Indexed sets of a unit at most, a multiple of 32, if not as many as suit the processors.
    pub piece: Option<usize>,
    /// Multiprocessors that should all be busy, if not those of the device.
    pub processors: Option<u32>,
    /// Bytes that the sides and the lists of a round may take; if nothing is said, lists may take half of what is free when
    /// the first round begins.
    pub memory: Option<usize>,
}

/// A join of sets on a device; see the module.
pub struct GpuSetJoin {
    gpu: Gpu,
    kernel: Kernel<layout::SetJoin>,
    settings: GpuSetJoinSettings,
    input: JoinInput,
    /// Nothing before the first round: what comes first on the device decides on the room for lists.
    enumerated: Option<Enumerated>,
    /// Rounds that have begun.
    begun: usize,
    parts: Vec<DirectionPart>,
    next: Buffer<u32>,
    counters: Buffer<u64>,
}

/// What every round reads.
struct JoinInput {
    sides: Vec<DeviceSetSide>,
    bounds: Bounds,
    needs: Buffer<u32>,
    words: usize,
    piece: Option<usize>,
    processors: u32,
}

/// The path that was chosen, with its rounds.
enum Enumerated {
    /// The chunks of each direction, until they are joined.
    Everything(Vec<Vec<SetChunk>>),
    /// Ranges of tokens, and the chunks of the only one where they are made already.
    Prefixes(Vec<Range<u32>>, Option<Vec<DeviceChunks>>),
}

/// One direction of a round.
struct DirectionPart {
    args: layout::SetJoin,
    units: u64,
    _chunks: DeviceChunks,
}

impl JoinInput {
    fn new(
        gpu: &Gpu,
        given: &[(layout::Sets, &[u32])],
        holds: impl Fn(usize, usize, usize) -> bool + Sync,
        settings: GpuSetJoinSettings,
    ) -> Result<Self> {
        let sized = given.iter().map(|(sets, codes)| SizedSets::new(gpu, *sets, codes)).collect::<Result<Vec<_>>>()?;
        let sizes = sizes_of(&sized);
        if sizes.len() >= MOST_CLASSES {
            return Err(gpu.too_small(sizes.len().pow(2) * size_of::<u32>(), gpu.free()));
        }
        let bounds = Bounds::new(sizes, holds);
        let needs = gpu.upload(bounds.table())?;
        let words = match settings.words {
            Some(words) => words,
            None => best_words(gpu, &sized, &bounds, &needs, super::directions(sized.len())[0])?,
        };
        let sides = sized.into_iter().map(|side| DeviceSetSide::new(gpu, side, &bounds, words));
        let sides = sides.collect::<Result<_>>()?;
        let processors = settings.processors.unwrap_or(gpu.info().processors).max(1);
        Ok(Self { sides, bounds, needs, words, piece: settings.piece, processors })
    }

    /// Memory that the sides take.
    fn bytes(&self) -> usize {
        self.sides.iter().map(|side| side.bytes(self.words)).sum()
    }

    fn directions(&self) -> Vec<DirectionInput<'_>> {
        let of = |direction: &Direction| DirectionInput {
            bounds: &self.bounds,
            needs: &self.needs,
            probes: &self.sides[direction.probes],
            index: &self.sides[direction.index],
            direction: *direction,
            rows: set_join_rows(self.words),
            piece: self.piece,
            warps: u64::from(self.processors * RESIDENT * (SET_JOIN_THREADS / 32)),
        };
        super::directions(self.sides.len()).iter().map(of).collect()
    }
}

impl GpuSetJoin {
    /// A join of the sets of the left codes with those of the right, or with themselves where `right` is `None`; `holds` is
    /// as in [`SetJoin::new`](super::SetJoin::new). Empty sets never match.
    pub fn new(
        gpu: &Gpu,
        left: (layout::Sets, &[u32]),
        right: Option<(layout::Sets, &[u32])>,
        holds: impl Fn(usize, usize, usize) -> bool + Sync,
        settings: GpuSetJoinSettings,
    ) -> Result<Self> {
        let given: Vec<(layout::Sets, &[u32])> = std::iter::once(left).chain(right).collect();
        let input = JoinInput::new(gpu, &given, holds, settings)?;
        Ok(Self {
            gpu: gpu.clone(),
            kernel: kernel_of(input.words),
            settings,
            input,
            enumerated: None,
            begun: 0,
            parts: Vec::new(),
            next: gpu.zeroed(1)?,
            counters: gpu.zeroed(3)?,
        })
    }

    /// The path taken, from the first round on.
    pub fn path(&self) -> Option<Enumeration> {
        self.enumerated.as_ref().map(|enumerated| match enumerated {
            Enumerated::Everything(_) => Enumeration::Everything,
            Enumerated::Prefixes(..) => Enumeration::Prefixes,
        })
    }

    /// Words of 32 bits in a signature.
    pub fn signature_words(&self) -> usize {
        self.input.words
    }

    /// The number of pairs that a nested loop would look at.
    pub fn nominal_pairs(&self) -> u64 {
        nominal(&self.input.sides)
    }

    /// The chunks of a round, in every direction; `None` after the last.
    fn chunks(&mut self, round: usize) -> Result<Option<Vec<DeviceChunks>>> {
        let inputs = self.input.directions();
        let enumerated = match &mut self.enumerated {
            Some(enumerated) => enumerated,
            nothing => nothing.insert(chosen(&self.gpu, &self.input, self.settings)?),
        };
        match enumerated {
            Enumerated::Everything(chunks) if round == 0 => {
                let chunks = inputs.iter().zip(std::mem::take(chunks));
                chunks
                    .map(|(of, chunks)| DeviceChunks::of_everything(&self.gpu, of, &chunks))
                    .collect::<Result<_>>()
                    .map(Some)
            }
            Enumerated::Everything(_) => Ok(None),
            Enumerated::Prefixes(_, made @ Some(_)) => Ok(made.take()),
            Enumerated::Prefixes(ranges, None) => {
                ranges.get(round).map(|range| lists_of(&self.gpu, &inputs, Some(range))).transpose()
            }
        }
    }

    /// Work done so far.
    pub fn counters(&self) -> Result<SetCounters> {
        let counters = self.gpu.read(&self.counters, 0..3)?;
        Ok(SetCounters { compared: counters[0], verified: counters[1], found: counters[2] })
    }
}

impl DeviceValueJoin for GpuSetJoin {
    fn next_round(&mut self) -> Result<bool> {
        // What the last round had makes room for this one.
        self.parts.clear();
        let Some(chunks) = self.chunks(self.begun)? else { return Ok(false) };
        self.begun += 1;
        let part = |(of, chunks): (&DirectionInput<'_>, DeviceChunks)| part(of, chunks, &self.next, &self.counters);
        self.parts = self.input.directions().iter().zip(chunks).map(part).collect();
        Ok(true)
    }

    fn tasks(&self) -> u64 {
        self.parts.iter().map(|part| part.units).sum()
    }

    fn launch(&self, tasks: Range<u64>, output: &PairOutput) -> Result<()> {
        let mut before = 0;
        for part in &self.parts {
            let own = tasks.start.max(before) - before..tasks.end.clamp(before, before + part.units) - before;
            before += part.units;
            if own.is_empty() {
                continue;
            }
            if own.end - own.start > MOST_UNITS {
                return Err(Error::internal("more units of a join of sets than one launch takes"));
            }
            let units = (own.end - own.start) as u32;
            let args = layout::SetJoin { first: own.start, units, out: output.layout(), ..part.args };
            let grid = units.div_ceil(SET_JOIN_THREADS / 32).min(self.gpu.info().processors * RESIDENT);
            self.gpu.fill_zero(&self.next)?;
            self.gpu.launch(self.kernel, grid, SET_JOIN_THREADS, 0, &args)?;
        }
        Ok(())
    }
}

/// The path that is asked for or expected to be cheaper.
fn chosen(gpu: &Gpu, input: &JoinInput, settings: GpuSetJoinSettings) -> Result<Enumerated> {
    let (inputs, words) = (input.directions(), input.words as f64);
    let everything: Vec<_> = inputs.iter().map(everything).collect();
    let memory = settings.memory.map_or(gpu.free() / 2, |memory| memory.saturating_sub(input.bytes()));
    let scan = SCAN * input.sides.iter().map(|side| side.len() as f64).sum::<f64>();
    let cost = WORD * words * everything.iter().map(|chunks| work(chunks) as f64).sum::<f64>();
    let lists = match settings.path {
        Some(Enumeration::Everything) => None,
        path => listed(gpu, &inputs, memory, |pairs, entries, rounds| {
            path.is_some() || WORD_IN_LIST * words * pairs + ENTRY * entries + (LISTS + scan) * rounds < cost
        })?,
    };
    Ok(lists.unwrap_or(Enumerated::Everything(everything)))
}

/// The lists of prefix tokens, if every match has a common token, the list of each token fits the memory, and they are
/// `worth` it: as far as that is known before they are made, and after. Asked with the pairs to compare, the entries and
/// the rounds.
fn listed(
    gpu: &Gpu,
    inputs: &[DirectionInput<'_>],
    memory: usize,
    worth: impl Fn(f64, f64, f64) -> bool,
) -> Result<Option<Enumerated>> {
    let entries = inputs.iter().map(DirectionInput::entries).sum::<u64>() as f64;
    if !inputs.iter().all(|of| of.bounds.needs_common_token()) || !worth(0.0, entries, 1.0) {
        return Ok(None);
    }
    let Some(ranges) = rounds(gpu, inputs, memory)? else { return Ok(None) };
    let (rounds, pairs) =
        (ranges.len() as f64, |made: &[DeviceChunks]| made.iter().map(|of| of.work as f64).sum::<f64>());
    if ranges.len() == 1 {
        let made = lists_of(gpu, inputs, None)?;
        return Ok(worth(pairs(&made), entries, rounds).then(|| Enumerated::Prefixes(ranges, Some(made))));
    }
    // Lists of several rounds are made a first time to know the work in all of them: that costs little beside it.
    let mut work = 0.0;
    for range in &ranges {
        work += pairs(&lists_of(gpu, inputs, Some(range))?);
        if !worth(work, 2.0 * entries, 2.0 * rounds) {
            return Ok(None);
        }
    }
    Ok(Some(Enumerated::Prefixes(ranges, None)))
}

/// The lists of all tokens or of a range, in every direction.
fn lists_of(gpu: &Gpu, inputs: &[DirectionInput<'_>], range: Option<&Range<u32>>) -> Result<Vec<DeviceChunks>> {
    inputs.iter().map(|of| DeviceChunks::of_lists(gpu, of, range)).collect()
}

fn part(of: &DirectionInput<'_>, chunks: DeviceChunks, next: &Buffer<u32>, counters: &Buffer<u64>) -> DirectionPart {
    let lists = chunks.lists.as_ref().map(|lists| lists.each_ref().map(|of_side| of_side.layout()));
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    let [probe_lists, index_lists] = lists.unwrap_or_default();
    let Direction { probes, index, equal } = of.direction;
    let args = layout::SetJoin {
        probes: of.probes.layout,
        index: of.index.layout,
        probe_lists,
        index_lists,
        needs: of.needs.at(),
        chunks: chunks.chunks.at(),
        starts: chunks.starts.at(),
        chunk_count: chunks.chunks.len() as u32,
        class_count: of.bounds.classes() as u32,
        piece: chunks.piece as u32,
        equal: equal_code(equal),
        flags: flag(lists.is_some(), set_join_flags::LISTS) | flag(probes > index, set_join_flags::SWAPPED),
        next: next.at(),
        counters: counters.at(),
        ..layout::SetJoin::default()
    };
    DirectionPart { args, units: chunks.units, _chunks: chunks }
}

fn kernel_of(words: usize) -> Kernel<layout::SetJoin> {
    match words {
        8 => kernel::SET_JOIN_256,
        16 => kernel::SET_JOIN_512,
        _ => kernel::SET_JOIN_1024,
    }
}

fn nominal(sides: &[DeviceSetSide]) -> u64 {
    let n = |side: &DeviceSetSide| side.len() as u64;
    match sides {
        [one] => n(one) * (n(one) + 1) / 2,
        _ => sides.iter().map(n).product(),
    }
}
