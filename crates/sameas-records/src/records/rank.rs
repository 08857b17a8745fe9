//! Ranks for `neighbours(l.k, r.k, w)`: the place of each record when all are sorted by `k`.
//!
//! Every block of records is sorted by itself. A sample of all then divides the order into pieces of about the same size,
//! and each piece is merged from what the blocks have of it: all cores have work in both steps, whatever the values are,
//! because equal values differ by their rows.

use std::cmp::Ordering;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use arrow_array::Array;
use rayon::prelude::*;

use super::frame::Frame;
use crate::cancel::Cancel;
use crate::expr::{Decimal, Num, Vector};
use crate::rules::Ranking;

/// The rank of a record without one.
const NO_RANK: u32 = u32::MAX;

/// Pieces that the order is cut into: a few for each core.
const PIECES: usize = 256;

/// Records of the sample for each border between pieces.
const SAMPLED: usize = 32;

/// Adds the rank column of each ranking to the frames: numbers and dates by value, texts by code point, ties by row,
/// the left frame before the right, nulls without a rank.
pub fn add_rankings(rankings: &[Ranking], frames: &mut [Frame], cancel: Cancel<'_>) {
    for ranking in rankings {
        add_ranks(&ranking.name, &ranks_of(ranking, frames, cancel), frames);
    }
}

/// The ranks of all records of the frames, one after the other.
pub fn ranks_of(ranking: &Ranking, frames: &[Frame], cancel: Cancel<'_>) -> Vec<u32> {
    let values: Vec<Vec<Vector>> = frames.iter().zip(&ranking.keys).map(|(f, key)| f.evaluate(key, cancel)).collect();
    ranks(&values.iter().flatten().collect::<Vec<&Vector>>(), cancel)
}

/// Adds a column of ranks to frames, given for all their records.
pub fn add_ranks(name: &str, ranks: &[u32], frames: &mut [Frame]) {
    let mut first = 0;
    for frame in frames {
        let number = |row: usize| Some(ranks[first + row]).filter(|rank| *rank != NO_RANK);
        frame.add_numbers(name, |row| number(row).map(|rank| Num::Int(i64::from(rank))));
        first += frame.rows();
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum SortValue<'a> {
    Number(SortNumber),
    Text(&'a str),
}

/// A number in no more bytes than a text needs: they are moved often.
#[derive(Clone)]
enum SortNumber {
    Int(i64),
    Float(f64),
    Wide(Box<Decimal>),
}

impl SortNumber {
    fn number(&self) -> Num {
        match self {
            Self::Int(value) => Num::Int(*value),
            Self::Float(value) => Num::Float(*value),
            Self::Wide(value) => Num::Wide(**value),
        }
    }
}

impl From<Num> for SortNumber {
    fn from(number: Num) -> Self {
        match number {
            Num::Int(value) => Self::Int(value),
            Num::Float(value) => Self::Float(value),
            Num::Wide(value) => Self::Wide(Box::new(value)),
        }
    }
}

impl Ord for SortNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for SortNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortNumber {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortNumber {}

/// A text, and its first bytes as a number of the same order: they tell most texts apart without a look at them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SortText<'a> {
    prefix: u64,
    text: &'a str,
}

impl<'a> SortText<'a> {
    fn new(text: &'a str) -> Self {
        let mut first = [0; size_of::<u64>()];
        let length = text.len().min(first.len());
        first[..length].copy_from_slice(&text.as_bytes()[..length]);
        Self { prefix: u64::from_be_bytes(first), text }
    }
}

/// The rank of each record of all blocks, one after the other.
fn ranks(blocks: &[&Vector], cancel: Cancel<'_>) -> Vec<u32> {
    if blocks.iter().all(|block| matches!(block, Vector::Text(_) | Vector::Null(_))) {
        ranks_by(blocks, cancel, |block, at| match block {
            Vector::Text(values) => (!values.is_null(at)).then(|| SortText::new(values.value(at))),
            _ => None,
        })
    } else {
        ranks_by(blocks, cancel, key)
    }
}

/// The same by a key.
fn ranks_by<'v, K: Ord + Clone + Send + Sync>(
    blocks: &[&'v Vector],
    cancel: Cancel<'_>,
    key: impl Fn(&'v Vector, usize) -> Option<K> + Sync,
) -> Vec<u32> {
    let rows: usize = blocks.iter().map(|block| block.len()).sum();
    let _held = cancel.hold(rows * (size_of::<(K, u32)>() + size_of::<u32>()));
    let firsts: Vec<usize> =
        blocks.iter().scan(0, |end, block| Some(std::mem::replace(end, *end + block.len()))).collect();
    let run = |(block, first): (&&'v Vector, &usize)| {
        let keyed = |at: usize| key(block, at).map(|key| (key, (first + at) as u32));
        let mut run: Vec<(K, u32)> = (0..block.len()).filter_map(keyed).collect();
        run.sort_unstable();
        run
    };
    let runs: Vec<Vec<(K, u32)>> = blocks.par_iter().zip(&firsts).map(run).collect();
    let ranks: Vec<AtomicU32> = (0..rows).into_par_iter().map(|_| AtomicU32::new(NO_RANK)).collect();
    merge(&runs, |rank, row| ranks[row as usize].store(rank, Relaxed));
    ranks.into_par_iter().map(AtomicU32::into_inner).collect()
}

/// Hands out the rank and the row of every entry of sorted runs, no two of which are equal.
fn merge<K: Ord + Clone + Send + Sync>(runs: &[Vec<(K, u32)>], take: impl Fn(u32, u32) + Sync) {
    let splitters = splitters(runs);
    // Where each piece begins in each run, and where it ends.
    let borders: Vec<Vec<usize>> = runs
        .par_iter()
        .map(|run| {
            let inner = splitters.iter().map(|splitter| run.partition_point(|entry| entry < *splitter));
            std::iter::once(0).chain(inner).chain([run.len()]).collect()
        })
        .collect();
    (0..=splitters.len()).into_par_iter().for_each(|piece| {
        let first: usize = borders.iter().map(|borders| borders[piece]).sum();
        let of_run = |(run, borders): (&Vec<(K, u32)>, &Vec<usize>)| run[borders[piece]..borders[piece + 1]].to_vec();
        let mut entries: Vec<(K, u32)> = runs.iter().zip(&borders).flat_map(of_run).collect();
        // Finds the runs that it is made of, and merges them.
        entries.sort();
        entries.iter().enumerate().for_each(|(at, (_, row))| take((first + at) as u32, *row));
    });
}

/// Entries that cut the order into pieces of about the same size.
fn splitters<K: Ord + Sync>(runs: &[Vec<(K, u32)>]) -> Vec<&(K, u32)> {
    let step = (runs.iter().map(Vec::len).sum::<usize>() / (PIECES * SAMPLED)).max(1);
    let mut sample: Vec<&(K, u32)> = runs.iter().flat_map(|run| run.iter().skip(step / 2).step_by(step)).collect();
    sample.par_sort_unstable();
    sample.into_iter().skip(SAMPLED).step_by(SAMPLED).collect()
}

fn key(block: &Vector, at: usize) -> Option<SortValue<'_>> {
    let int = |value: i64| SortValue::Number(SortNumber::Int(value));
    match block {
        Vector::Number(values) => values.get(at).map(|number| SortValue::Number(number.into())),
        Vector::Date(values) => values[at].map(|day| int(day.into())),
        Vector::Bool(values) => values[at].map(|b| int(b.into())),
        Vector::Text(values) => (!values.is_null(at)).then(|| SortValue::Text(values.value(at))),
        Vector::Null(_) | Vector::TextList(_) | Vector::NumberList(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use proptest::prelude::*;

    use super::*;
    use crate::expr::NumberVector;

    /// Ranks by a plain sort of all values, each as one that can be compared.
    fn naive<V: Ord>(values: &[Option<V>]) -> Vec<u32> {
        let mut order: Vec<usize> = (0..values.len()).filter(|row| values[*row].is_some()).collect();
        order.sort_by_key(|row| (&values[*row], *row));
        let mut ranks = vec![NO_RANK; values.len()];
        order.iter().enumerate().for_each(|(rank, row)| ranks[*row] = rank as u32);
        ranks
    }

    fn ranked(blocks: &[Vector]) -> Vec<u32> {
        ranks(&blocks.iter().collect::<Vec<&Vector>>(), Cancel::NEVER)
    }

    proptest! {
        #[test]
        fn texts_by_code_point(
            values in prop::collection::vec(prop::option::weighted(0.9, "[ab\u{0}é\u{10ffff}]{0,11}"), 0..300), block in 1usize..60,
        ) {
            let blocks: Vec<Vector> =
                values.chunks(block).map(|values| Vector::Text(StringArray::from_iter(values))).collect();
            prop_assert_eq!(ranked(&blocks), naive(&values));
        }

        #[test]
        fn numbers_by_value(values in prop::collection::vec(prop::option::weighted(0.9, -9i64..9), 0..300), block in 1usize..60) {
            let number = |value: &Option<i64>| value.map(|value| if value % 2 == 0 { Num::Float(value as f64) } else { Num::Int(value) });
            let blocks: Vec<Vector> =
                values.chunks(block).map(|values| Vector::Number(values.iter().map(number).collect::<NumberVector>())).collect();
            prop_assert_eq!(ranked(&blocks), naive(&values));
        }
    }

    /// More records than a sample has entries, in many pieces, most of them of one value.
    #[test]
    fn many_pieces_and_a_frequent_value() {
        let rows = 4 * PIECES * SAMPLED;
        let text = |row: usize| {
            if row.is_multiple_of(3) { format!("prefix of {}", row * 7919 % 1009) } else { "smith".to_owned() }
        };
        let values: Vec<Option<String>> = (0..rows).map(|row| (row % 11 != 0).then(|| text(row))).collect();
        let blocks: Vec<Vector> =
            values.chunks(5000).map(|values| Vector::Text(StringArray::from_iter(values))).collect();
        assert_eq!(ranked(&blocks), naive(&values));
    }
}
