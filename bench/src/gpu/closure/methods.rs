//! The methods that are measured. Each begins with edges in host memory and ends with the device's last tuple.

use std::time::Instant;

use sameas::Result;
use sameas_core::cancel::Cancel;
use sameas_device::{Buffer, Gpu};
use sameas_relations::graph::Condensation;
use sameas_relations::graph::gpu::DeviceGraph;
use sameas_relations::graph::reach::gpu::{CondensedParts, GpuReach};
use sameas_relations::relation::gpu::carried::{AS_PAIRS, CarriedTask, DeviceLists, GpuCarried};

use super::edges::TextEdges;

/// What one run took.
pub struct MeasuredRun {
    /// The number of tuples.
    pub tuples: u64,
    /// From edges in host memory to tuples on the device.
    pub seconds: f64,
    /// Of the fixpoint itself, on the device's clock.
    pub device_seconds: f64,
    /// Rounds, where there are any.
    pub rounds: u32,
    /// How often the tuples filled the memory and were thrown away.
    pub drains: u32,
}

/// Runs a method once.
pub type RunMethod = fn(&Gpu, &TextEdges) -> Result<MeasuredRun>;

/// The methods, by name and by what they compute.
pub const METHODS: &[(&str, &str, RunMethod)] = &[
    ("carried", "closure", carried),
    ("rounds", "closure", rounds),
    ("bit-rows-count", "closure", bit_rows_count),
    ("bit-rows", "closure", bit_rows),
    ("bit-matrix", "closure", super::matrix::bit_matrix),
    ("same-generation", "same-generation", same_generation),
];

/// Room for tuples: nearly all that is free.
fn output(gpu: &Gpu) -> Result<Buffer<u64>> {
    gpu.buffer(gpu.free() / 10 * 9 / size_of::<u64>())
}

/// Each x follows its own row.
fn carried(gpu: &Gpu, edges: &TextEdges) -> Result<MeasuredRun> {
    let begun = Instant::now();
    let graph = DeviceGraph::new(gpu, &edges.sources, &edges.targets)?;
    let (lists, ids) = (DeviceLists { offsets: &graph.offsets, targets: &graph.targets }, Some(&graph.ids));
    let task = CarriedTask { steps: lists, seeds: lists, ids, x_ids: ids, shifts: AS_PAIRS };
    let carried = GpuCarried::new(gpu, task)?;
    let (to, mut takes) = (output(gpu)?, 0);
    let mut take = |_| {
        takes += 1;
        Ok(())
    };
    let (tuples, device_seconds) = gpu.timed(|| carried.tuples(0..carried.rows(), &to, Cancel::NEVER, &mut take))?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(MeasuredRun { tuples, seconds, device_seconds, rounds: 0, drains: takes - 1 })
}

/// All rows together, round by round.
fn rounds(gpu: &Gpu, edges: &TextEdges) -> Result<MeasuredRun> {
    super::rules::run(gpu, edges, &super::rules::closure())
}

/// `sg(x, y) :- edge(p, x), edge(p, y), x != y. sg(x, y) :- edge(a, x), sg(a, b), edge(b, y).`
fn same_generation(gpu: &Gpu, edges: &TextEdges) -> Result<MeasuredRun> {
    super::rules::run(gpu, edges, &super::rules::same_generation())
}

/// The condensed graph, with vertices numbered by the device and components found by the host.
struct Condensed {
    condensation: Condensation,
    ids: Vec<u32>,
}

impl Condensed {
    fn new(gpu: &Gpu, edges: &TextEdges) -> Result<Self> {
        let graph = DeviceGraph::new(gpu, &edges.sources, &edges.targets)?;
        let vertices = graph.vertices as usize;
        let ids = gpu.read(&graph.ids, 0..vertices)?;
        let offsets = gpu.read(&graph.offsets, 0..vertices + 1)?;
        let targets = gpu.read(&graph.targets, 0..edges.len())?;
        Ok(Self { condensation: Condensation::of_lists(&offsets, &targets, Cancel::NEVER)?, ids })
    }

    fn parts(&self) -> CondensedParts<'_> {
        CondensedParts {
            component: self.condensation.component_of_each(),
            offsets: self.condensation.graph().offsets(),
            targets: self.condensation.graph().targets(),
            starts: self.condensation.starts(),
            members: self.condensation.members_of_all(),
            has_cycle: self.condensation.is_cyclic_of_each(),
        }
    }
}

/// Bits of what each component reaches, counted.
fn bit_rows_count(gpu: &Gpu, edges: &TextEdges) -> Result<MeasuredRun> {
    let begun = Instant::now();
    let graph = Condensed::new(gpu, edges)?;
    let reach = GpuReach::new(gpu, &graph.parts())?;
    let (tuples, device_seconds) = gpu.timed(|| reach.count(Cancel::NEVER))?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(MeasuredRun { tuples, seconds, device_seconds, rounds: 0, drains: 0 })
}

/// Bits of what each component reaches, and the pairs that they stand for.
fn bit_rows(gpu: &Gpu, edges: &TextEdges) -> Result<MeasuredRun> {
    let begun = Instant::now();
    let graph = Condensed::new(gpu, edges)?;
    let reach = GpuReach::new(gpu, &graph.parts())?;
    let to = gpu.buffer::<[u32; 2]>(gpu.free() / 2 / size_of::<[u32; 2]>())?;
    let mut takes = 0;
    let mut take = |_| {
        takes += 1;
        Ok(())
    };
    let pairs = || reach.pairs(&graph.parts(), &graph.ids, &to, Cancel::NEVER, &mut take);
    let (tuples, device_seconds) = gpu.timed(pairs)?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(MeasuredRun { tuples, seconds, device_seconds, rounds: 0, drains: takes - 1 })
}
