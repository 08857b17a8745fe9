//! A sample of rows that can be put together from the samples of parts: the rows whose numbers have the least hashes.
//!
//! The hash of a row depends on its number and on a seed, and on nothing else. So the least of the least of some parts
//! are the least of all, however the rows are divided and in whatever order the parts are put together. And a smaller
//! sample is the beginning of a larger one.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::sample::Random;

/// Rows that one task hashes.
const PIECE: u64 = 1 << 18;

/// The hash of a row's number. No two rows have the same: each step of it can be undone.
#[inline]
fn row_hash(row: u64, seed: u64) -> u64 {
    // Seeds may differ by one bit only, so they are mixed first.
    Random::after(Random::new(seed).word(), row).word()
}

/// The rows with the least hashes, of `rows` rows counted from 0, at most `most`; ascending by hash. All cores hash.
pub fn least_rows(rows: u32, most: usize, seed: u64) -> Vec<HashedRow> {
    let rows = u64::from(rows);
    let piece = |at: u64| LeastRows::select(at * PIECE..rows.min((at + 1) * PIECE), most, seed);
    let pieces = (0..rows.div_ceil(PIECE)).into_par_iter();
    pieces.map(piece).reduce(|| LeastRows::none(most), LeastRows::union).rows
}

/// Those of some rows, each of which is there once, that have the least hashes, at most `most`; ascending by hash.
pub fn least_of(rows: impl Iterator<Item = u64>, most: usize, seed: u64) -> Vec<HashedRow> {
    LeastRows::select(rows, most, seed).rows
}

/// A row and its hash; the hash decides the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HashedRow {
    /// The hash of its number.
    pub hash: u64,
    /// Its number.
    pub row: u64,
}

/// Those of some rows that have the least hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeastRows {
    /// As many as there can be.
    most: usize,
    /// Ascending.
    pub rows: Vec<HashedRow>,
}

impl LeastRows {
    /// Of no rows: what changes nothing in a union.
    fn none(most: usize) -> Self {
        Self { most, rows: Vec::new() }
    }

    /// Of some rows.
    fn select(rows: impl Iterator<Item = u64>, most: usize, seed: u64) -> Self {
        let mut least = Self::none(most);
        if most == 0 {
            return least;
        }
        // Twice as many are kept as are wanted, so that few rows cost more than their hash.
        let room = most.saturating_mul(2);
        let mut bound = u64::MAX;
        for row in rows {
            let hash = row_hash(row, seed);
            if hash <= bound {
                least.rows.push(HashedRow { hash, row });
                if least.rows.len() == room {
                    bound = least.rows.select_nth_unstable(most - 1).1.hash;
                    least.rows.truncate(most);
                }
            }
        }
        least.rows.sort_unstable();
        least.rows.truncate(most);
        least
    }

    /// These rows, which have the least hashes of some and ascend by hash.
    pub fn ascending(rows: Vec<HashedRow>, most: usize) -> Self {
        Self { most, rows }
    }

    /// Of the rows of both, each of which is there once.
    pub fn union(mut self, other: Self) -> Self {
        self.rows.extend(other.rows);
        // Both are ascending, and a stable sort merges what is.
        self.rows.sort();
        self.rows.dedup();
        self.rows.truncate(self.most);
        self
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::records::stats::SEED;

    /// The same by sorting all of them.
    fn sorted(rows: Range<u64>, most: usize, seed: u64) -> LeastRows {
        let mut all: Vec<HashedRow> = rows.map(|row| HashedRow { hash: row_hash(row, seed), row }).collect();
        all.sort_unstable();
        all.truncate(most);
        LeastRows { most, rows: all }
    }

    fn numbers(least: Vec<HashedRow>) -> Vec<u64> {
        least.into_iter().map(|row| row.row).collect()
    }

    #[test]
    fn a_sample_is_the_same_everywhere() {
        assert_eq!(row_hash(0, SEED), 0x12e2_3d13_5234_3d82);
        assert_eq!(row_hash(1 << 40, SEED), 0xa515_e9f2_5416_8122);
        assert_eq!(numbers(least_rows(1000, 5, 7)), [960, 675, 118, 409, 914]);
        assert_eq!(numbers(least_rows(600_000, 5, 7)), [250_919, 350_349, 73_728, 69_663, 77_698]);
        assert_eq!(numbers(least_rows(300_000, 3, SEED)), [153_875, 221_843, 193_768]);
        assert_eq!((least_rows(0, 3, 1), least_rows(9, 0, 1)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn threads_do_not_change_a_sample() {
        let rows = 3 * PIECE as u32 + 77;
        let expected = sorted(0..u64::from(rows), 4096, SEED).rows;
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| least_rows(rows, 4096, SEED)), expected, "{threads} threads");
        }
    }

    #[test]
    fn every_row_is_sampled_about_equally_often() {
        let mut sampled = [0_u32; 40];
        for seed in 0..8000 {
            least_rows(40, 10, seed).into_iter().for_each(|row| sampled[row.row as usize] += 1);
        }
        // 2,000 expected, standard deviation 39.
        assert!(sampled.iter().all(|times| (1800..2200).contains(times)), "{sampled:?}");
    }

    proptest! {
        #[test]
        fn a_smaller_sample_begins_a_larger_one(
            rows in 0_u32..5000,
            most in 0_usize..400,
            more in 0_usize..400,
            seed: u64,
        ) {
            let (small, large) = (least_rows(rows, most, seed), least_rows(rows, most + more, seed));
            prop_assert_eq!(large.len(), (most + more).min(rows as usize));
            prop_assert_eq!(&small[..], &large[..most.min(rows as usize)]);
            let whole = sorted(0..u64::from(rows), most, seed);
            prop_assert_eq!(&small, &whole.rows);
            prop_assert_eq!(&small, &least_of((0..u64::from(rows)).rev(), most, seed));
        }

        /// However rows are divided into ranges, and in whatever order and grouping these are put together again.
        #[test]
        fn the_least_of_parts_are_the_least_of_all(
            cuts in vec(0_u64..3000, 0..7),
            first in prop_oneof![Just(0_u64), Just(u64::from(u32::MAX) - 1500), 1_u64 << 40..1 << 41],
            most in 0_usize..300,
            seed: u64,
        ) {
            let mut ends = cuts;
            ends.extend([0, 3000]);
            ends.sort_unstable();
            let part = |ends: &[u64]| LeastRows::select(first + ends[0]..first + ends[1], most, seed);
            let parts: Vec<LeastRows> = ends.windows(2).map(part).collect();
            let whole = sorted(first..first + 3000, most, seed);
            let united = |parts: &[LeastRows]| parts.iter().cloned().fold(LeastRows::none(most), LeastRows::union);
            for middle in 0..=parts.len() {
                let (before, after) = parts.split_at(middle);
                prop_assert_eq!(&united(before).union(united(after)), &whole);
                prop_assert_eq!(&united(after).union(united(before)), &whole);
            }
            let from_the_last = parts.iter().rev().cloned().fold(LeastRows::none(most), |all, part| part.union(all));
            prop_assert_eq!(from_the_last, whole);
        }
    }
}
