//! The partition phase (CSH, steps 2 and 3): one side of one round, its normal tuples by partition, the payloads of its
//! skewed keys by key. Skewed tuples never enter a partition.
//!
//! Bytes moved for a tuple of `t` bytes with a key of `k`: `k` to count, `t` to read and `t` to write, and `t` again
//! when its partition is joined: 28 for a four-byte key. Every chunk of the input counts for itself, so each knows
//! where its tuples go: no atomics, and the input's order is kept within every partition and every skewed key.

use std::ops::Range;

use rayon::prelude::*;

use super::combine::{Array, Blank, CacheLines, Ranges};
use super::key::{HashSplit, Key};
use super::skew::Skew;
use super::source::{KeySource, Tuple};

/// Inputs below this many records are partitioned by one thread.
const PARALLEL: usize = 1 << 16;
/// Chunks for each thread, so that a thread that is held up leaves some to the others.
const CHUNKS: usize = 4;

/// One side of a round.
pub struct PartitionedSide<K: Key> {
    tuples: Array<Tuple<K>>,
    starts: Vec<u32>,
    skewed: Array<u32>,
    skewed_starts: Vec<u32>,
}

impl<K: Key> PartitionedSide<K> {
    /// The tuples of a normal partition.
    pub fn partition(&self, at: usize) -> &[Tuple<K>] {
        &self.tuples.entries()[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Where the payloads of a skewed key lie in [`skewed`](Self::skewed).
    pub fn skewed_range(&self, key: usize) -> Range<usize> {
        self.skewed_starts[key] as usize..self.skewed_starts[key + 1] as usize
    }

    /// The payloads of the skewed keys.
    pub fn skewed(&self) -> &[u32] {
        self.skewed.entries()
    }

    /// Takes the partitions' memory, to be filled again.
    pub fn into_memory(self) -> Array<Tuple<K>> {
        self.tuples
    }
}

/// Where tuples go in one round: 0.. the partitions, then the skewed keys.
pub struct Router<'a, K> {
    /// How keys are divided.
    pub split: HashSplit,
    /// The round.
    pub round: u32,
    /// The skewed keys.
    pub skew: &'a Skew<K>,
}

/// The way of one tuple.
enum Destination {
    Normal(usize),
    Skewed(usize),
    OtherRound,
}

impl<K: Key> Router<'_, K> {
    #[inline(always)]
    fn destination(&self, key: K, skewed: bool) -> Destination {
        let hash = key.hash();
        let (round, rest) = self.split.round(hash);
        if round != self.round {
            return Destination::OtherRound;
        }
        match if skewed { self.skew.find(key, hash) } else { None } {
            None => Destination::Normal(self.split.partition(rest)),
            Some(key) => Destination::Skewed(key),
        }
    }

    /// Partitions a side, into `memory` if that is large enough.
    pub fn partition(&self, source: &impl KeySource<K>, memory: Option<Array<Tuple<K>>>) -> PartitionedSide<K> {
        assert!(u32::try_from(source.len()).is_ok(), "a side of a join has at most {} records", u32::MAX);
        let chunks = chunks(source.len());
        let counts: Vec<PartitionCounts> = chunks.par_iter().map(|chunk| self.count(source, chunk.clone())).collect();
        let (normal, skewed): (Vec<_>, Vec<_>) = counts.into_iter().map(|c| (c.normal, c.skewed)).unzip();
        let (normal, skewed) = (WritePlaces::new(normal), WritePlaces::new(skewed));
        let (mut tuples, mut payloads) = (Blank::new(memory, normal.total()), Blank::new(None, skewed.total()));
        self.scatter(source, &chunks, [&normal, &skewed], &mut tuples, &mut payloads);
        // SAFETY: the ranges of all chunks cover both arrays, and each chunk has checked that it filled its own.
        let (tuples, payloads) = unsafe { (tuples.filled(), payloads.filled()) };
        PartitionedSide { tuples, starts: normal.starts, skewed: payloads, skewed_starts: skewed.starts }
    }

    /// How many tuples of a chunk go where.
    fn count(&self, source: &impl KeySource<K>, chunk: Range<usize>) -> PartitionCounts {
        let (mut normal, mut skewed) = (vec![0; self.split.partitions()], vec![0; self.skew.len()]);
        let any = self.skew.len() > 0;
        source.each(chunk, |key, _| match self.destination(key, any) {
            Destination::Normal(to) => normal[to] += 1,
            Destination::Skewed(to) => skewed[to] += 1,
            Destination::OtherRound => {}
        });
        PartitionCounts { normal, skewed }
    }

    /// Moves the tuples of all chunks to their places.
    fn scatter(
        &self,
        source: &impl KeySource<K>,
        chunks: &[Range<usize>],
        [normal, skewed]: [&WritePlaces; 2],
        tuples: &mut Blank<Tuple<K>>,
        payloads: &mut Blank<u32>,
    ) {
        let (tuples, payloads) = (tuples.target(), payloads.target());
        let any = self.skew.len() > 0;
        chunks.par_iter().enumerate().for_each(|(at, chunk)| {
            // SAFETY: ranges of different chunks and destinations are disjoint, being consecutive sums of counts, and
            // nothing reads the arrays before all chunks are done.
            let (mut normal, mut skewed) = unsafe {
                let normal = Ranges::new(&tuples, normal.begins[at].clone(), normal.ends[at].clone());
                (CacheLines::new(normal), Ranges::new(&payloads, skewed.begins[at].clone(), skewed.ends[at].clone()))
            };
            source.each(chunk.clone(), |key, payload| match self.destination(key, any) {
                Destination::Normal(to) => normal.push(to, Tuple::new(key, payload)),
                Destination::Skewed(to) => skewed.push(to, payload),
                Destination::OtherRound => {}
            });
            normal.finish();
            skewed.finish();
        });
    }
}

/// Tuples of a chunk by destination.
struct PartitionCounts {
    normal: Vec<u32>,
    skewed: Vec<u32>,
}

/// Where the tuples of each chunk go: destination after destination, and within each chunk after chunk.
struct WritePlaces {
    starts: Vec<u32>,
    begins: Vec<Vec<u32>>,
    ends: Vec<Vec<u32>>,
}

impl WritePlaces {
    fn new(mut counts: Vec<Vec<u32>>) -> Self {
        let destinations = counts.first().map_or(0, Vec::len);
        let mut ends = vec![vec![0; destinations]; counts.len()];
        let (mut starts, mut end) = (vec![0], 0);
        for destination in 0..destinations {
            for (counts, ends) in counts.iter_mut().zip(&mut ends) {
                end += std::mem::replace(&mut counts[destination], end);
                ends[destination] = end;
            }
            starts.push(end);
        }
        Self { starts, begins: counts, ends }
    }

    fn total(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }
}

/// Even ranges of the records; at least one.
fn chunks(records: usize) -> Vec<Range<usize>> {
    let chunks = if records < PARALLEL { 1 } else { CHUNKS * rayon::current_num_threads() };
    (0..chunks).map(|at| records * at / chunks..records * (at + 1) / chunks).collect()
}
