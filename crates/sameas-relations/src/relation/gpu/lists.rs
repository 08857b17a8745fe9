//! What a carried fixpoint follows on a device: the steps of each value and the seeds of each x, as lists.

use sameas_kernels::kernel;
use sameas_kernels::layout::relation_rounds::{FIELD_ROW, RelationColumn, RelationOffsets};

use super::bits::TupleLayout;
use super::carried::{CarriedTask, DeviceLists, GpuCarried};
use super::chain::DeviceChain;
use super::store::DeviceRelation;
use super::{GpuRelations, beyond_kernels};
use crate::cancel::Cancel;
use crate::device::{Buffer, Gpu};
use crate::error::{ErrorCode, Result};
use crate::graph::gpu::blocks;
use crate::relation::Carried;
use crate::relation::program::{RelationDeclaration, Term, Variant};

/// Lists by value are made for domains up to this.
const LARGEST_DOMAIN: u64 = 1 << 28;

/// Lists of values.
struct FollowLists {
    offsets: Buffer<u32>,
    targets: Buffer<u32>,
}

/// Steps and seeds of a carried fixpoint.
pub struct CarriedLists {
    steps: FollowLists,
    seeds: FollowLists,
}

impl GpuRelations {
    /// Whether the columns of the head are small enough for lists.
    pub(super) fn has_lists(&self, carried: &Carried) -> bool {
        self.declarations[carried.head.0 as usize].domains.iter().all(|domain| *domain <= LARGEST_DOMAIN)
    }

    /// The pairs (value, next value) of all steps, as a relation that is added behind the others.
    fn step_pairs(&mut self, carried: &Carried, cancel: Cancel<'_>) -> Result<DeviceRelation> {
        let domain = self.declarations[carried.head.0 as usize].domains[1 - carried.column];
        let declaration = RelationDeclaration { name: "steps".to_owned(), domains: vec![domain; 2] };
        let bits = TupleLayout::new(&declaration.domains).ok_or_else(|| beyond_kernels("a pair of values"))?;
        let pairs = DeviceRelation::new(&self.gpu, bits)?;
        self.relations.push(pairs);
        let made = self.make_steps(carried, cancel);
        let pairs = self.relations.pop();
        made?;
        pairs.ok_or_else(|| beyond_kernels("a carried column"))
    }

    fn make_steps(&mut self, carried: &Carried, cancel: Cancel<'_>) -> Result<()> {
        let (known, into) = (self.lens(), self.relations.len() - 1);
        for step in &carried.steps {
            let (from, to) = (step.atom.terms[step.from], step.atom.terms[step.to]);
            let variant =
                Variant { atoms: vec![step.atom.clone()], filters: step.filters.clone(), ..Variant::default() };
            let bits: Vec<_> = self.relations.iter().map(|relation| &relation.bits).collect();
            let output: [Term; 2] = [from, to];
            let chain =
                DeviceChain::new(&variant, &output, bits[into], &bits).ok_or_else(|| beyond_kernels("a rule"))?;
            let mut worker = self.worker(&known, cancel);
            worker.prefers_bits = false;
            worker.apply(&chain, 0..known[chain.scanned], into)?;
        }
        Ok(())
    }
}

impl FollowLists {
    /// The values of one column by those of the other, which are below `keys`.
    fn new(gpu: &Gpu, tuples: &DeviceRelation, by: usize, keys: u64) -> Result<Self> {
        let bits = tuples.bits.with_first(&[by]);
        let sorted = super::index::sorted(gpu, tuples, 0..tuples.len(), &bits)?;
        let (offsets, targets) = (gpu.buffer::<u32>(keys as usize + 1)?, gpu.buffer::<u32>(tuples.len())?);
        let (len, shift) = (sorted.len() as u64, bits.shift(by));
        let args = RelationOffsets { tuples: sorted.at(), offsets: offsets.at(), len, keys, shift, unused: 0 };
        gpu.launch(kernel::RELATION_OFFSETS, blocks(gpu, sorted.len() + 1), 256, 0, &args)?;
        let field = bits.field(1 - by, FIELD_ROW);
        let args = RelationColumn { tuples: sorted.at(), values: targets.at(), field, len };
        gpu.launch(kernel::RELATION_COLUMN, blocks(gpu, sorted.len()), 256, 0, &args)?;
        Ok(Self { offsets, targets })
    }

    fn lists(&self) -> DeviceLists<'_> {
        DeviceLists { offsets: &self.offsets, targets: &self.targets }
    }
}

impl CarriedLists {
    /// The lists of a carried fixpoint whose head has its seeds.
    pub fn new(engine: &mut GpuRelations, carried: &Carried, cancel: Cancel<'_>) -> Result<Self> {
        let pairs = engine.step_pairs(carried, cancel)?;
        let head = carried.head.0 as usize;
        let domains = &engine.declarations[head].domains;
        let steps = FollowLists::new(&engine.gpu, &pairs, 0, domains[1 - carried.column])?;
        drop(pairs);
        let seeds = FollowLists::new(&engine.gpu, &engine.relations[head], carried.column, domains[carried.column])?;
        Ok(Self { steps, seeds })
    }

    /// The x that have seeds.
    pub fn sources(&self, gpu: &Gpu) -> Result<Vec<u32>> {
        let offsets = gpu.read(&self.seeds.offsets, 0..self.seeds.offsets.len())?;
        Ok((0..offsets.len() as u32 - 1).filter(|x| offsets[*x as usize] < offsets[*x as usize + 1]).collect())
    }

    /// What follows them.
    pub fn follow<'a>(&'a self, gpu: &'a Gpu, shifts: [u32; 2]) -> Result<GpuCarried<'a>> {
        let (steps, seeds) = (self.steps.lists(), self.seeds.lists());
        GpuCarried::new(gpu, CarriedTask { steps, seeds, ids: None, x_ids: None, shifts })
    }

    /// All tuples, in any order: counted first, so that the list is as long as they are.
    pub fn all(&self, gpu: &Gpu, shifts: [u32; 2], cancel: Cancel<'_>) -> Result<Buffer<u64>> {
        let carried = self.follow(gpu, shifts)?;
        let total = carried.count(0..carried.rows(), cancel)?;
        let list = gpu.buffer::<u64>(total as usize)?;
        let mut taken = 0;
        let mut take = |len| {
            taken += 1;
            match taken {
                1 if len == list.len() => Ok(()),
                _ => Err(gpu.too_small(list.bytes(), gpu.free()).with_code(ErrorCode::DoesNotFitDevice)),
            }
        };
        carried.tuples(0..carried.rows(), &list, cancel, &mut take)?;
        Ok(list)
    }
}
