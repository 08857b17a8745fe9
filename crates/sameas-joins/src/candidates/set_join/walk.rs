//! One list of sets against another: signatures first, then the sets themselves.

use std::ops::Range;

use super::bounds::Bounds;
use super::postings::Posting;
use super::side::SetSide;
use super::signature::overlap_bound;
use super::tile::{Hit, LANES, Probe, SignatureTile};
use super::verify::verified;
use crate::measure::lanes::Isa;

/// Bytes of indexed signatures that are compared with all probes before the next ones are looked at: they stay in the
/// first-level cache.
const TILE_BYTES: usize = 40 << 10;

/// With fewer indexed sets than this, gathering signatures into a tile costs more than comparing them one by one.
const TILED: usize = 12;

/// Which pairs of two sides are compared: probes with indexed sets that are no larger.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// The side that probes.
    pub probes: usize,
    /// The side that is indexed.
    pub index: usize,
    /// Which sets of equal size belong to this direction.
    pub equal: EqualSizes,
}

/// Pairs of sets of equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualSizes {
    /// The probe has the higher rank: one side with itself.
    ByRank,
    /// All.
    Here,
    /// None: they belong to the opposite direction.
    There,
}

/// Work done, in pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetCounters {
    /// Compared by signature, or met where signatures are off; a pair may meet in several lists.
    pub compared: u64,
    /// Decided by their tokens.
    pub verified: u64,
    /// Found.
    pub found: u64,
}

/// What is the same for all lists of a join.
#[derive(Clone, Copy, Debug)]
pub struct ListWalk<'a, 's> {
    pub bounds: &'a Bounds,
    pub probes: &'a SetSide<'s>,
    pub index: &'a SetSide<'s>,
    pub equal: EqualSizes,
    pub isa: Isa,
    pub bitmap: bool,
}

/// Buffers that lists share.
#[derive(Debug, Default)]
pub struct WalkScratch {
    index: Vec<u32>,
    ranges: Vec<(u32, u32)>,
    tile: SignatureTile,
    hits: Vec<Hit>,
    /// Work done so far.
    pub counters: SetCounters,
}

impl ListWalk<'_, '_> {
    /// Compares the probes of a list with its indexed sets; both lie in order of rank.
    pub fn list(
        &self,
        (probes, index): (&[Posting], &[Posting]),
        owner: Option<u32>,
        scratch: &mut WalkScratch,
        found: &mut impl FnMut(u32, u32),
    ) {
        if index.is_empty() || self.equal == EqualSizes::ByRank && index.len() < 2 {
            return;
        }
        let mut ranks = std::mem::take(&mut scratch.index);
        ranks.clear();
        if let Some(reach) = self.ranges(probes, scratch) {
            let from = index.partition_point(|e| e.rank < reach.0);
            let reached = index[from..].iter().take_while(|e| e.rank < reach.1);
            ranks.extend(reached.filter(|e| e.indexed()).map(|e| e.rank));
        }
        for ranks in ranks.chunks(TILE_BYTES / (4 * self.index.signatures.words() + 4)) {
            self.chunk(probes, ranks, owner, scratch, found);
        }
        scratch.index = ranks;
    }

    /// Finds the partners of each probe and a range that holds all of them.
    fn ranges(&self, probes: &[Posting], scratch: &mut WalkScratch) -> Option<(u32, u32)> {
        scratch.ranges.clear();
        scratch.ranges.extend(probes.iter().map(|probe| self.partners(*probe)));
        let some = || scratch.ranges.iter().filter(|(start, end)| start < end);
        Some((some().map(|r| r.0).min()?, some().map(|r| r.1).max()?))
    }

    /// The ranks of the indexed sets that a probe can match.
    #[inline]
    fn partners(&self, probe: Posting) -> (u32, u32) {
        let class = self.probes.class(probe.rank);
        let below = if self.equal == EqualSizes::There { probe.below().min(class) } else { probe.below() };
        let ranks = self.index.ranks(self.bounds.lowest(class)..below);
        let end = if self.equal == EqualSizes::ByRank { ranks.end.min(probe.rank) } else { ranks.end };
        (ranks.start, end)
    }

    fn chunk(
        &self,
        probes: &[Posting],
        ranks: &[u32],
        owner: Option<u32>,
        scratch: &mut WalkScratch,
        found: &mut impl FnMut(u32, u32),
    ) {
        let (Some(first), Some(last)) = (ranks.first(), ranks.last()) else { return };
        let tiled = self.bitmap && ranks.len() >= TILED;
        if tiled {
            scratch.tile.fill(&self.index.signatures, ranks, |rank| self.index.class(rank));
        }
        let ranges = std::mem::take(&mut scratch.ranges);
        for (probe, (start, end)) in probes.iter().zip(&ranges) {
            if start >= end || start > last || end <= first {
                continue;
            }
            let from = ranks.partition_point(|rank| rank < start);
            let to = from + ranks[from..].partition_point(|rank| rank < end);
            scratch.counters.compared += (to - from) as u64;
            if tiled && from < to {
                self.by_tile(probe.rank, ranks, from..to, owner, scratch, found);
            } else {
                ranks[from..to].iter().for_each(|other| self.one(probe.rank, *other, owner, scratch, found));
            }
        }
        scratch.ranges = ranges;
    }

    fn by_tile(
        &self,
        probe: u32,
        ranks: &[u32],
        range: Range<usize>,
        owner: Option<u32>,
        scratch: &mut WalkScratch,
        found: &mut impl FnMut(u32, u32),
    ) {
        let signatures = &self.probes.signatures;
        let needs = self.bounds.needs(self.probes.class(probe));
        let asked = Probe { bits: signatures.bits(probe), excess: signatures.excess(probe), needs };
        let mut hits = std::mem::take(&mut scratch.hits);
        hits.clear();
        scratch.tile.scan(self.isa, asked, range.start / LANES, range.end.div_ceil(LANES), &mut hits);
        for hit in &hits {
            let mut lanes = hit.lanes;
            while lanes != 0 {
                let at = hit.block as usize * LANES + lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                if !range.contains(&at) {
                    continue;
                }
                // The block was judged by its smallest set; a larger one may need more.
                if self.index.class(ranks[at]) == scratch.tile.class(hit.block) {
                    self.verify(probe, ranks[at], owner, scratch, found);
                } else {
                    self.one(probe, ranks[at], owner, scratch, found);
                }
            }
        }
        scratch.hits = hits;
    }

    fn one(
        &self,
        probe: u32,
        other: u32,
        owner: Option<u32>,
        scratch: &mut WalkScratch,
        found: &mut impl FnMut(u32, u32),
    ) {
        let need = self.bounds.needs(self.probes.class(probe))[self.index.class(other) as usize];
        let (a, b) = (&self.probes.signatures, &self.index.signatures);
        let bound = || overlap_bound((a.bits(probe), a.excess(probe)), (b.bits(other), b.excess(other)));
        if !self.bitmap || bound() >= need {
            self.verify(probe, other, owner, scratch, found);
        }
    }

    fn verify(
        &self,
        probe: u32,
        other: u32,
        owner: Option<u32>,
        scratch: &mut WalkScratch,
        found: &mut impl FnMut(u32, u32),
    ) {
        let need = self.bounds.needs(self.probes.class(probe))[self.index.class(other) as usize];
        scratch.counters.verified += 1;
        if verified(self.probes.set(probe), self.index.set(other), need, owner) {
            scratch.counters.found += 1;
            found(self.probes.codes[probe as usize], self.index.codes[other as usize]);
        }
    }
}
