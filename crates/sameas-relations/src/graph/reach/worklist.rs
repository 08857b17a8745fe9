//! Numbers that wait to be taken, the highest first.

/// A set of numbers below a bound, with a bit for each, and a bit for each word of these that has one.
#[derive(Debug)]
pub(super) struct Worklist {
    words: Vec<u64>,
    occupied: Vec<u64>,
    /// No word after this one has a bit.
    last: usize,
}

impl Worklist {
    /// The empty set of numbers below `end`.
    pub(super) fn new(end: u32) -> Self {
        let words = (end as usize).div_ceil(64).max(1);
        Self { words: vec![0; words], occupied: vec![0; words.div_ceil(64)], last: 0 }
    }

    /// Bytes of a set of numbers below `end`.
    pub(super) fn bytes(end: u32) -> usize {
        end as usize / 8 + end as usize / 512
    }

    /// Adds a number; false where it was there.
    #[inline]
    pub(super) fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.occupied[word / 64] |= 1 << (word % 64);
        self.last = self.last.max(word);
        is_new
    }

    /// Takes the highest number.
    #[inline]
    pub(super) fn take_highest(&mut self) -> Option<u32> {
        if self.words[self.last] == 0 {
            self.last = self.occupied_before(self.last)?;
        }
        let word = &mut self.words[self.last];
        let bit = 63 - word.leading_zeros();
        *word &= !(1 << bit);
        Some(self.last as u32 * 64 + bit)
    }

    /// The last word with a bit before this one, which is empty.
    fn occupied_before(&mut self, word: usize) -> Option<usize> {
        let mut group = word / 64;
        self.occupied[group] &= !(1 << (word % 64));
        loop {
            // Words after this one are empty, too: what is left in the group lies before it.
            let bits = self.occupied[group];
            if bits != 0 {
                return Some(group * 64 + 63 - bits.leading_zeros() as usize);
            }
            if group == 0 {
                self.last = 0;
                return None;
            }
            group -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::Draw;

    #[test]
    fn numbers_come_from_the_highest_to_the_lowest() {
        let (mut list, mut draw) = (Worklist::new(100_000), Draw::new(1));
        assert_eq!(list.take_highest(), None);
        for round in 1..20 {
            let mut expected = std::collections::BTreeSet::new();
            for _ in 0..round * 10 {
                let share = 1 + draw.below(1000);
                let number = draw.below(100_000 / share);
                assert_eq!(list.insert(number), expected.insert(number));
            }
            while let Some(number) = list.take_highest() {
                assert_eq!(expected.pop_last(), Some(number));
                if number > 0 && draw.below(3) == 0 {
                    let lower = draw.below(number);
                    assert_eq!(list.insert(lower), expected.insert(lower));
                }
            }
            assert!(expected.is_empty());
        }
    }
}
