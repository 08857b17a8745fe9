//! Where rules put their tuples: each thread has one, which asks the set of the head and keeps what is new.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::packed::PackedTuple;
use super::set::{HashedTuples, Pending, TupleBits, TupleSet};
use super::store::{BLOCK, TupleBlock};
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::relation::program::MOST_COLUMNS;

/// One for each thread of the pool.
pub struct Inserters<'a> {
    of_threads: Vec<Mutex<Inserter<'a>>>,
}

impl<'a> Inserters<'a> {
    /// For tuples of this many columns that are not in `set`; without a set for all, repeated ones too.
    pub fn new(columns: usize, set: Option<&'a TupleSet>, budget: &'a MemoryBudget) -> Self {
        let of_threads =
            (0..rayon::current_num_threads().max(1)).map(|_| Mutex::new(Inserter::new(columns, set, budget)));
        Self { of_threads: of_threads.collect() }
    }

    /// The one of this thread, which must not start other tasks while it has it.
    pub fn own(&self) -> MutexGuard<'_, Inserter<'a>> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.of_threads.len();
        self.of_threads[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is new, and how many tuples were offered.
    pub fn finish(self) -> Result<(Vec<TupleBlock>, u64)> {
        let (mut blocks, mut candidates) = (Vec::new(), 0);
        for inserter in self.of_threads {
            let mut inserter = inserter.into_inner().unwrap_or_else(PoisonError::into_inner);
            inserter.finish()?;
            blocks.append(&mut inserter.blocks);
            candidates += inserter.candidates;
        }
        Ok((blocks, candidates))
    }
}

/// Where it is looked up whether a tuple is new, and what waits for that.
enum Membership<'a> {
    Bits(&'a TupleBits),
    Narrow(&'a HashedTuples<u64>, Pending<u64>),
    Wide(&'a HashedTuples<u128>, Pending<u128>),
    Nothing,
}

/// Takes the tuples that one thread finds.
pub struct Inserter<'a> {
    membership: Membership<'a>,
    columns: Vec<Vec<u32>>,
    blocks: Vec<TupleBlock>,
    candidates: u64,
    budget: &'a MemoryBudget,
}

impl<'a> Inserter<'a> {
    fn new(columns: usize, set: Option<&'a TupleSet>, budget: &'a MemoryBudget) -> Self {
        let membership = match set {
            Some(TupleSet::Bits(bits)) => Membership::Bits(bits),
            Some(TupleSet::Narrow(hashed)) => Membership::Narrow(hashed, Pending::default()),
            Some(TupleSet::Wide(hashed)) => Membership::Wide(hashed, Pending::default()),
            None => Membership::Nothing,
        };
        Self { membership, columns: vec![Vec::new(); columns], blocks: Vec::new(), candidates: 0, budget }
    }

    /// Takes one tuple.
    #[inline]
    pub fn offer(&mut self, tuple: &[u32; MOST_COLUMNS]) -> Result<()> {
        self.offer_values(tuple, 0, &[tuple[0]])
    }

    /// Takes tuples that differ in one column only.
    pub fn offer_values(&mut self, tuple: &[u32; MOST_COLUMNS], varying: usize, values: &[u32]) -> Result<()> {
        self.candidates += values.len() as u64;
        let width = self.columns.len();
        let mut base = *tuple;
        base[varying] = 0;
        let base = &base[..width];
        match &mut self.membership {
            Membership::Bits(bits) => {
                bits.insert_values(base, varying, values, &mut self.columns[varying]);
                fill_rest(&mut self.columns, tuple, varying);
            }
            Membership::Nothing => {
                self.columns[varying].extend_from_slice(values);
                fill_rest(&mut self.columns, tuple, varying);
            }
            Membership::Narrow(hashed, pending) => {
                let packed = u64::pack(base.iter().copied());
                for value in values {
                    hashed.offer(packed.with(*value, width - 1 - varying), pending, &mut self.columns)?;
                }
            }
            Membership::Wide(hashed, pending) => {
                let packed = u128::pack(base.iter().copied());
                for value in values {
                    hashed.offer(packed.with(*value, width - 1 - varying), pending, &mut self.columns)?;
                }
            }
        }
        if self.columns[0].len() < BLOCK { Ok(()) } else { self.close_block() }
    }

    fn close_block(&mut self) -> Result<()> {
        let empty = vec![Vec::with_capacity(BLOCK); self.columns.len()];
        let columns = std::mem::replace(&mut self.columns, empty);
        self.blocks.push(TupleBlock::new(columns, self.budget)?);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        match &mut self.membership {
            Membership::Narrow(hashed, pending) => hashed.finish(pending, &mut self.columns)?,
            Membership::Wide(hashed, pending) => hashed.finish(pending, &mut self.columns)?,
            Membership::Bits(_) | Membership::Nothing => {}
        }
        let columns = std::mem::take(&mut self.columns);
        if columns.first().is_some_and(|column| !column.is_empty()) {
            self.blocks.push(TupleBlock::new(columns, self.budget)?);
        }
        Ok(())
    }
}

/// Brings the other columns to the length of the one that varies.
#[inline]
fn fill_rest(columns: &mut [Vec<u32>], tuple: &[u32; MOST_COLUMNS], varying: usize) {
    let len = columns[varying].len();
    for (column, value) in columns.iter_mut().zip(tuple) {
        column.resize(len, *value);
    }
}
