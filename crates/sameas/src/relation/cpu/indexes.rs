//! The indexes that the rules of a fixpoint need, each made once and brought up to date before each round.

use std::ops::Range;

use super::HostRelation;
use super::index::{IndexShape, TupleIndex};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::relation::program::RelationId;

/// Indexes of relations.
#[derive(Default)]
pub struct Indexes {
    entries: Vec<IndexEntry>,
}

struct IndexEntry {
    relation: RelationId,
    is_delta: bool,
    index: TupleIndex,
}

impl Indexes {
    /// The number of the index of these columns; it is empty until it is brought up to date.
    pub fn find(&mut self, relation: RelationId, shape: IndexShape, is_delta: bool) -> usize {
        let fits = |entry: &IndexEntry| {
            entry.relation == relation && entry.is_delta == is_delta && *entry.index.shape() == shape
        };
        if let Some(found) = self.entries.iter().position(fits) {
            return found;
        }
        self.entries.push(IndexEntry { relation, is_delta, index: TupleIndex::new(shape) });
        self.entries.len() - 1
    }

    /// An index.
    #[inline]
    pub fn get(&self, at: usize) -> &TupleIndex {
        &self.entries[at].index
    }

    /// Brings some indexes up to date: all tuples, or those that the last round has added.
    pub fn update(
        &mut self,
        wanted: &[usize],
        relations: &[HostRelation],
        delta_of: &dyn Fn(RelationId) -> Range<usize>,
        budget: &MemoryBudget,
        cancel: Cancel<'_>,
    ) -> Result<()> {
        for at in wanted {
            cancel.check();
            let IndexEntry { relation: id, is_delta, index } = &mut self.entries[*at];
            let relation = &relations[id.0 as usize];
            let domains = &relation.declaration.domains;
            match is_delta {
                true => index.replace(&relation.store, delta_of(*id), domains, budget, cancel)?,
                false => index.catch_up(&relation.store, domains, budget, cancel)?,
            }
        }
        Ok(())
    }

    /// Forgets the indexes of relations that this is true for, and those of the last round's tuples.
    pub fn forget(&mut self, is_unwanted: impl Fn(RelationId) -> bool) {
        self.entries.retain(|entry| !entry.is_delta && !is_unwanted(entry.relation));
    }
}
