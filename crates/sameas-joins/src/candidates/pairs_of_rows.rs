//! All pairs of some rows, or a seeded sample of them.
//!
//! A core waits for the values of random rows longer than it compares them. So the pairs of a sample are sorted: those whose right
//! rows lie in one block follow each other, by their left rows, and what is read of either lies together. Codes are numbered as
//! values first occur, so that goes for texts of rare values too.

use std::ops::Range;

use rayon::prelude::*;

use super::shape::Shape;
use crate::records::InputRows;
use crate::records::stats::{Random, SEED};

/// Pairs that are drawn with one seed.
const PAIRS_OF_A_SEED: usize = 1 << 16;

/// Rows of a block: those of a dozen columns fit the second-level cache.
const ROWS_OF_A_BLOCK: u32 = 1 << 14;

/// Rows of both sides of a pair.
pub type RowPair = (u32, u32);

/// The pairs that there are of some rows.
pub struct PairsOfRows<'a> {
    /// How many there are on either side.
    pub rows: [u32; 2],
    /// Which of their pairs are meant.
    pub shape: Shape,
    /// Inputs of which the two rows of a pair must be different ones.
    pub across: Option<&'a InputRows>,
}

impl PairsOfRows<'_> {
    /// Every pair.
    pub fn all(&self) -> Vec<RowPair> {
        (0..self.rows[0]).flat_map(|l| self.partners(l).map(move |r| (l, r))).collect()
    }

    /// The rows that a row has pairs with, in which it is the left one.
    fn partners(&self, l: u32) -> Range<u32> {
        match (self.shape, self.across) {
            (Shape::Rectangle, _) => 0..self.rows[1],
            (Shape::Triangle, None) => l + 1..self.rows[0],
            (Shape::Triangle, Some(inputs)) => inputs.around(l).end..self.rows[0],
        }
    }

    /// A sample of this many pairs, those near each other whose rows are. It depends on nothing else.
    pub fn drawn(&self, count: usize) -> Vec<RowPair> {
        let mut pairs: Vec<RowPair> = vec![(0, 0); count];
        pairs.par_chunks_mut(PAIRS_OF_A_SEED).enumerate().for_each(|(seed, pairs)| {
            let mut random = Random::new(SEED ^ ((seed as u64) << 32));
            pairs.fill_with(|| self.random_pair(&mut random));
        });
        pairs.par_sort_unstable_by_key(|(l, r)| (u64::from(r / ROWS_OF_A_BLOCK) << 32) | u64::from(*l));
        pairs
    }

    /// A pair, each as likely as any other.
    fn random_pair(&self, random: &mut Random) -> RowPair {
        loop {
            let (l, r) = (random.below(self.rows[0]), random.below(self.rows[1]));
            match (self.shape, self.across) {
                (Shape::Rectangle, _) => return (l, r),
                (Shape::Triangle, Some(inputs)) if !inputs.are_apart(l, r) => {}
                (Shape::Triangle, _) if l == r => {}
                (Shape::Triangle, _) => return (l.min(r), l.max(r)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_what_its_seeds_draw_in_another_order() {
        let rows = 5 * ROWS_OF_A_BLOCK;
        let pairs = PairsOfRows { rows: [rows; 2], shape: Shape::Triangle, across: None };
        let mut by_seed: Vec<RowPair> = Vec::new();
        for seed in 0..2_u64 {
            let mut random = Random::new(SEED ^ (seed << 32));
            by_seed.extend((0..PAIRS_OF_A_SEED).map(|_| pairs.random_pair(&mut random)));
        }
        let mut drawn = pairs.drawn(2 * PAIRS_OF_A_SEED);
        assert!(drawn.is_sorted_by_key(|(l, r)| (r / ROWS_OF_A_BLOCK, *l)));
        by_seed.sort_unstable();
        drawn.sort_unstable();
        assert_eq!(drawn, by_seed);
        let other = PairsOfRows { rows: [100, rows], shape: Shape::Rectangle, across: None };
        assert!(other.drawn(PAIRS_OF_A_SEED).iter().all(|(l, r)| *l < 100 && *r < rows));
    }
}
