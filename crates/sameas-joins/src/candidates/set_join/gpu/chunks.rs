//! Which probes meet which indexed sets on a device: chunks of one list of everything, or of the lists of prefix tokens.

use std::ops::Range;

use sameas_kernels::kernel;
use sameas_kernels::layout::set_join::{
    self as layout, SET_JOIN_COLUMNS, SET_JOIN_THREADS, SetChunk, equal_sizes, set_join_rows,
};

use super::lists::DeviceSetLists;
use super::side::{DeviceSetSide, strides};
use crate::candidates::set_join::bounds::Bounds;
use crate::candidates::set_join::walk::{Direction, EqualSizes};
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Indexed sets of a unit: few enough that all warps get several, and no more than the last figure.
const PIECES: Range<usize> = 128..4096;

/// Units that each warp should get at least.
const UNITS: u64 = 8;

/// Indexed sets of a unit that finds no more than `capacity` pairs, where that is fewer than usual.
pub fn piece_for(capacity: usize) -> Option<usize> {
    let most = capacity / set_join_rows(layout::SET_JOIN_WORDS[0]);
    (most < PIECES.end).then(|| (most / SET_JOIN_COLUMNS * SET_JOIN_COLUMNS).max(SET_JOIN_COLUMNS))
}

/// What a join of one direction is made of.
#[derive(Clone, Copy)]
pub(super) struct DirectionInput<'a> {
    pub(super) bounds: &'a Bounds,
    pub(super) needs: &'a Buffer<u32>,
    pub(super) probes: &'a DeviceSetSide,
    pub(super) index: &'a DeviceSetSide,
    pub(super) direction: Direction,
    /// Probes of a chunk.
    pub(super) rows: usize,
    /// Indexed sets of a unit, if that is fixed.
    pub(super) piece: Option<usize>,
    /// Warps that should all be busy.
    pub(super) warps: u64,
}

/// The chunks of one direction, and the lists they are of.
pub(super) struct DeviceChunks {
    pub(super) chunks: Buffer<SetChunk>,
    pub(super) starts: Buffer<u64>,
    pub(super) units: u64,
    pub(super) piece: usize,
    /// Pairs whose signatures are compared, in whole tiles.
    pub(super) work: u64,
    /// Of the probes and of the indexed sets; nothing where there is one list of everything.
    pub(super) lists: Option<[DeviceSetLists; 2]>,
}

/// The number of a choice of pairs of equal size.
pub(super) fn equal_code(equal: EqualSizes) -> u32 {
    match equal {
        EqualSizes::ByRank => equal_sizes::BY_RANK,
        EqualSizes::Here => equal_sizes::HERE,
        EqualSizes::There => equal_sizes::THERE,
    }
}

/// Probes of a chunk in whole tiles of 16.
fn tiled(probes: u32) -> u64 {
    u64::from(probes).next_multiple_of(16)
}

/// The chunks of the list of everything.
///
/// No loss: the classes that can match rise with the class of a probe, so those of a chunk begin with the lowest of its
/// first probe and end with the class of its last; at equal sizes the direction says which ranks are left out.
pub(super) fn everything(of: &DirectionInput<'_>) -> Vec<SetChunk> {
    let (probes, index) = (of.probes, of.index);
    let chunk = |first: usize| {
        let end = (first + of.rows).min(probes.len());
        let (smallest, largest) = (probes.class(first), probes.class(end - 1));
        let until = match of.direction.equal {
            EqualSizes::ByRank => end as u32,
            EqualSizes::Here => index.firsts[largest as usize + 1],
            EqualSizes::There => index.firsts[largest as usize],
        };
        let begin = index.firsts[of.bounds.lowest(smallest) as usize].min(until);
        SetChunk { probe: first as u32, probes: (end - first) as u32, begin, end: until, token: 0, unused: 0 }
    };
    (0..probes.len()).step_by(of.rows).map(chunk).collect()
}

/// Pairs of these chunks whose signatures are compared.
pub(super) fn work(chunks: &[SetChunk]) -> u64 {
    chunks.iter().map(|chunk| tiled(chunk.probes) * u64::from(chunk.end - chunk.begin)).sum()
}

impl DeviceChunks {
    /// Brings the chunks of the list of everything to the device.
    pub(super) fn of_everything(gpu: &Gpu, of: &DirectionInput<'_>, chunks: &[SetChunk]) -> Result<Self> {
        let columns: u64 = chunks.iter().map(|chunk| u64::from(chunk.end - chunk.begin)).sum();
        let fair = usize::try_from(columns / (of.warps * UNITS)).unwrap_or(PIECES.end);
        let fair = fair.clamp(PIECES.start, PIECES.end).next_multiple_of(SET_JOIN_COLUMNS);
        let piece = of.piece.map_or(fair, |piece| piece.min(fair));
        let units = chunks.iter().map(|chunk| u64::from((chunk.end - chunk.begin).div_ceil(piece as u32)));
        let starts: Vec<u64> = std::iter::once(0)
            .chain(units.scan(0, |sum, units| {
                *sum += units;
                Some(*sum)
            }))
            .collect();
        let units = starts.last().copied().unwrap_or(0);
        let (work, starts, chunks) = (work(chunks), gpu.upload(&starts)?, gpu.upload(chunks)?);
        Ok(Self { chunks, starts, units, piece, work, lists: None })
    }

    /// Lists prefix tokens, those of the range alone where there is one, and makes the chunks of all lists, on the device.
    pub(super) fn of_lists(gpu: &Gpu, of: &DirectionInput<'_>, range: Option<&Range<u32>>) -> Result<Self> {
        let tokens = of.tokens();
        let [probes, index] = of.listed();
        let lists = [
            DeviceSetLists::new(gpu, of.probes, &probes, tokens, range)?,
            DeviceSetLists::new(gpu, of.index, &index, tokens, range)?,
        ];
        let before = chunks_before(gpu, &lists, of.rows, tokens)?;
        let count = gpu.read(&before, tokens as usize..tokens as usize + 1)?[0] as usize;
        let (chunks, units) = (gpu.buffer::<SetChunk>(count)?, gpu.zeroed::<u32>(count + 1)?);
        let (classes, firsts) = (gpu.upload(&probes.classes)?, gpu.upload(&of.index.firsts)?);
        let (work, piece) = (gpu.zeroed::<u64>(1)?, of.piece.unwrap_or(PIECES.end));
        let args = layout::SetChunks {
            probes: lists[0].layout(),
            index: lists[1].layout(),
            probe_classes: of.probes.layout.classes,
            classes: classes.at(),
            index_firsts: firsts.at(),
            needs: of.needs.at(),
            before: before.at(),
            chunks: chunks.at(),
            units: units.at(),
            work: work.at(),
            count: count as u64,
            tokens,
            class_count: of.bounds.classes() as u32,
            rows: of.rows as u32,
            piece: piece as u32,
            equal: equal_code(of.direction.equal),
            unused: 0,
        };
        gpu.launch(kernel::SET_JOIN_CHUNKS, strides(gpu, 32 * count), SET_JOIN_THREADS, 0, &args)?;
        let starts = gpu.exclusive_sum(&units, count + 1)?;
        let units = gpu.read(&starts, count..count + 1)?[0];
        let work = gpu.read(&work, 0..1)?[0];
        Ok(Self { chunks, starts, units, piece, work, lists: Some(lists) })
    }
}

/// Chunks of the lists before each token, and of all at the end.
fn chunks_before(gpu: &Gpu, lists: &[DeviceSetLists; 2], rows: usize, tokens: u32) -> Result<Buffer<u64>> {
    let chunks = gpu.buffer::<u32>(tokens as usize + 1)?;
    let args = layout::SetCount {
        probes: lists[0].layout(),
        index: lists[1].layout(),
        chunks: chunks.at(),
        tokens,
        rows: rows as u32,
    };
    gpu.launch(kernel::SET_JOIN_COUNT, strides(gpu, tokens as usize + 1), SET_JOIN_THREADS, 0, &args)?;
    gpu.exclusive_sum(&chunks, tokens as usize + 1)
}
