//! Graphs on a device: vertices numbered in the order of their ids, edges listed by vertex, all of it by the device.

use sameas_kernels::kernel;
use sameas_kernels::layout::graph::{GraphCodes, GraphMarks, GraphOffsets};
use sameas_kernels::layout::part::PartValues;

use crate::device::{Buffer, Gpu};
use crate::error::{Error, Result};

/// Threads of a block.
const BLOCK: u32 = 256;

/// Blocks for a grid-stride loop over `len` items.
pub(crate) fn blocks(gpu: &Gpu, len: usize) -> u32 {
    len.div_ceil(BLOCK as usize).clamp(1, 16 * gpu.info().processors as usize) as u32
}

/// A directed graph in the memory of a device.
pub struct DeviceGraph {
    /// By vertex: its id; ascending.
    pub ids: Buffer<u32>,
    /// By vertex: where its edges begin; and the end.
    pub offsets: Buffer<u32>,
    /// By edge: where it leads.
    pub targets: Buffer<u32>,
    /// The number of vertices.
    pub vertices: u32,
}

impl DeviceGraph {
    /// The graph of some edges between ids. An edge that is given twice is there twice.
    ///
    /// A bit for each id up to the largest is needed while it is made.
    pub fn new(gpu: &Gpu, sources: &[u32], targets: &[u32]) -> Result<Self> {
        assert_eq!(sources.len(), targets.len(), "an edge has two ends");
        let edges = u32::try_from(sources.len()).map_err(|_| Error::resource("a device takes 2^32 edges at most"))?;
        let largest = sources.iter().chain(targets).copied().max().unwrap_or(0);
        let ends = [gpu.upload(sources)?, gpu.upload(targets)?];
        let numbers = VertexNumbers::new(gpu, &ends, largest)?;
        let vertices = numbers.ids.len() as u32;
        let [from, to] = [numbers.codes(gpu, &ends[0])?, numbers.codes(gpu, &ends[1])?];
        drop(ends);
        let bits = 32 - vertices.saturating_sub(1).leading_zeros();
        let (from, targets) = gpu.sort_pairs(&from, &to, sources.len(), 0..bits.max(1))?;
        let offsets = gpu.buffer::<u32>(vertices as usize + 1)?;
        let args = GraphOffsets { sources: from.at(), offsets: offsets.at(), edges, vertices };
        gpu.launch(kernel::GRAPH_OFFSETS, blocks(gpu, sources.len() + 1), BLOCK, 0, &args)?;
        Ok(Self { ids: numbers.ids, offsets, targets, vertices })
    }
}

/// The ids that occur, as bits and in order.
struct VertexNumbers {
    marks: Buffer<u64>,
    before: Buffer<u64>,
    ids: Buffer<u32>,
}

impl VertexNumbers {
    fn new(gpu: &Gpu, lists: &[Buffer<u32>], largest: u32) -> Result<Self> {
        let words = largest as usize / 64 + 1;
        let marks = gpu.zeroed::<u64>(words)?;
        for ids in lists {
            let args = GraphMarks { ids: ids.at(), marks: marks.at(), len: ids.len() as u64 };
            gpu.launch(kernel::GRAPH_MARKS, blocks(gpu, ids.len()), BLOCK, 0, &args)?;
        }
        // One more than there are words: the sum before it is that of all.
        let counts = gpu.zeroed::<u32>(words + 1)?;
        let none = gpu.buffer::<u32>(0)?;
        let mut values = PartValues {
            marks: marks.at(),
            counts: counts.at(),
            before: sameas_kernels::DevicePtr::NULL,
            kept: none.at(),
            words: words as u64,
        };
        gpu.launch(kernel::PART_COUNTS, blocks(gpu, words), BLOCK, 0, &values)?;
        let before = gpu.exclusive_sum(&counts, words + 1)?;
        let vertices = gpu.read(&before, words..words + 1)?[0] as usize;
        let ids = gpu.buffer::<u32>(vertices)?;
        (values.before, values.kept) = (before.at(), ids.at());
        gpu.launch(kernel::PART_KEPT, blocks(gpu, words), BLOCK, 0, &values)?;
        Ok(Self { marks, before, ids })
    }

    /// The places of some ids among all.
    fn codes(&self, gpu: &Gpu, ids: &Buffer<u32>) -> Result<Buffer<u32>> {
        let codes = gpu.buffer::<u32>(ids.len())?;
        let args = GraphCodes {
            ids: ids.at(),
            marks: self.marks.at(),
            before: self.before.at(),
            codes: codes.at(),
            len: ids.len() as u64,
        };
        gpu.launch(kernel::GRAPH_CODES, blocks(gpu, ids.len()), BLOCK, 0, &args)?;
        Ok(codes)
    }
}

#[cfg(all(test, feature = "emulated"))]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_numbered_in_order_and_edges_listed() -> Result<()> {
        let gpu = Gpu::emulated(1 << 20, 1);
        let graph = DeviceGraph::new(&gpu, &[700, 3, 9, 3, 700], &[3, 9, 64, 64, 9])?;
        assert_eq!(gpu.read(&graph.ids, 0..4)?, [3, 9, 64, 700]);
        assert_eq!(gpu.read(&graph.offsets, 0..5)?, [0, 2, 3, 3, 5]);
        assert_eq!(gpu.read(&graph.targets, 0..5)?, [1, 2, 2, 0, 1]);
        Ok(())
    }
}
