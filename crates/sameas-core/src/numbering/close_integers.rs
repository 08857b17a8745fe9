//! Integers that lie close together: a bit for each that could occur, and the number of one is how many that do are
//! below it. Nothing is hashed, sorted or searched.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// Words that a thread makes at least.
const AT_LEAST: usize = 1 << 14;

/// Some integers, in their order.
#[derive(Debug)]
pub struct CloseIntegers {
    /// The least that could occur.
    first: usize,
    words: Vec<u64>,
    /// How many occur before each word.
    before: Vec<u32>,
}

/// A bit for each integer that could occur, while threads set them.
#[derive(Debug)]
pub struct IntegerBits {
    first: usize,
    words: Vec<AtomicU64>,
}

impl IntegerBits {
    /// Notes that an integer occurs.
    #[inline]
    pub fn set(&self, integer: usize) {
        let place = integer - self.first;
        let (word, bit) = (&self.words[place / 64], 1 << (place % 64));
        // Most integers occur several times, and a load is quicker than a change.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }
}

impl CloseIntegers {
    /// Bytes that some of `possible` integers take.
    pub fn bytes_for(possible: usize) -> usize {
        possible.div_ceil(64) * (size_of::<u64>() + size_of::<u32>())
    }

    /// These integers, in any order and with repetitions.
    pub fn new(integers: impl Iterator<Item = usize> + Clone) -> Self {
        let (first, last) = integers.clone().fold((usize::MAX, 0), |(a, b), integer| (a.min(integer), b.max(integer)));
        let mut words = vec![0_u64; last.checked_sub(first).map_or(0, |range| range / 64 + 1)];
        for place in integers.map(|integer| integer - first) {
            words[place / 64] |= 1 << (place % 64);
        }
        Self::counted(first, words)
    }

    /// Some of `possible` integers, from the first on: those whose bits `set_all` sets, on as many threads as it likes.
    pub fn set_by(first: usize, possible: usize, set_all: impl FnOnce(&IntegerBits)) -> Self {
        let words = (0..possible.div_ceil(64)).into_par_iter().with_min_len(AT_LEAST).map(|_| AtomicU64::new(0));
        let bits = IntegerBits { first, words: words.collect() };
        set_all(&bits);
        Self::counted(first, bits.words.into_iter().map(AtomicU64::into_inner).collect())
    }

    fn counted(first: usize, words: Vec<u64>) -> Self {
        // Who may have more than 2^32 of them lists and refuses them.
        let add = |sum: &mut u32, word: &u64| {
            let before = *sum;
            *sum = sum.wrapping_add(word.count_ones());
            Some(before)
        };
        Self { first, before: words.iter().scan(0, add).collect(), words }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        let last = self.before.last().zip(self.words.last());
        last.map_or(0, |(before, word)| (before + word.count_ones()) as usize)
    }

    /// The number of an integer that occurs.
    #[inline]
    pub fn number(&self, integer: usize) -> u32 {
        let place = integer - self.first;
        self.before[place / 64] + (self.words[place / 64] & ((1 << (place % 64)) - 1)).count_ones()
    }

    /// All of them, ascending.
    pub fn ascending(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(move |(at, word)| integers_of(self.first + 64 * at, *word))
    }

    /// The same on all threads.
    pub fn par_ascending(&self) -> impl ParallelIterator<Item = usize> {
        self.words.par_iter().enumerate().flat_map_iter(move |(at, word)| integers_of(self.first + 64 * at, *word))
    }
}

/// The integers of a word.
fn integers_of(first: usize, mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(first + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_integer_is_how_many_are_below_it() {
        let many: Vec<usize> = (0..200_000).map(|at| 1000 + at * 7919 % 3_000_017).collect();
        for integers in [vec![], vec![70], vec![64, 0, 63, 127, 0], vec![usize::MAX, usize::MAX - 64], many] {
            let mut sorted = integers.clone();
            sorted.sort_unstable();
            sorted.dedup();
            let first = sorted.first().copied().unwrap_or(7);
            let possible = sorted.last().map_or(0, |last| last - first + 1);
            let set_all = |bits: &IntegerBits| integers.par_iter().for_each(|integer| bits.set(*integer));
            let by_threads = CloseIntegers::set_by(first, possible, set_all);
            for close in [CloseIntegers::new(integers.iter().copied()), by_threads] {
                assert_eq!(close.count(), sorted.len());
                assert_eq!(close.ascending().collect::<Vec<_>>(), sorted);
                assert_eq!(close.par_ascending().collect::<Vec<_>>(), sorted);
                assert!(sorted.iter().zip(0..).all(|(integer, number)| close.number(*integer) == number));
            }
        }
        assert_eq!([0, 1, 64, 65].map(CloseIntegers::bytes_for), [0, 12, 12, 24]);
    }
}
