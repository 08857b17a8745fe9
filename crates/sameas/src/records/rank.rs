//! Ranks for `neighbours(l.k, r.k, w)`: the place of each record when all are sorted by `k`.

use std::cmp::Ordering;

use arrow_array::Array;
use rayon::prelude::*;

use super::frame::Frame;
use crate::cancel::Cancel;
use crate::expr::{Decimal, Num, Vector};
use crate::rules::Ranking;

/// Adds the rank column of each ranking to the frames: numbers and dates by value, texts by code point, ties by row,
/// the left frame before the right, nulls without a rank.
pub fn add_rankings(rankings: &[Ranking], frames: &mut [Frame], cancel: Cancel<'_>) {
    for ranking in rankings {
        let values: Vec<Vec<Vector>> =
            frames.iter().zip(&ranking.keys).map(|(f, key)| f.evaluate(key, cancel)).collect();
        let rows: Vec<usize> = frames.iter().map(Frame::rows).collect();
        let mut ranks = ranks(&values, rows.iter().sum());
        for (frame, rows) in frames.iter_mut().zip(rows) {
            let rest = ranks.split_off(rows);
            frame.add_numbers(&ranking.name, &ranks);
            ranks = rest;
        }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SortValue<'a> {
    Number(SortNumber),
    Text(&'a str),
}

/// A number in no more bytes than a text needs: they are moved often.
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

/// The rank of each record of all frames, one after the other.
fn ranks(values: &[Vec<Vector>], rows: usize) -> Vec<Option<u32>> {
    let mut keyed: Vec<(SortValue<'_>, u32)> = Vec::new();
    let mut row = 0;
    for block in values.iter().flatten() {
        for at in 0..block.len() {
            keyed.extend(key(block, at).map(|key| (key, row)));
            row += 1;
        }
    }
    keyed.par_sort_unstable();
    let mut ranks = vec![None; rows];
    for (rank, (_, row)) in keyed.iter().enumerate() {
        ranks[*row as usize] = Some(rank as u32);
    }
    ranks
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
