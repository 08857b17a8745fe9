//! Columns of texts, numbered in the order of their bytes.
//!
//! Values are divided by their hashes, so that threads look for equal ones without meeting each other; the distinct ones
//! are sorted.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::{AT_A_TIME, Numbered, check_count};
use crate::cancel::Cancel;
use crate::error::Result;

/// Parts that values are divided into.
const PARTS: usize = 64;

/// A value, its hash, and its place among all values.
type HashedText<'a> = (u64, &'a [u8], usize);

/// Numbers texts by their bytes.
pub fn number_texts<'a>(columns: &[&[&'a [u8]]], cancel: Cancel<'_>) -> Result<Numbered<&'a [u8]>> {
    let values: usize = columns.iter().map(|column| column.len()).sum();
    let _held = cancel.hold(64 * values);
    let parts = divided(columns, cancel);
    let of_parts: Vec<PartTexts<'a>> = (0..PARTS).into_par_iter().map(|part| distinct(&parts, part, cancel)).collect();
    drop(parts);
    // The number of a text in its part, after all of the parts before it, becomes its rank.
    let texts: usize = of_parts.iter().map(|part| part.texts.len()).sum();
    check_count(texts)?;
    let mut order: Vec<(&[u8], u32)> = of_parts.iter().flat_map(|part| &part.texts).copied().zip(0..).collect();
    order.par_sort_unstable();
    cancel.check();
    let mut ranks = vec![0; texts];
    order.iter().zip(0..).for_each(|((_, number), rank)| ranks[*number as usize] = rank);
    let mut all = vec![0; values];
    let mut before = 0;
    for part in &of_parts {
        part.numbers.iter().for_each(|(place, number)| all[*place] = ranks[before + *number as usize]);
        before += part.texts.len();
    }
    let mut rest = &all[..];
    let take = |column: &&[&[u8]]| {
        let (own, after) = rest.split_at(column.len());
        rest = after;
        own.to_vec()
    };
    Ok(Numbered { ids: order.into_iter().map(|(text, _)| text).collect(), columns: columns.iter().map(take).collect() })
}

/// Some values of one part after the other, for each piece of the columns.
fn divided<'a>(columns: &[&[&'a [u8]]], cancel: Cancel<'_>) -> Vec<Vec<Vec<HashedText<'a>>>> {
    let mut pieces = Vec::new();
    let mut first = 0;
    for column in columns {
        for piece in column.chunks(AT_A_TIME) {
            pieces.push((first, piece));
            first += piece.len();
        }
    }
    let hashing = FixedState::default();
    let divide = |(first, piece): (usize, &[&'a [u8]])| {
        cancel.check();
        let mut parts: Vec<Vec<HashedText<'a>>> =
            (0..PARTS).map(|_| Vec::with_capacity(2 * piece.len() / PARTS)).collect();
        for (text, place) in piece.iter().zip(first..) {
            let hash = hashing.hash_one(text);
            parts[(hash >> 32) as usize % PARTS].push((hash, text, place));
        }
        parts
    };
    pieces.into_par_iter().map(divide).collect()
}

/// The distinct texts of a part, and the number of each value among them.
struct PartTexts<'a> {
    texts: Vec<&'a [u8]>,
    numbers: Vec<(usize, u32)>,
}

fn distinct<'a>(pieces: &[Vec<Vec<HashedText<'a>>>], part: usize, cancel: Cancel<'_>) -> PartTexts<'a> {
    let (mut found, mut table) = (PartTexts { texts: Vec::new(), numbers: Vec::new() }, HashTable::<(u64, u32)>::new());
    for piece in pieces {
        cancel.check();
        for (hash, text, place) in &piece[part] {
            let texts = &found.texts;
            let is_same = |(other, number): &(u64, u32)| other == hash && texts[*number as usize] == *text;
            let number = match table.find(*hash, is_same) {
                Some((_, number)) => *number,
                None => {
                    let number = found.texts.len() as u32;
                    table.insert_unique(*hash, (*hash, number), |(hash, _)| *hash);
                    found.texts.push(text);
                    number
                }
            };
            found.numbers.push((*place, number));
        }
    }
    found
}
