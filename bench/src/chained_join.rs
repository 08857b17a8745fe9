//! The competitor of `equi_join`: the textbook parallel radix join with bucket chains (PRO of Balkesen et al.).
//!
//! It starts from the same one-pass partitions as ours, chooses their number in the same way, and sizes its buckets
//! generously, so that without skew it is a fair opponent. In each partition the tuples of one side are chained by
//! bucket, and each tuple of the other walks its chain and compares keys. A partition much larger than the mean has its
//! probing side divided among the threads, as the original's skew handling does; chains stay long.

use rayon::prelude::*;
use sameas_joins::candidates::equi_join::{HashSplit, Key, PartitionedSource, Tuple, Tuples};
use sameas_joins::candidates::{Pairing, Sink, Tile};

/// Tuples of a partition, nominally.
const PARTITION: usize = 1 << 13;
/// Tuples of the probing side in one task.
const PROBES: usize = 1 << 14;

/// Both sides, partitioned.
pub struct ChainedJoin<K: Key> {
    left: PartitionedSource<K>,
    right: PartitionedSource<K>,
    split: HashSplit,
}

/// The chains of one partition: the head of each bucket, and for each tuple the next of its bucket, all plus one.
#[derive(Default)]
struct Chains {
    heads: Vec<u32>,
    next: Vec<u32>,
    shift: u32,
}

impl Chains {
    fn build<K: Key>(&mut self, tuples: &[Tuple<K>], split: HashSplit) {
        let buckets = tuples.len().next_power_of_two().max(2);
        self.shift = 64 - buckets.trailing_zeros();
        self.heads.clear();
        self.heads.resize(buckets, 0);
        self.next.clear();
        for (at, tuple) in tuples.iter().enumerate() {
            let bucket = (split.within(tuple.key.hash()) >> self.shift) as usize;
            self.next.push(self.heads[bucket]);
            self.heads[bucket] = at as u32 + 1;
        }
    }

    fn probe<K: Key, S: Sink>(&self, build: &[Tuple<K>], probes: &[Tuple<K>], split: HashSplit, sink: &mut S) {
        for probe in probes {
            let mut at = self.heads[(split.within(probe.key.hash()) >> self.shift) as usize] as usize;
            while at != 0 {
                let tuple = &build[at - 1];
                if tuple.key == probe.key {
                    sink.tile(Tile { left: &[tuple.payload], right: &[probe.payload], pairing: Pairing::All });
                }
                at = self.next[at - 1] as usize;
            }
        }
    }
}

impl<K: Key> ChainedJoin<K> {
    /// Partitions both sides.
    pub fn new(left: Tuples<'_, K>, right: Tuples<'_, K>) -> Self {
        let longest = left.keys.len().max(right.keys.len());
        let bits = longest.div_ceil(PARTITION).next_power_of_two().trailing_zeros();
        let (left, right) = (PartitionedSource::new(&left, bits), PartitionedSource::new(&right, bits));
        Self { left, right, split: HashSplit { rounds: 1, bits } }
    }

    /// Joins all partitions on all threads, each with sinks of its own, and returns the sinks.
    pub fn run<S: Sink + Default + Send>(&self) -> Vec<S> {
        let (large, normal): (Vec<usize>, Vec<usize>) =
            (0..self.split.partitions()).partition(|at| self.right.partition(*at).len() > PROBES);
        let mut sinks: Vec<S> = large.into_iter().flat_map(|at| self.run_large(at)).collect();
        let one = |(mut chains, mut sink): (Chains, S), at: usize| {
            chains.build(self.left.partition(at), self.split);
            chains.probe(self.left.partition(at), self.right.partition(at), self.split, &mut sink);
            (chains, sink)
        };
        let start = || (Chains::default(), S::default());
        sinks.par_extend(normal.into_par_iter().fold(start, one).map(|(_, sink)| sink));
        sinks
    }

    /// A large partition: its chains are built once and probed by all threads.
    fn run_large<S: Sink + Default + Send>(&self, at: usize) -> Vec<S> {
        let build = self.left.partition(at);
        let mut chains = Chains::default();
        chains.build(build, self.split);
        let probe = |mut sink: S, probes: &[Tuple<K>]| {
            chains.probe(build, probes, self.split, &mut sink);
            sink
        };
        self.right.partition(at).par_chunks(PROBES / 16).fold(S::default, probe).collect()
    }
}
