//! The walks of up to 256 values at once: each value of the other column has a bit for each of them. Walks that meet go on
//! together, so that a step is made once for all that have come there in the meantime. Values are swept in an order in
//! which most steps lead forward (`ranks`), until no walk waits to go on.

use super::pairs::PairLists;
use super::ranks::SweepOrder;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::relation::rows::RowBlock;

/// Words of bits for the walks of a batch.
const WORDS: usize = 4;
/// Walks of a batch, at most.
pub const WALKS: usize = WORDS * 64;
/// Bytes for each value of the other column: its state, its places in lists and orders, its bits by walk.
pub const BYTES_PER_VALUE: usize = size_of::<Meeting>() + 4 * size_of::<u32>() + WALKS / 8;
/// Values that are followed between two looks at whether to go on.
const BETWEEN_CHECKS: usize = 1 << 12;

/// The walks that have come to a value, and those that have not gone on from it yet: one line of the cache.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Meeting {
    come: [u64; WORDS],
    waiting: [u64; WORDS],
}

/// What one thread needs.
pub struct BatchScratch {
    /// By rank.
    meetings: Vec<Meeting>,
    /// A bit for each rank from which some walks have to go on.
    waiting: Vec<u64>,
    /// Where the next sweep begins: a word of these bits.
    lowest: usize,
    /// SweepOrder to which any walk has come.
    reached: Vec<u32>,
    /// The values of these, when rows are made.
    values: Vec<u32>,
    /// For each walk, a bit for each of the reached values.
    by_walk: Vec<u64>,
}

/// What the walks of a batch have done.
#[derive(Clone, Copy, Default)]
pub struct WalkCounts {
    /// Values reached, of all walks.
    pub targets: u64,
    /// Steps looked at, of all walks.
    pub steps: u64,
}

#[inline(always)]
fn any(bits: &[u64; WORDS]) -> bool {
    bits.iter().fold(0, |all, word| all | word) != 0
}

impl BatchScratch {
    /// For values below `domain`.
    pub fn new(domain: usize) -> Self {
        let (reached, values, by_walk) = Default::default();
        let (meetings, waiting) = (vec![Meeting::default(); domain], vec![0; domain.div_ceil(64)]);
        Self { meetings, waiting, lowest: usize::MAX, reached, values, by_walk }
    }

    /// Follows the walks of some lists of seeds, at most [`WALKS`], along steps between ranks.
    pub fn follow<'a>(
        &mut self,
        seeds: impl Iterator<Item = &'a [u32]>,
        steps: &PairLists,
        ranks: &SweepOrder,
        cancel: Cancel<'_>,
    ) -> WalkCounts {
        for (walk, seeds) in seeds.enumerate() {
            let mut bits = [0; WORDS];
            bits[walk / 64] = 1 << (walk % 64);
            seeds.iter().for_each(|seed| self.come(ranks.rank(*seed), &bits));
        }
        let mut counts = WalkCounts::default();
        while self.lowest < self.waiting.len() {
            let first = std::mem::replace(&mut self.lowest, usize::MAX);
            self.sweep(first, steps, &mut counts, cancel);
        }
        counts
    }

    /// Goes on from all ranks, from a word of bits on.
    fn sweep(&mut self, first: usize, steps: &PairLists, counts: &mut WalkCounts, cancel: Cancel<'_>) {
        for word in first..self.waiting.len() {
            if word % BETWEEN_CHECKS == 0 || word == first {
                cancel.check();
            }
            while self.waiting[word] != 0 {
                let from = word * 64 + self.waiting[word].trailing_zeros() as usize;
                self.waiting[word] &= self.waiting[word] - 1;
                let bits = std::mem::take(&mut self.meetings[from].waiting);
                let walks: u64 = bits.iter().map(|word| u64::from(word.count_ones())).sum();
                let next = steps.list(from);
                counts.targets += walks;
                counts.steps += walks * next.len() as u64;
                next.iter().for_each(|to| self.come(*to, &bits));
            }
            // What is ahead needs no other sweep.
            if self.lowest >= word {
                self.lowest = usize::MAX;
            }
        }
    }

    /// Some walks come to a rank; those that have not been there wait to go on.
    #[inline(always)]
    fn come(&mut self, to: u32, walks: &[u64; WORDS]) {
        let meeting = &mut self.meetings[to as usize];
        let mut new = [0; WORDS];
        for (word, new) in new.iter_mut().enumerate() {
            *new = walks[word] & !meeting.come[word];
        }
        if !any(&new) {
            return;
        }
        if !any(&meeting.come) {
            self.reached.push(to);
        }
        let word = to as usize / 64;
        self.waiting[word] |= 1 << (to % 64);
        self.lowest = self.lowest.min(word);
        for (word, new) in new.iter().enumerate() {
            meeting.come[word] |= new;
            meeting.waiting[word] |= new;
        }
    }

    /// The values that each of the first walks has reached, ascending; forgets them.
    pub fn take_rows(
        &mut self,
        walks: usize,
        targets: u64,
        ranks: &SweepOrder,
        budget: &MemoryBudget,
    ) -> Result<RowBlock> {
        let _held = budget.hold(targets as usize * size_of::<u32>()).inspect_err(|_| self.forget())?;
        self.sort_reached(ranks);
        self.transpose();
        let groups = self.reached.len().div_ceil(64);
        let mut rows =
            RowBlock { offsets: Vec::with_capacity(walks + 1), targets: Vec::with_capacity(targets as usize) };
        rows.offsets.push(0);
        for walk in 0..walks {
            let words = &self.by_walk[walk * groups..(walk + 1) * groups];
            for (values, word) in self.values.chunks(64).zip(words) {
                append_set(values, *word, &mut rows.targets);
            }
            rows.offsets.push(rows.targets.len());
        }
        self.forget();
        Ok(rows)
    }

    /// Brings what was reached into the order of the values.
    fn sort_reached(&mut self, ranks: &SweepOrder) {
        if self.reached.len() < self.meetings.len() / 16 {
            self.reached.sort_unstable_by_key(|rank| ranks.value(*rank));
        } else {
            self.reached.clear();
            let is_reached = |rank: &&u32| any(&self.meetings[**rank as usize].come);
            self.reached.extend(ranks.ranks().iter().filter(is_reached));
        }
        self.values.clear();
        self.values.extend(self.reached.iter().map(|rank| ranks.value(*rank)));
    }

    /// Turns the bits by value into bits by walk.
    fn transpose(&mut self) {
        let groups = self.reached.len().div_ceil(64);
        self.by_walk.resize((WALKS * groups).max(self.by_walk.len()), 0);
        for (group, values) in self.reached.chunks(64).enumerate() {
            for word in 0..WORDS {
                let mut square = [0; 64];
                for (row, value) in square.iter_mut().zip(values) {
                    *row = self.meetings[*value as usize].come[word];
                }
                transpose_square(&mut square);
                for (walk, bits) in square.iter().enumerate() {
                    self.by_walk[(word * 64 + walk) * groups + group] = *bits;
                }
            }
        }
    }

    /// Forgets what was reached.
    pub fn forget(&mut self) {
        for value in self.reached.drain(..) {
            self.meetings[value as usize] = Meeting::default();
        }
    }
}

/// Appends the values whose bits are set.
#[inline(always)]
fn append_set(values: &[u32], word: u64, targets: &mut Vec<u32>) {
    if word == u64::MAX {
        return targets.extend_from_slice(values);
    }
    let mut rest = word;
    while rest != 0 {
        targets.push(values[rest.trailing_zeros() as usize]);
        rest &= rest - 1;
    }
}

/// Exchanges rows and bits of a square: halves, then quarters, down to single bits.
fn transpose_square(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let exchanged = (square[row] >> width ^ square[row + width]) & mask;
            square[row] ^= exchanged << width;
            square[row + width] ^= exchanged;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_transposed() {
        let mut square = [0; 64];
        for (row, bits) in square.iter_mut().enumerate() {
            *bits = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let before = square;
        transpose_square(&mut square);
        for (row, bits) in square.iter().enumerate() {
            for (bit, column) in before.iter().enumerate() {
                assert_eq!(bits >> bit & 1, column >> row & 1);
            }
        }
    }
}
