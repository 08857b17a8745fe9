//! The indexes that the rules of a fixpoint need, each made once and brought up to date before each round.

use std::collections::HashMap;
use std::ops::Range;

use super::host_relation::HostRelation;
use super::index::{IndexShape, TupleIndex};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::relation::program::RelationId;

/// Indexes of relations.
#[derive(Default)]
pub struct Indexes {
    entries: Vec<IndexEntry>,
    /// The numbers of the indexes of each relation: there may be many relations, and each has a few.
    of_relations: HashMap<RelationId, Vec<usize>>,
    /// Numbers of indexes that were forgotten.
    free: Vec<usize>,
}

struct IndexEntry {
    relation: RelationId,
    is_delta: bool,
    index: TupleIndex,
}

impl Indexes {
    /// The number of the index of these columns; it is empty until it is brought up to date.
    pub fn find(&mut self, relation: RelationId, shape: IndexShape, is_delta: bool) -> usize {
        let own = self.of_relations.entry(relation).or_default();
        let fits = |at: &&usize| {
            let entry = &self.entries[**at];
            entry.is_delta == is_delta && *entry.index.shape() == shape
        };
        if let Some(found) = own.iter().find(fits) {
            return *found;
        }
        let entry = IndexEntry { relation, is_delta, index: TupleIndex::new(shape) };
        let at = self.free.pop().unwrap_or(self.entries.len());
        if at < self.entries.len() {
            self.entries[at] = entry;
        } else {
            self.entries.push(entry);
        }
        own.push(at);
        at
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

    /// Forgets the indexes of these relations.
    pub fn forget(&mut self, relations: &[RelationId]) {
        for relation in relations {
            for at in self.of_relations.remove(relation).unwrap_or_default() {
                self.entries[at].index = TupleIndex::new(IndexShape::default());
                self.free.push(at);
            }
        }
    }
}
