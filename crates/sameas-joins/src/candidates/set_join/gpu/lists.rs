//! Lists of prefix tokens on a device, and the rounds in which they are made where all of them exceed the memory.
//!
//! A pair belongs to the list of its first common token, so the lists of some tokens can be joined without the others: a
//! round has the tokens of a range, and the ranges together have every token once.

use std::ops::Range;

use sameas_kernels::layout::set_join::{self as layout, SET_JOIN_THREADS, SetClass};
use sameas_kernels::{DevicePtr, kernel};

use super::chunks::DirectionInput;
use super::side::{DeviceSetSide, bits, strides};
use crate::candidates::set_join::bounds::Bounds;
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// Entries of lists at most: they are numbered in 32 bits.
const MOST_ENTRIES: u64 = 1 << 31;

/// Bytes that an entry of a list takes while lists are sorted.
const ENTRY_BYTES: u64 = 40;

/// Bytes that a set takes while the entries of a range are placed.
const PLACE_BYTES: u64 = 12;

/// The classes of a side with the tokens that are listed of each.
pub(super) struct ListedClasses {
    pub(super) classes: Vec<SetClass>,
    /// Entries of all.
    entries: u64,
}

impl ListedClasses {
    fn new(bounds: &Bounds, side: &DeviceSetSide, prefix: impl Fn(&Bounds, u32) -> u32) -> Self {
        let mut entries = 0;
        let of_class = |class: u32| {
            let (first, end) = (side.firsts[class as usize], side.firsts[class as usize + 1]);
            let (prefix, before) = (prefix(bounds, class), entries);
            entries += u64::from(end - first) * u64::from(prefix);
            SetClass { size: bounds.size(class), lowest: bounds.lowest(class), first, prefix, entries: before }
        };
        let classes = (0..bounds.classes() as u32).map(of_class).collect();
        Self { classes, entries }
    }
}

impl DirectionInput<'_> {
    /// What is listed of the probes and of the indexed sets.
    pub(super) fn listed(&self) -> [ListedClasses; 2] {
        let probes = ListedClasses::new(self.bounds, self.probes, Bounds::probe_prefix);
        [probes, ListedClasses::new(self.bounds, self.index, Bounds::index_prefix)]
    }

    /// Entries of both lists.
    pub(super) fn entries(&self) -> u64 {
        self.listed().iter().map(|of_side| of_side.entries).sum()
    }

    /// One above the largest token of both sides.
    pub(super) fn tokens(&self) -> u32 {
        self.probes.tokens.max(self.index.tokens)
    }
}

/// The ranges of tokens whose lists fit the memory together; one of all tokens where everything fits, and none where the
/// list of a single token does not.
pub(super) fn rounds(gpu: &Gpu, inputs: &[DirectionInput<'_>], memory: usize) -> Result<Option<Vec<Range<u32>>>> {
    let entries: u64 = inputs.iter().map(DirectionInput::entries).sum();
    let tokens = inputs.iter().map(DirectionInput::tokens).max().unwrap_or(0);
    if entries < MOST_ENTRIES && entries * ENTRY_BYTES <= memory as u64 {
        return Ok(Some(std::iter::once(0..tokens).collect()));
    }
    let largest = inputs.iter().map(|of| of.probes.len().max(of.index.len())).max().unwrap_or(0) as u64;
    let room = (memory as u64).saturating_sub(PLACE_BYTES * largest + size_of::<u32>() as u64 * u64::from(tokens));
    if room < ENTRY_BYTES {
        return Ok(None);
    }
    let counts = gpu.zeroed::<u32>(tokens as usize)?;
    inputs.iter().try_for_each(|of| count_tokens(gpu, of, &counts))?;
    Ok(cut(&gpu.read(&counts, 0..tokens as usize)?, (room / ENTRY_BYTES).min(MOST_ENTRIES - 1)))
}

/// Adds the entries of each token in the lists of a direction.
fn count_tokens(gpu: &Gpu, of: &DirectionInput<'_>, counts: &Buffer<u32>) -> Result<()> {
    for (side, listed) in [of.probes, of.index].into_iter().zip(of.listed()) {
        let classes = gpu.upload(&listed.classes)?;
        let args = layout::SetTokenCounts { side: side.layout, classes: classes.at(), counts: counts.at() };
        gpu.launch(kernel::SET_JOIN_TOKEN_COUNTS, strides(gpu, 32 * side.len()), SET_JOIN_THREADS, 0, &args)?;
    }
    Ok(())
}

/// Ranges of tokens, each with as many entries as there is room for.
fn cut(counts: &[u32], room: u64) -> Option<Vec<Range<u32>>> {
    let (mut ranges, mut first, mut sum) = (Vec::new(), 0, 0);
    for (token, count) in counts.iter().map(|count| u64::from(*count)).enumerate() {
        if count > room {
            return None;
        }
        if sum + count > room {
            ranges.push(first..token as u32);
            (first, sum) = (token as u32, 0);
        }
        sum += count;
    }
    ranges.push(first..counts.len() as u32);
    Some(ranges)
}

/// Lists of the sets that have a token in their prefix, by token, in order of rank.
pub(super) struct DeviceSetLists {
    keys: Buffer<u64>,
    ranks: Buffer<u32>,
    starts: Buffer<u32>,
}

impl DeviceSetLists {
    pub(super) fn new(
        gpu: &Gpu,
        side: &DeviceSetSide,
        listed: &ListedClasses,
        tokens: u32,
        range: Option<&Range<u32>>,
    ) -> Result<Self> {
        let (keys, ranks) = Self::entries(gpu, side, listed, range)?;
        let entries = ranks.len();
        let (keys, ranks) = match entries {
            0 | 1 => (keys, ranks),
            _ => gpu.sort_pairs(&keys, &ranks, entries, 32..32 + bits(tokens))?,
        };
        let starts = gpu.buffer::<u32>(tokens as usize + 1)?;
        let args = layout::SetStarts { keys: keys.at(), starts: starts.at(), entries: entries as u32, tokens };
        gpu.launch(kernel::SET_JOIN_STARTS, strides(gpu, tokens as usize + 1), SET_JOIN_THREADS, 0, &args)?;
        Ok(Self { keys, ranks, starts })
    }

    /// Keys of token and place, and ranks, in order of rank: a stable sort by token keeps that order.
    fn entries(
        gpu: &Gpu,
        side: &DeviceSetSide,
        listed: &ListedClasses,
        range: Option<&Range<u32>>,
    ) -> Result<(Buffer<u64>, Buffer<u32>)> {
        let classes = gpu.upload(&listed.classes)?;
        let places = range.map(|range| places(gpu, side, &classes, range)).transpose()?;
        let entries = match &places {
            Some(places) => gpu.read(places, side.len()..side.len() + 1)?[0],
            None => listed.entries,
        };
        let (keys, ranks) = (gpu.buffer::<u64>(entries as usize)?, gpu.buffer::<u32>(entries as usize)?);
        let Range { start, end } = range.cloned().unwrap_or(0..u32::MAX);
        let args = layout::SetEntries {
            side: side.layout,
            classes: classes.at(),
            places: places.as_ref().map_or(DevicePtr::NULL, Buffer::at),
            keys: keys.at(),
            ranks: ranks.at(),
            first: start,
            end,
        };
        gpu.launch(kernel::SET_JOIN_ENTRIES, strides(gpu, 32 * side.len()), SET_JOIN_THREADS, 0, &args)?;
        Ok((keys, ranks))
    }

    pub(super) fn layout(&self) -> layout::SetLists {
        layout::SetLists { keys: self.keys.at(), ranks: self.ranks.at(), starts: self.starts.at() }
    }
}

/// Entries of a range of tokens before those of each rank, and of all at the end.
fn places(gpu: &Gpu, side: &DeviceSetSide, classes: &Buffer<SetClass>, range: &Range<u32>) -> Result<Buffer<u64>> {
    let counts = gpu.zeroed::<u32>(side.len() + 1)?;
    let args = layout::SetListed {
        side: side.layout,
        classes: classes.at(),
        counts: counts.at(),
        first: range.start,
        end: range.end,
    };
    gpu.launch(kernel::SET_JOIN_LISTED, strides(gpu, side.len()), SET_JOIN_THREADS, 0, &args)?;
    gpu.exclusive_sum(&counts, side.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_every_token_once_and_no_more_entries_than_there_is_room_for() {
        assert_eq!(cut(&[3, 0, 2, 4, 1, 0, 5], 5), Some(vec![0..3, 3..6, 6..7]));
        let one = |range: Range<u32>| Some(std::iter::once(range).collect::<Vec<_>>());
        assert_eq!(cut(&[1, 1, 1], 100), one(0..3));
        assert_eq!(cut(&[1, 6], 5), None);
        assert_eq!(cut(&[], 5), one(0..0));
    }
}
