use std::collections::BTreeSet;

use super::*;
use crate::graph::gpu::DeviceGraph;

/// A number below `bound`, from a state that is changed.
fn draw(state: &mut u64, bound: u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % bound) as u32
}

/// Edges between some of the ids 5, 8, 11, ...
fn edges(vertices: u64, edges: usize, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut state = seed;
    (0..edges).map(|_| (5 + 3 * draw(&mut state, vertices), 5 + 3 * draw(&mut state, vertices))).unzip()
}

/// All pairs of ids with a path.
fn closure(sources: &[u32], targets: &[u32]) -> BTreeSet<[u32; 2]> {
    let edges: BTreeSet<[u32; 2]> = sources.iter().zip(targets).map(|(from, to)| [*from, *to]).collect();
    let mut all = edges.clone();
    loop {
        let mut more = all.clone();
        for [x, y] in &all {
            more.extend(edges.range([*y, 0]..=[*y, u32::MAX]).map(|[_, z]| [*x, *z]));
        }
        if more.len() == all.len() {
            return all;
        }
        all = more;
    }
}

/// The tuples by a kernel, with a buffer of some size.
fn made(gpu: &Gpu, graph: &DeviceGraph, shape: Option<CarriedShape>, capacity: usize) -> Result<Vec<[u32; 2]>> {
    let lists = DeviceLists { offsets: &graph.offsets, targets: &graph.targets };
    let ids = Some(&graph.ids);
    let mut carried =
        GpuCarried::new(gpu, CarriedTask { steps: lists, seeds: lists, ids, x_ids: ids, shifts: AS_PAIRS })?;
    if let Some(shape) = shape {
        let values = graph.vertices as usize;
        carried.reached = gpu.buffer(shape.groups as usize * values)?;
        carried.bits = gpu.zeroed(shape.groups as usize * values.div_ceil(128) * 4)?;
        carried.undone = [gpu.buffer(shape.groups as usize)?, gpu.buffer(shape.groups as usize)?];
        carried.shape = shape;
    }
    let (buffer, mut tuples) = (gpu.buffer::<u64>(capacity)?, Vec::new());
    let count = carried.tuples(0..carried.rows(), &buffer, Cancel::NEVER, &mut |len| {
        tuples.extend(gpu.read(&buffer, 0..len)?.into_iter().map(|tuple| [tuple as u32, (tuple >> 32) as u32]));
        Ok(())
    })?;
    assert_eq!(count, tuples.len() as u64);
    assert_eq!(count, carried.count(0..carried.rows(), Cancel::NEVER)?);
    tuples.sort_unstable();
    Ok(tuples)
}

/// Shapes that a graph of this size would not get.
fn shapes(values: u32) -> [Option<CarriedShape>; 4] {
    let bits = values.div_ceil(128) * 16;
    let block = CarriedShape {
        kernel: kernel::RELATION_CARRIED_BLOCK,
        blocks: 3,
        threads: 96,
        shared: bits,
        groups: 3,
        is_wide: false,
    };
    let wide = CarriedShape { kernel: kernel::RELATION_CARRIED_WIDE, shared: 0, is_wide: true, ..block };
    let shared = 2 * (bits + 4 * CARRIED_RING);
    let warp = CarriedShape { kernel: kernel::RELATION_CARRIED_WARP, threads: 64, shared, groups: 6, ..block };
    [None, Some(block), Some(wide), Some(warp)]
}

#[test]
fn rows_are_those_of_the_closure() -> Result<()> {
    for (seed, (vertices, len)) in [(1, 1), (5, 9), (40, 60), (200, 230), (90, 700)].into_iter().enumerate() {
        let (sources, targets) = edges(vertices, len, seed as u64);
        let expected: Vec<[u32; 2]> = closure(&sources, &targets).into_iter().collect();
        let gpu = Gpu::emulated(16 << 20, seed as u64);
        let graph = DeviceGraph::new(&gpu, &sources, &targets)?;
        for shape in shapes(graph.vertices) {
            assert_eq!(made(&gpu, &graph, shape, 20_000)?, expected, "seed {seed}, {shape:?}");
            // Barely more than the longest row.
            assert_eq!(made(&gpu, &graph, shape, vertices as usize + 3)?, expected, "seed {seed}, {shape:?}");
        }
    }
    Ok(())
}

#[test]
fn a_hub_and_a_long_path_are_followed() -> Result<()> {
    // 0 -> 1 -> ... -> 300, and 300 -> all of 301..700.
    let sources: Vec<u32> = (0..700).map(|at: u32| at.min(300)).collect();
    let targets: Vec<u32> = (1..=700).collect();
    let gpu = Gpu::emulated(16 << 20, 3);
    let graph = DeviceGraph::new(&gpu, &sources, &targets)?;
    let expected = (0..=300_u64).map(|x| 700 - x).sum::<u64>();
    for shape in shapes(graph.vertices) {
        assert_eq!(made(&gpu, &graph, shape, 200_000)?.len() as u64, expected, "{shape:?}");
    }
    Ok(())
}

#[test]
fn a_row_that_does_not_fit_is_an_error() -> Result<()> {
    let (sources, targets) = ((0..20).collect::<Vec<u32>>(), (1..21).collect::<Vec<u32>>());
    let gpu = Gpu::emulated(1 << 20, 3);
    let graph = DeviceGraph::new(&gpu, &sources, &targets)?;
    let error = made(&gpu, &graph, None, 10).unwrap_err();
    assert_eq!(error.code(), crate::error::ErrorCode::DoesNotFitDevice);
    Ok(())
}
