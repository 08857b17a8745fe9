//! A carried fixpoint on a device as rows.

use std::ops::Range;

use super::GpuRelations;
use super::lists::CarriedLists;
use crate::cancel::Cancel;
use crate::device::Gpu;
use crate::error::Result;
use crate::relation::Carried;
use crate::relation::program::FixpointRule;
use crate::relation::rows::{CarriedSource, RowBlock};

/// Tuples in the order of x and value, as numbers.
const IN_ORDER: [u32; 2] = [32, 0];

/// Finds rows on a device.
pub struct GpuCarriedRows {
    gpu: Gpu,
    lists: CarriedLists,
    sources: Vec<u32>,
}

impl GpuRelations {
    pub(super) fn rows_here(
        &mut self,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
    ) -> Result<GpuCarriedRows> {
        if !self.has_lists(carried) {
            return Err(super::beyond_kernels("a carried column of this domain"));
        }
        self.seed(rules, carried, cancel)?;
        let lists = CarriedLists::new(self, carried, cancel)?;
        let sources = lists.sources(&self.gpu)?;
        Ok(GpuCarriedRows { gpu: self.gpu.clone(), lists, sources })
    }
}

impl GpuCarriedRows {
    /// The x from the first to the last of some sources.
    fn xs(&self, sources: &Range<usize>) -> Range<u32> {
        match self.sources[sources.clone()] {
            [] => 0..0,
            [only] => only..only + 1,
            [first, .., last] => first..last + 1,
        }
    }
}

impl CarriedSource for GpuCarriedRows {
    fn sources(&self) -> &[u32] {
        &self.sources
    }

    fn rows(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<RowBlock> {
        let carried = self.lists.follow(&self.gpu, IN_ORDER)?;
        // The rest is for bringing them in order.
        let buffer = self.gpu.buffer::<u64>(self.gpu.free() / 4 / size_of::<u64>())?;
        let (mut tuples, mut is_sorted) = (Vec::new(), true);
        let mut take = |len| {
            is_sorted &= tuples.is_empty();
            tuples.extend(super::in_order(&self.gpu, &buffer, len, 64)?);
            Ok(())
        };
        carried.tuples(self.xs(&sources), &buffer, cancel, &mut take)?;
        if !is_sorted {
            tuples.sort_unstable();
        }
        let begin = |x: &u32| tuples.partition_point(|tuple| tuple >> 32 < u64::from(*x));
        let mut offsets: Vec<usize> = self.sources[sources].iter().map(begin).collect();
        offsets.push(tuples.len());
        Ok(RowBlock { offsets, targets: tuples.into_iter().map(|tuple| tuple as u32).collect() })
    }

    fn is_on_device(&self) -> bool {
        true
    }

    fn count(&mut self, sources: Range<usize>, cancel: Cancel<'_>) -> Result<u64> {
        self.lists.follow(&self.gpu, IN_ORDER)?.count(self.xs(&sources), cancel)
    }
}
