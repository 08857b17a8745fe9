//! The engine on the host, on all cores.
//!
//! A relation is an append-only list of blocks (`store`) and a set that says whether a tuple was seen (`set`), which is
//! made when it is first needed. `fixpoint` goes round by round: `chain` evaluates a way to join the atoms of a rule with
//! `indexes` of what is there, `inserter` takes what it gives. `carried` follows the values of a carried column one by
//! one. `sorted` and `counts` read a relation.

mod carried;
mod chain;
mod counts;
mod fixpoint;
mod index;
mod indexes;
mod inserter;
mod packed;
mod set;
mod sorted;
mod store;

use rayon::prelude::*;

use self::indexes::Indexes;
use self::inserter::Inserters;
use self::packed::{PackedTuple, unpack_into};
use self::set::TupleSet;
use self::store::{BLOCK, TupleBlock, TupleStore};
use super::program::{FixpointRule, RelationDeclaration, RelationId};
use super::report::FixpointReport;
use super::rows::CarriedSource;
use super::{Carried, RelationEngine, RoundObserver, TupleSink};
use crate::cancel::{Cancel, or_end};
use crate::error::Result;
use crate::memory::MemoryBudget;

/// Relations in host memory.
pub struct HostRelations {
    relations: Vec<HostRelation>,
    indexes: Indexes,
    budget: MemoryBudget,
}

/// One of them.
pub struct HostRelation {
    declaration: RelationDeclaration,
    store: TupleStore,
    set: Option<TupleSet>,
}

impl HostRelations {
    /// None yet.
    pub fn new(budget: MemoryBudget) -> Self {
        Self { relations: Vec::new(), indexes: Indexes::default(), budget }
    }

    /// Makes the set of a relation, or a better one for what it has become.
    fn provide_set(&mut self, id: RelationId, cancel: Cancel<'_>) -> Result<()> {
        let HostRelation { declaration, store, set } = &mut self.relations[id.0 as usize];
        if set.as_ref().is_some_and(|set| set.is_outgrown(store, &declaration.domains, &self.budget)) {
            *set = None;
        }
        if set.is_none() {
            *set = Some(TupleSet::of(store, &declaration.domains, &self.budget, cancel)?);
        }
        Ok(())
    }

    /// Adds tuples to those that are there.
    fn insert_more(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
        self.provide_set(id, cancel)?;
        let relation = &mut self.relations[id.0 as usize];
        let inserters = Inserters::new(columns.len(), relation.set.as_ref(), &self.budget);
        let starts: Vec<usize> = (0..columns[0].len()).step_by(BLOCK).collect();
        starts.into_par_iter().for_each(|start| {
            cancel.check();
            let mut inserter = inserters.own();
            let mut tuple = [0; super::MOST_COLUMNS];
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
    fn insert_first<K: PackedTuple>(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
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

impl RelationEngine for HostRelations {
    fn declare(&mut self, declaration: &RelationDeclaration) -> Result<()> {
        let declaration = declaration.clone();
        self.relations.push(HostRelation { declaration, store: TupleStore::default(), set: None });
        Ok(())
    }

    fn clear(&mut self, id: RelationId, declaration: &RelationDeclaration) -> Result<()> {
        self.indexes.forget(&[id]);
        let declaration = declaration.clone();
        self.relations[id.0 as usize] = HostRelation { declaration, store: TupleStore::default(), set: None };
        Ok(())
    }

    fn insert(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
        let relation = &self.relations[id.0 as usize];
        match (relation.store.len() == 0 && relation.set.is_none(), columns.len()) {
            (true, 1 | 2) => self.insert_first::<u64>(id, columns, cancel),
            (true, _) => self.insert_first::<u128>(id, columns, cancel),
            (false, _) => self.insert_more(id, columns, cancel),
        }
    }

    fn len(&self, id: RelationId) -> u64 {
        self.relations[id.0 as usize].store.len()
    }

    fn fixpoint(
        &mut self,
        rules: &[FixpointRule],
        carried: Option<&Carried>,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        if let Some(carried) = carried
            && let Some(walk) = carried::CarriedWalk::new(self, rules, carried, cancel)?
        {
            return walk.materialise(self, carried, cancel, seen);
        }
        fixpoint::fixpoint(self, rules, cancel, seen)
    }

    fn carried_rows<'a>(
        &'a mut self,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
    ) -> Result<Option<Box<dyn CarriedSource + 'a>>> {
        let walk = carried::CarriedWalk::new(self, rules, carried, cancel)?;
        Ok(walk.map(|walk| Box::new(walk) as Box<dyn CarriedSource + 'a>))
    }

    fn counts(&self, from: RelationId, group: &[usize], cancel: Cancel<'_>) -> Result<Vec<Vec<u32>>> {
        counts::counts(&self.relations[from.0 as usize], group, &self.budget, cancel)
    }

    fn sorted(&self, id: RelationId, cancel: Cancel<'_>, block: &mut TupleSink<'_>) -> Result<()> {
        sorted::sorted(&self.relations[id.0 as usize].store, &self.budget, cancel, block)
    }
}
