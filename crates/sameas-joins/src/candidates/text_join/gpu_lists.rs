//! The lists of a join on a device, and which of their ranges meet.

use std::ops::Range;

use bytemuck::Pod;
use rayon::prelude::*;
use sameas_kernels::layout::text::{BLOCK, LONG_CHUNK, NO_NEED, SHORT_CHUNK, TextNeeds, TextSide};

use super::TextPredicate;
use super::gpu::{GpuTextJoinSettings, RESIDENT};
use super::side::{LengthRun, Sorted, runs, sorted};
use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::records::encode::{Signature, Signatures};

/// Left places of a task: few enough that all warps get several, and no more than the last figure.
const PIECES: Range<usize> = 64..4096;

/// Tasks that each warp should get at least.
const TASKS: u64 = 8;

/// Makes the record of a text in a run.
pub(super) type MakeRecord<R> = fn(&Signature<4>, u32) -> R;

/// One list on the device.
pub(super) struct DeviceTextList {
    pub(super) layout: TextSide,
    pub(super) runs: Vec<LengthRun>,
    _codes: Buffer<u32>,
    _records: Box<dyn std::any::Any + Send + Sync>,
}

impl DeviceTextList {
    pub(super) fn new<const WORDS: usize, R: Pod + Send + Sync>(
        gpu: &Gpu,
        signatures: &Signatures,
        codes: &[u32],
        record: MakeRecord<R>,
    ) -> Result<Self> {
        let sorted: Vec<Sorted<WORDS>> = sorted(signatures, codes);
        let runs = runs(&sorted);
        let of_run = |(run, places): (usize, &LengthRun)| {
            let texts = sorted[places.start..places.end].par_iter();
            texts.map(|text| record(&signatures.signature(text.2), run as u32)).collect::<Vec<R>>()
        };
        let records: Vec<R> = runs.iter().enumerate().flat_map(of_run).collect();
        let codes: Vec<u32> = sorted.iter().map(|text| text.2).collect();
        let (codes, records) = (gpu.upload(&codes)?, gpu.upload(&records)?);
        let (count, lengths) = (codes.len() as u32, runs.len() as u32);
        let layout = TextSide { records: records.at().untyped(), codes: codes.at(), count, runs: lengths };
        Ok(Self { layout, runs, _codes: codes, _records: Box::new(records) })
    }

    /// How many texts, all of them at the beginning, have at most this many characters.
    pub(super) fn up_to(&self, length: usize) -> u32 {
        let short = self.runs.partition_point(|run| run.length <= length);
        short.checked_sub(1).map_or(0, |last| self.runs[last].end as u32)
    }
}

/// What texts of each left run and each right one need to have in common; nothing where the test is no bound.
pub(super) fn needs(
    predicate: Option<&TextPredicate<'_>>,
    left: &[LengthRun],
    right: &[LengthRun],
    settings: GpuTextJoinSettings,
) -> Vec<TextNeeds> {
    let none = TextNeeds::default();
    // Where all lengths are to be verified, lengths rule nothing out.
    let never = TextNeeds { common: [NO_NEED; 8] };
    let apart = if settings.lengths || settings.signatures { never } else { none };
    // A need beyond the figures of the table is lowered, which rules out less.
    let most = u32::from(NO_NEED) - 1;
    let narrow = |need: u32| if need == u32::MAX { NO_NEED } else { need.min(most) as u16 };
    let of = |(left, right): (&LengthRun, &LengthRun)| {
        let Some(predicate) = predicate else { return none };
        let Some(needs) = predicate.needs(left.length, right.length) else { return apart };
        let mut common = [NO_NEED; 8];
        common.iter_mut().zip(needs.common).for_each(|(to, need)| *to = narrow(need));
        TextNeeds { common }
    };
    left.par_iter().flat_map_iter(|left| right.iter().map(move |right| of((left, right)))).collect()
}

/// For each chunk of the right list, the left places from the first to the last length that may match.
pub(super) fn left_places(
    left: &DeviceTextList,
    right: &DeviceTextList,
    needs: &[TextNeeds],
    chunk: usize,
    triangle: bool,
    settings: GpuTextJoinSettings,
) -> Vec<[u32; 2]> {
    let last = left.runs.last().map_or(0, |run| run.end);
    let partners = |run: usize| {
        let may_hold = |other: &usize| needs[other * right.runs.len() + run].common != [NO_NEED; 8];
        let (first, end) = ((0..left.runs.len()).find(may_hold), (0..left.runs.len()).rev().find(may_hold));
        first.zip(end).map(|(first, end)| left.runs[first].start..left.runs[end].end)
    };
    let partners: Vec<Option<Range<usize>>> = (0..right.runs.len()).into_par_iter().map(partners).collect();
    let of_chunk = |begin: usize| {
        let end = (begin + chunk).min(right.layout.count as usize);
        let first = right.runs.partition_point(|run| run.end <= begin);
        let runs = right.runs[first..].iter().take_while(|run| run.start < end).count();
        let all = partners[first..first + runs].iter().flatten().cloned();
        let hull = all.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0);
        let hull = if settings.lengths { hull } else { 0..last };
        let until = if triangle { hull.end.min(end) } else { hull.end };
        [hull.start.min(until) as u32, until as u32]
    };
    (0..right.layout.count as usize).step_by(chunk).map(of_chunk).collect()
}

/// Left places of a task that finds no more than `capacity` pairs, where that is fewer than usual.
pub fn piece_for(capacity: usize) -> Option<usize> {
    let most = capacity / SHORT_CHUNK.max(LONG_CHUNK);
    (most < PIECES.end).then(|| (most / 32 * 32).max(32))
}

/// Left places of a task, so that all warps are busy to the end.
pub(super) fn piece(processors: u32, lefts: &[[u32; 2]]) -> usize {
    let warps = u64::from(processors * RESIDENT * (BLOCK / 32));
    let all: u64 = lefts.iter().map(|[begin, end]| u64::from(end - begin)).sum();
    let fair = usize::try_from(all / (warps * TASKS)).unwrap_or(PIECES.end);
    fair.clamp(PIECES.start, PIECES.end).next_multiple_of(32)
}

/// The first task of each chunk, and the number of tasks.
pub(super) fn starts(lefts: &[[u32; 2]], piece: usize) -> Vec<u64> {
    let tasks = lefts.iter().map(|[begin, end]| ((end - begin) as usize).div_ceil(piece) as u64);
    std::iter::once(0)
        .chain(tasks.scan(0, |sum, tasks| {
            *sum += tasks;
            Some(*sum)
        }))
        .collect()
}
