//! Ranks for `neighbours(l.k, r.k, w)`: the place of each record when all are sorted by `k`.

use arrow_array::Array;
use rayon::prelude::*;

use super::frame::Frame;
use crate::cancel::Cancel;
use crate::expr::{Num, Vector};
use crate::rules::Ranking;

/// Adds the rank column of each ranking to the frames: numbers and dates by value, texts by code point, ties by row,
/// the left frame before the right, nulls without a rank.
pub fn add_rankings(rankings: &[Ranking], frames: &mut [Frame], cancel: Cancel<'_>) {
    for ranking in rankings {
        let values: Vec<Vec<Vector>> = frames.iter().zip(&ranking.keys).map(|(f, key)| f.evaluate(key, cancel)).collect();
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
    Number(Num),
    Text(&'a str),
}

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
    match block {
        Vector::Number(values) => values[at].map(SortValue::Number),
        Vector::Date(values) => values[at].map(|day| SortValue::Number(Num::Int(i64::from(day)))),
        Vector::Bool(values) => values[at].map(|b| SortValue::Number(Num::Int(i64::from(b)))),
        Vector::Text(values) => (!values.is_null(at)).then(|| SortValue::Text(values.value(at))),
        Vector::Null(_) | Vector::TextList(_) | Vector::NumberList(_) => None,
    }
}
