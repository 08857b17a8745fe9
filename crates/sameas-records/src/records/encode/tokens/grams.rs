//! Substrings of one length as integers.
//!
//! A substring of `q` characters of an alphabet of `A` is a number below `A^q`. Where that is small, a table counts
//! every possible one; where it fits 64 bits, numbers are interned. A longer substring is identified by two shorter
//! ones that cover it, its first and its last `ceil(q / 2)` characters: equal pairs of ids mean equal texts and vice
//! versa, so ids are exact at every length without keeping or comparing a text.

use rayon::prelude::*;

use super::intern::{self, TokenPiece, ranked};
use super::{Occurrences, ValueRange};
use crate::cancel::Cancel;
use crate::records::encode::alphabet::Alphabet;

/// A table of this many counters stays in the second-level cache for the most part.
const TABLE: u64 = 1 << 22;

/// A table with more counters than this for each byte of text costs more to clear than interning does.
const TABLE_PER_BYTE: usize = 4;

/// The substrings of `q` characters of all values, numbered by rising frequency.
pub fn numbered(spans: &[ValueRange<'_>], q: usize, cancel: Cancel<'_>) -> Vec<Occurrences> {
    let alphabet = Alphabet::from_pieces(spans.par_iter().map(ValueRange::values));
    let bytes: usize = spans.iter().map(ValueRange::bytes).sum();
    let table = Packed::new(&alphabet, q).filter(|p| p.kinds <= TABLE.min((TABLE_PER_BYTE * bytes) as u64));
    match table {
        Some(packed) => counted(spans, &packed, cancel),
        None => interned(spans, &alphabet, q, cancel),
    }
}

/// Substrings as numbers of 64 bits.
struct Packed<'a> {
    alphabet: &'a Alphabet,
    q: usize,
    /// The number of possible substrings.
    kinds: u64,
}

impl<'a> Packed<'a> {
    /// `None` where 64 bits do not suffice.
    fn new(alphabet: &'a Alphabet, q: usize) -> Option<Self> {
        let kinds = alphabet.size.max(1).checked_pow(u32::try_from(q).ok()?)?;
        Some(Self { alphabet, q, kinds })
    }

    /// Visits the substrings of a value. The number of a window is that of the window before, one place up, with a new
    /// lowest digit and without its highest; the highest is cut off modulo 2^64, where the difference is exact.
    fn each(&self, value: &[u8], codes: &mut Vec<u32>, mut visit: impl FnMut(u64)) {
        codes.clear();
        self.alphabet.recode(value, codes, |code| code);
        if codes.len() < self.q {
            return;
        }
        let (first, rest) = codes.split_at(self.q);
        let step = |key: u64, code: u32| key.wrapping_mul(self.alphabet.size).wrapping_add(u64::from(code));
        let mut key = first.iter().fold(0, |key, code| step(key, *code));
        visit(key);
        for (new, old) in rest.iter().zip(codes.iter()) {
            key = step(key, *new).wrapping_sub(u64::from(*old).wrapping_mul(self.kinds));
            visit(key);
        }
    }
}

/// Counts every possible substring in a table, which then holds the ids.
fn counted(spans: &[ValueRange<'_>], packed: &Packed<'_>, cancel: Cancel<'_>) -> Vec<Occurrences> {
    // One table per thread, but no more than the text pays for.
    let bytes: usize = spans.iter().map(ValueRange::bytes).sum();
    let tables = rayon::current_num_threads().min(bytes / packed.kinds as usize + 1);
    // At most a number for each byte of the text.
    let _held = cancel.hold(size_of::<u32>() * (bytes + (tables + 1) * packed.kinds as usize));
    let groups: Vec<_> =
        spans.par_chunks(spans.len().div_ceil(tables).max(1)).map(|s| keys(s, packed, cancel)).collect();
    let (made, tables): (Vec<Vec<Occurrences>>, Vec<Vec<u32>>) = groups.into_iter().unzip();
    let mut counts = summed(tables);
    let mut made: Vec<Occurrences> = made.into_iter().flatten().collect();
    let used: Vec<u32> = (0..).zip(&counts).filter(|(_, n)| **n > 0).map(|(key, _)| key).collect();
    let of_used: Vec<u32> = used.iter().map(|key| counts[*key as usize]).collect();
    used.iter().zip(ranked(&of_used)).for_each(|(key, id)| counts[*key as usize] = id);
    made.par_iter_mut().for_each(|o| o.ids.iter_mut().for_each(|id| *id = counts[*id as usize]));
    made
}

/// The sums of tables of counters, place by place.
fn summed(tables: Vec<Vec<u32>>) -> Vec<u32> {
    const TOGETHER: usize = 1 << 14;
    let mut tables = tables.into_iter();
    let (mut sums, others) = (tables.next().unwrap_or_default(), tables.collect::<Vec<_>>());
    sums.par_chunks_mut(TOGETHER).enumerate().for_each(|(at, sums)| {
        for table in &others {
            let counts = &table[at * TOGETHER..][..sums.len()];
            sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum = sum.saturating_add(*n));
        }
    });
    sums
}

fn keys(spans: &[ValueRange<'_>], packed: &Packed<'_>, cancel: Cancel<'_>) -> (Vec<Occurrences>, Vec<u32>) {
    let mut counts = vec![0_u32; packed.kinds as usize];
    let mut codes = Vec::new();
    let mut of_span = |span: &ValueRange<'_>| {
        cancel.check();
        let mut made = Occurrences::default();
        for value in span.values() {
            packed.each(value, &mut codes, |key| {
                counts[key as usize] = counts[key as usize].saturating_add(1);
                made.ids.push(key as u32);
            });
            made.ends.push(made.ids.len());
        }
        made
    };
    let made = spans.iter().map(&mut of_span).collect();
    (made, counts)
}

fn interned(spans: &[ValueRange<'_>], alphabet: &Alphabet, q: usize, cancel: Cancel<'_>) -> Vec<Occurrences> {
    let Some(packed) = Packed::new(alphabet, q) else {
        let half = q.div_ceil(2);
        let halves = interned(spans, alphabet, half, cancel);
        let _held = cancel.hold(halves.iter().map(Occurrences::bytes).sum());
        return intern::numbered(halves.par_iter().map(|h| doubled(h, q - half, cancel)).collect(), cancel);
    };
    let piece = |span: &ValueRange<'_>| {
        cancel.check();
        let (mut piece, mut codes) = (TokenPiece::new(cancel), Vec::new());
        for value in span.values() {
            packed.each(value, &mut codes, |key| piece.push(key));
            piece.end_value();
        }
        piece.finished()
    };
    intern::numbered(spans.par_iter().map(piece).collect(), cancel)
}

/// The substrings that begin with one substring and end with the one `apart` characters after it.
fn doubled(halves: &Occurrences, apart: usize, cancel: Cancel<'_>) -> TokenPiece<u64> {
    let (mut piece, mut start) = (TokenPiece::new(cancel), 0);
    for &end in &halves.ends {
        let ids = &halves.ids[start..end];
        let last = ids.get(apart..).unwrap_or_default();
        ids.iter().zip(last).for_each(|(a, b)| piece.push(u64::from(*a) << 32 | u64::from(*b)));
        piece.end_value();
        start = end;
    }
    piece.finished()
}
