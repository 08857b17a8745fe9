//! A run: sorted pairs, packed in blocks, with an index that holds the first key of each block.
//!
//! Neighbours in a run are close, so a pair is a tag byte and the few bytes that differ from its predecessor, two to
//! four in all instead of twelve. Fewer bytes are written and read back, and more runs stay in memory.
//!
//! The tag: bits 0-1 bytes of `r` less one, bits 2-4 bytes of the step in `l`, bits 5-7 the rule, or [`FAR_RULE`] when
//! the rule follows in four bytes. `r` is a step where `l` stays, and whole where `l` moves on.
//!
//! Where pairs carry scores, a block begins with those of its pairs, eight bytes each, as they are.

use std::ops::Range;
use std::sync::Arc;

use super::Pair;
use super::store::{Spilled, Store};
use crate::error::Result;
use crate::pairs::{PairScore, ResultPairs};

/// Pairs of a block. Reading a range of ranks reads up to one extra block from each run, at either end.
pub const BLOCK: usize = 512;

/// Bytes after the last block, so that a reader may load four bytes from wherever a number begins.
pub const PADDING: usize = 4;

/// Blocks that are unpacked at a time where all pairs are read.
const BLOCKS_AT_A_TIME: usize = 256;

const FAR_RULE: u32 = 7;

/// A packed pair at its longest: tag, step in `l`, `r` and rule.
const LONGEST: usize = 13;

/// Where the blocks of a run begin.
#[derive(Default)]
pub struct Index {
    keys: Vec<u64>,
    /// Byte offsets of the blocks, and of the end of the last.
    offsets: Vec<u64>,
    len: usize,
    /// Whether blocks begin with scores.
    has_scores: bool,
}

/// Sorted, packed pairs in memory or in a file.
pub struct SortedRun {
    index: Index,
    store: Store,
}

/// Packs sorted pairs to the end of `packed`, padded: with their scores, or without where there are none.
pub fn pack(pairs: &[Pair], scores: &[PairScore], packed: &mut Vec<u8>) -> Index {
    let mut index = Index { len: pairs.len(), has_scores: !scores.is_empty(), ..Index::default() };
    let mut block = [0; BLOCK * LONGEST + PADDING];
    let mut scores = scores.chunks(BLOCK);
    for chunk in pairs.chunks(BLOCK) {
        index.keys.push(chunk[0].key());
        index.offsets.push(packed.len() as u64);
        scores.next().unwrap_or_default().iter().for_each(|score| packed.extend_from_slice(&score.to_bytes()));
        let length = pack_block(chunk, &mut block);
        packed.extend_from_slice(&block[..length]);
    }
    index.offsets.push(packed.len() as u64);
    packed.extend_from_slice(&[0; PADDING]);
    index
}

fn pack_block(pairs: &[Pair], block: &mut [u8]) -> usize {
    let mut at = 0;
    let mut last = pairs[0];
    for &pair in pairs {
        let step = pair.l - last.l;
        let r = if step == 0 { pair.r - last.r } else { pair.r };
        let (step_bytes, r_bytes) = (bytes_of(step), bytes_of(r).max(1));
        let rule = pair.rule.min(FAR_RULE);
        block[at] = (r_bytes as u8 - 1) | (step_bytes as u8) << 2 | (rule as u8) << 5;
        store_number(block, at + 1, step);
        store_number(block, at + 1 + step_bytes, r);
        at += 1 + step_bytes + r_bytes;
        if rule == FAR_RULE {
            store_number(block, at, pair.rule);
            at += 4;
        }
        last = pair;
    }
    at
}

/// Unpacks the `count` pairs of the block that begins with `key`; `block` begins there and is padded.
fn unpack_block(block: &[u8], key: u64, count: usize, mut take: impl FnMut(Pair)) {
    let mut at = 0;
    let mut pair = Pair { l: (key >> 32) as u32, r: key as u32, rule: 0 };
    for _ in 0..count {
        let tag = u32::from(block[at]);
        let (step_bytes, r_bytes) = ((tag >> 2 & 7) as usize, (tag & 3) as usize + 1);
        let step = load_number(block, at + 1, step_bytes);
        let r = load_number(block, at + 1 + step_bytes, r_bytes);
        at += 1 + step_bytes + r_bytes;
        pair.rule = tag >> 5;
        if pair.rule == FAR_RULE {
            pair.rule = load_number(block, at, 4);
            at += 4;
        }
        pair.r = if step == 0 { pair.r + r } else { r };
        pair.l += step;
        take(pair);
    }
}

#[inline]
fn bytes_of(number: u32) -> usize {
    (u32::BITS - number.leading_zeros()).div_ceil(8) as usize
}

#[inline]
fn store_number(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

#[inline]
fn load_number(bytes: &[u8], at: usize, length: usize) -> u32 {
    const MASKS: [u32; 8] = [0, 0xff, 0xffff, 0xff_ffff, u32::MAX, u32::MAX, u32::MAX, u32::MAX];
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four) & MASKS[length]
}

impl SortedRun {
    /// A run whose index counts from the beginning of `store`.
    pub fn new(index: Index, store: Store) -> Self {
        Self { index, store }
    }

    /// A run held in memory.
    pub fn in_memory(index: Index, packed: Box<[u8]>) -> Self {
        Self::new(index, Store::Memory(packed))
    }

    /// Bytes that it takes in memory, its index aside.
    pub fn memory(&self) -> usize {
        match &self.store {
            Store::Memory(bytes) => bytes.len(),
            Store::File(..) => 0,
        }
    }

    /// Its packed bytes, padding included.
    pub fn packed_bytes(&self) -> u64 {
        self.index.offsets.last().map_or(0, |end| end + PADDING as u64)
    }

    /// Some of its packed bytes, through `buffer` where they have to be fetched.
    pub fn packed<'a>(&'a self, range: Range<u64>, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        self.store.read(range, buffer)
    }

    /// The index as bytes.
    pub fn index_as_bytes(&self) -> Vec<u8> {
        let Index { keys, offsets, .. } = &self.index;
        keys.iter().chain(offsets).flat_map(|number| number.to_le_bytes()).collect()
    }

    /// The number of bytes of the index of a run.
    pub fn index_bytes(pairs: usize) -> usize {
        (2 * pairs.div_ceil(BLOCK) + 1) * size_of::<u64>()
    }

    /// The run with this number of pairs, the bytes of its index, and its packed bytes, with scores or without.
    pub fn restored(pairs: usize, has_scores: bool, index: &[u8], store: Store) -> Self {
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let mut keys: Vec<u64> = index.chunks_exact(size_of::<u64>()).map(number).collect();
        let offsets = keys.split_off(pairs.div_ceil(BLOCK));
        Self { index: Index { keys, offsets, len: pairs, has_scores }, store }
    }

    /// Reads the packed bytes from a file from now on, where they are in one already.
    pub fn move_to(&mut self, file: &Arc<Spilled>, start: u64) {
        if matches!(self.store, Store::File(..)) {
            self.store = Store::File(Arc::clone(file), start + Self::index_bytes(self.len()) as u64);
        }
    }

    /// Shows every pair to `take`, in order.
    pub fn each(&self, mut take: impl FnMut(Pair)) -> Result<()> {
        self.block_ranges().try_for_each(|range| range.each(&mut take))
    }

    /// The run in ranges of many blocks, in order.
    pub fn block_ranges(&self) -> impl Iterator<Item = BlockRange<'_>> {
        let blocks = self.index.keys.len();
        (0..blocks)
            .step_by(BLOCKS_AT_A_TIME)
            .map(move |from| BlockRange { run: self, blocks: from..blocks.min(from + BLOCKS_AT_A_TIME) })
    }

    /// The pairs of a block, which lies in `data` from its beginning on.
    fn unpack(&self, block: usize, data: &[u8], take: impl FnMut(Pair)) {
        let count = self.pairs_of(block);
        let scores = if self.index.has_scores { count * PairScore::BYTES } else { 0 };
        unpack_block(&data[scores..], self.index.keys[block], count, take);
    }

    /// The same with what they carry.
    fn unpack_scored(&self, block: usize, data: &[u8], mut take: impl FnMut(Pair, Option<PairScore>)) {
        if !self.index.has_scores {
            return self.unpack(block, data, |pair| take(pair, None));
        }
        let scores = &data[..self.pairs_of(block) * PairScore::BYTES];
        let mut scores = scores.chunks_exact(PairScore::BYTES).map(PairScore::of_bytes);
        self.unpack(block, data, |pair| take(pair, scores.next()));
    }

    /// Number of pairs of a block.
    fn pairs_of(&self, block: usize) -> usize {
        (self.index.len - block * BLOCK).min(BLOCK)
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.index.len
    }

    /// Bounds on the number of pairs with a key below `key`, from the index alone.
    pub fn rank_bounds(&self, key: u64) -> (usize, usize) {
        // The first pairs of this many blocks are below the key, and so are all blocks but the last of them, whole.
        let blocks = self.index.keys.partition_point(|&first| first < key);
        match blocks.checked_sub(1) {
            None => (0, 0),
            Some(whole) => (whole * BLOCK + 1, (blocks * BLOCK).min(self.index.len)),
        }
    }

    /// Appends the pairs with `low <= key <= high` to `rows`, reading through `bytes`. Returns the exact number of
    /// pairs below `low`.
    pub fn read(&self, low: u64, high: u64, bytes: &mut Vec<u8>, rows: &mut ResultPairs) -> Result<usize> {
        let keys = &self.index.keys;
        // The block before the first that begins at or above `low` may still reach it.
        let from = keys.partition_point(|&first| first < low).saturating_sub(1);
        let to = keys.partition_point(|&first| first <= high);
        if from >= to {
            return Ok(0);
        }
        let start = self.index.offsets[from];
        let data = self.store.read(start..self.index.offsets[to] + PADDING as u64, bytes)?;
        let mut below = from * BLOCK;
        for block in from..to {
            let at = (self.index.offsets[block] - start) as usize;
            self.unpack_scored(block, &data[at..], |pair, score| {
                let key = pair.key();
                if key < low {
                    below += 1;
                } else if key <= high {
                    rows.pairs.push(pair);
                    rows.scores.extend(score);
                }
            });
        }
        Ok(below)
    }
}

/// Some neighbouring blocks of a run.
pub struct BlockRange<'r> {
    run: &'r SortedRun,
    blocks: Range<usize>,
}

impl BlockRange<'_> {
    /// Shows its pairs to `take`, in order.
    pub fn each(&self, mut take: impl FnMut(Pair)) -> Result<()> {
        self.each_block(|block, data| self.run.unpack(block, data, &mut take))
    }

    /// Its pairs with what they carry, in order, in place of what is in `rows`.
    pub fn read(&self, rows: &mut ResultPairs) -> Result<()> {
        rows.clear();
        let ResultPairs { pairs, scores } = rows;
        self.each_block(|block, data| {
            self.run.unpack_scored(block, data, |pair, score| {
                pairs.push(pair);
                scores.extend(score);
            });
        })
    }

    /// Shows the number of each block and its bytes to `take`.
    fn each_block(&self, mut take: impl FnMut(usize, &[u8])) -> Result<()> {
        let Self { run, blocks } = self;
        let offsets = &run.index.offsets;
        let (start, mut bytes) = (offsets[blocks.start], Vec::new());
        let data = run.store.read(start..offsets[blocks.end] + PADDING as u64, &mut bytes)?;
        for block in blocks.clone() {
            take(block, &data[(offsets[block] - start) as usize..]);
        }
        Ok(())
    }
}
