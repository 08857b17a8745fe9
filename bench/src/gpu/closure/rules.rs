//! Fixpoints of rules, round by round.

use std::time::Instant;

use sameas::{Error, Result};
use sameas_core::cancel::Cancel;
use sameas_core::memory::MemoryBudget;
use sameas_device::Gpu;
use sameas_relations::graph::gpu::DeviceGraph;
use sameas_relations::relation::gpu::GpuRelations;
use sameas_relations::relation::{
    Atom, Filter, FixpointRule, RelationDeclaration, RelationEngine, RelationId, Term, TermComparison, Variant,
};

use super::edges::TextEdges;
use super::methods::MeasuredRun;

const EDGE: RelationId = RelationId(0);
const FOUND: RelationId = RelationId(1);

fn atom(relation: RelationId, from: u32, to: u32) -> Atom {
    Atom { relation, terms: vec![Term::Variable(from), Term::Variable(to)] }
}

fn rule(output: [u32; 2], first: Variant, delta: Option<usize>) -> FixpointRule {
    let recursive = delta.map(|delta| Variant { delta: Some(delta), ..first.clone() }).into_iter().collect();
    let output = output.map(Term::Variable).to_vec();
    FixpointRule { name: "rule".to_owned(), head: FOUND, output, first, recursive }
}

fn joined(atoms: Vec<Atom>) -> Variant {
    Variant { atoms, ..Variant::default() }
}

/// Paths of at least one edge.
pub fn closure() -> Vec<FixpointRule> {
    let step = joined(vec![atom(FOUND, 0, 1), atom(EDGE, 1, 2)]);
    vec![rule([0, 1], joined(vec![atom(EDGE, 0, 1)]), None), rule([0, 2], step, Some(0))]
}

/// Vertices as far below a common ancestor.
pub fn same_generation() -> Vec<FixpointRule> {
    let (left, right) = (Term::Variable(1), Term::Variable(2));
    let filters = vec![Filter { left, comparison: TermComparison::Different, right }];
    let siblings = Variant { filters, ..joined(vec![atom(EDGE, 0, 1), atom(EDGE, 0, 2)]) };
    let step = joined(vec![atom(EDGE, 0, 2), atom(FOUND, 0, 1), atom(EDGE, 1, 3)]);
    vec![rule([1, 2], siblings, None), rule([2, 3], step, Some(1))]
}

/// Runs rules over the edges, and writes the tuples as pairs of ids.
pub fn run(gpu: &Gpu, edges: &TextEdges, rules: &[FixpointRule]) -> Result<MeasuredRun> {
    let begun = Instant::now();
    let graph = DeviceGraph::new(gpu, &edges.sources, &edges.targets)?;
    let vertices = graph.vertices as usize;
    let offsets = gpu.read(&graph.offsets, 0..vertices + 1)?;
    let targets = gpu.read(&graph.targets, 0..edges.len())?;
    let degree = |vertex: usize| (offsets[vertex + 1] - offsets[vertex]) as usize;
    let sources: Vec<u32> = (0..vertices).flat_map(|at| std::iter::repeat_n(at as u32, degree(at))).collect();
    let mut relations = GpuRelations::new(gpu.clone(), MemoryBudget::unlimited());
    for name in ["edge", "found"] {
        let domains = vec![vertices as u64; 2];
        relations.declare(&RelationDeclaration { name: name.to_owned(), domains })?;
    }
    relations.insert(EDGE, &[&sources, &targets], Cancel::NEVER)?;
    let (report, device_seconds) = gpu.timed(|| relations.fixpoint(rules, None, Cancel::NEVER, &mut |_| {}))?;
    let (tuples, drains) = (relations.len(FOUND), pairs(gpu, &relations, &graph)?);
    let seconds = begun.elapsed().as_secs_f64();
    Ok(MeasuredRun { tuples, seconds, device_seconds, rounds: report.rounds.len() as u32, drains })
}

/// Writes all tuples as pairs; how often they filled the memory.
fn pairs(gpu: &Gpu, relations: &GpuRelations, graph: &DeviceGraph) -> Result<u32> {
    if relations.tuples(FOUND).is_none() {
        return Err(Error::internal("the device had no room, and the host has done it"));
    }
    let len = relations.len(FOUND) as usize;
    let to = gpu.buffer::<[u32; 2]>(len.min(gpu.free() / 2 / size_of::<[u32; 2]>()).max(1))?;
    let (mut from, mut drains) = (0, 0);
    while from < len {
        from += relations.write_pairs(FOUND, from, &graph.ids, &to)?;
        drains += u32::from(from < len);
    }
    gpu.wait()?;
    Ok(drains)
}
