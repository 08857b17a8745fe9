//! Which sets have a token in their prefix: lists of sets by token.
//!
//! Lists are made on all cores in two steps without shared writes: ranges of sets sort their prefix tokens into parts
//! of the token range, then each part lines its tokens up. Sets lie in every list in order of size.

use std::ops::Range;

use rayon::prelude::*;

use super::bounds::Bounds;
use super::side::SetSide;
use crate::numbering::ByNumber;

/// A set that has a token in its prefix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Posting {
    /// The set.
    pub rank: u32,
    /// Twice the class that partners are below, and one where the set is indexed under the token.
    reach: u32,
}

impl Posting {
    fn new(rank: u32, below: u32, indexed: bool) -> Self {
        Self { rank, reach: below << 1 | u32::from(indexed) }
    }

    /// Partners of the set are of classes below this one.
    #[inline]
    pub fn below(self) -> u32 {
        self.reach >> 1
    }

    /// Whether the set is indexed under the token, besides probing with it.
    #[inline]
    pub fn indexed(self) -> bool {
        self.reach & 1 == 1
    }
}

/// Bytes that building the lists takes for one entry: twice the entry, once with its token.
pub const ENTRY_BYTES: usize = 20;

/// Sets per task of the first step.
const CHUNK: usize = 1 << 13;

/// The lists of consecutive tokens.
#[derive(Debug, Default)]
pub struct PostingLists {
    starts: Vec<u32>,
    entries: Vec<Posting>,
}

impl PostingLists {
    /// One list that holds every set of a side.
    pub fn everything(side: &SetSide<'_>) -> Self {
        let entry = |rank: u32| Posting::new(rank, side.class(rank) + 1, true);
        Self { starts: vec![0, side.len() as u32], entries: (0..side.len() as u32).map(entry).collect() }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The list of the `at`-th token, in order of size.
    pub fn list(&self, at: usize) -> &[Posting] {
        &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn new(tokens: Range<u32>, chunks: &[Vec<Vec<(u32, Posting)>>], part: usize) -> Self {
        let all = chunks.iter().flat_map(|chunk| &chunk[part]);
        let by_token = all.map(|(token, entry)| ((token - tokens.start) as usize, *entry));
        let (starts, entries) = ByNumber::new(by_token, tokens.len()).into_parts();
        Self { starts, entries }
    }
}

/// The lists of a side for parts of the token range. Where `positional` is off, every compatible class is in reach.
pub fn lists(side: &SetSide<'_>, bounds: &Bounds, parts: &[Range<u32>], positional: bool) -> Vec<PostingLists> {
    let ranks: Vec<u32> = (0..side.len() as u32).collect();
    let chunk = |ranks: &[u32]| {
        let mut split: Vec<Vec<(u32, Posting)>> = vec![Vec::new(); parts.len()];
        for &rank in ranks {
            let mut part = 0;
            each_entry(side, bounds, rank, positional, |token, entry| {
                while part < parts.len() && token >= parts[part].end {
                    part += 1;
                }
                if part < parts.len() && token >= parts[part].start {
                    split[part].push((token, entry));
                }
            });
        }
        split
    };
    let chunks: Vec<Vec<Vec<(u32, Posting)>>> = ranks.par_chunks(CHUNK).map(chunk).collect();
    parts.par_iter().enumerate().map(|(part, tokens)| PostingLists::new(tokens.clone(), &chunks, part)).collect()
}

/// Visits the tokens of a set's prefix, the rarest first. Reach falls along them.
///
/// No loss (the positional filter of Xiao, Wang, Lin and Yu 2008, on the side of the larger set): if the first common
/// token stands at `place`, at most `size - place` tokens are common. A partner that needs more is out of reach, and
/// larger partners need no less.
fn each_entry(side: &SetSide<'_>, bounds: &Bounds, rank: u32, positional: bool, mut visit: impl FnMut(u32, Posting)) {
    let class = side.class(rank);
    let (needs, indexed) = (bounds.needs(class), bounds.index_prefix(class));
    let mut below = class + 1;
    let tokens = &side.set(rank)[..bounds.probe_prefix(class) as usize];
    for (place, token) in (0..).zip(tokens) {
        let left = bounds.size(class) - place;
        while positional && below > 0 && needs[below as usize - 1] > left {
            below -= 1;
        }
        visit(*token, Posting::new(rank, below, place < indexed));
    }
}

/// How many sets of a side have each token among the first `prefix` tokens of their class.
pub fn lengths(side: &SetSide<'_>, tokens: usize, prefix: impl Fn(u32) -> u32 + Sync) -> Vec<u32> {
    let ranks: Vec<u32> = (0..side.len() as u32).collect();
    // One table a thread, but no more than the sets pay for.
    let tables = rayon::current_num_threads().min(8 * side.len() / (tokens + 1) + 1);
    let count = |ranks: &[u32]| {
        let mut counts = vec![0_u32; tokens];
        for &rank in ranks {
            let prefix = prefix(side.class(rank)) as usize;
            side.set(rank)[..prefix].iter().for_each(|token| counts[*token as usize] += 1);
        }
        counts
    };
    let sum = |mut a: Vec<u32>, b: Vec<u32>| {
        a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
        a
    };
    let chunks = ranks.par_chunks(ranks.len().div_ceil(tables).max(1));
    chunks.map(count).reduce_with(sum).unwrap_or_else(|| vec![0; tokens])
}
