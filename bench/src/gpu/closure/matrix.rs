//! The closure as a matrix of bits, by tiles, after "Duplicate Detection on GPUs": counted, not written out.

use std::time::Instant;

use sameas::Result;
use sameas_device::Gpu;
use sameas_kernels::kernel;
use sameas_kernels::layout::closure_bits::{ClosureBits, TILE_ROWS, TILE_WORDS};
use sameas_relations::graph::gpu::DeviceGraph;

use super::edges::TextEdges;
use super::methods::MeasuredRun;

/// Runs the method once. The matrix must fit the device.
pub fn bit_matrix(gpu: &Gpu, edges: &TextEdges) -> Result<MeasuredRun> {
    let begun = Instant::now();
    let graph = DeviceGraph::new(gpu, &edges.sources, &edges.targets)?;
    let (tuples, device_seconds) = gpu.timed(|| count(gpu, &graph))?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(MeasuredRun { tuples, seconds, device_seconds, rounds: graph.vertices.div_ceil(TILE_ROWS), drains: 0 })
}

fn count(gpu: &Gpu, graph: &DeviceGraph) -> Result<u64> {
    let tiles = graph.vertices.div_ceil(TILE_ROWS);
    let rows = gpu.zeroed::<u32>((tiles * TILE_ROWS) as usize * (tiles * TILE_WORDS) as usize)?;
    let pairs = gpu.zeroed::<u64>(1)?;
    let args = ClosureBits {
        rows: rows.at(),
        pairs: pairs.at(),
        offsets: graph.offsets.at(),
        targets: graph.targets.at(),
        vertices: graph.vertices,
        tiles,
        pivot: 0,
        unused: 0,
    };
    let blocks = 8 * gpu.info().processors;
    gpu.launch(kernel::CLOSURE_BITS_EDGES, blocks, TILE_ROWS, 0, &args)?;
    for pivot in 0..tiles {
        let args = ClosureBits { pivot, ..args };
        gpu.launch(kernel::CLOSURE_BITS_PIVOT, 1, TILE_ROWS, 0, &args)?;
        if tiles > 1 {
            gpu.launch(kernel::CLOSURE_BITS_CROSS, 2 * (tiles - 1), TILE_ROWS, 0, &args)?;
            gpu.launch(kernel::CLOSURE_BITS_REST, (tiles - 1) * (tiles - 1), TILE_ROWS, 0, &args)?;
        }
    }
    gpu.launch(kernel::CLOSURE_BITS_COUNT, blocks, TILE_ROWS, 0, &args)?;
    Ok(gpu.read(&pairs, 0..1)?[0])
}
