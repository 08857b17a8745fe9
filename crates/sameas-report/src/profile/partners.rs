//! Columns of two inputs that hold the same things under different names, found by the values that they share.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use rayon::prelude::*;

use super::column_values::ColumnValues;
use super::report::{ColumnLook, SharedValues};

/// Hashes that a sketch keeps: a share is then known to a few per cent.
const SKETCH: usize = 4096;

/// The share of the values of one column that the other must have, and the number of them.
const LEAST_SHARE: f64 = 0.2;
const LEAST_NUMBER: usize = 10;

/// The smallest hashes of the distinct values of a column. What two sketches have in common tells what the columns have.
pub struct ValueSketch {
    /// Its name.
    pub name: String,
    /// Its place.
    pub column: usize,
    look: ColumnLook,
    /// Ascending.
    hashes: Vec<u64>,
}

impl ValueSketch {
    /// The sketch of a column, if its values can tell what it holds: numbers of all kinds share values by chance.
    pub fn new(name: &str, column: usize, look: ColumnLook, values: &ColumnValues) -> Option<Self> {
        let tells = [ColumnLook::Name, ColumnLook::Text, ColumnLook::Email, ColumnLook::Phone, ColumnLook::Date];
        let can_tell = tells.contains(&look) || look == ColumnLook::Code && has_letters_or_length(values);
        if !can_tell {
            return None;
        }
        let hasher = FixedState::default();
        let of_block = |codes: std::ops::Range<u32>| {
            smallest(codes.map(|code| hasher.hash_one(values.domain.dictionary.value(code))).collect())
        };
        let hashes = values.code_blocks().map(of_block).reduce(Vec::new, |a, b| smallest([a, b].concat()));
        Some(Self { name: name.to_owned(), column, look, hashes })
    }

    /// The share of the values of the smaller column that the other one has too, if that is enough to tell.
    fn shared(&self, other: &Self) -> Option<f64> {
        if self.look != other.look {
            return None;
        }
        // Up to the end of the shorter list, both have every hash of their columns.
        let end = |sketch: &Self| if sketch.hashes.len() < SKETCH { u64::MAX } else { sketch.hashes[SKETCH - 1] };
        let end = end(self).min(end(other));
        let known = |sketch: &Self| sketch.hashes.partition_point(|hash| *hash <= end);
        let [own, others] = [known(self), known(other)];
        let both = self.hashes[..own].iter().filter(|hash| other.hashes.binary_search(hash).is_ok()).count();
        let share = both as f64 / own.min(others).max(1) as f64;
        (both >= LEAST_NUMBER && share >= LEAST_SHARE).then_some(share)
    }
}

fn smallest(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.truncate(SKETCH);
    hashes
}

/// Short digits are house numbers and days alike.
fn has_letters_or_length(values: &ColumnValues) -> bool {
    let bytes = values.domain.dictionary.bytes() / values.distinct().max(1);
    // Beside its characters a value has a place of eight bytes.
    bytes >= 8 + 5
}

/// Columns of the left and the right input that belong together, those that share most first. No column has two partners.
pub fn partners(left: &[ValueSketch], right: &[ValueSketch]) -> Vec<(SharedValues, [usize; 2])> {
    let mut found: Vec<(f64, usize, usize)> = left
        .par_iter()
        .enumerate()
        .flat_map_iter(|(l, a)| right.iter().enumerate().filter_map(move |(r, b)| Some((a.shared(b)?, l, r))))
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut taken, mut chosen) = ([vec![false; left.len()], vec![false; right.len()]], Vec::new());
    for (share, l, r) in found {
        if !taken[0][l] && !taken[1][r] {
            (taken[0][l], taken[1][r]) = (true, true);
            let (a, b) = (&left[l], &right[r]);
            let shared = SharedValues { left: a.name.clone(), right: b.name.clone(), share };
            chosen.push((shared, [a.column, b.column]));
        }
    }
    chosen
}
