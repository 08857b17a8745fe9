//! Numbers for distinct tokens, made on all cores.
//!
//! Each piece of the values numbers its own tokens first, so that a token is hashed once and what later steps see is
//! its distinct tokens only. These are split by hash into parts, and a part is one task that goes through the pieces in
//! their order. Numbers therefore depend on the values alone.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::Occurrences;
use crate::cancel::{Cancel, or_end};
use crate::memory::Held;
use crate::numbering::{ByNumber, up_to_end};

/// Parts for large inputs: enough to keep many cores busy and each table in cache.
const PARTS: usize = 64;

/// Below this many tokens one part is quicker than many.
const SMALL: usize = 1 << 14;

/// What can be interned: equal tokens have equal hashes, and equality decides.
pub trait Token: Copy + Eq + Send + Sync {
    fn hash(&self) -> u64;
}

impl Token for u64 {
    #[inline]
    fn hash(&self) -> u64 {
        FixedState::default().hash_one(*self)
    }
}

impl Token for &str {
    #[inline]
    fn hash(&self) -> u64 {
        FixedState::default().hash_one(self.as_bytes())
    }
}

/// Tokens of consecutive values, numbered by their first appearance among them.
pub struct TokenPiece<T> {
    tokens: Vec<T>,
    hashes: Vec<u64>,
    counts: Vec<u32>,
    known: HashTable<u32>,
    found: Occurrences,
    held: Held,
}

/// Bytes that a distinct token takes beside itself: its hash, its count, its place in the table.
const BESIDE_A_TOKEN: usize = 8 + 4 + 8;

impl<T: Token> TokenPiece<T> {
    /// Without tokens; what they will take is counted.
    pub fn new(cancel: Cancel<'_>) -> Self {
        let (tokens, hashes, counts) = (Vec::new(), Vec::new(), Vec::new());
        Self { tokens, hashes, counts, known: HashTable::new(), found: Occurrences::default(), held: cancel.hold(0) }
    }

    fn bytes(&self) -> usize {
        self.tokens.capacity() * (size_of::<T>() + BESIDE_A_TOKEN) + 4 * self.found.ids.capacity()
    }

    /// There will be no more tokens.
    pub fn finished(mut self) -> Self {
        self.known = HashTable::new();
        or_end(self.held.reach(self.bytes()));
        self
    }

    /// Adds a token of the current value.
    #[inline]
    pub fn push(&mut self, token: T) {
        let hash = token.hash();
        let id = match self.known.find(hash, |id| self.tokens[*id as usize] == token) {
            Some(id) => *id,
            None => self.insert(token, hash),
        };
        self.counts[id as usize] = self.counts[id as usize].saturating_add(1);
        // What grows by doubling is counted when it has grown.
        let is_full = self.found.ids.len() == self.found.ids.capacity();
        self.found.ids.push(id);
        if is_full {
            or_end(self.held.grow(self.bytes()));
        }
    }

    fn insert(&mut self, token: T, hash: u64) -> u32 {
        let id = number(self.tokens.len());
        self.tokens.push(token);
        self.hashes.push(hash);
        self.counts.push(0);
        self.known.insert_unique(hash, id, |id| self.hashes[*id as usize]);
        id
    }

    /// Ends the current value.
    pub fn end_value(&mut self) {
        self.found.ends.push(self.found.ids.len());
    }
}

/// Bytes that merging takes for a token of a piece: its place in a part, its number there, its count and its rank.
const MERGING: usize = 4 * 4;

/// The tokens of all pieces with numbers by rising frequency.
pub fn numbered<T: Token>(pieces: Vec<TokenPiece<T>>, cancel: Cancel<'_>) -> Vec<Occurrences> {
    let distinct = pieces.iter().map(|p| p.tokens.len()).sum::<usize>();
    let parts = if distinct < SMALL { 1 } else { PARTS };
    let _held = cancel.hold(distinct * MERGING);
    let split: Vec<ByNumber<u32>> = pieces.par_iter().map(|piece| split_tokens(&piece.hashes, parts)).collect();
    let merged: Vec<Merged> = (0..parts).into_par_iter().map(|part| Merged::new(part, &pieces, &split)).collect();
    let counts: Vec<u32> = merged.iter().flat_map(|part| &part.counts).copied().collect();
    assert!(counts.len() <= u32::MAX as usize, "fewer than 2^32 distinct tokens");
    let ranks = ranked(&counts);
    let firsts: Vec<usize> =
        merged.iter().scan(0, |sum, part| Some(std::mem::replace(sum, *sum + part.counts.len()))).collect();
    let renamed = |(at, piece): (usize, TokenPiece<T>)| {
        let mut names = vec![0; piece.tokens.len()];
        for (part, merged) in merged.iter().enumerate() {
            let of_part = merged.numbers_of(at);
            let ranks = &ranks[firsts[part]..];
            split[at].list(part).iter().zip(of_part).for_each(|(id, n)| names[*id as usize] = ranks[*n as usize]);
        }
        let mut found = piece.found;
        found.ids.iter_mut().for_each(|id| *id = names[*id as usize]);
        found
    };
    pieces.into_par_iter().enumerate().map(renamed).collect()
}

/// A count of distinct tokens as the number of the next one.
///
/// # Panics
/// If there are more than numbers of 32 bits.
pub fn number(tokens: usize) -> u32 {
    u32::try_from(tokens).expect("fewer than 2^32 distinct tokens")
}

/// The tokens of a piece, ordered by part.
fn split_tokens(hashes: &[u64], parts: usize) -> ByNumber<u32> {
    // The table inside a part uses the other bits of the hash.
    ByNumber::new(hashes.iter().enumerate().map(|(id, hash)| ((hash >> 32) as usize % parts, id as u32)), parts)
}

/// The distinct tokens of a part: how often each occurs, and its number for each token of each piece.
struct Merged {
    counts: Vec<u32>,
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl Merged {
    fn new<T: Token>(part: usize, pieces: &[TokenPiece<T>], split: &[ByNumber<u32>]) -> Self {
        let mut merged = Self { counts: Vec::new(), numbers: Vec::new(), ends: Vec::new() };
        // An entry names its token by piece and place, and keeps the hash for the table's growth.
        let mut known: HashTable<(u64, u32, u32, u32)> = HashTable::new();
        for (at, (piece, split)) in pieces.iter().zip(split).enumerate() {
            for &id in split.list(part) {
                let (token, hash) = (piece.tokens[id as usize], piece.hashes[id as usize]);
                let same = |e: &(u64, u32, u32, u32)| e.0 == hash && pieces[e.1 as usize].tokens[e.2 as usize] == token;
                let number = known.find(hash, same).map_or_else(|| number(merged.counts.len()), |e| e.3);
                if number as usize == merged.counts.len() {
                    merged.counts.push(0);
                    known.insert_unique(hash, (hash, at as u32, id, number), |e| e.0);
                }
                let count = &mut merged.counts[number as usize];
                *count = count.saturating_add(piece.counts[id as usize]);
                merged.numbers.push(number);
            }
            merged.ends.push(merged.numbers.len());
        }
        merged
    }

    fn numbers_of(&self, piece: usize) -> &[u32] {
        up_to_end(&self.numbers, &self.ends, piece)
    }
}

/// The place of each count when all are ordered by size, equal ones in their given order.
pub fn ranked(counts: &[u32]) -> Vec<u32> {
    /// Most tokens are rare: those are ordered by counting, the few others by comparison.
    const FEW: usize = 1 << 12;
    let mut next = vec![0_u32; FEW + 1];
    counts.iter().for_each(|n| next[(*n as usize).min(FEW)] += 1);
    let mut sum = 0;
    for place in &mut next {
        sum += std::mem::replace(place, sum);
    }
    let mut many: Vec<(u32, u32)> =
        (0..).zip(counts).filter(|(_, n)| **n as usize >= FEW).map(|(at, n)| (*n, at)).collect();
    many.par_sort_unstable();
    let mut ranks = vec![0; counts.len()];
    (next[FEW]..).zip(&many).for_each(|(rank, (_, at))| ranks[*at as usize] = rank);
    for (rank, n) in ranks.iter_mut().zip(counts).filter(|(_, n)| (**n as usize) < FEW) {
        *rank = next[*n as usize];
        next[*n as usize] += 1;
    }
    ranks
}
