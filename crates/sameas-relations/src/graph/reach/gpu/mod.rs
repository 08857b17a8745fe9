//! Bit rows on a device: what each component of a graph reaches, by slices of targets; see `kernels/reach.cu`.
//!
//! All slices that fit the memory are made at once, a block each. Pairs are then written from their bits, by vertex.
//! `rows` keeps the bits, and gives the targets of some vertices at a time.

mod rows;

pub use rows::{DeviceCondensation, GpuReachRows};

use std::ops::Range;

use sameas_kernels::layout::reach::{
    REACH_SLICE, REACH_WARPS, REACH_WORDS, ReachGraph, ReachPairs, ReachSweep, ReachWeights,
};
use sameas_kernels::{DevicePtr, kernel};

use crate::cancel::Cancel;
use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::graph::gpu::blocks;

/// A condensed graph: each component leads to smaller ones only.
#[derive(Clone, Copy, Debug)]
pub struct CondensedParts<'a> {
    /// By vertex: its component.
    pub component: &'a [u32],
    /// By component: where its successors begin; and the end.
    pub offsets: &'a [u32],
    /// Its successors.
    pub targets: &'a [u32],
    /// By component: where its vertices begin; and the end.
    pub starts: &'a [u32],
    /// The vertices of each component.
    pub members: &'a [u32],
    /// By component: whether it reaches itself.
    pub has_cycle: &'a [bool],
}

impl CondensedParts<'_> {
    /// The components by level, and where levels begin: each leads to earlier levels only.
    fn levels(&self) -> (Vec<u32>, Vec<u32>) {
        let mut level = vec![0_u32; self.components()];
        let mut begins = vec![0_u32];
        for component in 0..self.components() {
            let successors = &self.targets[self.offsets[component] as usize..self.offsets[component + 1] as usize];
            let own = successors.iter().map(|to| level[*to as usize] + 1).max().unwrap_or(0);
            level[component] = own;
            if begins.len() < own as usize + 2 {
                begins.resize(own as usize + 2, 0);
            }
            begins[own as usize + 1] += 1;
        }
        (1..begins.len()).for_each(|at| begins[at] += begins[at - 1]);
        let (mut next, mut order) = (begins.clone(), vec![0; level.len()]);
        for (component, own) in level.iter().enumerate() {
            let place = &mut next[*own as usize];
            order[*place as usize] = component as u32;
            *place += 1;
        }
        (order, begins)
    }

    fn components(&self) -> usize {
        self.has_cycle.len()
    }

    /// By component: the number of its vertices.
    fn sizes(&self) -> Vec<u32> {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).collect()
    }
}

/// A bit for each of some values that are true.
fn bits(of: impl ExactSizeIterator<Item = bool>) -> Vec<u32> {
    let mut words = vec![0; of.len().div_ceil(32).max(1)];
    of.enumerate().filter(|(_, is_set)| *is_set).for_each(|(at, _)| words[at / 32] |= 1 << (at % 32));
    words
}

/// What the vertices of a graph reach.
pub struct GpuReach<'a> {
    gpu: &'a Gpu,
    order: Buffer<u32>,
    levels: Buffer<u32>,
    offsets: Buffer<u32>,
    targets: Buffer<u32>,
    sizes: Buffer<u32>,
    loops: Buffer<u32>,
    large: Buffer<u32>,
    components: u32,
}

/// What vertices are called, and where they are.
struct ReachNames {
    component: Buffer<u32>,
    member_offsets: Buffer<u32>,
    member_ids: Buffer<u32>,
    first_ids: Buffer<u32>,
    ids: Buffer<u32>,
}

/// Slices that are in memory.
struct ReachSlices {
    range: Range<u32>,
    rows: Buffer<u32>,
}

impl<'a> GpuReach<'a> {
    /// Copies the graph to the device.
    pub fn new(gpu: &'a Gpu, graph: &CondensedParts<'_>) -> Result<Self> {
        let ((order, levels), sizes) = (graph.levels(), graph.sizes());
        Ok(Self {
            gpu,
            order: gpu.upload(&order)?,
            levels: gpu.upload(&levels)?,
            offsets: gpu.upload(graph.offsets)?,
            targets: gpu.upload(graph.targets)?,
            sizes: gpu.upload(&sizes)?,
            loops: gpu.upload(&bits(graph.has_cycle.iter().copied()))?,
            large: gpu.upload(&bits(sizes.iter().map(|size| *size > 1)))?,
            components: graph.components() as u32,
        })
    }

    fn slices(&self) -> u32 {
        self.components.div_ceil(REACH_SLICE)
    }

    /// Words of the rows of a slice.
    fn words(&self, slice: u32) -> usize {
        (self.components - slice * REACH_SLICE) as usize * REACH_WORDS as usize
    }

    /// The slices from `first` on that fit some memory; at least one.
    fn fitting(&self, first: u32, bytes: usize) -> (Range<u32>, usize) {
        let (mut end, mut words) = (first + 1, self.words(first));
        while end < self.slices() && 4 * (words + self.words(end)) <= bytes {
            words += self.words(end);
            end += 1;
        }
        (first..end, words)
    }

    /// The number of pairs of vertices, the second of which the first reaches.
    pub fn count(&self, cancel: Cancel<'_>) -> Result<u64> {
        let (counter, mut first) = (self.gpu.zeroed::<u64>(1)?, 0);
        while first < self.slices() {
            cancel.check();
            first = self.sweep(first, self.gpu.free() / 4 * 3, &counter, None)?.range.end;
        }
        Ok(self.gpu.read(&counter, 0..1)?[0])
    }

    /// Makes the slices from `first` on that fit some memory.
    fn sweep(
        &self,
        first: u32,
        bytes: usize,
        pairs: &Buffer<u64>,
        weights: Option<&Buffer<u64>>,
    ) -> Result<ReachSlices> {
        let (range, words) = self.fitting(first, bytes);
        let rows = self.gpu.buffer::<u32>(words)?;
        let graph = ReachGraph {
            order: self.order.at(),
            levels: self.levels.at(),
            offsets: self.offsets.at(),
            targets: self.targets.at(),
            sizes: self.sizes.at(),
            loops: self.loops.at(),
            large: self.large.at(),
            components: self.components,
            levels_len: self.levels.len() as u32 - 1,
        };
        let weights = weights.map_or(DevicePtr::NULL, Buffer::at);
        let args = ReachSweep { graph, rows: rows.at(), weights, pairs: pairs.at(), first, slices: range.len() as u32 };
        self.gpu.launch(kernel::REACH_SWEEP, range.len() as u32, 1024, 0, &args)?;
        Ok(ReachSlices { range, rows })
    }

    /// Makes all pairs, with vertices called by `ids`. `take` is called with the number of those in the buffer when no
    /// more fit, and at the end. Bits take at most half of the memory that is free.
    pub fn pairs(
        &self,
        graph: &CondensedParts<'_>,
        ids: &[u32],
        to: &Buffer<[u32; 2]>,
        cancel: Cancel<'_>,
        take: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<u64> {
        let names = ReachNames::new(self.gpu, graph, ids)?;
        let (counter, room) = (self.gpu.zeroed::<u64>(1)?, self.gpu.free() / 2);
        let weights = self.gpu.buffer::<u64>(self.components as usize)?;
        let (mut first, mut filled) = (0, 0);
        while first < self.slices() {
            cancel.check();
            self.gpu.fill_zero(&weights)?;
            let slices = self.sweep(first, room, &counter, Some(&weights))?;
            let places = self.places(&names, &weights)?;
            filled = self.write(&names, &slices, &places, to, filled, take)?;
            first = slices.range.end;
        }
        take(filled)?;
        Ok(self.gpu.read(&counter, 0..1)?[0])
    }

    /// Where the pairs of each vertex begin; and the end.
    fn places(&self, names: &ReachNames, weights: &Buffer<u64>) -> Result<Buffer<u64>> {
        let vertices = names.ids.len();
        let by_vertex = self.gpu.buffer::<u64>(vertices + 1)?;
        let args = ReachWeights {
            component: names.component.at(),
            weights: weights.at(),
            by_vertex: by_vertex.at(),
            vertices: vertices as u64,
        };
        self.gpu.launch(kernel::REACH_WEIGHTS, blocks(self.gpu, vertices + 1), 256, 0, &args)?;
        self.gpu.exclusive_sum_u64(&by_vertex, vertices + 1)
    }

    /// Writes the pairs of slices behind the `filled` that are there, and has full buffers taken. What it holds then.
    fn write(
        &self,
        names: &ReachNames,
        slices: &ReachSlices,
        places: &Buffer<u64>,
        to: &Buffer<[u32; 2]>,
        mut filled: usize,
        take: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<usize> {
        let vertices = names.ids.len();
        let all = self.gpu.read(places, vertices..vertices + 1)?[0] as usize;
        if filled + all <= to.len() {
            self.write_some(names, slices, places, to, filled, 0..vertices, 0)?;
            return Ok(filled + all);
        }
        let begins = self.gpu.read(places, 0..vertices + 1)?;
        let mut first = 0;
        while first < vertices {
            let room = begins[first] + (to.len() - filled) as u64;
            let end = begins.partition_point(|begin| *begin <= room) - 1;
            if end <= first && filled == 0 {
                let needed = 8 * (begins[first + 1] - begins[first]) as usize;
                return Err(self.gpu.too_small(needed, 8 * to.len()));
            }
            if end > first {
                self.write_some(names, slices, places, to, filled, first..end, begins[first])?;
                filled += (begins[end] - begins[first]) as usize;
                first = end;
            }
            if first < vertices {
                take(filled)?;
                filled = 0;
            }
        }
        Ok(filled)
    }

    #[allow(clippy::too_many_arguments, reason = "one launch, whose arguments these are")]
    fn write_some(
        &self,
        names: &ReachNames,
        slices: &ReachSlices,
        places: &Buffer<u64>,
        to: &Buffer<[u32; 2]>,
        filled: usize,
        vertices: Range<usize>,
        from: u64,
    ) -> Result<()> {
        let args = ReachPairs {
            rows: slices.rows.at(),
            component: names.component.at(),
            member_offsets: names.member_offsets.at(),
            member_ids: names.member_ids.at(),
            first_ids: names.first_ids.at(),
            ids: names.ids.at(),
            large: self.large.at(),
            places: places.at(),
            pairs: to.at_index(filled),
            from,
            components: self.components,
            first: slices.range.start,
            slices: slices.range.len() as u32,
            begin: vertices.start as u32,
            end: vertices.end as u32,
            unused: 0,
        };
        let blocks = vertices.len().div_ceil(REACH_WARPS as usize).clamp(1, 1 << 16) as u32;
        self.gpu.launch(kernel::REACH_PAIRS, blocks, 32 * REACH_WARPS, 0, &args)
    }
}

impl ReachNames {
    fn new(gpu: &Gpu, graph: &CondensedParts<'_>, ids: &[u32]) -> Result<Self> {
        let member_ids: Vec<u32> = graph.members.iter().map(|vertex| ids[*vertex as usize]).collect();
        let starts = &graph.starts[..graph.components()];
        let first_ids: Vec<u32> = starts.iter().map(|at| member_ids[*at as usize]).collect();
        Ok(Self {
            component: gpu.upload(graph.component)?,
            member_offsets: gpu.upload(graph.starts)?,
            member_ids: gpu.upload(&member_ids)?,
            first_ids: gpu.upload(&first_ids)?,
            ids: gpu.upload(ids)?,
        })
    }
}

#[cfg(all(test, feature = "emulated"))]
mod tests;
