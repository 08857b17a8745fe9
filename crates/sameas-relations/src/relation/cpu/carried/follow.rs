//! The walk of one value: everything that is reached from its seeds.

use super::pairs::PairLists;
use crate::cancel::Cancel;

/// Values that are followed between two looks at whether to go on.
const BETWEEN_CHECKS: usize = 1 << 16;

/// What one thread needs: a bit for each value, and the list of those that are set.
pub struct RowScratch {
    bits: Vec<u64>,
    list: Vec<u32>,
    len: usize,
}

impl RowScratch {
    /// For values below `domain`.
    pub fn new(domain: usize) -> Self {
        // A place more than there are values: every value is written behind the list before it is known to be new.
        Self { bits: vec![0; domain.div_ceil(64)], list: vec![0; domain + 1], len: 0 }
    }

    /// Reaches everything from some seeds; gives the number of steps looked at.
    pub fn follow(&mut self, seeds: &[u32], steps: &PairLists, cancel: Cancel<'_>) -> u64 {
        self.visit(seeds);
        let (mut at, mut made) = (0, 0);
        while at < self.len {
            cancel.check();
            let until = at + BETWEEN_CHECKS;
            while at < self.len.min(until) {
                let next = steps.list(self.list[at] as usize);
                made += next.len() as u64;
                self.visit(next);
                at += 1;
            }
        }
        made
    }

    /// Appends those that are new. There is no branch on whether one is: that would be guessed wrong too often.
    #[inline(always)]
    fn visit(&mut self, values: &[u32]) {
        let mut len = self.len;
        for value in values {
            let word = &mut self.bits[*value as usize / 64];
            let is_new = *word >> (value % 64) & 1 == 0;
            *word |= 1 << (value % 64);
            self.list[len] = *value;
            len += usize::from(is_new);
        }
        self.len = len;
    }

    /// Appends what was reached to `targets`, ascending, and forgets it.
    pub fn take_sorted(&mut self, targets: &mut Vec<u32>) {
        let reached = &mut self.list[..self.len];
        if reached.len() < self.bits.len() / 16 {
            reached.sort_unstable();
            targets.extend_from_slice(reached);
            self.forget();
            return;
        }
        targets.reserve(reached.len());
        for (at, word) in self.bits.iter_mut().enumerate() {
            let mut rest = std::mem::take(word);
            while rest != 0 {
                targets.push((at * 64) as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        self.len = 0;
    }

    /// Forgets what was reached; how much it was.
    pub fn forget(&mut self) -> usize {
        let reached = std::mem::take(&mut self.len);
        if reached < self.bits.len() {
            self.list[..reached].iter().for_each(|value| self.bits[*value as usize / 64] = 0);
        } else {
            self.bits.fill(0);
        }
        reached
    }
}
