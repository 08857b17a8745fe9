//! The signature tests: some texts of one length against others of one length, down to the pairs worth verifying.
//!
//! Three steps, each with the bound of the signatures and so without loss. Let a be a text of a group, b one of a block,
//! and let `reach(x, y) = popcount(x & y)`.
//! 1. Group against block: every a contains the intersection A of the group's signatures, every b is contained in the
//!    union B of the block's. The bits of A outside B are bits of a outside b, so
//!    reach(a, b) <= popcount(a) - (popcount(A) - reach(A, B)).
//! 2. Text against block: reach(a, b) <= reach(a, B).
//! 3. Text against text.
//!
//! The overflow of a pair is at most the greatest overflow of either side, which is added in the first steps; the pair's
//! own overflow and prefix decide in the end.

use super::side::{BLOCK, LengthRun, TextSide};
use crate::measure::lanes::signature::{Reaching, places, reached, words_of};
use crate::measure::lanes::{Kernel, LaneVector, ROW_WORDS, Row};
use crate::records::encode::Signatures;
use crate::threshold::LengthRequirements;
use std::ops::Range;

/// The texts of a group: those that a block is first tested against.
pub(super) const GROUP: usize = 16;

/// How much is tested; see [`super::ScanCounters`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TestedCounts {
    pub(super) blocks: u64,
    pub(super) pairs: u64,
}

/// Memory that one scan leaves to the next.
#[derive(Default)]
pub(super) struct ScanBuffers<const WORDS: usize> {
    /// Blocks that may hold a partner for the group.
    blocks: Vec<u32>,
    verdicts: Vec<u64>,
    /// Their signatures in rows.
    columns: Vec<Vec<Row<u64>>>,
    /// Pairs of places left to verify, by left place.
    pub(super) pairs: Vec<(u32, u32)>,
}

/// A group of left texts of one length against a run of right texts.
pub(super) struct GroupScan<'a, const WORDS: usize> {
    pub(super) left: &'a TextSide<WORDS>,
    pub(super) right: &'a TextSide<WORDS>,
    pub(super) group: Range<usize>,
    pub(super) run: LengthRun,
    pub(super) needs: &'a LengthRequirements,
    /// The greatest overflow in the run, or more.
    pub(super) overflow: u32,
    /// Whether right places before the left one are left out.
    pub(super) triangle: bool,
    pub(super) skip_blocks: bool,
    pub(super) room: &'a mut ScanBuffers<WORDS>,
}

impl<const WORDS: usize> Kernel<u64> for GroupScan<'_, WORDS> {
    type Output = TestedCounts;

    #[inline(always)]
    fn run<V: LaneVector<Word = u64>>(mut self) -> TestedCounts {
        self.room.pairs.clear();
        if self.skip_blocks { self.by_blocks::<V>() } else { self.by_texts::<V>() }
    }
}

impl<const WORDS: usize> GroupScan<'_, WORDS> {
    /// Passes every pair on untested.
    pub(super) fn keep_all(self) {
        self.room.pairs.clear();
        for place in self.group.clone() {
            self.room.pairs.extend(self.partners(place).map(|partner| (place as u32, partner as u32)));
        }
    }

    #[inline(always)]
    fn by_texts<V: LaneVector<Word = u64>>(&mut self) -> TestedCounts {
        let mut tested = TestedCounts::default();
        let mut verdicts = std::mem::take(&mut self.room.verdicts);
        for place in self.group.clone() {
            let run = self.partners(place);
            tested.pairs += run.len() as u64;
            let columns = self.right.rows(&run);
            verdicts.resize(words_of(columns[0].len()), 0);
            let (probe, need) = (self.left.signature(place), self.need(place));
            Reaching { probe, columns, need, verdicts: &mut verdicts }.run::<V>();
            let first = run.start / ROW_WORDS * ROW_WORDS;
            for hit in places(&verdicts).map(|hit| first + hit).filter(|hit| run.contains(hit)) {
                self.keep(place, hit);
            }
        }
        self.room.verdicts = verdicts;
        tested
    }

    #[inline(always)]
    fn by_blocks<V: LaneVector<Word = u64>>(&mut self) -> TestedCounts {
        let mut tested = TestedCounts { blocks: self.choose_blocks::<V>(), pairs: 0 };
        let mut verdicts = std::mem::take(&mut self.room.verdicts);
        for place in self.group.clone() {
            let run = self.partners(place);
            let (probe, need) = (self.left.signature(place), self.need(place));
            let columns = std::array::from_fn(|word| &self.room.columns[word][..]);
            tested.blocks += self.room.blocks.len() as u64;
            verdicts.resize(words_of(columns[0].len()), 0);
            Reaching { probe, columns, need, verdicts: &mut verdicts }.run::<V>();
            for hit in places(&verdicts) {
                // The last row may have lanes to spare.
                let Some(&block) = self.room.blocks.get(hit) else { break };
                tested.pairs += BLOCK as u64;
                self.test_block::<V>(place, block as usize, &run, need);
            }
        }
        self.room.verdicts = verdicts;
        tested
    }

    /// Collects the blocks that may hold a partner for some text of the group.
    #[inline(always)]
    fn choose_blocks<V: LaneVector<Word = u64>>(&mut self) -> u64 {
        let run = self.partners(self.group.start);
        let blocks = run.start / BLOCK..run.end.div_ceil(BLOCK);
        let (mut inner, mut most) = ([!0; WORDS], 0);
        for place in self.group.clone() {
            let bits = self.left.signature(place);
            inner.iter_mut().zip(bits).for_each(|(inner, bits)| *inner &= bits);
            most = most.max(count(&bits));
        }
        let overflow = self.group.clone().map(|place| self.left.overflows[place]).max().unwrap_or(0);
        let need = (self.needs.least() + count(&inner)).saturating_sub(most + overflow.min(self.overflow));
        let first = blocks.start / ROW_WORDS * ROW_WORDS;
        let columns = self.right.block_rows(&blocks);
        let ScanBuffers { verdicts, blocks: chosen, .. } = &mut *self.room;
        verdicts.resize(words_of(columns[0].len()), 0);
        Reaching { probe: inner, columns, need, verdicts }.run::<V>();
        chosen.clear();
        let hits = places(verdicts).map(|hit| first + hit).filter(|block| blocks.contains(block));
        chosen.extend(hits.map(|block| block as u32));
        self.gather();
        blocks.len() as u64
    }

    /// Lays the chosen blocks out in rows of their own.
    #[inline(always)]
    fn gather(&mut self) {
        let ScanBuffers { blocks, columns, .. } = &mut *self.room;
        columns.resize(WORDS, Vec::new());
        columns.iter_mut().for_each(Vec::clear);
        for blocks in blocks.chunks(ROW_WORDS) {
            let mut rows = [Row::<u64>::ZERO; WORDS];
            for (lane, &block) in blocks.iter().enumerate() {
                let union = self.right.union(block as usize);
                rows.iter_mut().zip(union).for_each(|(row, bits)| row.0[lane] = bits);
            }
            columns.iter_mut().zip(rows).for_each(|(column, row)| column.push(row));
        }
    }

    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "the row is an index into every column")]
    fn test_block<V: LaneVector<Word = u64>>(&mut self, place: usize, block: usize, run: &Range<usize>, need: u32) {
        let probe = self.left.signature(place).map(V::splat);
        let places = block * BLOCK..(block + 1) * BLOCK;
        let columns = self.right.rows(&places);
        let need = V::splat(u64::from(need));
        let mut verdicts = 0;
        for row in 0..BLOCK / ROW_WORDS {
            let rows = std::array::from_fn(|word| &columns[word][row]);
            verdicts |= reached(probe, rows, need) << (row * ROW_WORDS);
        }
        while verdicts != 0 {
            let hit = places.start + verdicts.trailing_zeros() as usize;
            verdicts &= verdicts - 1;
            if run.contains(&hit) {
                self.keep(place, hit);
            }
        }
    }

    /// The right places of a left one.
    #[inline(always)]
    fn partners(&self, place: usize) -> Range<usize> {
        let start = if self.triangle { self.run.start.max(place) } else { self.run.start };
        start..self.run.end
    }

    /// The bits that a left text must have in common with any partner.
    #[inline(always)]
    fn need(&self, place: usize) -> u32 {
        self.needs.least().saturating_sub(self.left.overflows[place].min(self.overflow))
    }

    /// The last test, with the pair's own overflow and prefix.
    #[inline(always)]
    fn keep(&mut self, a: usize, b: usize) {
        let (x, y) = (self.left.signature(a), self.right.signature(b));
        let bits: [u64; WORDS] = std::array::from_fn(|word| x[word] & y[word]);
        let common = count(&bits) + self.left.overflows[a].min(self.right.overflows[b]);
        let prefix = Signatures::equal_bytes(self.left.prefixes[a], self.right.prefixes[b]);
        if common >= self.needs.common[prefix] {
            self.room.pairs.push((a as u32, b as u32));
        }
    }
}

#[inline(always)]
fn count<const WORDS: usize>(bits: &[u64; WORDS]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}
