//! Outcomes of pairs of frequent values: names repeat, and so do pairs of them.
//!
//! The outcome of a comparison that reads one value of each record depends on these two values alone. A table has a place
//! for each pair of the most frequent ones; it is filled as pairs come, by all threads, and a place never changes again.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::program::Program;
use crate::records::encode::NULL;
use crate::threshold::Sides;

/// Values that have a place: the tables of a few comparisons then fit the cache of a core.
const FREQUENT: usize = 512;

/// The share of rows that must have a frequent value for a table to be of use: its square is the share of pairs.
const LEAST_SHARE: f64 = 0.35;

/// About how many rows of a column say which of its values are frequent. They are equally far apart.
const SAMPLED_ROWS: usize = 1 << 12;

/// Values of a domain, and outcomes of a comparison, up to which there is a table: an outcome is a byte of it.
const MOST_VALUES: usize = 1 << 24;
const MOST_OUTCOMES: usize = OPEN as usize;

/// An outcome that is not known yet, or never will be.
pub const OPEN: u8 = u8::MAX;

/// The place of all values that are not frequent: its outcomes stay open.
const ELSEWHERE: u16 = FREQUENT as u16;

/// Outcomes of a row of the table.
const ROW: usize = FREQUENT + 1;

/// The outcomes of one comparison.
#[derive(Debug)]
pub struct KnownOutcomes {
    /// What the comparison reads.
    pub operands: Sides<usize>,
    /// The place of each value, by code; the last is that of a missing one.
    places: Vec<u16>,
    /// By both places.
    outcomes: Vec<AtomicU8>,
}

impl KnownOutcomes {
    /// A table of nothing yet, for a comparison of these operands; nothing where it would be of little use.
    pub fn new(program: &Program, operands: Sides<usize>, outcomes: usize) -> Option<Self> {
        let (columns, values) = (&program.encoded.columns, program.encoded.domain(operands.left).dictionary.len());
        // The sets of two domains can be compared, too.
        let is_one_domain = columns[operands.left].domain == columns[operands.right].domain;
        if !is_one_domain || values > MOST_VALUES || outcomes > MOST_OUTCOMES {
            return None;
        }
        let frequent = frequent_values([operands.left, operands.right].map(|operand| &columns[operand].codes[..]))?;
        let mut places = vec![ELSEWHERE; values + 1];
        frequent.iter().enumerate().for_each(|(place, code)| places[*code as usize] = place as u16);
        let outcomes = (0..ROW * ROW).map(|_| AtomicU8::new(OPEN)).collect();
        Some(Self { operands, places, outcomes })
    }

    /// The outcome of two values, or that it is open. Without branches: whether it is known is hard to predict.
    #[inline]
    pub fn get(&self, a: u32, b: u32) -> u8 {
        self.outcomes[self.place(a) * ROW + self.place(b)].load(Relaxed)
    }

    /// Keeps the outcome of two values, if they are frequent.
    #[inline]
    pub fn put(&self, a: u32, b: u32, outcome: u32) {
        let (a, b) = (self.place(a), self.place(b));
        // A comparison with more outcomes has no table.
        let outcome = u8::try_from(outcome).unwrap_or(OPEN);
        if a != usize::from(ELSEWHERE) && b != usize::from(ELSEWHERE) {
            self.outcomes[a * ROW + b].store(outcome, Relaxed);
        }
    }

    #[inline]
    fn place(&self, code: u32) -> usize {
        usize::from(self.places[(code as usize).min(self.places.len() - 1)])
    }
}

/// The most frequent values of two columns, if they have enough of the rows. Which they are decides what is measured twice, and
/// nothing else: a sample says it well enough, and is counted while other threads wait for the table.
fn frequent_values(columns: [&[u32]; 2]) -> Option<Vec<u32>> {
    let step = |rows: usize| rows.div_ceil(SAMPLED_ROWS).max(1);
    let sampled = columns.into_iter().flat_map(|codes| codes.iter().step_by(step(codes.len())).copied());
    let mut codes: Vec<u32> = sampled.filter(|code| *code != NULL).collect();
    codes.sort_unstable();
    let mut by_rows: Vec<(usize, u32)> = codes.chunk_by(|a, b| a == b).map(|rows| (rows.len(), rows[0])).collect();
    by_rows.sort_unstable_by(|a, b| b.cmp(a));
    by_rows.truncate(FREQUENT);
    let frequent: usize = by_rows.iter().map(|(rows, _)| rows).sum();
    (frequent as f64 > LEAST_SHARE * codes.len() as f64).then(|| by_rows.into_iter().map(|(_, code)| code).collect())
}
