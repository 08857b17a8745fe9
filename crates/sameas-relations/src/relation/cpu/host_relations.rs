//! Relations in host memory, and how tuples are added to them.

use rayon::prelude::*;

use super::host_relation::HostRelation;
use super::indexes::Indexes;
use super::inserter::Inserters;
use super::packed::{PackedTuple, unpack_into};
use super::set::TupleSet;
use super::store::{BLOCK, TupleBlock};
use crate::cancel::{Cancel, or_end};
use crate::error::Result;
use crate::memory::MemoryBudget;
use crate::relation::program::{MOST_COLUMNS, RelationId};

/// Relations in host memory.
pub struct HostRelations {
    pub(super) relations: Vec<HostRelation>,
    pub(super) indexes: Indexes,
    pub(super) budget: MemoryBudget,
}

impl HostRelations {
    /// None yet.
    pub fn new(budget: MemoryBudget) -> Self {
        Self { relations: Vec::new(), indexes: Indexes::default(), budget }
    }

    /// Makes the set of a relation, or a better one for what it has become.
    pub(super) fn provide_set(&mut self, id: RelationId, cancel: Cancel<'_>) -> Result<()> {
        let HostRelation { declaration, store, set } = &mut self.relations[id.0 as usize];
        if set.as_ref().is_some_and(|set| set.is_outgrown(store, &declaration.domains, &self.budget)) {
            *set = None;
        }
        if set.is_none() {
            *set = Some(TupleSet::from_store(store, &declaration.domains, &self.budget, cancel)?);
        }
        Ok(())
    }

    /// Adds tuples to those that are there.
    pub(super) fn insert_more(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
        self.provide_set(id, cancel)?;
        let relation = &mut self.relations[id.0 as usize];
        let inserters = Inserters::new(columns.len(), relation.set.as_ref(), &self.budget);
        let starts: Vec<usize> = (0..columns[0].len()).step_by(BLOCK).collect();
        starts.into_par_iter().for_each(|start| {
            cancel.check();
            let mut inserter = inserters.own();
            let mut tuple = [0; MOST_COLUMNS];
            for row in start..(start + BLOCK).min(columns[0].len()) {
                tuple.iter_mut().zip(columns).for_each(|(value, column)| *value = column[row]);
                or_end(inserter.offer(&tuple));
            }
        });
        let (blocks, _) = inserters.finish()?;
        let before = relation.store.len();
        relation.store.append(blocks, false);
        Ok(relation.store.len() - before)
    }

    /// Adds the first tuples: sorted once, they need no set until more are added.
    pub(super) fn insert_first<K: PackedTuple>(
        &mut self,
        id: RelationId,
        columns: &[&[u32]],
        cancel: Cancel<'_>,
    ) -> Result<u64> {
        let rows = columns[0].len();
        let _held = self.budget.hold(rows * size_of::<K>())?;
        let pack = |row: usize| K::pack(columns.iter().map(|column| column[row]));
        let mut packed: Vec<K> = (0..rows).into_par_iter().with_min_len(1 << 12).map(pack).collect();
        cancel.check();
        packed.par_sort_unstable();
        packed.dedup();
        let blocks = packed.par_chunks(BLOCK).map(|some| {
            cancel.check();
            let mut block = vec![Vec::with_capacity(some.len()); columns.len()];
            some.iter().for_each(|tuple| unpack_into(*tuple, &mut block));
            TupleBlock::new(block, &self.budget)
        });
        let blocks = blocks.collect::<Result<Vec<_>>>()?;
        self.relations[id.0 as usize].store.append(blocks, true);
        Ok(packed.len() as u64)
    }
}
