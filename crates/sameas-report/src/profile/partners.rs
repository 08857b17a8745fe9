//! Columns of two inputs that hold the same things under different names, found by the values that they share, or else by the words:
//! two shops seldom write the title of a product in the same way.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use rayon::prelude::*;

use super::column_values::ColumnValues;
use super::report::{ColumnLook, SharedBy, SharedValues};

/// Hashes that a sketch keeps: a share is then known to a few per cent.
const SKETCH: usize = 4096;

/// The share of the values of one column that the other must have, and the number of them.
const LEAST_SHARE: f64 = 0.2;
const LEAST_NUMBER: usize = 10;

/// The share that both columns have of the words of either, and the number of words. A title and a description have words in common,
/// too, but the description has many others.
const LEAST_WORD_SHARE: f64 = 0.2;
const LEAST_WORDS: usize = 20;

/// The smallest hashes of the distinct values of a column, and of the words in them. What two sketches have in common tells what the
/// columns have.
pub struct ValueSketch {
    /// Its name.
    pub name: String,
    /// Its place.
    pub column: usize,
    look: ColumnLook,
    values: SmallestHashes,
    words: SmallestHashes,
}

/// The smallest of some hashes, ascending.
#[derive(Default)]
struct SmallestHashes(Vec<u64>);

/// What two sketches have.
struct Overlap {
    /// Hashes of both.
    both: usize,
    /// Hashes of the one and of the other.
    of_each: [usize; 2],
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
        let has_words = matches!(look, ColumnLook::Name | ColumnLook::Text);
        let of_value = |code: u32| hasher.hash_one(values.domain.dictionary.value(code));
        let of_words = |code: u32| {
            let words = values.text(code).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(|word| hasher.hash_one(word.to_lowercase())).collect::<Vec<u64>>()
        };
        let words = if has_words { SmallestHashes::of_values(values, of_words) } else { SmallestHashes::default() };
        let values = SmallestHashes::of_values(values, |code| [of_value(code)]);
        Some(Self { name: name.to_owned(), column, look, values, words })
    }

    /// The share of what both have, if that is enough to tell.
    fn shared(&self, other: &Self) -> Option<(SharedBy, f64)> {
        if self.look != other.look {
            return None;
        }
        let Overlap { both, of_each } = self.values.overlap(&other.values);
        let share = both as f64 / of_each[0].min(of_each[1]).max(1) as f64;
        if both >= LEAST_NUMBER && share >= LEAST_SHARE {
            return Some((SharedBy::Values, share));
        }
        let Overlap { both, of_each } = self.words.overlap(&other.words);
        let share = both as f64 / (of_each[0] + of_each[1] - both).max(1) as f64;
        (both >= LEAST_WORDS && share >= LEAST_WORD_SHARE).then_some((SharedBy::Words, share))
    }
}

impl SmallestHashes {
    /// Of what the distinct values of a column have.
    fn of_values<H: IntoIterator<Item = u64>>(values: &ColumnValues, hashes: impl Fn(u32) -> H + Sync) -> Self {
        let of_block = |codes: std::ops::Range<u32>| smallest(codes.flat_map(&hashes).collect());
        Self(values.code_blocks().map(of_block).reduce(Vec::new, |a, b| smallest([a, b].concat())))
    }

    /// Up to the end of the shorter list, both have every hash of their columns.
    fn overlap(&self, other: &Self) -> Overlap {
        let end = |Self(hashes): &Self| if hashes.len() < SKETCH { u64::MAX } else { hashes[SKETCH - 1] };
        let end = end(self).min(end(other));
        let known = |Self(hashes): &Self| hashes.partition_point(|hash| *hash <= end);
        let both = self.0[..known(self)].iter().filter(|hash| other.0.binary_search(hash).is_ok()).count();
        Overlap { both, of_each: [known(self), known(other)] }
    }
}

fn smallest(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(SKETCH);
    hashes
}

/// Short digits are house numbers and days alike.
fn has_letters_or_length(values: &ColumnValues) -> bool {
    let bytes = values.domain.dictionary.bytes() / values.distinct().max(1);
    // Beside its characters a value has a place of eight bytes.
    bytes >= 8 + 5
}

/// Columns of the left and the right input that belong together: first those that share values, and of these those that share most. No
/// column has two partners.
pub fn partners(left: &[ValueSketch], right: &[ValueSketch]) -> Vec<(SharedValues, [usize; 2])> {
    let mut found: Vec<((SharedBy, f64), usize, usize)> = left
        .par_iter()
        .enumerate()
        .flat_map_iter(|(l, a)| right.iter().enumerate().filter_map(move |(r, b)| Some((a.shared(b)?, l, r))))
        .collect();
    found.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(b.0.1.total_cmp(&a.0.1)).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut taken, mut chosen) = ([vec![false; left.len()], vec![false; right.len()]], Vec::new());
    for ((by, share), l, r) in found {
        if !taken[0][l] && !taken[1][r] {
            (taken[0][l], taken[1][r]) = (true, true);
            let (a, b) = (&left[l], &right[r]);
            let shared = SharedValues { left: a.name.clone(), right: b.name.clone(), by, share };
            chosen.push((shared, [a.column, b.column]));
        }
    }
    chosen
}
