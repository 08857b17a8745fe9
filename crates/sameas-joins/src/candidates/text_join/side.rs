//! One list of a join: its texts sorted by length, similar signatures next to each other.

use crate::measure::lanes::{ROW_WORDS, Row};
use crate::records::encode::{Signature, Signatures};
use rayon::prelude::*;
use std::ops::Range;

/// The texts of a block, whose signatures are tested together first.
pub(super) const BLOCK: usize = 16;

// A block is whole rows, and their verdicts fit a word.
const _: () = assert!(BLOCK.is_multiple_of(ROW_WORDS) && BLOCK <= u64::BITS as usize);

/// Rows are filled up to a multiple of this many texts, a row of blocks.
const PADDING: usize = BLOCK * ROW_WORDS;

/// Texts of one length.
#[derive(Clone, Copy, Debug)]
pub(super) struct LengthRun {
    pub(super) length: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A text in its place: length, signature, code.
pub(super) type Sorted<const WORDS: usize> = (u32, [u64; WORDS], u32);

/// Texts by length, then by signature; empty ones are left out.
pub(super) fn sorted<const WORDS: usize>(signatures: &Signatures, codes: &[u32]) -> Vec<Sorted<WORDS>> {
    let mut sorted: Vec<Sorted<WORDS>> = codes
        .par_iter()
        .map(|&code| (code, signatures.signature(code)))
        .filter(|(_, signature)| signature.length > 0)
        .map(|(code, signature)| (signature.length, first_words(&signature), code))
        .collect();
    sorted.par_sort_unstable();
    sorted
}

/// The texts of a list by place: sorted by length, then by signature, the most telling bits first.
#[derive(Debug)]
pub(super) struct TextSide<const WORDS: usize> {
    pub(super) codes: Vec<u32>,
    pub(super) prefixes: Vec<u32>,
    pub(super) overflows: Vec<u32>,
    pub(super) runs: Vec<LengthRun>,
    /// The signatures, one word per column, eight texts per row.
    columns: [Vec<Row<u64>>; WORDS],
    /// The union of the signatures of each block, laid out in the same way.
    blocks: [Vec<Row<u64>>; WORDS],
}

impl<const WORDS: usize> TextSide<WORDS> {
    /// Some texts; empty ones are left out.
    pub(super) fn new(signatures: &Signatures, codes: &[u32]) -> Self {
        let sorted = sorted(signatures, codes);
        let of = |entry: &Sorted<WORDS>| signatures.signature(entry.2);
        let columns = std::array::from_fn(|word| column(&sorted, word));
        TextSide {
            codes: sorted.iter().map(|entry| entry.2).collect(),
            prefixes: sorted.iter().map(|entry| of(entry).prefix).collect(),
            overflows: sorted.iter().map(|entry| of(entry).overflow).collect(),
            runs: runs(&sorted),
            blocks: std::array::from_fn(|word| unions(&columns[word])),
            columns,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The signature at a place.
    #[inline(always)]
    pub(super) fn signature(&self, place: usize) -> [u64; WORDS] {
        std::array::from_fn(|word| self.columns[word][place / ROW_WORDS].0[place % ROW_WORDS])
    }

    /// The union of a block's signatures.
    #[inline(always)]
    pub(super) fn union(&self, block: usize) -> [u64; WORDS] {
        std::array::from_fn(|word| self.blocks[word][block / ROW_WORDS].0[block % ROW_WORDS])
    }

    /// The rows that hold these places, and perhaps others around them.
    #[inline(always)]
    pub(super) fn rows(&self, places: &Range<usize>) -> [&[Row<u64>]; WORDS] {
        let rows = places.start / ROW_WORDS..places.end.div_ceil(ROW_WORDS);
        std::array::from_fn(|word| &self.columns[word][rows.clone()])
    }

    /// The rows that hold these blocks, and perhaps others around them.
    #[inline(always)]
    pub(super) fn block_rows(&self, blocks: &Range<usize>) -> [&[Row<u64>]; WORDS] {
        let rows = blocks.start / ROW_WORDS..blocks.end.div_ceil(ROW_WORDS);
        std::array::from_fn(|word| &self.blocks[word][rows.clone()])
    }

    /// The runs within some places, cut to them.
    pub(super) fn runs_within(&self, places: Range<usize>) -> impl Iterator<Item = LengthRun> + '_ {
        let first = self.runs.partition_point(|run| run.end <= places.start);
        let cut = move |run: &LengthRun| LengthRun {
            start: run.start.max(places.start),
            end: run.end.min(places.end),
            length: run.length,
        };
        self.runs[first..].iter().map(cut).take_while(|run| run.start < run.end)
    }
}

fn first_words<const WORDS: usize>(signature: &Signature<4>) -> [u64; WORDS] {
    std::array::from_fn(|word| signature.bits[word])
}

fn column<const WORDS: usize>(sorted: &[Sorted<WORDS>], word: usize) -> Vec<Row<u64>> {
    let rows = sorted.len().next_multiple_of(PADDING) / ROW_WORDS;
    let at = |place: usize| sorted.get(place).map_or(0, |entry| entry.1[word]);
    (0..rows).map(|row| Row::from_fn(|lane| at(row * ROW_WORDS + lane))).collect()
}

fn unions(column: &[Row<u64>]) -> Vec<Row<u64>> {
    let union = |rows: &[Row<u64>]| rows.iter().flat_map(|row| row.lanes()).fold(0, |all, bits| all | bits);
    let blocks: Vec<u64> = column.chunks(BLOCK / ROW_WORDS).map(union).collect();
    blocks.chunks(ROW_WORDS).map(|blocks| Row::from_fn(|lane| blocks[lane])).collect()
}

/// The places of each length.
pub(super) fn runs<const WORDS: usize>(sorted: &[Sorted<WORDS>]) -> Vec<LengthRun> {
    let mut start = 0;
    let run = |texts: &[Sorted<WORDS>]| {
        let run = LengthRun { length: texts[0].0 as usize, start, end: start + texts.len() };
        start = run.end;
        run
    };
    sorted.chunk_by(|a, b| a.0 == b.0).map(run).collect()
}
