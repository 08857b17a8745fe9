//! One variant of a rule on a device, as a part of a round.

use std::ops::Range;

use sameas_kernels::layout::relation_rounds::{
    FIELD_ROW, RELATION_THREADS, RELATION_TILE, RelationCount, RelationExpand, RelationField, RelationFilter,
    RelationProbe, RelationSet,
};
use sameas_kernels::{DevicePtr, kernel};

use super::chain::{DeviceChain, DeviceStep, ProbePlan};
use super::index::DeviceIndex;
use super::store::DeviceRelation;
use crate::cancel::Cancel;
use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::graph::gpu::blocks;

/// Rows that are probed at a time, at most, and results that are made of them, at most.
const MOST_ROWS: usize = 1 << 27;
const MOST_RESULTS: u64 = 1 << 28;

/// What a kernel's launch keeps for each row: two ranges, counts and sums.
const BYTES_OF_ROW: usize = 28;

/// A probe that does nothing.
const NO_FIELD: RelationField = RelationField { mask: 0, from: 0, shift: 0, to: 0, unused: 0 };
const NO_PROBE: RelationProbe = RelationProbe {
    tuples: DevicePtr::NULL,
    offsets: DevicePtr::NULL,
    len: 0,
    key: [NO_FIELD; 4],
    key_len: 0,
    shift: 0,
};
const NO_FILTER: RelationFilter = RelationFilter { left: NO_FIELD, right: NO_FIELD, comparison: 0, unused: 0 };

/// Relations and their indexes, as a round sees them: tuples that it adds itself are not among those it reads.
pub struct RoundWorker<'a> {
    pub gpu: &'a Gpu,
    pub relations: &'a mut [DeviceRelation],
    pub indexes: &'a mut Vec<DeviceIndex>,
    /// By relation: its tuples when the round began.
    pub known: &'a [usize],
    pub cancel: Cancel<'a>,
    /// Whether sets of heads are bits where these fit: so it is in a fixpoint, which tries many tuples.
    pub prefers_bits: bool,
    /// Results so far, before duplicates are removed.
    pub candidates: u64,
}

/// Rows of a step.
#[derive(Clone)]
enum StepRows<'a> {
    /// Tuples of a relation, whose list may move while it grows.
    Tuples(usize, Range<usize>),
    /// What the step before has made.
    Made(&'a Buffer<u64>, Range<usize>),
}

/// By row: what probes found.
struct Probed {
    first_begin: Buffer<u32>,
    second_begin: Buffer<u32>,
    second_count: Buffer<u32>,
    before: Buffer<u64>,
    results: u64,
}

impl StepRows<'_> {
    fn range(&self) -> &Range<usize> {
        match self {
            Self::Tuples(_, range) | Self::Made(_, range) => range,
        }
    }

    fn within(&self, part: Range<usize>) -> Self {
        match self {
            Self::Tuples(relation, _) => Self::Tuples(*relation, part),
            Self::Made(rows, _) => Self::Made(rows, part),
        }
    }
}

impl RoundWorker<'_> {
    /// Adds to the head what a variant gives for the tuples of a range of the relation that it scans.
    pub fn apply(&mut self, chain: &DeviceChain, scanned: Range<usize>, head: usize) -> Result<()> {
        self.step(chain, 0, &StepRows::Tuples(chain.scanned, scanned), head)
    }

    /// Adds tuples that lie on the device.
    pub fn insert(&mut self, rows: &Buffer<u64>, into: usize) -> Result<()> {
        let bits = self.relations[into].bits.clone();
        let field = |column| RelationField { to: bits.shift(column), ..bits.field(column, FIELD_ROW) };
        let output = (0..bits.columns()).map(field).collect();
        let chain =
            DeviceChain { scanned: into, is_delta: false, steps: vec![DeviceStep { output, ..DeviceStep::default() }] };
        self.step(&chain, 0, &StepRows::Made(rows, 0..rows.len()), into)
    }

    fn step(&mut self, chain: &DeviceChain, at: usize, rows: &StepRows<'_>, head: usize) -> Result<()> {
        let most = MOST_ROWS.min(self.gpu.free() / 8 / BYTES_OF_ROW).max(1 << 10);
        let range = rows.range().clone();
        for begin in range.clone().step_by(most) {
            let part = rows.within(begin..range.end.min(begin + most));
            let step = &chain.steps[at];
            let absent = self.absent(step)?;
            match step.probes.as_slice() {
                [] => self.results(chain, at, &part, [NO_PROBE; 2], absent, None, head)?,
                [first] => {
                    for first in self.probes(first)? {
                        let probed = self.count(&part, [first, NO_PROBE], 1)?;
                        self.results(chain, at, &part, [first, NO_PROBE], absent, Some(&probed), head)?;
                    }
                }
                [first, second, ..] => {
                    let (firsts, seconds) = (self.probes(first)?, self.probes(second)?);
                    for [first, second] in
                        firsts.iter().flat_map(|first| seconds.iter().map(|second| [*first, *second]))
                    {
                        let probed = self.count(&part, [first, second], 2)?;
                        self.results(chain, at, &part, [first, second], absent, Some(&probed), head)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The index of a probe, with all tuples that the round reads.
    fn index(&mut self, plan: &ProbePlan, in_one: bool) -> Result<&DeviceIndex> {
        let is_it = |index: &DeviceIndex| index.relation == plan.relation && index.columns == plan.columns;
        let tuples = &self.relations[plan.relation];
        let at = self.indexes.iter().position(is_it).unwrap_or_else(|| {
            self.indexes.push(DeviceIndex::new(plan.relation, &plan.columns, &tuples.bits));
            self.indexes.len() - 1
        });
        let (index, known) = (&mut self.indexes[at], self.known[plan.relation]);
        match in_one {
            true => index.cover_in_one(self.gpu, tuples, known)?,
            false => index.cover(self.gpu, tuples, known)?,
        }
        Ok(index)
    }

    fn probes(&mut self, plan: &ProbePlan) -> Result<Vec<RelationProbe>> {
        Ok(self.index(plan, false)?.probes(&plan.key))
    }

    fn absent(&mut self, step: &DeviceStep) -> Result<[RelationProbe; 2]> {
        let mut absent = [NO_PROBE; 2];
        for (to, plan) in absent.iter_mut().zip(&step.absent) {
            // A relation without tuples has no order: the probe of nothing finds nothing, if it has a key.
            let found = self.index(plan, true)?.probes(&plan.key).into_iter().next();
            *to = found.unwrap_or(NO_PROBE);
        }
        Ok(absent)
    }

    fn rows_at(&self, rows: &StepRows<'_>) -> DevicePtr<u64> {
        match rows {
            StepRows::Tuples(relation, range) => self.relations[*relation].list().at_index(range.start),
            StepRows::Made(rows, range) => rows.at_index(range.start),
        }
    }

    fn count(&self, rows: &StepRows<'_>, [first, second]: [RelationProbe; 2], probes: u32) -> Result<Probed> {
        let (gpu, len) = (self.gpu, rows.range().len());
        let of_second = if probes == 2 { len } else { 0 };
        let (first_begin, second_begin) = (gpu.buffer::<u32>(len)?, gpu.buffer::<u32>(of_second)?);
        let (second_count, results) = (gpu.buffer::<u32>(of_second)?, gpu.buffer::<u64>(len + 1)?);
        let args = RelationCount {
            rows: self.rows_at(rows),
            first,
            second,
            first_begin: first_begin.at(),
            second_begin: second_begin.at(),
            second_count: second_count.at(),
            results: results.at(),
            len: len as u64,
            probes,
            unused: 0,
        };
        gpu.launch(kernel::RELATION_COUNT, blocks(gpu, len + 1), 256, 0, &args)?;
        let before = gpu.exclusive_sum_u64(&results, len + 1)?;
        drop(results);
        let results = gpu.read(&before, len..len + 1)?[0];
        Ok(Probed { first_begin, second_begin, second_count, before, results })
    }

    /// Makes the results of rows, some at a time: there is room for all of them.
    #[allow(clippy::too_many_arguments, reason = "what one launch is about")]
    fn results(
        &mut self,
        chain: &DeviceChain,
        at: usize,
        rows: &StepRows<'_>,
        probes: [RelationProbe; 2],
        absent: [RelationProbe; 2],
        probed: Option<&Probed>,
        head: usize,
    ) -> Result<()> {
        let all = probed.map_or(rows.range().len() as u64, |probed| probed.results);
        let is_last = at + 1 == chain.steps.len();
        // A list that grows is there twice for a moment.
        let most = MOST_RESULTS.min((self.gpu.free() / 64) as u64).max(RELATION_TILE);
        for begin in (0..all).step_by(most as usize) {
            self.cancel.check();
            let end = all.min(begin + most);
            let args = self.expand(&chain.steps[at], rows, probes, absent, probed);
            let args = RelationExpand { begin, end, ..args };
            if is_last {
                self.candidates += end - begin;
                self.add(rows, head, args)?;
            } else {
                let made = self.gpu.buffer::<u64>((end - begin) as usize)?;
                let len = self.make(args, &made, 0, None)?;
                self.step(chain, at + 1, &StepRows::Made(&made, 0..len), head)?;
            }
        }
        Ok(())
    }

    /// Makes results that are tuples of the head and adds those that are new.
    fn add(&mut self, rows: &StepRows<'_>, head: usize, mut args: RelationExpand) -> Result<()> {
        let tuples = &mut self.relations[head];
        let more = (args.end - args.begin).min(tuples.most_new()) as usize;
        tuples.reserve(self.gpu, more)?;
        tuples.reserve_set(self.gpu, more, self.prefers_bits)?;
        args.rows = self.rows_at(rows);
        let tuples = &self.relations[head];
        let len = self.make(args, tuples.list(), tuples.len(), Some(tuples.set()))?;
        self.relations[head].set_len(len);
        Ok(())
    }

    /// Appends results to a list. Its length then.
    fn make(&self, args: RelationExpand, to: &Buffer<u64>, len: usize, set: Option<RelationSet>) -> Result<usize> {
        let list_len = self.gpu.upload(&[len as u64])?;
        let args = RelationExpand {
            list: to.at(),
            list_len: list_len.at(),
            capacity: to.len() as u64,
            is_head: u32::from(set.is_some()),
            set: set.unwrap_or(args.set),
            ..args
        };
        let tiles = (args.end - args.begin).div_ceil(RELATION_TILE);
        let grid = tiles.clamp(1, 64 * u64::from(self.gpu.info().processors)) as u32;
        self.gpu.launch(kernel::RELATION_EXPAND, grid, RELATION_THREADS, 0, &args)?;
        Ok(self.gpu.read(&list_len, 0..1)?[0] as usize)
    }

    /// The arguments that all results of some rows share.
    fn expand(
        &self,
        step: &DeviceStep,
        rows: &StepRows<'_>,
        [first, second]: [RelationProbe; 2],
        [absent, also_absent]: [RelationProbe; 2],
        probed: Option<&Probed>,
    ) -> RelationExpand {
        let (mut filters, mut output) = ([NO_FILTER; 6], [NO_FIELD; 6]);
        filters[..step.filters.len()].copy_from_slice(&step.filters);
        output[..step.output.len()].copy_from_slice(&step.output);
        RelationExpand {
            rows: self.rows_at(rows),
            first,
            second,
            first_begin: probed.map_or(DevicePtr::NULL, |probed| probed.first_begin.at()),
            second_begin: probed.map_or(DevicePtr::NULL, |probed| probed.second_begin.at()),
            second_count: probed.map_or(DevicePtr::NULL, |probed| probed.second_count.at()),
            before: probed.map_or(DevicePtr::NULL, |probed| probed.before.at()),
            filters,
            absent,
            also_absent,
            output,
            set: RelationSet { bits: DevicePtr::NULL, slots: DevicePtr::NULL, mask: 0 },
            list: DevicePtr::NULL,
            list_len: DevicePtr::NULL,
            capacity: 0,
            len: rows.range().len() as u64,
            begin: 0,
            end: 0,
            probes: step.probes.len() as u32,
            filters_len: step.filters.len() as u32,
            absent_len: step.absent.len() as u32,
            output_len: step.output.len() as u32,
            is_head: 0,
            unused: 0,
        }
    }
}
