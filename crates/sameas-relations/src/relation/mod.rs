//! Relations of numbers and rules over them, evaluated to their fixpoint.
//!
//! A [`Relations`] owns relations of `u32` tuples, one to four columns each, as sets. [`Relations::fixpoint`] applies rules
//! until they add nothing (semi-naive: a round joins what the last one has added). `program` has what is evaluated,
//! `check` refuses programs that mean nothing, `carried` finds rules whose values can be followed one by one, `report`
//! says what was done. `engine` is what evaluates, [`RelationEngine`]: `cpu` on all cores, `gpu` on a device.
//! The result, as a set, does not depend on engine, threads or memory.

mod carried;
mod check;
mod cpu;
mod engine;
pub mod gpu;
mod program;
mod report;
mod rows;

#[cfg(test)]
mod tests;

use crate::cancel::{Cancel, catch};
use crate::device::Gpu;
use crate::error::{Error, Result};
use crate::memory::MemoryBudget;

pub use carried::{Carried, CarriedStep, carried};
pub use check::check_rules;
pub use engine::{RelationEngine, RoundObserver, TupleSink};
pub use program::{
    Atom, Filter, FixpointRule, MOST_COLUMNS, RelationDeclaration, RelationId, Term, TermComparison, Variant,
};
pub use report::{FixpointReport, FixpointRound, Method};
pub use rows::{CarriedRows, CarriedSource, RowBlock};

/// Relations and the engine that evaluates rules over them. After an error of one of its methods its tuples are some of
/// those there would have been, and it is of no further use.
pub struct Relations {
    declarations: Vec<RelationDeclaration>,
    engine: Box<dyn RelationEngine>,
    carries: bool,
}

impl Relations {
    /// Relations in host memory, evaluated by the threads of the pool in which its methods are called.
    pub fn on_cpu(budget: &MemoryBudget) -> Self {
        Self::with_engine(Box::new(cpu::HostRelations::new(budget.clone())))
    }

    /// Relations in the memory of a device, or in host memory, within the budget, where that does not suffice.
    pub fn on_gpu(gpu: &Gpu, budget: &MemoryBudget) -> Self {
        Self::with_engine(Box::new(gpu::GpuRelations::new(gpu.clone(), budget.clone())))
    }

    /// Relations of another engine.
    pub fn with_engine(engine: Box<dyn RelationEngine>) -> Self {
        Self { declarations: Vec::new(), engine, carries: true }
    }

    /// Whether fixpoints may follow the values of a carried column one by one, which they may unless this says no.
    pub fn set_carries(&mut self, carries: bool) {
        self.carries = carries;
    }

    /// A new relation without tuples.
    pub fn declare(&mut self, declaration: RelationDeclaration) -> Result<RelationId> {
        check::check_declaration(&declaration)?;
        let id = RelationId(self.declarations.len() as u32);
        self.engine.declare(&declaration)?;
        self.declarations.push(declaration);
        Ok(id)
    }

    /// The declaration of a relation.
    pub fn declaration(&self, id: RelationId) -> &RelationDeclaration {
        &self.declarations[id.0 as usize]
    }

    /// Removes the tuples of a relation, whose columns have these domains from now on.
    pub fn clear(&mut self, id: RelationId, domains: Vec<u64>) -> Result<()> {
        let declaration = RelationDeclaration { name: self.declared(id)?.name.clone(), domains };
        check::check_declaration(&declaration)?;
        self.engine.clear(id, &declaration)?;
        self.declarations[id.0 as usize] = declaration;
        Ok(())
    }

    /// Adds tuples, given as one list for each column; gives the number of those that were not there.
    pub fn insert(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
        check::check_columns(self.declared(id)?, columns)?;
        catch(|| self.engine.insert(id, columns, cancel))
    }

    /// The number of tuples.
    pub fn len(&self, id: RelationId) -> u64 {
        self.engine.len(id)
    }

    /// Whether a relation has no tuples.
    pub fn is_empty(&self, id: RelationId) -> bool {
        self.len(id) == 0
    }

    /// Evaluates rules to their fixpoint. Negated relations must not be heads of these rules. `seen` learns of each round.
    pub fn fixpoint(
        &mut self,
        rules: &[FixpointRule],
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        check_rules(&self.declarations, rules)?;
        let carried = if self.carries { carried(rules) } else { None };
        catch(|| self.engine.fixpoint(rules, carried.as_ref(), cancel, seen))
    }

    /// The fixpoint of rules that carry a column, row by row: the tuples of the head by values of that column, without
    /// holding them. `None` where the rules do not, where that is switched off, or where the engine has no room for it.
    pub fn carried_rows(&mut self, rules: &[FixpointRule], cancel: Cancel<'_>) -> Result<Option<CarriedRows<'_>>> {
        check_rules(&self.declarations, rules)?;
        let Some(carried) = carried(rules).filter(|_| self.carries) else { return Ok(None) };
        let rows = catch(|| self.engine.carried_rows(rules, &carried, cancel))?;
        Ok(rows.map(|source| CarriedRows::new(source, carried.column)))
    }

    /// Adds to `into` each group of the columns `group` of `from`, and as last column the number of its tuples. Without
    /// columns there is one group, with a count of 0 where there are no tuples.
    pub fn count_by(&mut self, from: RelationId, group: &[usize], into: RelationId, cancel: Cancel<'_>) -> Result<()> {
        check::check_groups(self.declared(from)?, group, self.declared(into)?)?;
        let columns = catch(|| self.engine.counts(from, group, cancel))?;
        let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
        self.insert(into, &columns, cancel).map(|_| ())
    }

    /// All tuples in lexicographic order, some at a time, as one list for each column.
    pub fn sorted(&self, id: RelationId, cancel: Cancel<'_>, block: &mut TupleSink<'_>) -> Result<()> {
        self.declared(id)?;
        catch(|| self.engine.sorted(id, cancel, block))
    }

    fn declared(&self, id: RelationId) -> Result<&RelationDeclaration> {
        self.declarations.get(id.0 as usize).ok_or_else(|| Error::usage(format!("there is no relation {}", id.0)))
    }
}

impl std::fmt::Debug for Relations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relations").field("declarations", &self.declarations).finish_non_exhaustive()
    }
}
