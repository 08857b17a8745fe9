//! Pairs as they were read, in as few bytes as they need: two records of four bytes each, and what is known of them beside these.
//!
//! They lie in chunks, so that a list grows without a copy of it, and shrinks while edges are made of it.

use std::ops::Range;

use rayon::prelude::*;

use super::batch_rows::NO_SCORE;
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Pairs of a chunk; the last one may have fewer.
const CHUNK_PAIRS: usize = 1 << 20;

/// Some pairs, column by column.
#[derive(Default)]
pub(super) struct PairColumnValues {
    /// The records on both sides.
    pub records: [Vec<u32>; 2],
    /// The scores, or [`NO_SCORE`]; nothing where there is no such column.
    pub scores: Option<Vec<f64>>,
    /// The numbers of the rules; nothing where there is no such column.
    pub rules: Option<Vec<u32>>,
    /// Whether pairs are certain; nothing where there is no such column.
    pub certain: Option<Vec<bool>>,
}

/// Pairs in the order in which they were read.
#[derive(Default)]
pub(super) struct PairChunks {
    chunks: Vec<PairChunk>,
}

/// Some of the pairs. Columns that are not there are empty.
#[derive(Default)]
pub(super) struct PairChunk {
    records: Vec<[u32; 2]>,
    scores: Vec<f64>,
    rules: RuleColumn,
    /// A bit for each pair, 64 in a word.
    certain: Vec<u64>,
    held: Held,
}

/// Numbers of rules, of which there are mostly few.
enum RuleColumn {
    Few(Vec<u8>),
    Many(Vec<u32>),
}

impl PairChunks {
    /// Adds pairs, if they fit the memory.
    pub fn extend(&mut self, pairs: &PairColumnValues, kept: &MemoryBudget) -> Result<()> {
        let (mut from, count) = (0, pairs.records[0].len());
        while from < count {
            let chunk = self.open_chunk(kept)?;
            let to = count.min(from + CHUNK_PAIRS - chunk.len());
            chunk.extend(pairs, from..to)?;
            from = to;
        }
        Ok(())
    }

    /// A chunk that is not full.
    fn open_chunk(&mut self, kept: &MemoryBudget) -> Result<&mut PairChunk> {
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK_PAIRS) {
            self.chunks.push(PairChunk { held: kept.hold(0)?, ..PairChunk::default() });
        }
        let last = self.chunks.len() - 1;
        Ok(&mut self.chunks[last])
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK_PAIRS + last.len())
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(PairChunk::bytes).sum()
    }

    /// The chunk that a pair is in, and its place there.
    pub fn place(&self, at: usize) -> (&PairChunk, usize) {
        (&self.chunks[at / CHUNK_PAIRS], at % CHUNK_PAIRS)
    }

    /// The records of a pair.
    pub fn records(&self, at: usize) -> [u32; 2] {
        let (chunk, place) = self.place(at);
        chunk.records(place)
    }

    /// Puts other numbers in place of those of the records, left and right.
    pub fn renumber(&mut self, other: impl Fn([u32; 2]) -> [u32; 2] + Sync) {
        let records = self.chunks.par_iter_mut().flat_map(|chunk| &mut chunk.records);
        records.for_each(|records| *records = other(*records));
    }

    /// The first pair for whose records this is true.
    pub fn find(&self, is_it: impl Fn([u32; 2]) -> bool + Sync) -> Option<usize> {
        (0..self.len()).into_par_iter().find_first(|at| is_it(self.records(*at)))
    }

    /// All chunks, the first one first: each can be dropped as soon as it is not needed any more.
    pub fn take(&mut self) -> Vec<PairChunk> {
        std::mem::take(&mut self.chunks)
    }
}

impl PairChunk {
    /// How many pairs it has.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The records of a pair.
    pub fn records(&self, at: usize) -> [u32; 2] {
        self.records[at]
    }

    /// The score of a pair, or [`NO_SCORE`].
    pub fn score(&self, at: usize) -> f64 {
        self.scores.get(at).copied().unwrap_or(NO_SCORE)
    }

    /// The number of the rule of a pair, if pairs have rules.
    pub fn rule(&self, at: usize) -> Option<u32> {
        match &self.rules {
            RuleColumn::Few(rules) => rules.get(at).map(|rule| u32::from(*rule)),
            RuleColumn::Many(rules) => rules.get(at).copied(),
        }
    }

    /// Whether a column says that a pair is certain.
    pub fn is_certain(&self, at: usize) -> bool {
        self.certain.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn extend(&mut self, pairs: &PairColumnValues, rows: Range<usize>) -> Result<()> {
        let before = self.records.len();
        let [left, right] = pairs.records.each_ref().map(|side| &side[rows.clone()]);
        self.records.extend(left.iter().zip(right).map(|(l, r)| [*l, *r]));
        if let Some(scores) = &pairs.scores {
            self.scores.extend_from_slice(&scores[rows.clone()]);
        }
        if let Some(rules) = &pairs.rules {
            rules[rows.clone()].iter().for_each(|rule| self.rules.push(*rule));
        }
        if let Some(certain) = &pairs.certain {
            self.certain.resize(self.records.len().div_ceil(64), 0);
            for (place, is_certain) in (before..).zip(&certain[rows]) {
                self.certain[place / 64] |= u64::from(*is_certain) << (place % 64);
            }
        }
        let bytes = self.bytes();
        self.held.reach(bytes)
    }

    fn bytes(&self) -> usize {
        let rules = match &self.rules {
            RuleColumn::Few(rules) => size_of_val(&rules[..]),
            RuleColumn::Many(rules) => size_of_val(&rules[..]),
        };
        size_of_val(&self.records[..]) + size_of_val(&self.scores[..]) + rules + size_of_val(&self.certain[..])
    }
}

impl Default for RuleColumn {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl RuleColumn {
    fn push(&mut self, rule: u32) {
        match self {
            Self::Few(rules) => match u8::try_from(rule) {
                Ok(rule) => rules.push(rule),
                Err(_) => {
                    let more = rules.iter().map(|rule| u32::from(*rule)).chain([rule]).collect();
                    *self = Self::Many(more);
                }
            },
            Self::Many(rules) => rules.push(rule),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    #[test]
    fn pairs_come_back_as_they_were_added() {
        let kept = MemoryBudget::unlimited();
        let count = CHUNK_PAIRS + 70_000;
        let rule = |at: usize| if at == 300 { 256 } else { at as u32 % 7 };
        let values = |rows: Range<usize>| PairColumnValues {
            records: [rows.clone().map(|at| at as u32).collect(), rows.clone().map(|at| at as u32 / 2).collect()],
            scores: Some(rows.clone().map(|at| at as f64 / 8.0).collect()),
            rules: Some(rows.clone().map(rule).collect()),
            certain: Some(rows.map(|at| at % 3 == 1).collect()),
        };
        for step in [1000, count] {
            let mut list = PairChunks::default();
            for from in (0..count).step_by(step) {
                list.extend(&values(from..count.min(from + step)), &kept).unwrap();
            }
            assert_eq!(list.len(), count);
            for at in (0..count).step_by(77).chain([300, CHUNK_PAIRS - 1, CHUNK_PAIRS, count - 1]) {
                let (chunk, place) = list.place(at);
                assert_eq!(list.records(at), [at as u32, at as u32 / 2]);
                assert_eq!((chunk.score(place), chunk.rule(place)), (at as f64 / 8.0, Some(rule(at))));
                assert_eq!(chunk.is_certain(place), at % 3 == 1);
            }
            list.renumber(|[l, r]| [r, l + 1]);
            assert_eq!(list.records(300), [150, 301]);
            assert_eq!(list.find(|[l, _]| l == CHUNK_PAIRS as u32 / 2), Some(CHUNK_PAIRS));
            assert_eq!(list.find(|[_, r]| r == 0), None);
            assert_eq!((list.take().len(), list.len()), (2, 0));
        }
    }

    #[test]
    fn a_pair_takes_what_its_columns_need() {
        let bytes = |pairs: PairColumnValues| {
            let kept = MemoryBudget::of_relations(1 << 30);
            let mut list = PairChunks::default();
            list.extend(&pairs, &kept).unwrap();
            (1 << 30) - kept.room()
        };
        let ids = || [vec![1; 6400], vec![2; 6400]];
        assert_eq!(bytes(PairColumnValues { records: ids(), ..PairColumnValues::default() }), 8 * 6400);
        let scored = PairColumnValues { records: ids(), scores: Some(vec![0.5; 6400]), ..PairColumnValues::default() };
        assert_eq!(bytes(scored), 16 * 6400, "100 million in 1.6 GB");
        let (scores, rules) = (Some(vec![0.5; 6400]), Some(vec![3; 6400]));
        let all = PairColumnValues { records: ids(), scores, rules, certain: Some(vec![true; 6400]) };
        assert_eq!(bytes(all), 17 * 6400 + 800);
    }

    #[test]
    fn pairs_stay_within_the_memory() {
        let kept = MemoryBudget::of_relations(1 << 20);
        let pairs = PairColumnValues { records: [vec![1; 1 << 16], vec![2; 1 << 16]], ..PairColumnValues::default() };
        let mut list = PairChunks::default();
        list.extend(&pairs, &kept).unwrap();
        list.extend(&pairs, &kept).unwrap();
        assert_eq!(list.extend(&pairs, &kept).unwrap_err().code(), ErrorCode::MemoryLimit);
    }
}
