//! The engine on the host, on all cores.
//!
//! A relation (`host_relation`) is an append-only list of blocks (`store`) and a set that says whether a tuple was seen
//! (`set`), made when it is first needed; `host_relations` adds tuples to them. `fixpoint` goes round by round:
//! `chain` evaluates a way to join the atoms of a rule with `indexes` of what is there, `inserter` takes what it gives.
//! `carried` follows the values of a carried column one by one. `sorted` and `counts` read a relation.
//!
//! Five ideas:
//!
//! 1. What a round has added is a range of blocks. A set is a bit for each possible tuple where these take no more than
//!    a quarter of the memory that is left and a few times what hashed tuples take; else it has hashed tuples. A hashed
//!    set that has outgrown this becomes bits between two rounds.
//! 2. An index is a few sorted runs of blocks, merged when the last is not half as long as the one before: a round
//!    costs what it adds.
//! 3. The matches of a block are counted before they are listed, and cut into pieces that any thread takes. The last
//!    step lists nothing: matches go from the index to the set of the head.
//! 4. Where a chain forgets variables and what follows is the same in every round, the values that go on are remembered
//!    as bits and go on once: `sg(x, y) :- edge(a, x), sg(a, b), edge(b, y)` looks at each `(x, b)` once, not once for
//!    each `a`.
//! 5. Carried columns: a thread follows 256 values at once. Nothing is compared across values, rows come out sorted,
//!    and `Relations::carried_rows` gives them without keeping them.
//!
//! Everything that grows is held in the job's memory budget; a check for cancelling comes with each block, piece and
//! batch.

mod carried;
mod chain;
mod counts;
mod fixpoint;
mod host_relation;
mod host_relations;
mod index;
mod indexes;
mod inserter;
mod packed;
mod set;
mod sorted;
mod store;

use self::host_relation::HostRelation;
pub use self::host_relations::HostRelations;
use super::program::{FixpointRule, RelationDeclaration, RelationId};
use super::report::FixpointReport;
use super::rows::CarriedSource;
use super::{Carried, RelationEngine, RoundObserver, TupleSink};
use crate::cancel::Cancel;
use crate::error::Result;

impl RelationEngine for HostRelations {
    fn declare(&mut self, declaration: &RelationDeclaration) -> Result<()> {
        self.relations.push(HostRelation::new(declaration.clone()));
        Ok(())
    }

    fn clear(&mut self, id: RelationId, declaration: &RelationDeclaration) -> Result<()> {
        self.indexes.forget(&[id]);
        self.relations[id.0 as usize] = HostRelation::new(declaration.clone());
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
