//! Hashed tuples in shards. A thread collects tuples for each shard and inserts some hundred at a time, so that locks are
//! rare, a shard can grow on its own, and its table is in the cache when it is needed.

use std::sync::{Mutex, PoisonError};

use super::super::packed::{PackedTuple, unpack_into};
use crate::error::Result;
use crate::memory::{Held, MemoryBudget};

/// Shards, by the highest bits of the hash.
const SHARD_BITS: u32 = 6;
/// Tuples that a thread collects for a shard.
const COLLECTED: usize = 512;

/// A set of packed tuples.
pub struct HashedTuples<K> {
    shards: Vec<Mutex<Shard<K>>>,
    /// The memory of empty shards, which counts where there are many relations.
    _held: Held,
}

impl<K: PackedTuple> HashedTuples<K> {
    /// No tuples.
    pub fn new(budget: &MemoryBudget) -> Result<Self> {
        let _held = budget.hold(size_of::<Mutex<Shard<K>>>() << SHARD_BITS)?;
        let shard = |_| Mutex::new(Shard::new(budget));
        Ok(Self { shards: (0..1 << SHARD_BITS).map(shard).collect(), _held })
    }

    /// Inserts the tuples of some columns.
    pub fn insert_all(&self, columns: &[Vec<u32>]) -> Result<()> {
        let mut pending = Pending::default();
        for row in 0..columns[0].len() {
            self.offer(K::pack(columns.iter().map(|column| column[row])), &mut pending, &mut [])?;
        }
        self.finish(&mut pending, &mut [])
    }

    /// Inserts a tuple, now or later; it is appended to `columns` if it is new.
    #[inline]
    pub fn offer(&self, tuple: K, pending: &mut Pending<K>, columns: &mut [Vec<u32>]) -> Result<()> {
        let shard = (tuple.hash() >> (64 - SHARD_BITS)) as usize;
        let waiting = &mut pending.by_shard[shard];
        waiting.push(tuple);
        if waiting.len() < COLLECTED { Ok(()) } else { self.insert(shard, waiting, columns) }
    }

    /// Inserts all tuples that wait.
    pub fn finish(&self, pending: &mut Pending<K>, columns: &mut [Vec<u32>]) -> Result<()> {
        let waiting = pending.by_shard.iter_mut().enumerate().filter(|(_, waiting)| !waiting.is_empty());
        waiting.into_iter().try_for_each(|(shard, waiting)| self.insert(shard, waiting, columns))
    }

    fn insert(&self, shard: usize, waiting: &mut Vec<K>, columns: &mut [Vec<u32>]) -> Result<()> {
        let mut shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        shard.reserve(waiting.len())?;
        for tuple in waiting.drain(..) {
            if shard.insert(tuple) {
                unpack_into(tuple, columns);
            }
        }
        Ok(())
    }
}

/// What one thread has collected for each shard.
pub struct Pending<K> {
    by_shard: Vec<Vec<K>>,
}

impl<K> Default for Pending<K> {
    fn default() -> Self {
        Self { by_shard: (0..1 << SHARD_BITS).map(|_| Vec::new()).collect() }
    }
}

/// A table with linear probing. 0 marks a free slot, so the tuple of zeros is kept beside it.
struct Shard<K> {
    slots: Vec<K>,
    len: usize,
    has_zero: bool,
    held: Held,
    budget: MemoryBudget,
}

impl<K: PackedTuple> Shard<K> {
    fn new(budget: &MemoryBudget) -> Self {
        Self { slots: Vec::new(), len: 0, has_zero: false, held: Held::default(), budget: budget.clone() }
    }

    /// Makes room: three quarters of the slots are used at most.
    fn reserve(&mut self, more: usize) -> Result<()> {
        let wanted = self.len + more;
        if wanted * 4 <= self.slots.len() * 3 {
            return Ok(());
        }
        let slots = (wanted * 4 / 3 + 1).next_power_of_two().max(64);
        let held = self.budget.hold(slots * size_of::<K>())?;
        let before = std::mem::replace(&mut self.slots, vec![K::default(); slots]);
        for tuple in before.into_iter().filter(|tuple| *tuple != K::default()) {
            let slot = self.slot_of(tuple);
            self.slots[slot] = tuple;
        }
        self.held = held;
        Ok(())
    }

    /// Where a tuple is, or the free slot where it belongs.
    #[inline]
    fn slot_of(&self, tuple: K) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = tuple.hash() as usize & mask;
        while self.slots[slot] != K::default() && self.slots[slot] != tuple {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline]
    fn insert(&mut self, tuple: K) -> bool {
        if tuple == K::default() {
            return !std::mem::replace(&mut self.has_zero, true);
        }
        let slot = self.slot_of(tuple);
        let is_new = self.slots[slot] != tuple;
        self.len += usize::from(is_new);
        self.slots[slot] = tuple;
        is_new
    }
}
