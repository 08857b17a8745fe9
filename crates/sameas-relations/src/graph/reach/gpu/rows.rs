//! The targets of any vertices, from the bits of all components, which stay in the memory of the device.

use std::ops::Range;

use super::{CondensedParts, GpuReach, ReachNames, ReachSlices};
use crate::cancel::Cancel;
use crate::device::Buffer;
use crate::error::Result;
use crate::graph::Condensation;
use crate::graph::reach::ReachBlock;

/// A condensed graph as a device takes it.
#[derive(Debug)]
pub struct DeviceCondensation<'a> {
    condensed: &'a Condensation,
    has_cycle: Vec<bool>,
}

impl<'a> DeviceCondensation<'a> {
    /// With `reflexive` every component reaches itself.
    pub fn new(condensed: &'a Condensation, reflexive: bool) -> Self {
        let has_cycle = condensed.is_cyclic_of_each().iter().map(|is_cyclic| *is_cyclic || reflexive).collect();
        Self { condensed, has_cycle }
    }

    /// What is copied to the device.
    pub fn parts(&self) -> CondensedParts<'_> {
        CondensedParts {
            component: self.condensed.component_of_each(),
            offsets: self.condensed.graph().offsets(),
            targets: self.condensed.graph().targets(),
            starts: self.condensed.starts(),
            members: self.condensed.members_of_all(),
            has_cycle: &self.has_cycle,
        }
    }
}

impl GpuReach<'_> {
    /// The number of vertices that each component reaches; `done` learns how many more slices are swept.
    pub fn counts(&self, cancel: Cancel<'_>, done: &dyn Fn(u64)) -> Result<Vec<u64>> {
        let weights = self.gpu.zeroed::<u64>(self.components as usize)?;
        let (counter, mut first) = (self.gpu.zeroed::<u64>(1)?, 0);
        while first < self.slices() {
            cancel.check();
            let slices = self.sweep(first, self.gpu.free() / 4 * 3, &counter, Some(&weights))?.range;
            done(u64::from(slices.end - first));
            first = slices.end;
        }
        self.gpu.read(&weights, 0..self.components as usize)
    }
}

/// What vertices reach, with the bits of all components in memory.
pub struct GpuReachRows<'a> {
    reach: GpuReach<'a>,
    names: ReachNames,
    slices: ReachSlices,
    /// Where the pairs of each vertex would begin; and the end: on the device, and here.
    places: Buffer<u64>,
    begins: Vec<u64>,
}

impl<'a> GpuReachRows<'a> {
    /// Makes the bits. Where they take more than three quarters of the memory that is free, they do not fit.
    pub fn new(reach: GpuReach<'a>, graph: &CondensedParts<'_>) -> Result<Self> {
        let gpu = reach.gpu;
        let ids: Vec<u32> = (0..graph.component.len() as u32).collect();
        let names = ReachNames::new(gpu, graph, &ids)?;
        let (counter, weights) = (gpu.zeroed::<u64>(1)?, gpu.zeroed::<u64>(graph.components())?);
        let room = gpu.free() / 4 * 3;
        let (fitting, words) = reach.fitting(0, room);
        if fitting.end < reach.slices() || 4 * words > room {
            let needed: usize = (0..reach.slices()).map(|slice| 4 * reach.words(slice)).sum();
            return Err(gpu.too_small(needed, room));
        }
        let slices = reach.sweep(0, room, &counter, Some(&weights))?;
        let places = reach.places(&names, &weights)?;
        let begins = gpu.read(&places, 0..ids.len() + 1)?;
        Ok(Self { reach, names, slices, places, begins })
    }

    /// The targets of consecutive vertices, those of each in no order.
    pub fn unsorted(&self, sources: Range<u32>) -> Result<ReachBlock> {
        let (gpu, from) = (self.reach.gpu, self.begins[sources.start as usize]);
        let end = |source: u32| (self.begins[source as usize + 1] - from) as usize;
        let ends: Vec<usize> = sources.clone().map(end).collect();
        let len = ends.last().copied().unwrap_or(0);
        let to = gpu.buffer::<[u32; 2]>(len)?;
        let vertices = sources.start as usize..sources.end as usize;
        self.reach.write_some(&self.names, &self.slices, &self.places, &to, 0, vertices, from)?;
        let targets = gpu.read(&to, 0..len)?.into_iter().map(|[_, target]| target).collect();
        Ok(ReachBlock { first: sources.start, ends, targets })
    }
}

impl std::fmt::Debug for GpuReachRows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GpuReachRows {{ vertices: {} }}", self.begins.len() - 1)
    }
}
