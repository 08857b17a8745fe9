//! The engine on a device: the twin of `cpu`. Tuples are numbers in its memory (`bits`, `store`), probed by the orders
//! of `index`; `chain` makes steps of rules, `round` does them, `fixpoint` repeats them; `carried` and `rows` follow
//! the values of a carried column one by one.
//!
//! What a device has no room for, or what its kernels cannot do, goes on on the host: tuples are copied there, and the
//! host's engine does the rest. The result does not depend on it.
//!
//! A tuple is one number of at most 64 bits. A relation is a list of these and a set, bits or hashed, in which a tuple
//! is new to the thread that sets it first. A round counts the matches of all tuples, and from their prefix sums every
//! thread finds its own match, whatever the key: skew stalls nothing, and lists are cut to what fits. Carried columns
//! need no rounds: a warp, or a block where values are many, follows one value with the bits of what it has reached in
//! shared memory, and takes the next from a counter.

mod bits;
pub mod carried;
mod chain;
mod fixpoint;
mod index;
mod lists;
mod round;
mod rows;
mod store;

#[cfg(all(test, feature = "emulated"))]
mod tests;

use sameas_kernels::kernel;
use sameas_kernels::layout::relation_rounds::{FIELD_ROW, RelationPairs};

use self::bits::TupleLayout;
use self::index::DeviceIndex;
use self::round::RoundWorker;
use self::store::DeviceRelation;
use super::cpu::HostRelations;
use super::program::{FixpointRule, RelationDeclaration, RelationId};
use super::report::FixpointReport;
use super::rows::CarriedSource;
use super::{Carried, RelationEngine, RoundObserver, TupleSink};
use crate::cancel::Cancel;
use crate::device::{Buffer, Gpu};
use crate::error::{Error, ErrorCode, Result};
use crate::graph::gpu::blocks;
use crate::memory::MemoryBudget;

/// Tuples that are given out at a time.
const TUPLES_AT_A_TIME: usize = 1 << 18;

/// Relations in the memory of a device, until it does not suffice.
pub struct GpuRelations {
    gpu: Gpu,
    budget: MemoryBudget,
    declarations: Vec<RelationDeclaration>,
    relations: Vec<DeviceRelation>,
    indexes: Vec<DeviceIndex>,
    /// Where they are instead.
    host: Option<HostRelations>,
}

/// The error for what kernels cannot do, which makes the host do it.
fn beyond_kernels(what: &str) -> Error {
    Error::resource(format!("{what} is more than a device does")).with_code(ErrorCode::DoesNotFitDevice)
}

impl GpuRelations {
    /// No relations yet; the budget is for those that go to the host.
    pub fn new(gpu: Gpu, budget: MemoryBudget) -> Self {
        let (declarations, relations, indexes) = (Vec::new(), Vec::new(), Vec::new());
        Self { gpu, budget, declarations, relations, indexes, host: None }
    }

    /// The tuples of a relation where they lie, if they are on the device: each column in as many bits as its domain
    /// needs, the first one highest.
    pub fn tuples(&self, id: RelationId) -> Option<&Buffer<u64>> {
        self.host.is_none().then(|| self.relations[id.0 as usize].list())
    }

    /// Writes tuples of two columns as pairs, with values called by `ids`, from the tuple `from` on: as many as there
    /// is room for. Their number.
    pub fn write_pairs(&self, id: RelationId, from: usize, ids: &Buffer<u32>, to: &Buffer<[u32; 2]>) -> Result<usize> {
        let tuples = &self.relations[id.0 as usize];
        let len = to.len().min(tuples.len() - from);
        let args = RelationPairs {
            tuples: tuples.list().at_index(from),
            ids: ids.at(),
            pairs: to.at(),
            left: tuples.bits.field(0, FIELD_ROW),
            right: tuples.bits.field(1, FIELD_ROW),
            len: len as u64,
        };
        self.gpu.launch(kernel::RELATION_PAIRS, blocks(&self.gpu, len), 256, 0, &args)?;
        Ok(len)
    }

    /// Does something on the device, or on the host if the device cannot.
    fn either<R>(
        &mut self,
        here: impl FnOnce(&mut Self) -> Result<R>,
        there: impl FnOnce(&mut HostRelations) -> Result<R>,
        cancel: Cancel<'_>,
    ) -> Result<R> {
        if self.host.is_none() {
            match here(self) {
                Err(error) if error.code() == ErrorCode::DoesNotFitDevice => self.leave(cancel)?,
                other => return other,
            }
        }
        match &mut self.host {
            Some(host) => there(host),
            None => Err(Error::internal("relations are nowhere")),
        }
    }

    /// Copies all tuples to the host.
    fn leave(&mut self, cancel: Cancel<'_>) -> Result<()> {
        let mut host = HostRelations::new(self.budget.clone());
        for declaration in &self.declarations {
            host.declare(declaration)?;
        }
        self.indexes.clear();
        for (at, relation) in self.relations.drain(..).enumerate() {
            for begin in (0..relation.len()).step_by(1 << 24) {
                cancel.check();
                let tuples = self.gpu.read(relation.list(), begin..relation.len().min(begin + (1 << 24)))?;
                let columns = relation.bits.unpack_all(&tuples);
                let columns: Vec<&[u32]> = columns.iter().map(Vec::as_slice).collect();
                host.insert(RelationId(at as u32), &columns, cancel)?;
            }
        }
        self.host = Some(host);
        Ok(())
    }

    /// What works on the relations as they are now.
    fn worker<'a>(&'a mut self, known: &'a [usize], cancel: Cancel<'a>) -> RoundWorker<'a> {
        RoundWorker {
            gpu: &self.gpu,
            relations: &mut self.relations,
            indexes: &mut self.indexes,
            known,
            cancel,
            prefers_bits: true,
            candidates: 0,
        }
    }

    /// By relation: the number of its tuples.
    fn lens(&self) -> Vec<usize> {
        self.relations.iter().map(DeviceRelation::len).collect()
    }

    fn insert_here(&mut self, id: usize, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
        let rows = self.gpu.upload(&self.relations[id].bits.pack(columns))?;
        let before = self.lens();
        let mut worker = self.worker(&before, cancel);
        worker.prefers_bits = false;
        worker.insert(&rows, id)?;
        Ok((self.relations[id].len() - before[id]) as u64)
    }
}

/// The first tuples of a list, whose numbers have this many bits, brought into their order by the device; `None` where
/// it has no room for that.
fn sorted_list(gpu: &Gpu, tuples: &Buffer<u64>, len: usize, bits: u32) -> Result<Option<Buffer<u64>>> {
    let sorted = gpu.buffer::<u32>(len).and_then(|nothing| gpu.sort_pairs(tuples, &nothing, len, 0..bits.max(1)));
    match sorted {
        Err(error) if error.code() == ErrorCode::DoesNotFitDevice => Ok(None),
        sorted => sorted.map(|(sorted, _)| Some(sorted)),
    }
}

/// The same in the memory of the host, which brings them into their order where the device cannot.
fn in_order(gpu: &Gpu, tuples: &Buffer<u64>, len: usize, bits: u32) -> Result<Vec<u64>> {
    if let Some(sorted) = sorted_list(gpu, tuples, len, bits)? {
        return gpu.read(&sorted, 0..len);
    }
    let mut tuples = gpu.read(tuples, 0..len)?;
    tuples.sort_unstable();
    Ok(tuples)
}

impl RelationEngine for GpuRelations {
    fn declare(&mut self, declaration: &RelationDeclaration) -> Result<()> {
        self.declarations.push(declaration.clone());
        if let Some(host) = &mut self.host {
            return host.declare(declaration);
        }
        match TupleLayout::new(&declaration.domains) {
            Some(bits) => self.relations.push(DeviceRelation::new(&self.gpu, bits)?),
            None => self.leave(Cancel::NEVER)?,
        }
        Ok(())
    }

    fn clear(&mut self, id: RelationId, declaration: &RelationDeclaration) -> Result<()> {
        let at = id.0 as usize;
        self.declarations[at] = declaration.clone();
        if let Some(host) = &mut self.host {
            return host.clear(id, declaration);
        }
        self.indexes.retain(|index| index.relation != at);
        match TupleLayout::new(&declaration.domains) {
            Some(bits) => self.relations[at] = DeviceRelation::new(&self.gpu, bits)?,
            None => {
                self.relations[at].replace(self.gpu.buffer(0)?);
                self.leave(Cancel::NEVER)?;
            }
        }
        Ok(())
    }

    fn insert(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64> {
        let here = |engine: &mut Self| engine.insert_here(id.0 as usize, columns, cancel);
        self.either(here, |host| host.insert(id, columns, cancel), cancel)
    }

    fn len(&self, id: RelationId) -> u64 {
        match &self.host {
            Some(host) => host.len(id),
            None => self.relations[id.0 as usize].len() as u64,
        }
    }

    fn fixpoint(
        &mut self,
        rules: &[FixpointRule],
        carried: Option<&Carried>,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport> {
        if self.host.is_none() {
            match self.fixpoint_here(rules, carried, cancel, seen) {
                Err(error) if error.code() == ErrorCode::DoesNotFitDevice => self.leave(cancel)?,
                other => return other,
            }
        }
        match &mut self.host {
            Some(host) => host.fixpoint(rules, carried, cancel, seen),
            None => Err(Error::internal("relations are nowhere")),
        }
    }

    fn carried_rows<'a>(
        &'a mut self,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
    ) -> Result<Option<Box<dyn CarriedSource + 'a>>> {
        if self.host.is_none() {
            match self.rows_here(rules, carried, cancel) {
                Err(error) if error.code() == ErrorCode::DoesNotFitDevice => self.leave(cancel)?,
                other => return Ok(Some(Box::new(other?))),
            }
        }
        match &mut self.host {
            Some(host) => host.carried_rows(rules, carried, cancel),
            None => Err(Error::internal("relations are nowhere")),
        }
    }

    fn counts(&self, from: RelationId, group: &[usize], cancel: Cancel<'_>) -> Result<Vec<Vec<u32>>> {
        if let Some(host) = &self.host {
            return host.counts(from, group, cancel);
        }
        let bits = &self.relations[from.0 as usize].bits;
        let tuples = self.gpu.read(self.relations[from.0 as usize].list(), 0..self.relations[from.0 as usize].len())?;
        let columns: Vec<Vec<u32>> = group.iter().map(|column| bits.unpack(&tuples, *column)).collect();
        let mut order: Vec<usize> = (0..tuples.len()).collect();
        let key = |row: &usize| columns.iter().map(|column| column[*row]).collect::<Vec<u32>>();
        order.sort_by_cached_key(key);
        let mut counts = vec![Vec::new(); group.len() + 1];
        for same in order.chunk_by(|a, b| key(a) == key(b)) {
            counts.iter_mut().zip(key(&same[0])).for_each(|(column, value)| column.push(value));
            counts[group.len()].push(same.len() as u32);
        }
        if group.is_empty() && tuples.is_empty() {
            counts[0].push(0);
        }
        Ok(counts)
    }

    fn sorted(&self, id: RelationId, cancel: Cancel<'_>, block: &mut TupleSink<'_>) -> Result<()> {
        if let Some(host) = &self.host {
            return host.sorted(id, cancel, block);
        }
        let (tuples, bits) = (&self.relations[id.0 as usize], &self.relations[id.0 as usize].bits);
        let Some(sorted) = sorted_list(&self.gpu, tuples.list(), tuples.len(), bits.all())? else {
            let _held = self.budget.hold(8 * tuples.len())?;
            let tuples = in_order(&self.gpu, tuples.list(), tuples.len(), bits.all())?;
            return tuples.chunks(TUPLES_AT_A_TIME).try_for_each(|some| {
                cancel.check();
                block(&bits.unpack_all(some))
            });
        };
        for begin in (0..tuples.len()).step_by(TUPLES_AT_A_TIME) {
            cancel.check();
            let some = self.gpu.read(&sorted, begin..tuples.len().min(begin + TUPLES_AT_A_TIME))?;
            block(&bits.unpack_all(&some))?;
        }
        Ok(())
    }
}
