//! `equi_join`: the pairs whose keys are equal, as tiles, by a skew-conscious hash join (CSH of "CPU and GPU Hash Joins on
//! Skewed Data").
//!
//! 1. A sample finds the skewed keys (`skew`).
//! 2. One pass partitions each side by hash; payloads of skewed keys go to lists of their own at once (`partition`).
//! 3. Partitions that still may hold too many pairs are inspected exactly (`inspect`).
//! 4. Tasks: a normal partition is laid out by key in the second-level cache and gives a tile per key (`layout`);
//!    the product of a skewed key is cut into blocks, which all threads share (`blocks`).
//!
//! No loss and no repetition: equal keys have equal hashes, so they meet in one round and there in one partition or in
//! one skewed list, where keys are compared themselves; a record has one key. Order: partitioning and layout keep the
//! input's order, so the payloads of a key ascend in every tile wherever those of the input do. A self-join needs that:
//! its tiles pair each entry with those after it.

mod blocks;
mod combine;
pub(super) mod declaration;
pub mod gpu;
mod inspect;
mod key;
pub(super) mod key_join;
pub mod keys;
mod layout;
mod partition;
mod pool;
mod round;
mod side_keys;
mod skew;
mod source;
#[cfg(test)]
mod tests;

pub use key::{HashSplit, Key};
pub use side_keys::SideKeys;
pub use source::{KeySource, Tuple, Tuples};

use combine::Array;
use layout::Layout;
use partition::Router;
use pool::Pool;
use round::Round;
use skew::Skew;

use super::tile::Sink;

/// Tuples of a partition, nominally: two sides of this many take, with their layout, about 0.7 MB, which fits the
/// second-level cache with room for the sink.
const PARTITION: usize = 1 << 13;
/// Partitions of a round at most: a cache line of each must fit the second-level cache.
const PARTITIONS: usize = 1 << 14;

/// The memory of a partitioned side.
type Memory<K> = Array<Tuple<K>>;

/// A join of two sources by equal keys, or of one with itself.
pub struct EquiJoin<K: Key, L, R> {
    left: L,
    right: Option<R>,
    split: HashSplit,
    skew: Skew<K>,
    round: Option<Round<K>>,
    pool: Pool<Layout<K>>,
}

impl<K: Key, L: KeySource<K>, R: KeySource<K>> EquiJoin<K, L, R> {
    /// Joins two sources; without a right one, the left with itself, whose payloads must then ascend: every pair of
    /// records once, the one that comes first on the left.
    ///
    /// The partitioned copy of a round takes `budget_bytes`, nominally: rounds divide keys, and the records of one key
    /// stay together.
    pub fn new(left: L, right: Option<R>, budget_bytes: usize) -> Self {
        let lens = [left.len(), right.as_ref().map_or(0, KeySource::len)];
        let split = plan::<K>(lens, budget_bytes);
        let skew = if split.partitions() < round::MANY { Skew::none() } else { Skew::sample(&left, right.as_ref()) };
        Self { left, right, split, skew, round: None, pool: Pool::new() }
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        self.split.rounds as usize
    }

    /// Partitions the keys of a round on all threads; its tasks can then be run.
    pub fn prepare(&mut self, round: usize) {
        assert!(round < self.rounds(), "round {round} of {}", self.rounds());
        let (left, right) = self.round.take().map(Round::into_memory).map_or((None, None), |(l, r)| (Some(l), r));
        let router = Router { split: self.split, round: round as u32, skew: &self.skew };
        let left = router.partition(&self.left, left);
        let right = self.right.as_ref().map(|source| router.partition(source, right));
        self.round = Some(Round::new(left, right, self.split, self.skew.len(), &self.pool));
    }

    /// Number of tasks of the prepared round; those that can be largest come first. Each is bounded in pairs.
    pub fn tasks(&self) -> usize {
        self.round.as_ref().map_or(0, Round::tasks)
    }

    /// Runs a task of the prepared round: hands its tiles to the sink.
    pub fn run<S: Sink>(&self, task: usize, sink: &mut S) {
        if let Some(round) = &self.round {
            round.run(task, &self.pool, sink);
        }
    }

    /// The exact number of pairs of the prepared round, counted without enumerating them.
    pub fn pairs(&self) -> u64 {
        self.round.as_ref().map_or(0, |round| round.pairs(&self.pool))
    }
}

/// Rounds by the budget and by what partitions of the nominal size hold; partitions by the size of a round.
fn plan<K: Key>(lens: [usize; 2], budget_bytes: usize) -> HashSplit {
    let bytes = (lens[0] + lens[1]) * size_of::<Tuple<K>>();
    let longest = lens[0].max(lens[1]);
    let rounds = bytes.div_ceil(budget_bytes.max(1)).max(longest.div_ceil(PARTITION * PARTITIONS)).clamp(1, 1 << 16);
    let partitions = longest.div_ceil(rounds).div_ceil(PARTITION).next_power_of_two().min(PARTITIONS);
    HashSplit { rounds: rounds as u32, bits: partitions.trailing_zeros() }
}

/// One source partitioned by `2^bits` ranges of hashes and nothing else: for comparing other joins on the same
/// partitions.
pub struct PartitionedSource<K: Key>(partition::PartitionedSide<K>);

impl<K: Key> PartitionedSource<K> {
    /// Partitions a source on all threads.
    pub fn new(source: &impl KeySource<K>, bits: u32) -> Self {
        let router = Router { split: HashSplit { rounds: 1, bits }, round: 0, skew: &Skew::none() };
        Self(router.partition(source, None))
    }

    /// The tuples of a partition, in the order of the source.
    pub fn partition(&self, at: usize) -> &[Tuple<K>] {
        self.0.partition(at)
    }
}
