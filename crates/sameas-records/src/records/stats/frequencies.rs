//! The number of rows of an operand with each value: exact, in one pass over its codes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::records::encode::NULL;

/// Rows per task where one operand is counted by several.
const PIECE: usize = 1 << 18;

/// An operand is counted in pieces only if its counts are this much shorter than a piece: each task has counts of its
/// own, and adding them up must cost little compared with counting.
const SHORTER: usize = 8;

/// Counts that are read together in the search for the heaviest.
const BLOCK: usize = 64;

/// Rows by value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frequencies {
    /// Rows by code of the domain; zero for values that only other operands of the domain have.
    pub counts: Vec<u32>,
    /// Rows that are null.
    pub nulls: u32,
}

impl Frequencies {
    /// Counts the codes of an operand whose domain has that many values.
    pub fn count(codes: &[u32], values: usize) -> Self {
        let in_pieces = codes.len() > PIECE && values <= PIECE / SHORTER;
        let mut counts = if in_pieces { counted_in_pieces(codes, values) } else { counted(codes, values) };
        let nulls = counts.pop().unwrap_or_default();
        Self { counts, nulls }
    }

    /// Number of values that occur.
    pub fn distinct(&self) -> u64 {
        self.counts.iter().map(|rows| u64::from(*rows > 0)).sum()
    }

    /// The `n` values with the most rows, as code and rows: most rows first, then by code. Values without rows are
    /// left out.
    pub fn heaviest(&self, n: usize) -> Vec<(u32, u32)> {
        let mut chosen = Heaviest { n, chosen: BinaryHeap::new() };
        for (block, counts) in self.counts.chunks(BLOCK).enumerate() {
            // Few blocks hold a value that is chosen, and a maximum takes many counts at a time.
            if counts.iter().copied().max() > Some(chosen.least()) {
                counts.iter().enumerate().for_each(|(at, rows)| chosen.offer((block * BLOCK + at) as u32, *rows));
            }
        }
        chosen.chosen.into_sorted_vec().into_iter().map(|Reverse((rows, Reverse(code)))| (code, rows)).collect()
    }
}

/// How many records have each value of an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRows {
    /// By code of the domain.
    pub by_code: Vec<u32>,
    /// Records with any value.
    pub present: u64,
}

impl ValueRows {
    /// Counts the codes of an operand whose domain has that many values.
    pub fn count(codes: &[u32], values: usize) -> Self {
        let Frequencies { counts, nulls } = Frequencies::count(codes, values);
        Self { by_code: counts, present: codes.len() as u64 - u64::from(nulls) }
    }
}

/// The heaviest of the values offered so far, which come in ascending order of their codes.
struct Heaviest {
    n: usize,
    /// The least of them on top; of equal ones that with the largest code.
    chosen: BinaryHeap<Reverse<(u32, Reverse<u32>)>>,
}

impl Heaviest {
    /// A value is chosen if it has more rows than this: one with as many as the least chosen has the larger code.
    fn least(&self) -> u32 {
        let top = self.chosen.peek().map_or(u32::MAX, |top| top.0.0);
        if self.chosen.len() < self.n { 0 } else { top }
    }

    fn offer(&mut self, code: u32, rows: u32) {
        if rows > self.least() {
            if self.chosen.len() == self.n {
                self.chosen.pop();
            }
            self.chosen.push(Reverse((rows, Reverse(code))));
        }
    }
}

/// Rows by code, and after the last value those that are null.
fn counted(codes: &[u32], values: usize) -> Vec<u32> {
    let mut counts = vec![0; values + 1];
    // No branch for null, which would be mispredicted wherever nulls are neither rare nor usual.
    let places = u32::try_from(values).unwrap_or(NULL);
    codes.iter().for_each(|code| counts[(*code).min(places) as usize] += 1);
    counts
}

fn counted_in_pieces(codes: &[u32], values: usize) -> Vec<u32> {
    let sum = |mut a: Vec<u32>, b: Vec<u32>| {
        a.iter_mut().zip(&b).for_each(|(a, b)| *a += b);
        a
    };
    codes.par_chunks(PIECE).map(|piece| counted(piece, values)).reduce_with(sum).unwrap_or_default()
}
